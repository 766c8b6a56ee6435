//! Python binding: the module `odonata._core`.
//!
//! Text (JSON) and arrays in, text and arrays out. It knows no model: what a configuration means
//! is decided by `odonata-sim`, what a user sees is decided by the Python package.
//! A simulation runs on threads of its own with the interpreter released; the calling thread looks
//! after it twenty-five times a second, so that a keyboard interrupt ends it at once.
//!
//! Failure modes: `SimulationError` for input that cannot be run (arguments: path in the
//! configuration, sentence), `LostError` when another process of the run is gone, `InternalError`
//! for a fault of this program.
#![forbid(unsafe_code)]

mod collectives;
mod columns;
mod convert;
mod exceptions;
mod meeting;
mod memory;
mod packed;
mod rank;
mod recorded;
mod table;
mod team;
mod typed;
mod watch;

use std::collections::BTreeMap;
use std::path::PathBuf;

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use exceptions::{InternalError, LostError, RefusedError, SimulationError};

/// The tables of many runs, see [`packed::joined`].
#[pyfunction]
#[pyo3(signature = (runs, table=None, rows=None))]
fn joined_tables<'py>(
    py: Python<'py>,
    runs: Vec<Bound<'py, PyBytes>>,
    table: Option<String>,
    rows: Option<(usize, usize)>,
) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let rows = rows.map(|(first, end)| first..end.max(first));
    packed::joined(py, &runs, packed::Wanted { table, rows })
}

/// Names of the packed tables of a run, and the rows of each.
#[pyfunction]
#[expect(
    clippy::needless_pass_by_value,
    reason = "an argument of a function that Python calls"
)]
fn packed_names(run: Bound<'_, PyBytes>) -> PyResult<Vec<(String, u64)>> {
    packed::names(run.as_bytes())
}

/// Checks one configuration without running it: virtual channels, forecast (JSON).
#[pyfunction]
fn check<'py>(py: Python<'py>, config_json: &str, inputs: convert::Given<'py>) -> PyResult<String> {
    let config = convert::config(config_json)?;
    let inputs = convert::inputs(&inputs)?;
    let report = watch::guarded(py, &watch::Callbacks::default(), move |_| {
        odonata_sim::check(&config, &inputs)
    })?;
    Ok(report.to_string())
}

/// How hard the MPI jobs of one configuration press on its network, each alone and without
/// contention (JSON).
#[pyfunction]
fn demand<'py>(
    py: Python<'py>,
    config_json: &str,
    inputs: convert::Given<'py>,
) -> PyResult<String> {
    let config = convert::config(config_json)?;
    let inputs = convert::inputs(&inputs)?;
    let jobs = watch::guarded(py, &watch::Callbacks::default(), move |_| {
        odonata_sim::demand(&config, &inputs)
    })?;
    Ok(jobs.to_string())
}

/// Packets that open-loop jobs will have offered at each of some instants, ps (JSON).
#[pyfunction]
fn offered<'py>(
    py: Python<'py>,
    config_json: &str,
    inputs: convert::Given<'py>,
    instants_ps: Vec<u64>,
) -> PyResult<String> {
    let config = convert::config(config_json)?;
    let inputs = convert::inputs(&inputs)?;
    let jobs = watch::guarded(py, &watch::Callbacks::default(), move |_| {
        odonata_sim::offered(&config, &inputs, &instants_ps)
    })?;
    Ok(jobs.to_string())
}

/// Every family with its members, their parameters, units and defaults (JSON).
#[pyfunction]
fn registry() -> String {
    odonata_sim::registry().to_string()
}

/// The operations of traces: their codes and what each is (JSON).
#[pyfunction]
fn operations() -> String {
    odonata_workload::trace::op::registry().to_string()
}

/// The table of arrays by name.
#[pyfunction]
fn trace_table(columns: &Bound<'_, PyDict>) -> PyResult<table::Table> {
    Ok(table::Table(convert::trace("given", columns)?))
}

/// The network of one configuration: a summary (JSON) and the list of its directed channels.
///
/// `texts` are the files that the configuration names, by the path under which it does.
#[pyfunction]
#[pyo3(signature = (config_json, texts=None))]
fn topology<'py>(
    py: Python<'py>,
    config_json: &str,
    texts: Option<BTreeMap<String, String>>,
) -> PyResult<(String, Bound<'py, PyDict>)> {
    let config = convert::config(config_json)?;
    let inputs = odonata_sim::Inputs {
        texts: texts.unwrap_or_default(),
        memory_bytes: memory::available(),
        ..odonata_sim::Inputs::default()
    };
    let (summary, channels) = watch::guarded(py, &watch::Callbacks::default(), move |_| {
        odonata_sim::topology(&config, &inputs)
    })?;
    Ok((
        summary.to_string(),
        columns::to_python(py, channels.columns)?,
    ))
}

/// Reads a trace: its table, and what else there is to say of it (JSON).
///
/// `kind` names a reader of `odonata-traces`; `files` are those of the ranks, in their order, or
/// the one file of all.
#[pyfunction]
fn read_trace(
    py: Python<'_>,
    kind: String,
    files: Vec<PathBuf>,
) -> PyResult<(table::Table, String)> {
    let recorded = watch::guarded(py, &watch::Callbacks::default(), move |_| {
        recorded::read(&kind, &files)
    })?;
    Ok(recorded::to_python(recorded))
}

/// Messages of one rank in a collective.
#[pyfunction]
fn collective_rounds(call: collectives::Call) -> PyResult<Vec<Vec<(bool, u32, u64)>>> {
    call.written_out()
}

/// The module.
#[pymodule]
fn _core(module: &Bound<'_, PyModule>) -> PyResult<()> {
    watch::keep_panics_off_the_screen();
    module.add_function(wrap_pyfunction!(team::run, module)?)?;
    module.add_function(wrap_pyfunction!(joined_tables, module)?)?;
    module.add_function(wrap_pyfunction!(packed_names, module)?)?;
    module.add_function(wrap_pyfunction!(check, module)?)?;
    module.add_function(wrap_pyfunction!(demand, module)?)?;
    module.add_function(wrap_pyfunction!(offered, module)?)?;
    module.add_function(wrap_pyfunction!(registry, module)?)?;
    module.add_function(wrap_pyfunction!(operations, module)?)?;
    module.add_function(wrap_pyfunction!(topology, module)?)?;
    module.add_function(wrap_pyfunction!(trace_table, module)?)?;
    module.add_function(wrap_pyfunction!(read_trace, module)?)?;
    module.add_function(wrap_pyfunction!(collective_rounds, module)?)?;
    module.add_class::<table::Table>()?;
    module.add_class::<table::Builder>()?;
    module.add_class::<rank::Rank>()?;
    module.add_class::<rank::Numbers>()?;
    module.add_class::<team::Team>()?;
    module.add_class::<meeting::Meeting>()?;
    module.add("LostError", module.py().get_type::<LostError>())?;
    module.add("RefusedError", module.py().get_type::<RefusedError>())?;
    module.add("SimulationError", module.py().get_type::<SimulationError>())?;
    module.add("InternalError", module.py().get_type::<InternalError>())?;
    module.add("MPI_SHIM", odonata_mpi_wire::SOURCE)?;
    module.add("VERSION", env!("CARGO_PKG_VERSION"))?;
    module.add("SOURCES", env!("ODONATA_SOURCES"))?;
    module.add("MODEL", odonata_sim::MODEL)?;
    module.add("DEBUG_BUILD", cfg!(debug_assertions))
}
