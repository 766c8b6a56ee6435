//! Processes that a launcher has started, and what they say to each other between simulations.

use std::cell::RefCell;

use odonata_mesh::{Hello, Listener, Mesh, MeshError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::exceptions::RefusedError;
use crate::team::{build, lost};

/// A process among those of a launcher.
#[pyclass]
pub(crate) struct Meeting {
    hello: Hello,
    listener: Option<Listener>,
    mesh: Option<Mesh>,
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
        })
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
        None => found.map_err(|error| {
            if error.is_refusal() {
                RefusedError::new_err((error.to_string(),))
            } else {
                lost(&error)
            }
        }),
    }
}
