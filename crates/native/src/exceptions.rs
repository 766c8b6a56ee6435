//! What Python catches.

use pyo3::exceptions::PyException;

pyo3::create_exception!(
    _core,
    SimulationError,
    PyException,
    "Input that cannot be simulated: (path in the configuration, sentence)."
);
pyo3::create_exception!(
    _core,
    InternalError,
    PyException,
    "A fault of this program: (sentence, where it happened)."
);
pyo3::create_exception!(
    _core,
    LostError,
    PyException,
    "Another process of the same run is gone, or cannot go on: (sentence,)."
);
pyo3::create_exception!(
    _core,
    RefusedError,
    LostError,
    "Process 0 of the same run is there, and refuses this process: (sentence,)."
);
