"""Fifteen mixes for the bench of `odonata advise`: scaled-down scenarios of the studies.

Each has a few candidates and takes a tenth of a second to run. The first ten ask what helps; in the
last five nothing does, by construction or because the network is not what limits the job.
"""

from __future__ import annotations

SMALL = '[system]\npreset = "dragonfly(2, 4, 2, 9)"\n'
"""72 nodes."""

ARIES = """[system]
preset = "theta"
mpi.preset = "ideal"
topology = { groups = 4, rows = 2, columns = 6, nodes_per_router = 2, column_links = 3, global_ports_per_router = 2, chassis_per_cabinet = 1 }
"""
"""96 nodes on four groups of two rows of six Aries routers."""

MEGAFLY = """[system]
preset = "megafly(4, 4, 4, 5, 1)"
qos = { window = "20 us", monitor = "static", classes = [{ name = "high", cap = "30 %" }, { name = "low", cap = "70 %" }] }
"""
"""80 nodes in five groups, two classes."""

ROUTINGS = '["par", "minimal", "valiant-node", "ugal-group", "ugal-node", "codes-par"]'
PLACEMENTS = (
    '["random-node", "contiguous", "random-router", "random-group", "striped", '
    '{ kind = "geometric", mean_length = 8 }]'
)
MODES = '["adaptive-0", "adaptive-1", "adaptive-2", "adaptive-3", "min-hash", "nmin-hash"]'


def job(name: str, workload: str, rest: str = "") -> str:
    """A job."""
    placement = "" if "placement" in rest else 'placement = "random-node"\n'
    return f'[[jobs]]\nname = "{name}"\n{placement}{rest}workload = {{ {workload} }}\n'


VICTIM = 'role = "victim"\n'
FFT = 'kind = "fft3d", ranks = 32, nx = 32, ny = 32, nz = 32, process_rows = 4, iterations = 1'
HALO = 'kind = "halo3d", ranks = 36, grid = [3, 3, 4], face = "48 KiB", iterations = 1'
UR = 'kind = "open-loop", ranks = 36, pattern = "uniform", load = 0.4, message = "2 KiB"'
ADVERSARIAL = (
    'kind = "open-loop", ranks = 36, pattern = "adversarial", load = 0.4, message = "2 KiB"'
)
BULK = 'kind = "open-loop", ranks = 24, pattern = "uniform", load = 0.4, message = "32 KiB"'
CR = (
    'kind = "crystal-router", ranks = 32, iterations = 1, message = "19000 B", '
    'length = "8 B", partner = "shifted"'
)

AMG = (
    'kind = "amg", ranks = 27, grid = [3, 3, 3], size_scale = 0.3, neighbours = "faces", '
    'message = "12500 B", levels = 7, iterations = 3, allreduce = "8 B"'
)


def _mix(system: str, routing: str, jobs: str, sweep: str, advise: str = "") -> str:
    head = f'schema = 1\nseed = 1\n{system}[routing]\nalgorithm = "{routing}"\n'
    return f'{head}{jobs}[sweep]\n{sweep}[stop]\ntime = "400 us"\n[advise]\n{advise}'


