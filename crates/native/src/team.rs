//! One simulation, in one process or several.

use std::mem;

use odonata_mesh::{Hello, Listener, Mesh, MeshError};
use odonata_mpi_wire::Mpi;
use odonata_sim::{Control, Outcome, SimError, TeamError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::exceptions::{LostError, RefusedError};
use crate::{columns, convert, packed, watch};

/// What is compared between processes: the sources, and how they were compiled.
pub(crate) fn build() -> String {
    let kind = if cfg!(debug_assertions) { "debug" } else { "" };
    format!(
        "{}+{}{kind}",
        env!("CARGO_PKG_VERSION"),
        env!("ODONATA_SOURCES")
    )
}

/// Summary (JSON), tables by name or packed, diagnosis of a stall.
type Returned<'py> = (String, Bound<'py, PyAny>, Option<String>);

/// What the caller wants, see [`watch::Callbacks`].
type Asked<'py> = (Option<Bound<'py, PyAny>>, Option<Bound<'py, PyAny>>, bool);

/// A process among those that simulate together.
#[pyclass]
pub(crate) struct Team {
    /// What they say to each other before they are there.
    hello: Hello,
    role: Role,
    /// Processes of this machine, which share its memory.
    beside: usize,
}

enum Role {
    /// Process 0.
    Leads(Listener),
    /// Another one.
    Joins(Place),
    /// One that MPI has started: on which channel they meet.
    Over(Mpi, u64),
    /// Any of them, when all have met.
    Met(Mesh),
    /// It has run, or could not.
    Done,
}

/// Where a process above 0 is.
struct Place {
    rank: usize,
    /// Where process 0 listens.
    leader: String,
    /// Where it listens itself; 0: anywhere.
    port: u16,
}

pub(crate) fn lost(error: &impl ToString) -> PyErr {
    LostError::new_err((error.to_string(),))
}

/// What processes could not agree on, for Python.
pub(crate) fn of_mesh(error: &MeshError) -> PyErr {
    if error.is_refusal() {
        RefusedError::new_err((error.to_string(),))
    } else {
        lost(error)
    }
}

#[pymethods]
impl Team {
    /// Process 0 of so many, `beside` of them on this machine; the others reach it at `host`. With
    /// a `port` (0: any) they may be on other machines.
    #[staticmethod]
    #[pyo3(signature = (host, processes, beside, secret, task, port=None))]
    fn lead(
        host: &str,
        processes: usize,
        beside: usize,
        secret: String,
        task: String,
        port: Option<u16>,
    ) -> PyResult<Self> {
        let listener = match port {
            Some(port) => Listener::open(host, port),
            None => Listener::bind(host),
        };
        Ok(Self {
            hello: Hello {
                processes,
                secret,
                build: build(),
                task,
            },
            role: Role::Leads(listener.map_err(|error| lost(&error))?),
            beside,
        })
    }

    /// Process `rank`, above 0; process 0 listens at `address`, this one at `port` (0: any).
    #[staticmethod]
    #[pyo3(signature = (address, rank, processes, beside, secret, task, build=None, port=0))]
    #[expect(
        clippy::too_many_arguments,
        reason = "what process 0 has told, by name"
    )]
    fn join(
        address: String,
        rank: usize,
        processes: usize,
        beside: usize,
        secret: String,
        task: String,
        build: Option<String>,
        port: u16,
    ) -> Self {
        Self {
            hello: Hello {
                processes,
                secret,
                build: build.unwrap_or_else(self::build),
                task,
            },
            role: Role::Joins(Place {
                rank,
                leader: address,
                port,
            }),
            beside,
        }
    }

    /// Where process 0 listens.
    #[getter]
    fn address(&self) -> PyResult<String> {
        match &self.role {
            Role::Leads(listener) => listener.address().map_err(|error| lost(&error)),
            Role::Joins(place) => Ok(place.leader.clone()),
            Role::Over(..) | Role::Met(_) | Role::Done => Ok(String::new()),
        }
    }

    /// Waits for all others, or joins them; `interrupt` is asked meanwhile.
    #[pyo3(signature = (interrupt=None))]
    fn gather(&mut self, py: Python<'_>, interrupt: Option<Bound<'_, PyAny>>) -> PyResult<()> {
        let role = mem::replace(&mut self.role, Role::Done);
        let hello = self.hello.clone();
        let callbacks = watch::Callbacks {
            interrupt,
            ..watch::Callbacks::default()
        };
        let found = watch::guarded(py, &callbacks, move |gauge| Ok(role.mesh(&hello, gauge)))?;
        self.role = Role::Met(found.map_err(|error| of_mesh(&error))?);
        Ok(())
    }
}

