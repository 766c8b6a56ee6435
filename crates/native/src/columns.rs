//! Columns of a table as numpy arrays: ownership moves, nothing is copied but text.

use numpy::{Element, IntoPyArray, PyArrayDescrMethods};
use odonata_sim::outcome::{Column, Words};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyList, PyString};

/// A dictionary from column name to array (`uint64`, `float64`, `bool`) or list of text.
pub(crate) fn to_python<'py>(
    py: Python<'py>,
    columns: Vec<(&'static str, Column)>,
) -> PyResult<Bound<'py, PyDict>> {
    let table = PyDict::new(py);
    for (name, column) in columns {
        match column {
            Column::U64(values) => table.set_item(name, array(py, values)?)?,
            Column::F64(values) => table.set_item(name, array(py, values)?)?,
            Column::Words(values) => table.set_item(name, words(py, &values)?)?,
            Column::Bool(values) => table.set_item(name, array(py, values)?)?,
            Column::Text(values) => table.set_item(name, texts(py, values)?)?,
        }
    }
    Ok(table)
}

/// A list of text; equal ones that follow each other are one object.
fn texts(py: Python<'_>, values: Vec<String>) -> PyResult<Bound<'_, PyList>> {
    let mut last = (String::new(), PyString::new(py, ""));
    let objects = values.into_iter().map(|value| {
        if value != last.0 {
            let object = PyString::new(py, &value);
            last = (value, object);
        }
        last.1.clone()
    });
    PyList::new(py, objects.collect::<Vec<_>>())
}

/// A list of text with one object for each word.
fn words<'py>(py: Python<'py>, values: &Words) -> PyResult<Bound<'py, PyList>> {
    let words: Vec<_> = values
        .words
        .iter()
        .map(|word| PyString::new(py, word))
        .collect();
    let rows = values.codes.iter().map(|code| &words[usize::from(*code)]);
    PyList::new(py, rows)
}

/// An array, without a copy of its values.
pub(crate) fn array<T: Element>(py: Python<'_>, values: Vec<T>) -> PyResult<Bound<'_, PyAny>> {
    make_ready(py)?;
    Ok(values.into_pyarray(py).into_any())
}

/// Loads numpy before the first array, for commands that make none do without. It runs Python code,
/// and a signal that came in the first array would end it with a panic instead of an interruption.
pub(crate) fn make_ready(py: Python<'_>) -> PyResult<()> {
    static READY: PyOnceLock<()> = PyOnceLock::new();
    READY.get_or_try_init(py, || {
        PyModule::import(py, "numpy")?.getattr("ndarray")?;
        drop(Vec::<u64>::new().into_pyarray(py));
        let _ = numpy::dtype::<u64>(py).itemsize();
        Ok::<_, PyErr>(())
    })?;
    Ok(())
}
