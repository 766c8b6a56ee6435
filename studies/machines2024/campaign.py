"""Victims and bursts of the campaign, as its public sources have them.

A victim times each of its collectives behind a barrier. In an incast that comes in bursts, rank 0
tells the others with a broadcast whether another round follows, and all pause behind the last one.
"""

ALLTOALL, ALLGATHER, INCAST = range(3)


def exchange(me, size, block):
    """Send a block to every other rank and receive one from each, all at once."""
    requests = []
    for other in range(size):
        if other != me:
            requests.append((yield isend(other, block)))
            requests.append((yield irecv(other, block)))
    yield waitall(requests)


def ring(me, size, whole):
    """Pass blocks to the right neighbour until every rank has the whole result."""
    block = whole // size
    for _ in range(size - 1):
        sent = yield isend((me + 1) % size, block)
        received = yield irecv((me - 1) % size, block)
        yield waitall([sent, received])


def incast(me, size, block, rounds, pause_us):
    """Send blocks from each rank to rank 0, round by round, and pause."""
    for _ in range(rounds):
        if me:
            yield send(0, block)
        else:
            requests = []
            for other in range(1, size):
                requests.append((yield irecv(other, block)))
            yield waitall(requests)
        yield bcast(4)
    yield compute(1000 * pause_us)


def rank(me, size, kind, payload, count, pause_us=0):
    """Yield the operations of rank ``me``: ``count`` timed iterations, or a burst of as many."""
    if kind == INCAST:
        yield from incast(me, size, payload, count, pause_us)
        return
    for _ in range(count):
        yield barrier()
        yield iteration_begin()
        yield from (exchange, ring)[kind](me, size, payload)
        yield iteration_end()