/// Simulates one configuration, or the share of this process in a `team` that has met, once.
///
/// Process 0 gets the outcome; its tables are bytes, for `joined_tables`, if they are to be
/// `packed`. Of the callbacks, `progress(simulated_ps, packets_delivered, fraction)` is called a few
/// times a second; `interrupt()` is asked as often, and a true answer ends the run like a keyboard
/// interrupt: with what there is so far and `stop = "interrupted"` in the summary. The last of them
/// is whether the summary is to say where the time of the run has gone.
#[pyfunction]
#[pyo3(signature = (config_json, inputs, threads, callbacks, packed, team=None))]
#[expect(clippy::too_many_arguments, reason = "arguments of Python, by name")]
pub(crate) fn run<'py>(
    py: Python<'py>,
    config_json: &str,
    inputs: convert::Given<'py>,
    threads: usize,
    callbacks: Asked<'py>,
    packed: bool,
    team: Option<PyRefMut<'py, Team>>,
) -> PyResult<Option<Returned<'py>>> {
    if !packed {
        columns::make_ready(py)?;
    }
    let config = convert::config(config_json)?;
    let mut inputs = convert::inputs(&inputs)?;
    let (progress, interrupt, timed) = callbacks;
    let callbacks = watch::Callbacks {
        progress,
        interrupt,
        keep_partial: true,
        timed,
    };
    let mut met = None;
    if let Some(mut team) = team {
        let beside = team.beside.max(1) as u64;
        inputs.memory_bytes = inputs.memory_bytes.map(|bytes| bytes / beside);
        let Role::Met(mesh) = mem::replace(&mut team.role, Role::Done) else {
            return Err(lost(&"these processes have not met, or have run already"));
        };
        met = Some(mesh);
    }
    let found = watch::guarded(py, &callbacks, move |gauge| {
        let mesh = met.as_ref().unwrap_or_else(|| Mesh::alone());
        let team = odonata_sim::Team { mesh, threads };
        match odonata_sim::run(&config, &inputs, gauge, team) {
            Ok(outcome) => Ok(Ok(outcome.map(|outcome| noted(outcome, gauge)))),
            Err(TeamError::Refused(error)) => Err(error),
            Err(TeamError::Lost(error)) => Ok::<_, SimError>(Err(error)),
        }
    })?;
    let Some(outcome) = found.map_err(|error| lost(&error))? else {
        return Ok(None);
    };
    let tables = if packed {
        packed::encoded(py, outcome.tables)?.into_any()
    } else {
        let tables = PyDict::new(py);
        for table in outcome.tables {
            tables.set_item(table.name, columns::to_python(py, table.columns)?)?;
        }
        tables.into_any()
    };
    Ok(Some((outcome.summary.to_string(), tables, outcome.stall)))
}

fn noted(mut outcome: Outcome, gauge: &watch::Gauge) -> Outcome {
    if let Some(note) = gauge.note() {
        outcome.add_note(note);
    }
    outcome
}

impl Role {
    fn mesh(self, hello: &Hello, gauge: &watch::Gauge) -> Result<Mesh, MeshError> {
        let gives_up = || gauge.interrupted();
        match self {
            Self::Leads(listener) => Mesh::lead(&listener, hello, &gives_up),
            Self::Joins(Place { rank, leader, port }) => {
                Mesh::join(&leader, rank, port, hello, &gives_up)
            }
            Self::Over(mpi, channel) => Ok(Mesh::over(mpi.channel(channel))),
            Self::Met(mesh) => Ok(mesh),
            Self::Done => Err(MeshError::new("these processes have run already")),
        }
    }
}

impl Team {
    /// A process that MPI has started, `beside` so many on this machine. All use the same channel.
    pub(crate) const fn over(mpi: Mpi, channel: u64, hello: Hello, beside: usize) -> Self {
        Self {
            hello,
            role: Role::Over(mpi, channel),
            beside,
        }
    }
}
