"""One allgather: every rank gives a block of so many bytes."""


def rank(me, size, block):
    """Yield the operations of rank ``me``."""
    yield iteration_begin()
    yield allgather(block)
    yield iteration_end()
