# ruff: noqa: ANN401 - the otf2 package has no types
"""The OTF2 C library, asked for definitions and events as plain numbers.

The package ``otf2`` brings the library and thin bindings to it, ``_otf2``. Its own reader makes an
object of every record, opens the files of all locations at once and refuses definitions that are
given twice. Here callbacks get the numbers as the library has them, location by location.
"""

from __future__ import annotations

import ctypes
import importlib
import queue
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from odonata.core.errors import TraceError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from types import ModuleType

_U8, _U32, _U64 = ctypes.c_uint8, ctypes.c_uint32, ctypes.c_uint64
_POINTER, _TEXT = ctypes.c_void_p, ctypes.c_char_p

_EVENT = (_U64, _U64, _U64, _POINTER, _POINTER)
"""What every event callback gets first: location, time, position, user data, attributes."""

_EVENTS: dict[str, tuple[Any, ...]] = {
    "BufferFlush": (_U64,),
    "MeasurementOnOff": (_U8,),
    "Enter": (_U32,),
    "Leave": (_U32,),
    "MpiSend": (_U32, _U32, _U32, _U64),
    "MpiRecv": (_U32, _U32, _U32, _U64),
    "MpiIsend": (_U32, _U32, _U32, _U64, _U64),
    "MpiIsendComplete": (_U64,),
    "MpiIrecvRequest": (_U64,),
    "MpiIrecv": (_U32, _U32, _U32, _U64, _U64),
    "MpiRequestCancelled": (_U64,),
    "MpiProbe": (_U32, _U32, _U32, _U64),
    "MpiMrecv": (_U64, _U64),
    "MpiImrecvRequest": (_U64, _U64),
    "MpiImrecv": (_U64, _U64),
    "MpiCollectiveEnd": (_U8, _U32, _U32, _U64, _U64),
    "NonBlockingCollectiveRequest": (_U64,),
    "NonBlockingCollectiveComplete": (_U8, _U32, _U32, _U64, _U64, _U64),
    "RmaCollectiveEnd": (_U8, _U32, _U32, _U32, _U64, _U64),
    "RmaPut": (_U32, _U32, _U64, _U64),
    "RmaGet": (_U32, _U32, _U64, _U64),
    "RmaAtomic": (_U32, _U32, _U8, _U64, _U64, _U64),
    "RmaGroupSync": (_U8, _U32, _U32),
    "RmaOpCompleteBlocking": (_U32, _U64),
    "RmaOpCompleteNonBlocking": (_U32, _U64),
    "RmaOpTest": (_U32, _U64),
    "RmaOpCompleteRemote": (_U32, _U64),
    "Metric": (_U32, _U8, ctypes.POINTER(_U8), ctypes.POINTER(_U64)),
}
"""Values of the event records that the reader looks into, as the C header declares them."""

_DEFINITIONS: dict[str, tuple[Any, ...]] = {
    "ClockProperties": (_U64, _U64, _U64, _U64),
    "String": (_U32, _TEXT),
    "LocationGroup": (_U32, _U32, _U8, _U32, _U32),
    "Location": (_U64, _U32, _U8, _U64, _U32),
    "Region": (_U32, _U32, _U32, _U32, _U8, _U8, _U32, _U32, _U32, _U32),
    "Group": (_U32, _U32, _U8, _U8, _U32, _U32, ctypes.POINTER(_U64)),
    "Comm": (_U32, _U32, _U32, _U32, _U32),
    "InterComm": (_U32, _U32, _U32, _U32, _U32, _U32),
    "RmaWin": (_U32, _U32, _U32, _U32),
    "MetricMember": (_U32, _U32, _U32, _U8, _U8, _U8, _U8, ctypes.c_int64, _U32),
    "MetricClass": (_U32, _U8, ctypes.POINTER(_U32), _U8, _U8),
}
"""Values of the definition records, as the C header declares them."""

_STEP = 10_000
"""Records read at a time."""

_PATIENCE_S = 60.0
"""Longest time in which the library must read that many records, or all definitions."""


class StuckError(Exception):
    """The library does not come back; it cannot be used any more, not even closed."""


