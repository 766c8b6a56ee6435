"""A master hands out tasks of 1 KiB and gets results of 64 KiB back, from whoever comes first."""

TASK, RESULT, STOP = 1, 2, 3


def rank(me, size, tasks=4):
    """Yield the operations of rank ``me`` of ``size``; every worker does ``tasks`` tasks."""
    if me == 0:
        for _ in range(tasks):
            for worker in range(1, size):
                yield isend(worker, "1 KiB", TASK)
        for _ in range(tasks * (size - 1)):
            yield recv(ANY, "64 KiB", RESULT)
            yield compute("5 us")
        for worker in range(1, size):
            yield send(worker, 8, STOP)
        return
    for _ in range(tasks):
        yield recv(0, "1 KiB", TASK)
        yield compute(1_000_000 + 10_000 * me)  # ns: workers differ
        yield send(0, "64 KiB", RESULT)
    yield recv(0, 8, STOP)
