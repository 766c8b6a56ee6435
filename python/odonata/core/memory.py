"""How much memory this process uses, and how much there is."""

from __future__ import annotations

import os
from functools import lru_cache

_STATM = "/proc/{}/statm"
_PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")


def available_bytes() -> int:
    """Memory that can be had without swapping."""
    import psutil  # noqa: PLC0415 - processes that only simulate do without

    return int(psutil.virtual_memory().available)


class Peak:
    """Largest memory of the process while it is being looked at.

    The operating system keeps one largest value for the life of a process; this one is about a part
    of it. What comes and goes between two looks is not seen.
    """

    def __init__(self) -> None:
        self.start_bytes = self._rss()
        self.most_bytes = self.start_bytes

    def look(self) -> int:
        """Look again; return the largest value so far."""
        self.most_bytes = max(self.most_bytes, self._rss())
        return self.most_bytes

    def watch(self) -> None:
        """Look again, as a callback."""
        self.look()

    def _rss(self) -> int:
        try:
            return int(os.pread(_statm(os.getpid()), 200, 0).split()[1]) * _PAGE_BYTES
        except OSError:
            import psutil  # noqa: PLC0415 - as above

            return int(psutil.Process().memory_info().rss)


@lru_cache(maxsize=1)
def _statm(process: int) -> int:
    """The file of a process that says how large it is, open for good.

    A hundredth of the time of asking psutil, which many short runs would notice.
    """
    return os.open(_STATM.format(process), os.O_RDONLY | os.O_CLOEXEC)
