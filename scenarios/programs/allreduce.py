"""Allreduces as the OSU benchmark times them: a barrier, a gap, then the call that is measured.

The gap is the same at all ranks and different in every iteration, so that iterations meet the
bursts of other jobs at all their phases.
"""

import random


def rank(me, size, message, iterations=30, gap_ns=20000):  # noqa: ARG001 - all ranks do the same
    """Yield the operations of rank ``me`` of ``size``."""
    gaps = random.Random(2017)  # noqa: S311 - no secret
    for _ in range(int(iterations)):
        yield barrier()
        yield compute(gaps.uniform(0.0, gap_ns))
        yield iteration_begin()
        yield allreduce(message)
        yield iteration_end()