class _Worker:
    """Calls the library in a thread of its own, so that a call that never ends can be left behind.

    Some damages of a file make the library loop without calling back, where nothing can stop it.
    """

    def __init__(self) -> None:
        self.is_stuck = False
        self._orders: queue.SimpleQueue[Callable[[], Any] | None] = queue.SimpleQueue()
        self._results: queue.SimpleQueue[tuple[Any, BaseException | None]] = queue.SimpleQueue()
        threading.Thread(target=self._work, daemon=True).start()

    def _work(self) -> None:
        for order in iter(self._orders.get, None):
            try:
                self._results.put((order(), None))
            except BaseException as error:  # noqa: BLE001 - raised again where it is waited for
                self._results.put((None, error))

    def call(self, function: Callable[..., Any], *values: Any) -> Any:
        """Call a function; raise what it raises, or :class:`StuckError`."""
        self._orders.put(lambda: function(*values))
        try:
            result, failure = self._results.get(timeout=_PATIENCE_S)
        except queue.Empty:
            self._leave_behind()
            message = f"the OTF2 library does not return within {_PATIENCE_S:g} s"
            raise StuckError(message) from None
        except BaseException:  # an interruption of this thread
            self._leave_behind()
            raise
        if failure is not None:
            raise failure
        return result

    def _leave_behind(self) -> None:
        self.is_stuck = True
        _LEFT_BEHIND.append(self)

    def end(self) -> None:
        """End the thread."""
        self._orders.put(None)


_LEFT_BEHIND: list[object] = []
"""What a call that is still at work may use."""


def load() -> ModuleType:
    """Return the bindings to the library.

    Raises
    ------
    odonata.errors.TraceError
        If the package ``otf2`` is not installed or cannot be loaded.
    """
    try:
        return importlib.import_module("_otf2")
    except (ImportError, OSError) as error:
        message = (
            f"reading OTF2 traces needs the package `otf2`, which cannot be loaded ({error}); "
            "install it with `pip install 'otf2>=3.1'`"
        )
        raise TraceError(message) from error


