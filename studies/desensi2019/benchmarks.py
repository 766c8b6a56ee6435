"""The microbenchmarks of De Sensi et al. 2019, section 5.1, each iteration behind a barrier.

The barrier belongs to the turn of the iteration that follows it, and is not in its time: nobody is
in an iteration while others still are in the one before, which went another way.
"""

PING_PONG, BARRIER, ALLREDUCE, BROADCAST, ALLTOALL, HALO3D, SWEEP3D = range(7)


def rank(me, size, which, message, iterations, x=0, y=0, z=0):
    """Yield the operations of rank ``me`` of ``size``; ``x``, ``y``, ``z``: grid of ranks."""
    for _ in range(int(iterations)):
        yield barrier()
        yield iteration_begin()
        if which == PING_PONG:
            yield from ping_pong(me, message)
        elif which == BARRIER:
            yield barrier()
        elif which == ALLREDUCE:
            yield allreduce(message)
        elif which == BROADCAST:
            yield bcast(message)
        elif which == ALLTOALL:
            yield alltoall(message)
        elif which == HALO3D:
            yield from halo3d(me, (int(x), int(y), int(z)), message)
        else:
            yield from sweep3d(me, (int(x), int(y)), message, int(z))
        yield iteration_end()


def ping_pong(me, message):
    """Rank 0 sends, rank 1 answers; others do nothing."""
    if me == 0:
        yield send(1, message)
        yield recv(1, message)
    elif me == 1:
        yield recv(0, message)
        yield send(0, message)


def halo3d(me, grid, message):
    """As Ember: x, then y, then z, each with both neighbours; no periodic ends."""
    across, along, up = grid
    place = (me % across, me // across % along, me // (across * along))
    stride = (1, across, across * along)
    for axis, length in enumerate((across, along, up)):
        requests = []
        for step in (-1, 1):
            if 0 <= place[axis] + step < length:
                other = me + step * stride[axis]
                requests.append((yield irecv(other, message, tag=axis)))
                requests.append((yield isend(other, message, tag=axis)))
        yield waitall(requests)


def sweep3d(me, grid, message, blocks):
    """As Ember: two sweeps of ``blocks`` blocks from each corner of a grid of ranks."""
    columns, rows = grid
    column, row = me % columns, me // columns
    for right, down in ((1, 1), (1, 1), (-1, 1), (-1, 1), (-1, -1), (-1, -1), (1, -1), (1, -1)):
        for _ in range(blocks):
            if 0 <= column - right < columns:
                yield recv(me - right, message)
            if 0 <= row - down < rows:
                yield recv(me - down * columns, message)
            if 0 <= column + right < columns:
                yield send(me + right, message)
            if 0 <= row + down < rows:
                yield send(me + down * columns, message)
