"""A halo exchange in two dimensions, periodic, with an all-reduce of 8 B per iteration."""


def rank(me, size, iterations=10, face=65_536):
    """Yield the operations of rank ``me`` of ``size``."""
    columns = int(size**0.5)
    rows = size // columns
    if rows * columns != size:
        columns, rows = size, 1
    row, column = divmod(me, columns)
    neighbours = {
        (row * columns + (column + 1) % columns),
        (row * columns + (column - 1) % columns),
        ((row + 1) % rows * columns + column),
        ((row - 1) % rows * columns + column),
    } - {me}
    for _ in range(iterations):
        yield iteration_begin()
        requests = []
        for other in sorted(neighbours):
            requests.append((yield irecv(other, face)))
        for other in sorted(neighbours):
            requests.append((yield isend(other, face)))
        yield compute("200 us")
        yield waitall(requests)
        yield allreduce(8)
        yield iteration_end()