class Archive:
    """An OTF2 archive that is open for reading; use as a context manager.

    Raises
    ------
    Exception
        Whatever the bindings raise if the anchor file is not one.
    """

    def __init__(self, anchor: Path) -> None:
        self._library = load()
        self._c: Any = self._library.Config.conf.lib
        self._worker = _Worker()
        self._callbacks: list[Any] = []
        self._handle = self._call(self._library.Reader_Open, str(anchor))
        self._definitions_open = False
        self._events_open = False

    def __enter__(self) -> Self:
        self._library.Reader_SetSerialCollectiveCallbacks(self._handle)
        return self

    def __exit__(self, *_: object) -> None:
        if self._worker.is_stuck:
            _LEFT_BEHIND.append(self)
            return
        if self._definitions_open:
            self._library.Reader_CloseDefFiles(self._handle)
        if self._events_open:
            self._library.Reader_CloseEvtFiles(self._handle)
        self._library.Reader_Close(self._handle)
        self._worker.end()

    def _call(self, function: Callable[..., Any], *values: Any) -> Any:
        return self._worker.call(function, *values)

    @property
    def is_compressed(self) -> bool:
        """Whether records are compressed in the files."""
        none = self._library.COMPRESSION_NONE
        return bool(self._library.Reader_GetCompression(self._handle) != none)

    def constant(self, name: str) -> int:
        """Return the number of a constant of the C header, its prefix ``OTF2_`` left out."""
        return int(getattr(self._library, name).value)

    def read_definitions(self, handlers: Mapping[str, Callable[..., None]]) -> None:
        """Read all global definitions.

        Parameters
        ----------
        handlers : mapping of str to callable
            By name of the definition; takes its values.
        """
        library, failures = self._library, list[BaseException]()
        reader = self._call(library.Reader_GetGlobalDefReader, self._handle)
        callbacks = library.GlobalDefReaderCallbacks_New()
        self._callbacks = [
            self._register(
                "GlobalDefReader", callbacks, name, (_POINTER,), _DEFINITIONS[name], call
            )
            for name, call in ((n, _guard(h, failures, 1)) for n, h in handlers.items())
        ]
        library.Reader_RegisterGlobalDefCallbacks(self._handle, reader, callbacks, None)
        library.GlobalDefReaderCallbacks_Delete(callbacks)
        try:
            found = self._call(library.Reader_ReadAllGlobalDefinitions, self._handle, reader)
        except library.Error:
            _raise_first(failures)
            raise
        library.Reader_CloseGlobalDefReader(self._handle, reader)
        announced = library.Reader_GetNumberOfGlobalDefinitions(self._handle)
        if found < announced:
            message = f"it has {found} of its {announced} records"
            raise RuntimeError(message)

    def open_events(self, locations: list[int]) -> None:
        """Prepare reading of the events of some locations; a file is opened when it is read."""
        library = self._library
        for location in locations:
            library.Reader_SelectLocation(self._handle, location)
        try:
            library.Reader_OpenDefFiles(self._handle)
            self._definitions_open = True
        except library.Error:
            pass  # local definitions are optional
        library.Reader_OpenEvtFiles(self._handle)
        self._events_open = True

    def _read_local_definitions(self, location: int) -> None:
        """Read how the location numbers its definitions; its events are given as global ones."""
        if not self._definitions_open:
            return
        library = self._library
        reader = self._call(library.Reader_GetDefReader, self._handle, location)
        if not reader:
            message = "its local definitions are missing"
            raise RuntimeError(message)
        self._call(library.Reader_ReadAllLocalDefinitions, self._handle, reader)
        library.Reader_CloseDefReader(self._handle, reader)

    def read_events(
        self, location: int, handlers: Mapping[str, Callable[..., None]]
    ) -> Iterator[int]:
        """Read the events of one location in their order, and close its file.

        Parameters
        ----------
        location : int
            One of those given to :meth:`open_events`.
        handlers : mapping of str to callable
            By name of the record; takes its time and its values (of records that the reader does
            not look into: its time only).

        Yields
        ------
        int
            Records read so far, after every few thousand and at the end.
        """
        library, failures, found = self._library, list[BaseException](), 0
        self._read_local_definitions(location)
        reader = self._call(library.Reader_GetEvtReader, self._handle, location)
        if not reader:
            message = "there is no event file"
            raise RuntimeError(message)
        callbacks = library.EvtReaderCallbacks_New()
        self._callbacks = [
            self._register("EvtReader", callbacks, name, _EVENT, _EVENTS.get(name, ()), call)
            for name, call in ((n, _guard_event(h, failures)) for n, h in handlers.items())
        ]
        library.EvtReader_SetCallbacks(reader, callbacks, None)
        library.EvtReaderCallbacks_Delete(callbacks)
        read = _STEP
        while read == _STEP:
            try:
                read = self._call(library.EvtReader_ReadEvents, reader, _STEP)
            except library.Error:
                _raise_first(failures)
                raise
            found += read
            yield found
        library.Reader_CloseEvtReader(self._handle, reader)

    def record_names(self, prefix: str) -> list[str]:
        """Return the names of the event records that begin with `prefix`."""
        start, end = f"EvtReaderCallbacks_Set{prefix}", "Callback"
        found = [name for name in dir(self._library) if name.startswith(start)]
        return [name.removesuffix(end)[len(start) - len(prefix) :] for name in found]

    def _register(
        self,
        reader: str,
        callbacks: Any,
        name: str,
        common: tuple[Any, ...],
        values: tuple[Any, ...],
        call: Callable[..., int],
    ) -> Any:
        """Register a callback with the C library; the result must be kept while it may be called.

        Not through the bindings: their wrapper costs several times what the record costs.
        """
        callback = ctypes.CFUNCTYPE(ctypes.c_int, *common, *values)(call)
        register = self._c[f"OTF2_{reader}Callbacks_Set{name}Callback"]
        register.argtypes, register.restype = [_POINTER, _POINTER], ctypes.c_int
        if register(callbacks, ctypes.cast(callback, _POINTER)):
            message = f"no callback for {name}"
            raise RuntimeError(message)
        return callback


_SUCCESS, _INTERRUPT = 0, 1
"""What a callback returns (`OTF2_CallbackCode`)."""


def _guard(
    handler: Callable[..., None], failures: list[BaseException], skipped: int
) -> Callable[..., int]:
    """Turn exceptions, which cannot pass through C, into an interruption."""

    def call(*values: Any) -> int:
        try:
            handler(*values[skipped:])
        except BaseException as error:  # noqa: BLE001 - raised again when C has returned
            failures.append(error)
            return _INTERRUPT
        return _SUCCESS

    return call


def _guard_event(handler: Callable[..., None], failures: list[BaseException]) -> Callable[..., int]:
    """As :func:`_guard`, written out for speed: most of the time of reading is spent here."""

    def call(
        _location: int, time: int, _position: int, _user: Any, _more: Any, *values: int
    ) -> int:
        try:
            handler(time, *values)
        except BaseException as error:  # noqa: BLE001 - raised again when C has returned
            failures.append(error)
            return _INTERRUPT
        return _SUCCESS

    return call


def _raise_first(failures: list[BaseException]) -> None:
    if failures:
        raise failures[0]
