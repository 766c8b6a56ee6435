//! Processes that a launcher has started, and what they say to each other between simulations.

use std::cell::RefCell;
use std::path::PathBuf;

use odonata_mesh::{Hello, Listener, Mesh, MeshError};
use odonata_mpi_wire::Mpi;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::team::{Team, build, lost, of_mesh};

/// A process among those of a launcher.
#[pyclass]
pub(crate) struct Meeting {
    hello: Hello,
    listener: Option<Listener>,
    mesh: Option<Mesh>,
    mpi: Option<Mpi>,
}

#[pymethods]
impl Meeting {
    /// Process 0 of so many, which others reach as `name`, at `port` (0: any).
    #[staticmethod]
    fn lead(
        name: &str,
        port: u16,
        processes: usize,
        secret: String,
        task: String,
    ) -> PyResult<Self> {
        let listener = Listener::open(name, port).map_err(|error| lost(&error))?;
        Ok(Self {
            hello: Hello {
                processes,
                secret,
                build: build(),
                task,
            },
            listener: Some(listener),
            mesh: None,
            mpi: None,
        })
    }

    /// Process `rank`, above 0; process 0 is at `address`.
    #[staticmethod]
    fn join(
        py: Python<'_>,
        address: &str,
        rank: usize,
        processes: usize,
        secret: String,
        task: String,
    ) -> PyResult<Self> {
        let hello = Hello {
            processes,
            secret,
            build: build(),
            task,
        };
        let mesh = looked_after(py, |gives_up| {
            Mesh::join(address, rank, 0, &hello, gives_up)
        })?;
        Ok(Self {
            hello,
            listener: None,
            mesh: Some(mesh),
            mpi: None,
        })
    }

    /// A process of the MPI for which `shim` was made; all of them call this.
    #[staticmethod]
    fn over_mpi(py: Python<'_>, shim: PathBuf, processes: usize, task: String) -> PyResult<Self> {
        let mpi = py.detach(|| Mpi::open(&shim));
        let mpi = mpi.map_err(|error| lost(&error))?;
        if mpi.size() != processes {
            return Err(lost(&format!(
                "the launcher has started {processes} processes, but for {} ({}) there are {}; make \
                 the latter with the compiler of the launcher's MPI: `odonata mpi build --mpicc \
                 COMMAND`",
                shim.display(),
                mpi.name(),
                mpi.size()
            )));
        }
        let hello = Hello {
            processes,
            secret: String::new(),
            build: build(),
            task,
        };
        let mesh = Mesh::over(mpi.channel(0));
        looked_after(py, |gives_up| introduced(&mesh, &hello, gives_up))?;
        Ok(Self {
            hello,
            listener: None,
            mesh: Some(mesh),
            mpi: Some(mpi),
        })
    }

    /// Number of this process, where the others are there.
    #[getter]
    fn rank(&self) -> PyResult<usize> {
        self.mesh().map(Mesh::rank)
    }

    /// A simulation of these processes over their MPI; `channel`, above 0, is the same in all.
    fn team(&self, channel: u64, beside: usize) -> PyResult<Team> {
        let mpi = self.mpi.clone();
        let mpi = mpi.ok_or_else(|| lost(&"these processes do not use MPI"))?;
        Ok(Team::over(mpi, channel, self.hello.clone(), beside))
    }

    /// Ends MPI, if there is one: nothing more is said. All processes call this.
    fn finish(&mut self, py: Python<'_>) -> PyResult<()> {
        self.mesh = None;
        let done = self.mpi.take().map(|mpi| py.detach(|| mpi.finish()));
        done.unwrap_or(Ok(())).map_err(|error| lost(&error))
    }

    /// Where process 0 listens.
    #[getter]
    fn address(&self) -> PyResult<String> {
        match &self.listener {
            Some(listener) => listener.address().map_err(|error| lost(&error)),
            None => Ok(String::new()),
        }
    }

    /// Process 0 waits for all others.
    fn gather(&mut self, py: Python<'_>) -> PyResult<()> {
        if let Some(listener) = self.listener.take() {
            let hello = &self.hello;
            let mesh = looked_after(py, |gives_up| Mesh::lead(&listener, hello, gives_up))?;
            self.mesh = Some(mesh);
        }
        Ok(())
    }

    /// Sends process `other` a message.
    fn send(&self, py: Python<'_>, other: usize, message: &[u8]) -> PyResult<()> {
        let mesh = self.mesh()?;
        let sent = py.detach(|| mesh.send(other, &[message]));
        sent.map_err(|error| lost(&error))
    }

    /// Waits for the next message of process `other`.
    fn receive<'py>(&self, py: Python<'py>, other: usize) -> PyResult<Bound<'py, PyBytes>> {
        let mesh = self.mesh()?;
        let message = looked_after(py, |gives_up| mesh.receive_unless(other, gives_up))?;
        Ok(PyBytes::new(py, &message))
    }

    /// Whether another process is gone.
    fn is_broken(&self) -> bool {
        self.mesh.as_ref().is_some_and(Mesh::is_interrupted)
    }
}

impl Meeting {
    fn mesh(&self) -> PyResult<&Mesh> {
        let mesh = self.mesh.as_ref();
        mesh.ok_or_else(|| lost(&"the other processes are not there yet"))
    }
}

/// Lets process 0 see that all are of one build and have one task.
fn introduced(mesh: &Mesh, hello: &Hello, gives_up: &dyn Fn() -> bool) -> Result<(), MeshError> {
    let mine = format!("{}\n{}", hello.build, hello.task);
    if mesh.rank() > 0 {
        mesh.send(0, &[mine.as_bytes()])?;
        let said = mesh.receive_unless(0, gives_up)?;
        return match String::from_utf8_lossy(&said) {
            said if said.is_empty() => Ok(()),
            said => Err(MeshError::new(said)),
        };
    }
    let mut wrong = None;
    for other in mesh.others() {
        let said = mesh.receive_unless(other, gives_up)?;
        let said = String::from_utf8_lossy(&said);
        let (build, task) = said.split_once('\n').unwrap_or_default();
        if *build != hello.build {
            wrong.get_or_insert(format!(
                "process {other} runs another build of the simulator ({build}) than process 0 ({}); \
                 install one build everywhere",
                hello.build
            ));
        } else if *task != hello.task {
            wrong.get_or_insert(format!(
                "process {other} was started for another scenario than process 0; start all with \
                 the same"
            ));
        }
    }
    let sentence = wrong.clone().unwrap_or_default();
    for other in mesh.others() {
        mesh.send(other, &[sentence.as_bytes()])?;
    }
    mesh.flush()?;
    wrong.map_or(Ok(()), |sentence| Err(MeshError::new(sentence)))
}

/// Does `what` with the interpreter released. It is to give up when asked to: at a signal, whose
/// exception is raised then.
fn looked_after<T: Send>(
    py: Python<'_>,
    what: impl FnOnce(&dyn Fn() -> bool) -> Result<T, MeshError> + Send,
) -> PyResult<T> {
    let (found, raised) = py.detach(|| {
        let raised = RefCell::new(None);
        let gives_up = || {
            let looked = Python::attach(|py| py.check_signals());
            let has_raised = looked.is_err();
            if let Err(error) = looked {
                *raised.borrow_mut() = Some(error);
            }
            has_raised
        };
        let found = what(&gives_up);
        (found, raised.into_inner())
    });
    match raised {
        Some(error) => Err(error),
        None => found.map_err(|error| of_mesh(&error)),
    }
}
