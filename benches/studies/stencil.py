"""A stencil of 27 points on a periodic grid: what a trace of a solver holds, made on the spot.

Every rank exchanges faces, edges and corners with its 26 neighbours, computes for a time of its own
and takes part in two sums. The times come from a generator per rank, so that two readings agree.
"""

import random


def rank(me, size, iterations=6, face=65_536):
    """Yield the operations of rank ``me`` of ``size``, which is a cube."""
    side = round(size ** (1 / 3))
    place = (me % side, me // side % side, me // side**2)
    draw = random.Random(me)
    steps = [
        (x, y, z)
        for x in (-1, 0, 1)
        for y in (-1, 0, 1)
        for z in (-1, 0, 1)
        if (x, y, z) != (0, 0, 0)
    ]
    others = []
    for step in steps:
        x, y, z = ((place[axis] + step[axis]) % side for axis in range(3))
        shared = sum(map(abs, step))  # 1: a face, 2: an edge, 3: a corner
        others.append((x + side * (y + side * z), {1: face, 2: face // 32, 3: 64}[shared]))
    for _ in range(int(iterations)):
        yield iteration_begin()
        requests = []
        for tag, (other, bytes_) in enumerate(others):
            requests.append((yield irecv(other, bytes_, tag=len(others) - 1 - tag)))
        for tag, (other, bytes_) in enumerate(others):
            requests.append((yield isend(other, bytes_, tag=tag)))
        yield compute(draw.randrange(5_000, 15_000))
        yield waitall(requests)
        yield allreduce(8)
        yield allreduce(8)
        yield iteration_end()
