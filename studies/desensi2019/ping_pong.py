"""Ping-pongs between two ranks: sizes, each with how often."""


def rank(me, size, *given):
    """Yield the operations of rank ``me``."""
    for message, repetitions in zip(given[::2], given[1::2], strict=True):
        for _ in range(int(repetitions)):
            yield iteration_begin()
            if me == 0:
                yield send(1, message)
                yield recv(1, message)
            else:
                yield recv(0, message)
                yield send(0, message)
            yield iteration_end()