HELPED = {
    "kang-fft3d-halo3d": _mix(
        SMALL, "valiant-node", job("fft3d", FFT, VICTIM) + job("halo3d", HALO),
        f'"routing.algorithm" = {ROUTINGS}\n', 'objective = "comm_time"\n'),
    "kang-lu-ur": _mix(
        SMALL, "valiant-node",
        job("lu", 'kind = "lu", ranks = 16, grid = [4, 4], iterations = 1, stages = 2', VICTIM)
        + job("ur", UR), f'"routing.algorithm" = {ROUTINGS}\n', 'objective = "comm_time"\n'),
    "kang-halo3d-adversarial": _mix(
        SMALL, "minimal", job("halo3d", HALO, VICTIM + 'placement = "striped"\n')
        + job("others", ADVERSARIAL, 'placement = "contiguous"\n'),
        f'"routing.algorithm" = {ROUTINGS}\n', 'objective = "comm_time"\n'),
    "wang-cr": _mix(
        SMALL, "minimal", job("cr", CR, VICTIM),
        f'"jobs.cr.placement" = {PLACEMENTS}\n"routing.algorithm" = ["minimal", "par"]\n'),
    "wang-amg": _mix(
        SMALL, "minimal", job("amg", AMG, VICTIM) + job("ur", UR),
        f'"jobs.amg.placement" = {PLACEMENTS}\n', 'objective = "comm_time"\n'),
    "wang-fb": _mix(
        SMALL, "minimal",
        job("fb", 'kind = "fill-boundary", ranks = 27, grid = [3, 3, 3], iterations = 1, '
            'least = "300000 B", most = "400000 B"', VICTIM + 'placement = "contiguous"\n'),
        f'"jobs.fb.placement" = {PLACEMENTS}\n"routing.algorithm" = ["minimal", "par"]\n'),
    "mubarak-nekbone-classes": _mix(
        MEGAFLY, "codes-par",
        job("nekbone", 'kind = "nekbone", ranks = 27, grid = [3, 3, 3], elements = 2, '
            'orders = [4], iterations = 1',
            'role = "victim"\nclass = "low"\ncollective_class = "low"\n')
        + job("background", BULK, 'class = "low"\n'),
        '"jobs.nekbone.class" = ["low", "high"]\n"jobs.nekbone.collective_class" = ["low", "high"]\n'
        '"routing.algorithm" = ["codes-par", "minimal"]\n'),
    "mubarak-shares": _mix(
        MEGAFLY, "codes-par",
        job("solver", 'kind = "halo3d", ranks = 36, grid = [3, 3, 4], face = "32 KiB", '
            'iterations = 1', 'role = "victim"\nclass = "high"\n')
        + job("background", BULK, 'class = "low"\n'),
        '"system.qos.classes" = [[{ name = "high", cap = "10 %" }, { name = "low", cap = "90 %" }], '
        '[{ name = "high", cap = "30 %" }, { name = "low", cap = "70 %" }], '
        '[{ name = "high", cap = "60 %" }, { name = "low", cap = "40 %" }], '
        '[{ name = "high", cap = "85 %" }, { name = "low", cap = "15 %" }]]\n'
        '"system.qos.monitor" = ["static", "token-bucket"]\n'),
    "desensi-alltoall-modes": _mix(
        ARIES, "adaptive-0",
        job("alltoall", 'kind = "alltoall", ranks = 16, iterations = 1, message = "1024 B"', VICTIM)
        + job("others", 'kind = "open-loop", ranks = 24, pattern = "uniform", load = 0.3, '
              'message = "4 KiB"'), f'"routing.algorithm" = {MODES}\n', 'objective = "comm_time"\n'),
    "desensi-pingpong-modes": _mix(
        ARIES, "nmin-hash",
        job("pingpong", 'kind = "ping-pong", ranks = 16, iterations = 3, message = "4096 B"', VICTIM)
        + job("others", 'kind = "open-loop", ranks = 40, pattern = "uniform", load = 0.2, '
              'message = "4 KiB"'), f'"routing.algorithm" = {MODES}\n', 'objective = "comm_time"\n'),
}  # fmt: skip
"""Something helps."""

COMPUTE = 'kind = "halo3d", ranks = 27, grid = [3, 3, 3], face = "1 KiB", iterations = 1, compute = "150 us", overlap = false'

NOTHING = {
    "compute-bound": _mix(
        SMALL, "par", job("solver", COMPUTE, VICTIM) + job("ur", UR.replace("0.4", "0.1")),
        f'"routing.algorithm" = {ROUTINGS}\n', 'objective = "makespan"\n'),
    "classes-without-contention": _mix(
        MEGAFLY, "codes-par",
        job("solver", 'kind = "halo3d", ranks = 27, grid = [3, 3, 3], face = "4 KiB", iterations = 4',
            'role = "victim"\nclass = "low"\ncollective_class = "low"\n')
        + job("background", BULK.replace("0.4", "0.01").replace("32 KiB", "512 B"),
              'class = "low"\n'),
        '"jobs.solver.class" = ["low", "high"]\n"jobs.solver.collective_class" = ["low", "high"]\n'),
    "own-groups": _mix(
        SMALL, "minimal",
        job("solver", 'kind = "halo3d", ranks = 8, grid = [2, 2, 2], face = "16 KiB", iterations = 4',
            'role = "victim"\nplacement = "contiguous"\n') + job("others", UR),
        '"jobs.others.placement" = ["random-node", "contiguous", "random-router", "random-group"]\n'),
    "mapping-of-uniform": _mix(
        SMALL, "par",
        job("ur", 'kind = "alltoall", ranks = 36, iterations = 1, message = "1024 B"',
            'role = "victim"\nplacement = { kind = "random-node", mapping = "linear" }\n')
        + job("others", UR),
        '"jobs.ur.placement" = [{ kind = "random-node", mapping = "linear" }, '
        '{ kind = "random-node", mapping = "shuffled" }]\n'
        '"jobs.others.placement" = ["random-node", { kind = "random-node", mapping = "shuffled" }]\n'),
    "injection-bound": _mix(
        SMALL, "ugal-node",
        job("incast", 'kind = "incast", ranks = 24, iterations = 1, message = "64 KiB"', VICTIM)
        + job("others", UR.replace("0.4", "0.05")),
        '"routing.algorithm" = ["ugal-node", "par", "ugal-group", "codes-par"]\n', 'objective = "comm_time"\n'),
}  # fmt: skip
"""Nothing helps."""

MIXES = HELPED | NOTHING
