"""Classes of workloads.

Generated from the registry by `make docs`; a test compares.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, Self

from odonata.scenario.build.families import Workload

class UniformRandom(Workload):
    """A new random permutation of the ranks in each iteration, one message each."""
    ranks: int | None
    iterations: int | None
    message: str | int | None
    compute: str | int | None
    wait_before: str | int | None
    size_scale: float | None
    def __init__(
        self,
        *,
        ranks: int | None = ...,
        iterations: int | None = ...,
        message: str | int | None = ...,
        compute: str | int | None = ...,
        wait_before: str | int | None = ...,
        size_scale: float | None = ...,
    ) -> None:
        """Keys are those of a scenario file.

        Parameters
        ----------
        ranks : int
            ranks of the job (default: 528)
        iterations : int
            iterations (default: 7200)
        message : str | int
            payload of a message (default: 3072 B)
        compute : str | int
            computation per iteration (default: 0 ps)
        wait_before : str | int
            computation before the first iteration (350 us in Kang et al. 2022) (default: 0 ps)
        size_scale : float
            factor of the payload of every message; a payload of any size stays at least 1 B
            (default: 1.0)
        """
    def replace(  # type: ignore[override]
        self,
        *,
        ranks: int | None = ...,
        iterations: int | None = ...,
        message: str | int | None = ...,
        compute: str | int | None = ...,
        wait_before: str | int | None = ...,
        size_scale: float | None = ...,
    ) -> Self: ...

class Halo3d(Workload):
    """Exchange with all neighbours on a 3-D grid, or with those of one dimension after the other.
    """
    ranks: int | None
    grid: Sequence[int] | None
    face: str | int | None
    iterations: int | None
    compute: str | int | None
    reduction: bool | None
    overlap: bool | None
    wait_before: str | int | None
    size_scale: float | None
    def __init__(
        self,
        *,
        ranks: int | None = ...,
        grid: Sequence[int] | None = ...,
        face: str | int | None = ...,
        iterations: int | None = ...,
        compute: str | int | None = ...,
        reduction: bool | None = ...,
        overlap: bool | None = ...,
        wait_before: str | int | None = ...,
        size_scale: float | None = ...,
    ) -> None:
        """Keys are those of a scenario file.

        Parameters
        ----------
        ranks : int
            ranks of the job; the product of the grid if absent, 528 if that is absent too
        grid : Sequence[int]
            ranks along x, y, z, x fastest; the most cubic grid of the ranks if absent
        face : str | int
            payload to each neighbour (default: 191944 B)
        iterations : int
            iterations (default: 90)
        compute : str | int
            computation per iteration; by default what makes the execution time that of the study
            (default: 9 us)
        reduction : bool
            whether an allreduce of 8 B ends each iteration (default: False)
        overlap : bool
            whether all faces are under way at once, or one dimension after the other (Ember)
            (default: True)
        wait_before : str | int
            computation before the first iteration (350 us in Kang et al. 2022) (default: 0 ps)
        size_scale : float
            factor of the payload of every message; a payload of any size stays at least 1 B
            (default: 1.0)
        """
    def replace(  # type: ignore[override]
        self,
        *,
        ranks: int | None = ...,
        grid: Sequence[int] | None = ...,
        face: str | int | None = ...,
        iterations: int | None = ...,
        compute: str | int | None = ...,
        reduction: bool | None = ...,
        overlap: bool | None = ...,
        wait_before: str | int | None = ...,
        size_scale: float | None = ...,
    ) -> Self: ...

class Milc(Workload):
    """Lattice quantum chromodynamics: two half exchanges with the 8 neighbours on a periodic 4-D
    grid, then two allreduces of 8 B.
    """
    ranks: int | None
    grid: Sequence[int] | None
    message: str | int | None
    iterations: int | None
    compute: str | int | None
    wait_before: str | int | None
    size_scale: float | None
    def __init__(
        self,
        *,
        ranks: int | None = ...,
        grid: Sequence[int] | None = ...,
        message: str | int | None = ...,
        iterations: int | None = ...,
        compute: str | int | None = ...,
        wait_before: str | int | None = ...,
        size_scale: float | None = ...,
    ) -> None:
        """Keys are those of a scenario file.

        Parameters
        ----------
        ranks : int
            ranks of the job; the product of the grid if absent, 528 if that is absent too
        grid : Sequence[int]
            ranks along x, y, z, t, x fastest; the most even grid of the ranks if absent
        message : str | int
            payload to each neighbour in each half; 1.5 L^4 for L^4 sites per rank, L = 24
            (default: 497664 B)
        iterations : int
            iterations (default: 100)
        compute : str | int
            computation of each half, while its messages travel (default: 25 ns)
        wait_before : str | int
            computation before the first iteration (350 us in Kang et al. 2022) (default: 0 ps)
        size_scale : float
            factor of the payload of every message; a payload of any size stays at least 1 B
            (default: 1.0)
        """
    def replace(  # type: ignore[override]
        self,
        *,
        ranks: int | None = ...,
        grid: Sequence[int] | None = ...,
        message: str | int | None = ...,
        iterations: int | None = ...,
        compute: str | int | None = ...,
        wait_before: str | int | None = ...,
        size_scale: float | None = ...,
    ) -> Self: ...

class Fft3d(Workload):
    """3-D FFT, pencils on a 2-D process grid: alltoallv in columns and rows."""
    ranks: int | None
    nx: int | None
    ny: int | None
    nz: int | None
    process_rows: int | None
    iterations: int | None
    element_time: str | int | None
    transform_cost: Sequence[Any] | None
    wait_before: str | int | None
    size_scale: float | None
    def __init__(
        self,
        *,
        ranks: int | None = ...,
        nx: int | None = ...,
        ny: int | None = ...,
        nz: int | None = ...,
        process_rows: int | None = ...,
        iterations: int | None = ...,
        element_time: str | int | None = ...,
        transform_cost: Sequence[Any] | None = ...,
        wait_before: str | int | None = ...,
        size_scale: float | None = ...,
    ) -> None:
        """Keys are those of a scenario file.

        Parameters
        ----------
        ranks : int
            ranks of the job (default: 528)
        nx : int
            grid points along x (default: 400)
        ny : int
            grid points along y (default: 400)
        nz : int
            grid points along z (default: 400)
        process_rows : int
            rows of the process grid, a divisor of the ranks; the largest one up to the square root
            if absent
        iterations : int
            iterations (default: 8)
        element_time : str | int
            computation per grid point and transform (default: 1 ns)
        transform_cost : Sequence[Any]
            factors of the computation of the three forward and three backward transforms (default:
            [1.0, 1.0, 1.0, 1.0, 1.0, 1.0])
        wait_before : str | int
            computation before the first iteration (350 us in Kang et al. 2022) (default: 0 ps)
        size_scale : float
            factor of the payload of every message; a payload of any size stays at least 1 B
            (default: 1.0)
        """
    def replace(  # type: ignore[override]
        self,
        *,
        ranks: int | None = ...,
        nx: int | None = ...,
        ny: int | None = ...,
        nz: int | None = ...,
        process_rows: int | None = ...,
        iterations: int | None = ...,
        element_time: str | int | None = ...,
        transform_cost: Sequence[Any] | None = ...,
        wait_before: str | int | None = ...,
        size_scale: float | None = ...,
    ) -> Self: ...

class Allreduce(Workload):
    """Computation, then an allreduce over all ranks, again and again."""
    ranks: int | None
    iterations: int | None
    message: str | int | None
    compute: str | int | None
    wait_before: str | int | None
    size_scale: float | None
    def __init__(
        self,
        *,
        ranks: int | None = ...,
        iterations: int | None = ...,
        message: str | int | None = ...,
        compute: str | int | None = ...,
        wait_before: str | int | None = ...,
        size_scale: float | None = ...,
    ) -> None:
        """Keys are those of a scenario file.

        Parameters
        ----------
        ranks : int
            ranks of the job (default: 528)
        iterations : int
            iterations (default: 1)
        message : str | int
            payload of each rank (default: 8 B)
        compute : str | int
            computation before each allreduce (default: 0 ps)
        wait_before : str | int
            computation before the first iteration (350 us in Kang et al. 2022) (default: 0 ps)
        size_scale : float
            factor of the payload of every message; a payload of any size stays at least 1 B
            (default: 1.0)
        """
    def replace(  # type: ignore[override]
        self,
        *,
        ranks: int | None = ...,
        iterations: int | None = ...,
        message: str | int | None = ...,
        compute: str | int | None = ...,
        wait_before: str | int | None = ...,
        size_scale: float | None = ...,
    ) -> Self: ...

class Cosmoflow(Workload):
    """Allreduce of 1.126 MB every 5.16 ms: training of CosmoFlow; MFNetSim has 300 ranks, 5
    iterations, 29,516,800 B and 129 ms.
    """
    ranks: int | None
    iterations: int | None
    message: str | int | None
    compute: str | int | None
    wait_before: str | int | None
    size_scale: float | None
    def __init__(
        self,
        *,
        ranks: int | None = ...,
        iterations: int | None = ...,
        message: str | int | None = ...,
        compute: str | int | None = ...,
        wait_before: str | int | None = ...,
        size_scale: float | None = ...,
    ) -> None:
        """Keys are those of a scenario file.

        Parameters
        ----------
        ranks : int
            ranks of the job (default: 528)
        iterations : int
            iterations (default: 2)
        message : str | int
            payload of each rank (default: 1126000 B)
        compute : str | int
            computation before each allreduce (default: 5160 us)
        wait_before : str | int
            computation before the first iteration (350 us in Kang et al. 2022) (default: 0 ps)
        size_scale : float
            factor of the payload of every message; a payload of any size stays at least 1 B
            (default: 1.0)
        """
    def replace(  # type: ignore[override]
        self,
        *,
        ranks: int | None = ...,
        iterations: int | None = ...,
        message: str | int | None = ...,
        compute: str | int | None = ...,
        wait_before: str | int | None = ...,
        size_scale: float | None = ...,
    ) -> Self: ...

class Dl(Workload):
    """Allreduce of 1.152 MB without pause: training of a deep network."""
    ranks: int | None
    iterations: int | None
    message: str | int | None
    compute: str | int | None
    wait_before: str | int | None
    size_scale: float | None
    def __init__(
        self,
        *,
        ranks: int | None = ...,
        iterations: int | None = ...,
        message: str | int | None = ...,
        compute: str | int | None = ...,
        wait_before: str | int | None = ...,
        size_scale: float | None = ...,
    ) -> None:
        """Keys are those of a scenario file.

        Parameters
        ----------
        ranks : int
            ranks of the job (default: 528)
        iterations : int
            iterations (default: 8)
        message : str | int
            payload of each rank (default: 1152000 B)
        compute : str | int
            computation before each allreduce (default: 0 ps)
        wait_before : str | int
            computation before the first iteration (350 us in Kang et al. 2022) (default: 0 ps)
        size_scale : float
            factor of the payload of every message; a payload of any size stays at least 1 B
            (default: 1.0)
        """
    def replace(  # type: ignore[override]
        self,
        *,
        ranks: int | None = ...,
        iterations: int | None = ...,
        message: str | int | None = ...,
        compute: str | int | None = ...,
        wait_before: str | int | None = ...,
        size_scale: float | None = ...,
    ) -> Self: ...

class Training(Workload):
    """Training of a deep network: gradients in buckets beside the backward pass, pipeline stages,
    shared layers, experts.
    """
    ranks: int | None
    pipeline: int | None
    tensor: int | None
    experts: int | None
    iterations: int | None
    layers: int | None
    microbatches: int | None
    schedule: Literal["1f1b", "gpipe"] | None
    forward: str | int | None
    backward: str | int | None
    update: str | int | None
    gradients: str | int | None
    bucket: str | int | None
    activation: str | int | None
    expert_message: str | int | None
    overlap: bool | None
    wait_before: str | int | None
    size_scale: float | None
    def __init__(
        self,
        *,
        ranks: int | None = ...,
        pipeline: int | None = ...,
        tensor: int | None = ...,
        experts: int | None = ...,
        iterations: int | None = ...,
        layers: int | None = ...,
        microbatches: int | None = ...,
        schedule: Literal["1f1b", "gpipe"] | None = ...,
        forward: str | int | None = ...,
        backward: str | int | None = ...,
        update: str | int | None = ...,
        gradients: str | int | None = ...,
        bucket: str | int | None = ...,
        activation: str | int | None = ...,
        expert_message: str | int | None = ...,
        overlap: bool | None = ...,
        wait_before: str | int | None = ...,
        size_scale: float | None = ...,
    ) -> None:
        """Keys are those of a scenario file.

        Parameters
        ----------
        ranks : int
            ranks of the job (default: 528)
        pipeline : int
            stages that the layers are cut into (default: 1)
        tensor : int
            ranks that share every layer of a stage (default: 1)
        experts : int
            ranks among which experts are spread, part of those with the same layers; 1: none
            (default: 1)
        iterations : int
            iterations (default: 2)
        layers : int
            layers of a stage (default: 24)
        microbatches : int
            parts of a batch that go through the pipeline one after the other (default: 1)
        schedule : Literal["1f1b", "gpipe"]
            order of microbatches in a stage (default: 1f1b)
        forward : str | int
            computation of a layer and microbatch, forward (default: 100 us)
        backward : str | int
            the same backward; twice as long if absent
        update : str | int
            computation when all gradients are there (default: 0 ps)
        gradients : str | int
            gradients of a rank: those of its layers (default: 104857600 B)
        bucket : str | int
            gradients that are combined together (default: 26214400 B)
        activation : str | int
            activations of a microbatch between layers: from stage to stage, and combined where
            layers are shared (default: 8388608 B)
        expert_message : str | int
            from each rank to each other one of its experts; `activation` / `experts` if absent
        overlap : bool
            whether gradients are combined beside the backward pass, or behind it (default: True)
        wait_before : str | int
            computation before the first iteration (350 us in Kang et al. 2022) (default: 0 ps)
        size_scale : float
            factor of the payload of every message; a payload of any size stays at least 1 B
            (default: 1.0)
        """
    def replace(  # type: ignore[override]
        self,
        *,
        ranks: int | None = ...,
        pipeline: int | None = ...,
        tensor: int | None = ...,
        experts: int | None = ...,
        iterations: int | None = ...,
        layers: int | None = ...,
        microbatches: int | None = ...,
        schedule: Literal["1f1b", "gpipe"] | None = ...,
        forward: str | int | None = ...,
        backward: str | int | None = ...,
        update: str | int | None = ...,
        gradients: str | int | None = ...,
        bucket: str | int | None = ...,
        activation: str | int | None = ...,
        expert_message: str | int | None = ...,
        overlap: bool | None = ...,
        wait_before: str | int | None = ...,
        size_scale: float | None = ...,
    ) -> Self: ...

class Lu(Workload):
    """LU Gauss-Seidel: a wavefront over a 2-D grid from corner to corner, and one back."""
    ranks: int | None
    grid: Sequence[int] | None
    iterations: int | None
    stages: int | None
    message: str | int | None
    compute: str | int | None
    wait_before: str | int | None
    size_scale: float | None
    def __init__(
        self,
        *,
        ranks: int | None = ...,
        grid: Sequence[int] | None = ...,
        iterations: int | None = ...,
        stages: int | None = ...,
        message: str | int | None = ...,
        compute: str | int | None = ...,
        wait_before: str | int | None = ...,
        size_scale: float | None = ...,
    ) -> None:
        """Keys are those of a scenario file.

        Parameters
        ----------
        ranks : int
            ranks of the job; the product of the grid if absent
        grid : Sequence[int]
            ranks along x and y, x fastest; the most even grid of the ranks, or 22, 24 if absent
        iterations : int
            iterations (default: 3)
        stages : int
            steps of a wavefront: blocks of planes along z (default: 150)
        message : str | int
            payload of a message: points of a line times planes of a block (default: 15000 B)
        compute : str | int
            computation of each stage (default: 0 ps)
        wait_before : str | int
            computation before the first iteration (350 us in Kang et al. 2022) (default: 0 ps)
        size_scale : float
            factor of the payload of every message; a payload of any size stays at least 1 B
            (default: 1.0)
        """
    def replace(  # type: ignore[override]
        self,
        *,
        ranks: int | None = ...,
        grid: Sequence[int] | None = ...,
        iterations: int | None = ...,
        stages: int | None = ...,
        message: str | int | None = ...,
        compute: str | int | None = ...,
        wait_before: str | int | None = ...,
        size_scale: float | None = ...,
    ) -> Self: ...

class Lqcd(Workload):
    """Lattice quantum chromodynamics: gathers from first and third neighbours on a 4-D grid for even
    and odd sites, then two allreduces of 8 B.
    """
    ranks: int | None
    lattice: Sequence[int] | None
    iterations: int | None
    compute: str | int | None
    overlap: bool | None
    wait_before: str | int | None
    size_scale: float | None
    def __init__(
        self,
        *,
        ranks: int | None = ...,
        lattice: Sequence[int] | None = ...,
        iterations: int | None = ...,
        compute: str | int | None = ...,
        overlap: bool | None = ...,
        wait_before: str | int | None = ...,
        size_scale: float | None = ...,
    ) -> None:
        """Keys are those of a scenario file.

        Parameters
        ----------
        ranks : int
            ranks of the job (default: 528)
        lattice : Sequence[int]
            sites along x, y, z, t; 72, 84, 88, 128 if absent. How ranks share them follows
        iterations : int
            iterations (default: 3)
        compute : str | int
            computation of each of five segments: four products and the residual (default: 0 ps)
        overlap : bool
            whether all messages are under way at once, or blocking sends follow each other (Ember)
            (default: False)
        wait_before : str | int
            computation before the first iteration (350 us in Kang et al. 2022) (default: 0 ps)
        size_scale : float
            factor of the payload of every message; a payload of any size stays at least 1 B
            (default: 1.0)
        """
    def replace(  # type: ignore[override]
        self,
        *,
        ranks: int | None = ...,
        lattice: Sequence[int] | None = ...,
        iterations: int | None = ...,
        compute: str | int | None = ...,
        overlap: bool | None = ...,
        wait_before: str | int | None = ...,
        size_scale: float | None = ...,
    ) -> Self: ...

class Stencil5d(Workload):
    """Exchange of large messages with up to ten neighbours on an open 5-D grid."""
    ranks: int | None
    grid: Sequence[int] | None
    iterations: int | None
    message: str | int | None
    compute: str | int | None
    overlap: bool | None
    reduction: bool | None
    wait_before: str | int | None
    size_scale: float | None
    def __init__(
        self,
        *,
        ranks: int | None = ...,
        grid: Sequence[int] | None = ...,
        iterations: int | None = ...,
        message: str | int | None = ...,
        compute: str | int | None = ...,
        overlap: bool | None = ...,
        reduction: bool | None = ...,
        wait_before: str | int | None = ...,
        size_scale: float | None = ...,
    ) -> None:
        """Keys are those of a scenario file.

        Parameters
        ----------
        ranks : int
            ranks of the job; the product of the grid if absent
        grid : Sequence[int]
            ranks along five directions, first fastest; the most even grid of the ranks, or 2, 2,
            3, 4, 11 if absent
        iterations : int
            iterations (default: 2)
        message : str | int
            payload to each neighbour (default: 1400000 B)
        compute : str | int
            computation before each exchange (default: 2 ms)
        overlap : bool
            whether all messages are under way at once, or blocking sends follow each other (Ember)
            (default: False)
        reduction : bool
            whether an allreduce of 8 B ends each iteration (default: False)
        wait_before : str | int
            computation before the first iteration (350 us in Kang et al. 2022) (default: 0 ps)
        size_scale : float
            factor of the payload of every message; a payload of any size stays at least 1 B
            (default: 1.0)
        """
    def replace(  # type: ignore[override]
        self,
        *,
        ranks: int | None = ...,
        grid: Sequence[int] | None = ...,
        iterations: int | None = ...,
        message: str | int | None = ...,
        compute: str | int | None = ...,
        overlap: bool | None = ...,
        reduction: bool | None = ...,
        wait_before: str | int | None = ...,
        size_scale: float | None = ...,
    ) -> Self: ...

class Lulesh(Workload):
    """Shock hydrodynamics: bcast, reduce, exchange with 26 neighbours on a 3-D grid, sweep over a 2-D
    grid.
    """
    ranks: int | None
    grid: Sequence[int] | None
    sweep_grid: Sequence[int] | None
    iterations: int | None
    root_message: str | int | None
    face: str | int | None
    stages: int | None
    sweep_message: str | int | None
    compute: str | int | None
    wait_before: str | int | None
    size_scale: float | None
    def __init__(
        self,
        *,
        ranks: int | None = ...,
        grid: Sequence[int] | None = ...,
        sweep_grid: Sequence[int] | None = ...,
        iterations: int | None = ...,
        root_message: str | int | None = ...,
        face: str | int | None = ...,
        stages: int | None = ...,
        sweep_message: str | int | None = ...,
        compute: str | int | None = ...,
        wait_before: str | int | None = ...,
        size_scale: float | None = ...,
    ) -> None:
        """Keys are those of a scenario file.

        Parameters
        ----------
        ranks : int
            ranks of the job; the product of the grid if absent
        grid : Sequence[int]
            ranks along x, y, z, x fastest; the most even grid of the ranks, or 8, 8, 8 if absent
        sweep_grid : Sequence[int]
            ranks of the sweep along x and y, x fastest; the most even grid if absent: 16, 32
        iterations : int
            iterations (default: 12)
        root_message : str | int
            payload of the bcast and of the reduce, 30 numbers of 8 B (default: 240 B)
        face : str | int
            payload to each of the 26 neighbours, whether over a face, an edge or a corner
            (default: 74814 B)
        stages : int
            messages per edge of the sweep (default: 100)
        sweep_message : str | int
            payload of a message of the sweep (default: 7457 B)
        compute : str | int
            computation behind each of the four phases (default: 0 ps)
        wait_before : str | int
            computation before the first iteration (350 us in Kang et al. 2022) (default: 0 ps)
        size_scale : float
            factor of the payload of every message; a payload of any size stays at least 1 B
            (default: 1.0)
        """
    def replace(  # type: ignore[override]
        self,
        *,
        ranks: int | None = ...,
        grid: Sequence[int] | None = ...,
        sweep_grid: Sequence[int] | None = ...,
        iterations: int | None = ...,
        root_message: str | int | None = ...,
        face: str | int | None = ...,
        stages: int | None = ...,
        sweep_message: str | int | None = ...,
        compute: str | int | None = ...,
        wait_before: str | int | None = ...,
        size_scale: float | None = ...,
    ) -> Self: ...

class Lammps(Workload):
    """Molecular dynamics: exchange of ghost atoms in six directions, long-range forces by FFT on a
    mesh, allreduces of 48 B, blocking.
    """
    ranks: int | None
    replicas: Sequence[int] | None
    iterations: int | None
    compute: str | int | None
    wait_before: str | int | None
    size_scale: float | None
    def __init__(
        self,
        *,
        ranks: int | None = ...,
        replicas: Sequence[int] | None = ...,
        iterations: int | None = ...,
        compute: str | int | None = ...,
        wait_before: str | int | None = ...,
        size_scale: float | None = ...,
    ) -> None:
        """Keys are those of a scenario file.

        Parameters
        ----------
        ranks : int
            ranks of the job (default: 2048)
        replicas : Sequence[int]
            copies along x, y, z of a box of 55 x 77 x 72.7 with 32,000 atoms; 3, 3, 3 if absent
        iterations : int
            iterations (default: 30)
        compute : str | int
            computation at the beginning of each step (default: 0 ps)
        wait_before : str | int
            computation before the first iteration (350 us in Kang et al. 2022) (default: 0 ps)
        size_scale : float
            factor of the payload of every message; a payload of any size stays at least 1 B
            (default: 1.0)
        """
    def replace(  # type: ignore[override]
        self,
        *,
        ranks: int | None = ...,
        replicas: Sequence[int] | None = ...,
        iterations: int | None = ...,
        compute: str | int | None = ...,
        wait_before: str | int | None = ...,
        size_scale: float | None = ...,
    ) -> Self: ...

class Nekbone(Workload):
    """Conjugate gradients on spectral elements: gather-scatter with 26 neighbours on an open 3-D
    grid, three allreduces of 8 B an iteration.
    """
    ranks: int | None
    grid: Sequence[int] | None
    elements: int | None
    orders: Sequence[int] | None
    iterations: int | None
    compute: str | int | None
    wait_before: str | int | None
    size_scale: float | None
    def __init__(
        self,
        *,
        ranks: int | None = ...,
        grid: Sequence[int] | None = ...,
        elements: int | None = ...,
        orders: Sequence[int] | None = ...,
        iterations: int | None = ...,
        compute: str | int | None = ...,
        wait_before: str | int | None = ...,
        size_scale: float | None = ...,
    ) -> None:
        """Keys are those of a scenario file.

        Parameters
        ----------
        ranks : int
            ranks of the job; the product of the grid if absent
        grid : Sequence[int]
            ranks along x, y, z, x fastest; the most even grid of the ranks, or 13, 13, 13 if
            absent
        elements : int
            elements of a rank along each direction (default: 13)
        orders : Sequence[int]
            polynomial orders, one after the other; 8, 11 if absent
        iterations : int
            iterations (default: 100)
        compute : str | int
            computation of each iteration of a solve (default: 0 ps)
        wait_before : str | int
            computation before the first iteration (350 us in Kang et al. 2022) (default: 0 ps)
        size_scale : float
            factor of the payload of every message; a payload of any size stays at least 1 B
            (default: 1.0)
        """
    def replace(  # type: ignore[override]
        self,
        *,
        ranks: int | None = ...,
        grid: Sequence[int] | None = ...,
        elements: int | None = ...,
        orders: Sequence[int] | None = ...,
        iterations: int | None = ...,
        compute: str | int | None = ...,
        wait_before: str | int | None = ...,
        size_scale: float | None = ...,
    ) -> Self: ...

class NearestNeighbour(Workload):
    """A message to each of 6, 18 or 26 neighbours on a periodic 3-D grid, all at once."""
    ranks: int | None
    grid: Sequence[int] | None
    distance: int | None
    message: str | int | None
    iterations: int | None
    compute: str | int | None
    wait_before: str | int | None
    size_scale: float | None
    def __init__(
        self,
        *,
        ranks: int | None = ...,
        grid: Sequence[int] | None = ...,
        distance: int | None = ...,
        message: str | int | None = ...,
        iterations: int | None = ...,
        compute: str | int | None = ...,
        wait_before: str | int | None = ...,
        size_scale: float | None = ...,
    ) -> None:
        """Keys are those of a scenario file.

        Parameters
        ----------
        ranks : int
            ranks of the job; the product of the grid if absent
        grid : Sequence[int]
            ranks along x, y, z, x fastest; the most even grid of the ranks, or 16, 16, 16 if
            absent
        distance : int
            in how many dimensions a neighbour may differ: 1: 6, 2: 18, 3: 26 neighbours (default:
            3)
        message : str | int
            payload to each neighbour (64 and 128 KiB in the paper) (default: 32768 B)
        iterations : int
            iterations (default: 1)
        compute : str | int
            computation before each exchange (default: 0 ps)
        wait_before : str | int
            computation before the first iteration (350 us in Kang et al. 2022) (default: 0 ps)
        size_scale : float
            factor of the payload of every message; a payload of any size stays at least 1 B
            (default: 1.0)
        """
    def replace(  # type: ignore[override]
        self,
        *,
        ranks: int | None = ...,
        grid: Sequence[int] | None = ...,
        distance: int | None = ...,
        message: str | int | None = ...,
        iterations: int | None = ...,
        compute: str | int | None = ...,
        wait_before: str | int | None = ...,
        size_scale: float | None = ...,
    ) -> Self: ...

class Incast(Workload):
    """All ranks send to rank 0 at once."""
    ranks: int | None
    message: str | int | None
    iterations: int | None
    compute: str | int | None
    wait_before: str | int | None
    size_scale: float | None
    def __init__(
        self,
        *,
        ranks: int | None = ...,
        message: str | int | None = ...,
        iterations: int | None = ...,
        compute: str | int | None = ...,
        wait_before: str | int | None = ...,
        size_scale: float | None = ...,
    ) -> None:
        """Keys are those of a scenario file.

        Parameters
        ----------
        ranks : int
            ranks of the job (default: 100)
        message : str | int
            payload of a message (default: 1310720 B)
        iterations : int
            iterations (default: 10)
        compute : str | int
            computation of the senders before each message (default: 0 ps)
        wait_before : str | int
            computation before the first iteration (350 us in Kang et al. 2022) (default: 0 ps)
        size_scale : float
            factor of the payload of every message; a payload of any size stays at least 1 B
            (default: 1.0)
        """
    def replace(  # type: ignore[override]
        self,
        *,
        ranks: int | None = ...,
        message: str | int | None = ...,
        iterations: int | None = ...,
        compute: str | int | None = ...,
        wait_before: str | int | None = ...,
        size_scale: float | None = ...,
    ) -> Self: ...

class ManyToMany(Workload):
    """The second half of the ranks sends to the first half: in fixed pairs, or each to all."""
    ranks: int | None
    message: str | int | None
    iterations: int | None
    fixed_pairs: bool | None
    compute: str | int | None
    wait_before: str | int | None
    size_scale: float | None
    def __init__(
        self,
        *,
        ranks: int | None = ...,
        message: str | int | None = ...,
        iterations: int | None = ...,
        fixed_pairs: bool | None = ...,
        compute: str | int | None = ...,
        wait_before: str | int | None = ...,
        size_scale: float | None = ...,
    ) -> None:
        """Keys are those of a scenario file.

        Parameters
        ----------
        ranks : int
            ranks of the job (default: 256)
        message : str | int
            payload of a message (default: 4194304 B)
        iterations : int
            iterations (default: 2)
        fixed_pairs : bool
            whether each sends to one other only (default: True)
        compute : str | int
            computation of the senders before each iteration (default: 0 ps)
        wait_before : str | int
            computation before the first iteration (350 us in Kang et al. 2022) (default: 0 ps)
        size_scale : float
            factor of the payload of every message; a payload of any size stays at least 1 B
            (default: 1.0)
        """
    def replace(  # type: ignore[override]
        self,
        *,
        ranks: int | None = ...,
        message: str | int | None = ...,
        iterations: int | None = ...,
        fixed_pairs: bool | None = ...,
        compute: str | int | None = ...,
        wait_before: str | int | None = ...,
        size_scale: float | None = ...,
    ) -> Self: ...

class Spread(Workload):
    """Rank 0 sends to all others at once."""
    ranks: int | None
    message: str | int | None
    iterations: int | None
    compute: str | int | None
    wait_before: str | int | None
    size_scale: float | None
    def __init__(
        self,
        *,
        ranks: int | None = ...,
        message: str | int | None = ...,
        iterations: int | None = ...,
        compute: str | int | None = ...,
        wait_before: str | int | None = ...,
        size_scale: float | None = ...,
    ) -> None:
        """Keys are those of a scenario file.

        Parameters
        ----------
        ranks : int
            ranks of the job (default: 64)
        message : str | int
            payload of a message (default: 8 B)
        iterations : int
            iterations (default: 10)
        compute : str | int
            computation of the sender before each iteration (default: 0 ps)
        wait_before : str | int
            computation before the first iteration (350 us in Kang et al. 2022) (default: 0 ps)
        size_scale : float
            factor of the payload of every message; a payload of any size stays at least 1 B
            (default: 1.0)
        """
    def replace(  # type: ignore[override]
        self,
        *,
        ranks: int | None = ...,
        message: str | int | None = ...,
        iterations: int | None = ...,
        compute: str | int | None = ...,
        wait_before: str | int | None = ...,
        size_scale: float | None = ...,
    ) -> Self: ...

class LayeredAllbcast(Workload):
    """Training by layers: for each layer a piece of its gradient and one of its weights from
    everybody to everybody, then an allreduce of 32 B.
    """
    ranks: int | None
    iterations: int | None
    layers: int | None
    first_layer: str | int | None
    growth: float | None
    compression: float | None
    compute: str | int | None
    wait_before: str | int | None
    size_scale: float | None
    def __init__(
        self,
        *,
        ranks: int | None = ...,
        iterations: int | None = ...,
        layers: int | None = ...,
        first_layer: str | int | None = ...,
        growth: float | None = ...,
        compression: float | None = ...,
        compute: str | int | None = ...,
        wait_before: str | int | None = ...,
        size_scale: float | None = ...,
    ) -> None:
        """Keys are those of a scenario file.

        Parameters
        ----------
        ranks : int
            ranks of the job (default: 32)
        iterations : int
            iterations (default: 10)
        layers : int
            layers (default: 50)
        first_layer : str | int
            weights of the first layer (default: 8192 B)
        growth : float
            size of a layer over that of the layer before (default: 1.12)
        compression : float
            weights over gradient (default: 32.0)
        compute : str | int
            computation of each layer (default: 0 ps)
        wait_before : str | int
            computation before the first iteration (350 us in Kang et al. 2022) (default: 0 ps)
        size_scale : float
            factor of the payload of every message; a payload of any size stays at least 1 B
            (default: 1.0)
        """
    def replace(  # type: ignore[override]
        self,
        *,
        ranks: int | None = ...,
        iterations: int | None = ...,
        layers: int | None = ...,
        first_layer: str | int | None = ...,
        growth: float | None = ...,
        compression: float | None = ...,
        compute: str | int | None = ...,
        wait_before: str | int | None = ...,
        size_scale: float | None = ...,
    ) -> Self: ...

class PingPong(Workload):
    """A message there and one back between each rank of the first half and one of the second."""
    ranks: int | None
    iterations: int | None
    message: str | int | None
    compute: str | int | None
    wait_before: str | int | None
    size_scale: float | None
    def __init__(
        self,
        *,
        ranks: int | None = ...,
        iterations: int | None = ...,
        message: str | int | None = ...,
        compute: str | int | None = ...,
        wait_before: str | int | None = ...,
        size_scale: float | None = ...,
    ) -> None:
        """Keys are those of a scenario file.

        Parameters
        ----------
        ranks : int
            ranks of the job (default: 2)
        iterations : int
            iterations (default: 1000)
        message : str | int
            payload of each message (default: 1024 B)
        compute : str | int
            computation before each message there (default: 0 ps)
        wait_before : str | int
            computation before the first iteration (350 us in Kang et al. 2022) (default: 0 ps)
        size_scale : float
            factor of the payload of every message; a payload of any size stays at least 1 B
            (default: 1.0)
        """
    def replace(  # type: ignore[override]
        self,
        *,
        ranks: int | None = ...,
        iterations: int | None = ...,
        message: str | int | None = ...,
        compute: str | int | None = ...,
        wait_before: str | int | None = ...,
        size_scale: float | None = ...,
    ) -> Self: ...

class Alltoall(Workload):
    """An alltoall over all ranks, again and again."""
    ranks: int | None
    iterations: int | None
    message: str | int | None
    compute: str | int | None
    wait_before: str | int | None
    size_scale: float | None
    def __init__(
        self,
        *,
        ranks: int | None = ...,
        iterations: int | None = ...,
        message: str | int | None = ...,
        compute: str | int | None = ...,
        wait_before: str | int | None = ...,
        size_scale: float | None = ...,
    ) -> None:
        """Keys are those of a scenario file.

        Parameters
        ----------
        ranks : int
            ranks of the job (default: 528)
        iterations : int
            iterations (default: 100)
        message : str | int
            payload of each pair of ranks (default: 1024 B)
        compute : str | int
            computation before each call (default: 0 ps)
        wait_before : str | int
            computation before the first iteration (350 us in Kang et al. 2022) (default: 0 ps)
        size_scale : float
            factor of the payload of every message; a payload of any size stays at least 1 B
            (default: 1.0)
        """
    def replace(  # type: ignore[override]
        self,
        *,
        ranks: int | None = ...,
        iterations: int | None = ...,
        message: str | int | None = ...,
        compute: str | int | None = ...,
        wait_before: str | int | None = ...,
        size_scale: float | None = ...,
    ) -> Self: ...

class Barrier(Workload):
    """A barrier over all ranks, again and again."""
    ranks: int | None
    iterations: int | None
    compute: str | int | None
    wait_before: str | int | None
    size_scale: float | None
    def __init__(
        self,
        *,
        ranks: int | None = ...,
        iterations: int | None = ...,
        compute: str | int | None = ...,
        wait_before: str | int | None = ...,
        size_scale: float | None = ...,
    ) -> None:
        """Keys are those of a scenario file.

        Parameters
        ----------
        ranks : int
            ranks of the job (default: 528)
        iterations : int
            iterations (default: 100)
        compute : str | int
            computation before each call (default: 0 ps)
        wait_before : str | int
            computation before the first iteration (350 us in Kang et al. 2022) (default: 0 ps)
        size_scale : float
            factor of the payload of every message; a payload of any size stays at least 1 B
            (default: 1.0)
        """
    def replace(  # type: ignore[override]
        self,
        *,
        ranks: int | None = ...,
        iterations: int | None = ...,
        compute: str | int | None = ...,
        wait_before: str | int | None = ...,
        size_scale: float | None = ...,
    ) -> Self: ...

class Bcast(Workload):
    """A broadcast from rank 0, again and again."""
    ranks: int | None
    iterations: int | None
    message: str | int | None
    compute: str | int | None
    wait_before: str | int | None
    size_scale: float | None
    def __init__(
        self,
        *,
        ranks: int | None = ...,
        iterations: int | None = ...,
        message: str | int | None = ...,
        compute: str | int | None = ...,
        wait_before: str | int | None = ...,
        size_scale: float | None = ...,
    ) -> None:
        """Keys are those of a scenario file.

        Parameters
        ----------
        ranks : int
            ranks of the job (default: 528)
        iterations : int
            iterations (default: 100)
        message : str | int
            payload (default: 1024 B)
        compute : str | int
            computation before each call (default: 0 ps)
        wait_before : str | int
            computation before the first iteration (350 us in Kang et al. 2022) (default: 0 ps)
        size_scale : float
            factor of the payload of every message; a payload of any size stays at least 1 B
            (default: 1.0)
        """
    def replace(  # type: ignore[override]
        self,
        *,
        ranks: int | None = ...,
        iterations: int | None = ...,
        message: str | int | None = ...,
        compute: str | int | None = ...,
        wait_before: str | int | None = ...,
        size_scale: float | None = ...,
    ) -> Self: ...

class SmallAllreduces(Workload):
    """Many small allreduces in a row: what a solver that is bound by latency does."""
    ranks: int | None
    iterations: int | None
    calls: int | None
    message: str | int | None
    compute: str | int | None
    wait_before: str | int | None
    size_scale: float | None
    def __init__(
        self,
        *,
        ranks: int | None = ...,
        iterations: int | None = ...,
        calls: int | None = ...,
        message: str | int | None = ...,
        compute: str | int | None = ...,
        wait_before: str | int | None = ...,
        size_scale: float | None = ...,
    ) -> None:
        """Keys are those of a scenario file.

        Parameters
        ----------
        ranks : int
            ranks of the job (default: 512)
        iterations : int
            iterations (default: 30)
        calls : int
            allreduces of an iteration (default: 100)
        message : str | int
            payload of each rank (8 B to 8 KiB in the paper) (default: 8 B)
        compute : str | int
            computation before each call (default: 0 ps)
        wait_before : str | int
            computation before the first iteration (350 us in Kang et al. 2022) (default: 0 ps)
        size_scale : float
            factor of the payload of every message; a payload of any size stays at least 1 B
            (default: 1.0)
        """
    def replace(  # type: ignore[override]
        self,
        *,
        ranks: int | None = ...,
        iterations: int | None = ...,
        calls: int | None = ...,
        message: str | int | None = ...,
        compute: str | int | None = ...,
        wait_before: str | int | None = ...,
        size_scale: float | None = ...,
    ) -> Self: ...

class Sweep3d(Workload):
    """Discrete ordinates: wavefronts over a 2-D grid from each of its four corners, twice."""
    ranks: int | None
    grid: Sequence[int] | None
    nx: int | None
    ny: int | None
    nz: int | None
    block: int | None
    cell: int | None
    iterations: int | None
    compute: str | int | None
    wait_before: str | int | None
    size_scale: float | None
    def __init__(
        self,
        *,
        ranks: int | None = ...,
        grid: Sequence[int] | None = ...,
        nx: int | None = ...,
        ny: int | None = ...,
        nz: int | None = ...,
        block: int | None = ...,
        cell: int | None = ...,
        iterations: int | None = ...,
        compute: str | int | None = ...,
        wait_before: str | int | None = ...,
        size_scale: float | None = ...,
    ) -> None:
        """Keys are those of a scenario file.

        Parameters
        ----------
        ranks : int
            ranks of the job; the product of the grid if absent
        grid : Sequence[int]
            ranks along x and y, x fastest; the most even grid of the ranks, or 22, 24 if absent
        nx : int
            cells of a rank along x (default: 50)
        ny : int
            cells of a rank along y (default: 50)
        nz : int
            cells along z (default: 50)
        block : int
            planes along z of a stage, a divisor of nz (kba) (default: 1)
        cell : int
            bytes of a cell: 8 fields of 8 B (default: 64)
        iterations : int
            iterations (default: 1)
        compute : str | int
            computation of each stage (default: 0 ps)
        wait_before : str | int
            computation before the first iteration (350 us in Kang et al. 2022) (default: 0 ps)
        size_scale : float
            factor of the payload of every message; a payload of any size stays at least 1 B
            (default: 1.0)
        """
    def replace(  # type: ignore[override]
        self,
        *,
        ranks: int | None = ...,
        grid: Sequence[int] | None = ...,
        nx: int | None = ...,
        ny: int | None = ...,
        nz: int | None = ...,
        block: int | None = ...,
        cell: int | None = ...,
        iterations: int | None = ...,
        compute: str | int | None = ...,
        wait_before: str | int | None = ...,
        size_scale: float | None = ...,
    ) -> Self: ...

class Halo26(Workload):
    """Exchange with the 26 neighbours on an open 3-D grid, each over the cells it shares."""
    ranks: int | None
    grid: Sequence[int] | None
    nx: int | None
    ny: int | None
    nz: int | None
    cell: str | int | None
    face: str | int | None
    iterations: int | None
    compute: str | int | None
    reduction: bool | None
    wait_before: str | int | None
    size_scale: float | None
    def __init__(
        self,
        *,
        ranks: int | None = ...,
        grid: Sequence[int] | None = ...,
        nx: int | None = ...,
        ny: int | None = ...,
        nz: int | None = ...,
        cell: str | int | None = ...,
        face: str | int | None = ...,
        iterations: int | None = ...,
        compute: str | int | None = ...,
        reduction: bool | None = ...,
        wait_before: str | int | None = ...,
        size_scale: float | None = ...,
    ) -> None:
        """Keys are those of a scenario file.

        Parameters
        ----------
        ranks : int
            ranks of the job; the product of the grid if absent
        grid : Sequence[int]
            ranks along x, y, z, x fastest; the most even grid of the ranks, or 6, 8, 11 if absent
        nx : int
            cells of a rank along x (default: 100)
        ny : int
            cells of a rank along y (default: 100)
        nz : int
            cells of a rank along z (default: 100)
        cell : str | int
            bytes of a cell (default: 8 B)
        face : str | int
            in place of nx, ny, nz: bytes of each face of a cube; an edge has the root of face
            times cell, a corner a cell; by default what nx, ny, nz make
        iterations : int
            iterations (default: 1)
        compute : str | int
            computation before each exchange (default: 0 ps)
        reduction : bool
            whether an allreduce of 8 B ends each iteration (default: False)
        wait_before : str | int
            computation before the first iteration (350 us in Kang et al. 2022) (default: 0 ps)
        size_scale : float
            factor of the payload of every message; a payload of any size stays at least 1 B
            (default: 1.0)
        """
    def replace(  # type: ignore[override]
        self,
        *,
        ranks: int | None = ...,
        grid: Sequence[int] | None = ...,
        nx: int | None = ...,
        ny: int | None = ...,
        nz: int | None = ...,
        cell: str | int | None = ...,
        face: str | int | None = ...,
        iterations: int | None = ...,
        compute: str | int | None = ...,
        reduction: bool | None = ...,
        wait_before: str | int | None = ...,
        size_scale: float | None = ...,
    ) -> Self: ...

class Hpcg(Workload):
    """Conjugate gradients with multigrid: halo exchanges with 26 neighbours on grids of halved sides,
    three allreduces of 8 B.
    """
    ranks: int | None
    grid: Sequence[int] | None
    points: int | None
    levels: int | None
    iterations: int | None
    compute: str | int | None
    wait_before: str | int | None
    size_scale: float | None
    def __init__(
        self,
        *,
        ranks: int | None = ...,
        grid: Sequence[int] | None = ...,
        points: int | None = ...,
        levels: int | None = ...,
        iterations: int | None = ...,
        compute: str | int | None = ...,
        wait_before: str | int | None = ...,
        size_scale: float | None = ...,
    ) -> None:
        """Keys are those of a scenario file.

        Parameters
        ----------
        ranks : int
            ranks of the job; the product of the grid if absent
        grid : Sequence[int]
            ranks along x, y, z, x fastest; the most even grid of the ranks, or 8, 8, 8 if absent
        points : int
            grid points of a rank along each direction (default: 104)
        levels : int
            grids of the multigrid (default: 4)
        iterations : int
            iterations (default: 50)
        compute : str | int
            computation of each iteration (default: 0 ps)
        wait_before : str | int
            computation before the first iteration (350 us in Kang et al. 2022) (default: 0 ps)
        size_scale : float
            factor of the payload of every message; a payload of any size stays at least 1 B
            (default: 1.0)
        """
    def replace(  # type: ignore[override]
        self,
        *,
        ranks: int | None = ...,
        grid: Sequence[int] | None = ...,
        points: int | None = ...,
        levels: int | None = ...,
        iterations: int | None = ...,
        compute: str | int | None = ...,
        wait_before: str | int | None = ...,
        size_scale: float | None = ...,
    ) -> Self: ...

class Cg(Workload):
    """Conjugate gradients of the NAS benchmarks: a product summed over rows by halving distances, an
    exchange over the diagonal, two sums of 8 B.
    """
    ranks: int | None
    order: int | None
    iterations: int | None
    compute: str | int | None
    wait_before: str | int | None
    size_scale: float | None
    def __init__(
        self,
        *,
        ranks: int | None = ...,
        order: int | None = ...,
        iterations: int | None = ...,
        compute: str | int | None = ...,
        wait_before: str | int | None = ...,
        size_scale: float | None = ...,
    ) -> None:
        """Keys are those of a scenario file.

        Parameters
        ----------
        ranks : int
            ranks of the job (default: 512)
        order : int
            order of the matrix (default: 150000)
        iterations : int
            iterations (default: 25)
        compute : str | int
            computation of each iteration (default: 0 ps)
        wait_before : str | int
            computation before the first iteration (350 us in Kang et al. 2022) (default: 0 ps)
        size_scale : float
            factor of the payload of every message; a payload of any size stays at least 1 B
            (default: 1.0)
        """
    def replace(  # type: ignore[override]
        self,
        *,
        ranks: int | None = ...,
        order: int | None = ...,
        iterations: int | None = ...,
        compute: str | int | None = ...,
        wait_before: str | int | None = ...,
        size_scale: float | None = ...,
    ) -> Self: ...

class Fft(Workload):
    """FFT on slabs: transform, alltoall over all ranks, transform, alltoall back."""
    ranks: int | None
    nx: int | None
    ny: int | None
    nz: int | None
    iterations: int | None
    compute: str | int | None
    wait_before: str | int | None
    size_scale: float | None
    def __init__(
        self,
        *,
        ranks: int | None = ...,
        nx: int | None = ...,
        ny: int | None = ...,
        nz: int | None = ...,
        iterations: int | None = ...,
        compute: str | int | None = ...,
        wait_before: str | int | None = ...,
        size_scale: float | None = ...,
    ) -> None:
        """Keys are those of a scenario file.

        Parameters
        ----------
        ranks : int
            ranks of the job (default: 256)
        nx : int
            points along x, shared out before the transposition (default: 1024)
        ny : int
            points along y, shared out behind it (default: 1024)
        nz : int
            points along z, never shared out (default: 1024)
        iterations : int
            iterations (default: 1)
        compute : str | int
            computation of each of the two transforms (default: 0 ps)
        wait_before : str | int
            computation before the first iteration (350 us in Kang et al. 2022) (default: 0 ps)
        size_scale : float
            factor of the payload of every message; a payload of any size stays at least 1 B
            (default: 1.0)
        """
    def replace(  # type: ignore[override]
        self,
        *,
        ranks: int | None = ...,
        nx: int | None = ...,
        ny: int | None = ...,
        nz: int | None = ...,
        iterations: int | None = ...,
        compute: str | int | None = ...,
        wait_before: str | int | None = ...,
        size_scale: float | None = ...,
    ) -> Self: ...

class Bfs(Workload):
    """Breadth-first search, level by level: coalesced records from everybody to everybody, then an
    allreduce of 8 B.
    """
    ranks: int | None
    scale: int | None
    edge_factor: int | None
    levels: Sequence[Any] | None
    record: str | int | None
    coalesced: str | int | None
    iterations: int | None
    compute: str | int | None
    wait_before: str | int | None
    size_scale: float | None
    def __init__(
        self,
        *,
        ranks: int | None = ...,
        scale: int | None = ...,
        edge_factor: int | None = ...,
        levels: Sequence[Any] | None = ...,
        record: str | int | None = ...,
        coalesced: str | int | None = ...,
        iterations: int | None = ...,
        compute: str | int | None = ...,
        wait_before: str | int | None = ...,
        size_scale: float | None = ...,
    ) -> None:
        """Keys are those of a scenario file.

        Parameters
        ----------
        ranks : int
            ranks of the job (default: 256)
        scale : int
            vertices of the graph, as a power of 2 (default: 24)
        edge_factor : int
            edges per vertex (default: 16)
        levels : Sequence[Any]
            share of all edges that is looked at in each round (default: [1e-06, 0.001, 0.15, 0.7,
            0.14, 0.008, 0.0001])
        record : str | int
            bytes of the record of an edge (default: 8 B)
        coalesced : str | int
            records to one rank are sent together, up to so many bytes (default: 4096 B)
        iterations : int
            iterations (default: 1)
        compute : str | int
            computation of each round (default: 0 ps)
        wait_before : str | int
            computation before the first iteration (350 us in Kang et al. 2022) (default: 0 ps)
        size_scale : float
            factor of the payload of every message; a payload of any size stays at least 1 B
            (default: 1.0)
        """
    def replace(  # type: ignore[override]
        self,
        *,
        ranks: int | None = ...,
        scale: int | None = ...,
        edge_factor: int | None = ...,
        levels: Sequence[Any] | None = ...,
        record: str | int | None = ...,
        coalesced: str | int | None = ...,
        iterations: int | None = ...,
        compute: str | int | None = ...,
        wait_before: str | int | None = ...,
        size_scale: float | None = ...,
    ) -> Self: ...

class Sssp(Workload):
    """Shortest paths by delta stepping, round by round: as bfs, with more rounds and longer records.
    """
    ranks: int | None
    scale: int | None
    edge_factor: int | None
    levels: Sequence[Any] | None
    record: str | int | None
    coalesced: str | int | None
    iterations: int | None
    compute: str | int | None
    wait_before: str | int | None
    size_scale: float | None
    def __init__(
        self,
        *,
        ranks: int | None = ...,
        scale: int | None = ...,
        edge_factor: int | None = ...,
        levels: Sequence[Any] | None = ...,
        record: str | int | None = ...,
        coalesced: str | int | None = ...,
        iterations: int | None = ...,
        compute: str | int | None = ...,
        wait_before: str | int | None = ...,
        size_scale: float | None = ...,
    ) -> None:
        """Keys are those of a scenario file.

        Parameters
        ----------
        ranks : int
            ranks of the job (default: 256)
        scale : int
            vertices of the graph, as a power of 2 (default: 24)
        edge_factor : int
            edges per vertex (default: 16)
        levels : Sequence[Any]
            share of all edges that is looked at in each round (default: [1e-06, 0.001, 0.05, 0.2,
            0.15, 0.25, 0.1, 0.15, 0.05, 0.06, 0.02, 0.01, 0.005, 0.001])
        record : str | int
            bytes of the record of an edge (default: 16 B)
        coalesced : str | int
            records to one rank are sent together, up to so many bytes (default: 4096 B)
        iterations : int
            iterations (default: 1)
        compute : str | int
            computation of each round (default: 0 ps)
        wait_before : str | int
            computation before the first iteration (350 us in Kang et al. 2022) (default: 0 ps)
        size_scale : float
            factor of the payload of every message; a payload of any size stays at least 1 B
            (default: 1.0)
        """
    def replace(  # type: ignore[override]
        self,
        *,
        ranks: int | None = ...,
        scale: int | None = ...,
        edge_factor: int | None = ...,
        levels: Sequence[Any] | None = ...,
        record: str | int | None = ...,
        coalesced: str | int | None = ...,
        iterations: int | None = ...,
        compute: str | int | None = ...,
        wait_before: str | int | None = ...,
        size_scale: float | None = ...,
    ) -> Self: ...

class CrystalRouter(Workload):
    """Many to many in stages: every rank exchanges with one of the other half, of the other quarter,
    and so on down to its neighbour.
    """
    ranks: int | None
    message: str | int | None
    iterations: int | None
    compute: str | int | None
    wait_before: str | int | None
    size_scale: float | None
    def __init__(
        self,
        *,
        ranks: int | None = ...,
        message: str | int | None = ...,
        iterations: int | None = ...,
        compute: str | int | None = ...,
        wait_before: str | int | None = ...,
        size_scale: float | None = ...,
    ) -> None:
        """Keys are those of a scenario file.

        Parameters
        ----------
        ranks : int
            ranks of the job (default: 1000)
        message : str | int
            payload of each stage (default: 190000 B)
        iterations : int
            iterations (default: 10)
        compute : str | int
            computation before each stage (default: 0 ps)
        wait_before : str | int
            computation before the first iteration (350 us in Kang et al. 2022) (default: 0 ps)
        size_scale : float
            factor of the payload of every message; a payload of any size stays at least 1 B
            (default: 1.0)
        """
    def replace(  # type: ignore[override]
        self,
        *,
        ranks: int | None = ...,
        message: str | int | None = ...,
        iterations: int | None = ...,
        compute: str | int | None = ...,
        wait_before: str | int | None = ...,
        size_scale: float | None = ...,
    ) -> Self: ...

class FillBoundary(Workload):
    """Adaptive meshes: ghost cells of 26 neighbours on a periodic 3-D grid and messages all over the
    job, of a load that fluctuates from iteration to iteration.
    """
    ranks: int | None
    grid: Sequence[int] | None
    least: str | int | None
    most: str | int | None
    scattered: float | None
    targets: int | None
    iterations: int | None
    compute: str | int | None
    wait_before: str | int | None
    size_scale: float | None
    def __init__(
        self,
        *,
        ranks: int | None = ...,
        grid: Sequence[int] | None = ...,
        least: str | int | None = ...,
        most: str | int | None = ...,
        scattered: float | None = ...,
        targets: int | None = ...,
        iterations: int | None = ...,
        compute: str | int | None = ...,
        wait_before: str | int | None = ...,
        size_scale: float | None = ...,
    ) -> None:
        """Keys are those of a scenario file.

        Parameters
        ----------
        ranks : int
            ranks of the job; the product of the grid if absent
        grid : Sequence[int]
            ranks along x, y, z, x fastest; the most even grid of the ranks, or 10, 10, 10 if
            absent
        least : str | int
            smallest load of an iteration: what a rank with all neighbours sends (default: 100000
            B)
        most : str | int
            largest load of an iteration; loads are drawn between both, evenly by magnitude
            (default: 2560000 B)
        scattered : float
            share of the load that goes to ranks all over the job (default: 0.1)
        targets : int
            ranks all over the job that each rank sends to in an iteration (default: 8)
        iterations : int
            iterations (default: 20)
        compute : str | int
            computation before each iteration (default: 0 ps)
        wait_before : str | int
            computation before the first iteration (350 us in Kang et al. 2022) (default: 0 ps)
        size_scale : float
            factor of the payload of every message; a payload of any size stays at least 1 B
            (default: 1.0)
        """
    def replace(  # type: ignore[override]
        self,
        *,
        ranks: int | None = ...,
        grid: Sequence[int] | None = ...,
        least: str | int | None = ...,
        most: str | int | None = ...,
        scattered: float | None = ...,
        targets: int | None = ...,
        iterations: int | None = ...,
        compute: str | int | None = ...,
        wait_before: str | int | None = ...,
        size_scale: float | None = ...,
    ) -> Self: ...

class Amg(Workload):
    """Algebraic multigrid: cycles of exchanges with up to six neighbours on an open 3-D grid, smaller
    with each level.
    """
    ranks: int | None
    grid: Sequence[int] | None
    message: str | int | None
    decrease: float | None
    levels: int | None
    sweeps: int | None
    iterations: int | None
    compute: str | int | None
    wait_before: str | int | None
    size_scale: float | None
    def __init__(
        self,
        *,
        ranks: int | None = ...,
        grid: Sequence[int] | None = ...,
        message: str | int | None = ...,
        decrease: float | None = ...,
        levels: int | None = ...,
        sweeps: int | None = ...,
        iterations: int | None = ...,
        compute: str | int | None = ...,
        wait_before: str | int | None = ...,
        size_scale: float | None = ...,
    ) -> None:
        """Keys are those of a scenario file.

        Parameters
        ----------
        ranks : int
            ranks of the job; the product of the grid if absent
        grid : Sequence[int]
            ranks along x, y, z, x fastest; the most even grid of the ranks, or 12, 12, 12 if
            absent
        message : str | int
            payload to a neighbour on the finest grid (default: 12500 B)
        decrease : float
            payload over that of the next coarser grid (default: 4.0)
        levels : int
            grids of a cycle (default: 7)
        sweeps : int
            exchanges on each grid, on the way down and on the way up (default: 1)
        iterations : int
            iterations (default: 3)
        compute : str | int
            computation before each exchange (default: 0 ps)
        wait_before : str | int
            computation before the first iteration (350 us in Kang et al. 2022) (default: 0 ps)
        size_scale : float
            factor of the payload of every message; a payload of any size stays at least 1 B
            (default: 1.0)
        """
    def replace(  # type: ignore[override]
        self,
        *,
        ranks: int | None = ...,
        grid: Sequence[int] | None = ...,
        message: str | int | None = ...,
        decrease: float | None = ...,
        levels: int | None = ...,
        sweeps: int | None = ...,
        iterations: int | None = ...,
        compute: str | int | None = ...,
        wait_before: str | int | None = ...,
        size_scale: float | None = ...,
    ) -> Self: ...

class GpcnetLatency(Workload):
    """Victim: 8 B to both neighbours in a random ring, and from them; the latency is half the time of
    an iteration.
    """
    ranks: int | None
    rings: int | None
    iterations: int | None
    message: str | int | None
    wait_before: str | int | None
    size_scale: float | None
    def __init__(
        self,
        *,
        ranks: int | None = ...,
        rings: int | None = ...,
        iterations: int | None = ...,
        message: str | int | None = ...,
        wait_before: str | int | None = ...,
        size_scale: float | None = ...,
    ) -> None:
        """Keys are those of a scenario file.

        Parameters
        ----------
        ranks : int
            ranks of the job (default: 64)
        rings : int
            random rings, one after the other (default: 30)
        iterations : int
            iterations (default: 100)
        message : str | int
            payload (default: 8 B)
        wait_before : str | int
            computation before the first iteration (350 us in Kang et al. 2022) (default: 0 ps)
        size_scale : float
            factor of the payload of every message; a payload of any size stays at least 1 B
            (default: 1.0)
        """
    def replace(  # type: ignore[override]
        self,
        *,
        ranks: int | None = ...,
        rings: int | None = ...,
        iterations: int | None = ...,
        message: str | int | None = ...,
        wait_before: str | int | None = ...,
        size_scale: float | None = ...,
    ) -> Self: ...

class GpcnetBandwidth(Workload):
    """Victim: eight messages of 131,072 B to each neighbour in a random ring, and from it, then a
    barrier; the bandwidth is what a rank sends over the time of an iteration.
    """
    ranks: int | None
    rings: int | None
    iterations: int | None
    message: str | int | None
    wait_before: str | int | None
    size_scale: float | None
    def __init__(
        self,
        *,
        ranks: int | None = ...,
        rings: int | None = ...,
        iterations: int | None = ...,
        message: str | int | None = ...,
        wait_before: str | int | None = ...,
        size_scale: float | None = ...,
    ) -> None:
        """Keys are those of a scenario file.

        Parameters
        ----------
        ranks : int
            ranks of the job (default: 64)
        rings : int
            random rings, one after the other (default: 30)
        iterations : int
            iterations (default: 8)
        message : str | int
            payload of each message (default: 131072 B)
        wait_before : str | int
            computation before the first iteration (350 us in Kang et al. 2022) (default: 0 ps)
        size_scale : float
            factor of the payload of every message; a payload of any size stays at least 1 B
            (default: 1.0)
        """
    def replace(  # type: ignore[override]
        self,
        *,
        ranks: int | None = ...,
        rings: int | None = ...,
        iterations: int | None = ...,
        message: str | int | None = ...,
        wait_before: str | int | None = ...,
        size_scale: float | None = ...,
    ) -> Self: ...

class GpcnetAllreduce(Workload):
    """Victim: allreduce of 8 B; the latency is the time of an iteration."""
    ranks: int | None
    iterations: int | None
    message: str | int | None
    wait_before: str | int | None
    size_scale: float | None
    def __init__(
        self,
        *,
        ranks: int | None = ...,
        iterations: int | None = ...,
        message: str | int | None = ...,
        wait_before: str | int | None = ...,
        size_scale: float | None = ...,
    ) -> None:
        """Keys are those of a scenario file.

        Parameters
        ----------
        ranks : int
            ranks of the job (default: 64)
        iterations : int
            iterations (default: 1000)
        message : str | int
            payload (default: 8 B)
        wait_before : str | int
            computation before the first iteration (350 us in Kang et al. 2022) (default: 0 ps)
        size_scale : float
            factor of the payload of every message; a payload of any size stays at least 1 B
            (default: 1.0)
        """
    def replace(  # type: ignore[override]
        self,
        *,
        ranks: int | None = ...,
        iterations: int | None = ...,
        message: str | int | None = ...,
        wait_before: str | int | None = ...,
        size_scale: float | None = ...,
    ) -> Self: ...

class GpcnetAlltoall(Workload):
    """Congestor: 4,096 B exchanged with every rank in turn, without a barrier."""
    ranks: int | None
    iterations: int | None
    message: str | int | None
    wait_before: str | int | None
    size_scale: float | None
    def __init__(
        self,
        *,
        ranks: int | None = ...,
        iterations: int | None = ...,
        message: str | int | None = ...,
        wait_before: str | int | None = ...,
        size_scale: float | None = ...,
    ) -> None:
        """Keys are those of a scenario file.

        Parameters
        ----------
        ranks : int
            ranks of the job (default: 64)
        iterations : int
            iterations of a pass; 16,384 over the ranks if absent, at least one
        message : str | int
            payload of each message (default: 4096 B)
        wait_before : str | int
            computation before the first iteration (350 us in Kang et al. 2022) (default: 0 ps)
        size_scale : float
            factor of the payload of every message; a payload of any size stays at least 1 B
            (default: 1.0)
        """
    def replace(  # type: ignore[override]
        self,
        *,
        ranks: int | None = ...,
        iterations: int | None = ...,
        message: str | int | None = ...,
        wait_before: str | int | None = ...,
        size_scale: float | None = ...,
    ) -> Self: ...

class GpcnetIncast(Workload):
    """Congestor: every rank sends 4,096 B to rank 0, which posts all receives and waits."""
    ranks: int | None
    iterations: int | None
    message: str | int | None
    wait_before: str | int | None
    size_scale: float | None
    def __init__(
        self,
        *,
        ranks: int | None = ...,
        iterations: int | None = ...,
        message: str | int | None = ...,
        wait_before: str | int | None = ...,
        size_scale: float | None = ...,
    ) -> None:
        """Keys are those of a scenario file.

        Parameters
        ----------
        ranks : int
            ranks of the job (default: 64)
        iterations : int
            iterations of a pass; 16,384 over the ranks if absent, at least one
        message : str | int
            payload of each message (default: 4096 B)
        wait_before : str | int
            computation before the first iteration (350 us in Kang et al. 2022) (default: 0 ps)
        size_scale : float
            factor of the payload of every message; a payload of any size stays at least 1 B
            (default: 1.0)
        """
    def replace(  # type: ignore[override]
        self,
        *,
        ranks: int | None = ...,
        iterations: int | None = ...,
        message: str | int | None = ...,
        wait_before: str | int | None = ...,
        size_scale: float | None = ...,
    ) -> Self: ...

class GpcnetPutIncast(Workload):
    """Congestor: every rank puts 4,096 B into the memory of rank 0 and flushes."""
    ranks: int | None
    iterations: int | None
    message: str | int | None
    wait_before: str | int | None
    size_scale: float | None
    def __init__(
        self,
        *,
        ranks: int | None = ...,
        iterations: int | None = ...,
        message: str | int | None = ...,
        wait_before: str | int | None = ...,
        size_scale: float | None = ...,
    ) -> None:
        """Keys are those of a scenario file.

        Parameters
        ----------
        ranks : int
            ranks of the job (default: 64)
        iterations : int
            iterations of a pass; 16,384 over the ranks if absent, at least one
        message : str | int
            payload of each put (default: 4096 B)
        wait_before : str | int
            computation before the first iteration (350 us in Kang et al. 2022) (default: 0 ps)
        size_scale : float
            factor of the payload of every message; a payload of any size stays at least 1 B
            (default: 1.0)
        """
    def replace(  # type: ignore[override]
        self,
        *,
        ranks: int | None = ...,
        iterations: int | None = ...,
        message: str | int | None = ...,
        wait_before: str | int | None = ...,
        size_scale: float | None = ...,
    ) -> Self: ...

class GpcnetGetBcast(Workload):
    """Congestor: every rank gets 4,096 B from the memory of rank 0 and flushes."""
    ranks: int | None
    iterations: int | None
    message: str | int | None
    wait_before: str | int | None
    size_scale: float | None
    def __init__(
        self,
        *,
        ranks: int | None = ...,
        iterations: int | None = ...,
        message: str | int | None = ...,
        wait_before: str | int | None = ...,
        size_scale: float | None = ...,
    ) -> None:
        """Keys are those of a scenario file.

        Parameters
        ----------
        ranks : int
            ranks of the job (default: 64)
        iterations : int
            iterations of a pass; 512 if absent
        message : str | int
            payload of each get (default: 4096 B)
        wait_before : str | int
            computation before the first iteration (350 us in Kang et al. 2022) (default: 0 ps)
        size_scale : float
            factor of the payload of every message; a payload of any size stays at least 1 B
            (default: 1.0)
        """
    def replace(  # type: ignore[override]
        self,
        *,
        ranks: int | None = ...,
        iterations: int | None = ...,
        message: str | int | None = ...,
        wait_before: str | int | None = ...,
        size_scale: float | None = ...,
    ) -> Self: ...

class OpenLoop(Workload):
    """Messages at a given load with infinite source queues."""
    ranks: int | None
    pattern: Literal["uniform", "adversarial", "permutation", "tornado", "hotspot", "nearest-group", "all-to-all", "rotating", "incast"] | None
    load: float | None
    interval: str | int | None
    message: str | int | None
    arrival: Literal["exponential", "bernoulli", "fixed"] | None
    shift: int | None
    hot_fraction: float | None
    hot_nodes: int | None
    threshold: str | int | None
    burst: str | int | None
    pause: str | int | None
    start: Literal["lock-step", "jittered"] | None
    def __init__(
        self,
        *,
        ranks: int | None = ...,
        pattern: Literal["uniform", "adversarial", "permutation", "tornado", "hotspot", "nearest-group", "all-to-all", "rotating", "incast"] | None = ...,
        load: float | None = ...,
        interval: str | int | None = ...,
        message: str | int | None = ...,
        arrival: Literal["exponential", "bernoulli", "fixed"] | None = ...,
        shift: int | None = ...,
        hot_fraction: float | None = ...,
        hot_nodes: int | None = ...,
        threshold: str | int | None = ...,
        burst: str | int | None = ...,
        pause: str | int | None = ...,
        start: Literal["lock-step", "jittered"] | None = ...,
    ) -> None:
        """Keys are those of a scenario file.

        Parameters
        ----------
        ranks : int
            nodes of the job; all free nodes if absent
        pattern : Literal["uniform", "adversarial", "permutation", "tornado", "hotspot", "nearest-g
            whom messages go to (default: uniform)
        load : float
            offered load, as a fraction of a node's injection bandwidth; may exceed 1; in bursts:
            during a burst
        interval : str | int
            in place of `load`: mean time between messages of a node (all-to-all: between rounds)
        message : str | int
            size of a message (default: 512 B)
        arrival : Literal["exponential", "bernoulli", "fixed"]
            when messages are created (default: exponential)
        shift : int
            adversarial: groups between source and target (default: 1)
        hot_fraction : float
            hotspot: share of the messages that go to the hot nodes (default: 0.1)
        hot_nodes : int
            hotspot, incast: number of hot nodes, the first of the job (default: 1)
        threshold : str | int
            rotating: bytes sent to a target before the next one is drawn (default: 8388608 B)
        burst : str | int
            length of a burst; without it traffic never pauses
        pause : str | int
            time between bursts; needs `burst`
        start : Literal["lock-step", "jittered"]
            when each node begins (default: lock-step)
        """
    def replace(  # type: ignore[override]
        self,
        *,
        ranks: int | None = ...,
        pattern: Literal["uniform", "adversarial", "permutation", "tornado", "hotspot", "nearest-group", "all-to-all", "rotating", "incast"] | None = ...,
        load: float | None = ...,
        interval: str | int | None = ...,
        message: str | int | None = ...,
        arrival: Literal["exponential", "bernoulli", "fixed"] | None = ...,
        shift: int | None = ...,
        hot_fraction: float | None = ...,
        hot_nodes: int | None = ...,
        threshold: str | int | None = ...,
        burst: str | int | None = ...,
        pause: str | int | None = ...,
        start: Literal["lock-step", "jittered"] | None = ...,
    ) -> Self: ...

class Trace(Workload):
    """The operations of a recorded job, with the computation between them."""
    path: str | None
    compute_scale: float | None
    size_scale: float | None
    noise: str | None
    wait_before: str | int | None
    def __init__(
        self,
        *,
        path: str | None = ...,
        compute_scale: float | None = ...,
        size_scale: float | None = ...,
        noise: str | None = ...,
        wait_before: str | int | None = ...,
    ) -> None:
        """Keys are those of a scenario file.

        Parameters
        ----------
        path : str
            file of the trace
        compute_scale : float
            factor of the computation between operations; 0 drops it (default: 1.0)
        size_scale : float
            factor of the sizes of messages and collectives (default: 1.0)
        noise : str
            file of detours of a host, which lengthen the computation; without it nothing does
            (default: )
        wait_before : str | int
            computation before the first iteration (350 us in Kang et al. 2022) (default: 0 ps)
        """
    def replace(  # type: ignore[override]
        self,
        *,
        path: str | None = ...,
        compute_scale: float | None = ...,
        size_scale: float | None = ...,
        noise: str | None = ...,
        wait_before: str | int | None = ...,
    ) -> Self: ...

class Program(Workload):
    """A small Python program of your own, evaluated once per rank."""
    path: str | None
    ranks: int | None
    arguments: Sequence[Any] | None
    compute_scale: float | None
    size_scale: float | None
    noise: str | None
    wait_before: str | int | None
    def __init__(
        self,
        *,
        path: str | None = ...,
        ranks: int | None = ...,
        arguments: Sequence[Any] | None = ...,
        compute_scale: float | None = ...,
        size_scale: float | None = ...,
        noise: str | None = ...,
        wait_before: str | int | None = ...,
    ) -> None:
        """Keys are those of a scenario file.

        Parameters
        ----------
        path : str
            Python file with a function `rank(me, size)` that yields operations
        ranks : int
            ranks of the job
        arguments : Sequence[Any]
            numbers that `rank` is given besides its own and the number of ranks (default: [])
        compute_scale : float
            factor of the computation between operations; 0 drops it (default: 1.0)
        size_scale : float
            factor of the sizes of messages and collectives (default: 1.0)
        noise : str
            file of detours of a host, which lengthen the computation; without it nothing does
            (default: )
        wait_before : str | int
            computation before the first iteration (350 us in Kang et al. 2022) (default: 0 ps)
        """
    def replace(  # type: ignore[override]
        self,
        *,
        path: str | None = ...,
        ranks: int | None = ...,
        arguments: Sequence[Any] | None = ...,
        compute_scale: float | None = ...,
        size_scale: float | None = ...,
        noise: str | None = ...,
        wait_before: str | int | None = ...,
    ) -> Self: ...

class Profile(Workload):
    """Messages and collectives as a profiler summed them up, spread over iterations."""
    path: str | None
    compute_scale: float | None
    size_scale: float | None
    noise: str | None
    wait_before: str | int | None
    def __init__(
        self,
        *,
        path: str | None = ...,
        compute_scale: float | None = ...,
        size_scale: float | None = ...,
        noise: str | None = ...,
        wait_before: str | int | None = ...,
    ) -> None:
        """Keys are those of a scenario file.

        Parameters
        ----------
        path : str
            profile: bytes per pair of ranks, collectives, computation (TOML)
        compute_scale : float
            factor of the computation between operations; 0 drops it (default: 1.0)
        size_scale : float
            factor of the sizes of messages and collectives (default: 1.0)
        noise : str
            file of detours of a host, which lengthen the computation; without it nothing does
            (default: )
        wait_before : str | int
            computation before the first iteration (350 us in Kang et al. 2022) (default: 0 ps)
        """
    def replace(  # type: ignore[override]
        self,
        *,
        path: str | None = ...,
        compute_scale: float | None = ...,
        size_scale: float | None = ...,
        noise: str | None = ...,
        wait_before: str | int | None = ...,
    ) -> Self: ...

class Background(Workload):
    """A named background."""
    preset: Literal["mubarak2019-permutation-15", "mubarak2019-permutation-2", "mubarak2019-permutation-36", "mubarak2019-uniform-15", "mubarak2019-uniform-2", "mubarak2019-uniform-36", "wang2018-amg-bursty", "wang2018-amg-uniform", "wang2018-cr-bursty", "wang2018-cr-uniform", "wang2018-fb-bursty", "wang2018-fb-uniform"] | None
    ranks: int | None
    pattern: Literal["uniform", "adversarial", "permutation", "tornado", "hotspot", "nearest-group", "all-to-all", "rotating", "incast"] | None
    load: float | None
    interval: str | int | None
    message: str | int | None
    arrival: Literal["exponential", "bernoulli", "fixed"] | None
    shift: int | None
    hot_fraction: float | None
    hot_nodes: int | None
    threshold: str | int | None
    burst: str | int | None
    pause: str | int | None
    start: Literal["lock-step", "jittered"] | None
    def __init__(
        self,
        *,
        preset: Literal["mubarak2019-permutation-15", "mubarak2019-permutation-2", "mubarak2019-permutation-36", "mubarak2019-uniform-15", "mubarak2019-uniform-2", "mubarak2019-uniform-36", "wang2018-amg-bursty", "wang2018-amg-uniform", "wang2018-cr-bursty", "wang2018-cr-uniform", "wang2018-fb-bursty", "wang2018-fb-uniform"] | None = ...,
        ranks: int | None = ...,
        pattern: Literal["uniform", "adversarial", "permutation", "tornado", "hotspot", "nearest-group", "all-to-all", "rotating", "incast"] | None = ...,
        load: float | None = ...,
        interval: str | int | None = ...,
        message: str | int | None = ...,
        arrival: Literal["exponential", "bernoulli", "fixed"] | None = ...,
        shift: int | None = ...,
        hot_fraction: float | None = ...,
        hot_nodes: int | None = ...,
        threshold: str | int | None = ...,
        burst: str | int | None = ...,
        pause: str | int | None = ...,
        start: Literal["lock-step", "jittered"] | None = ...,
    ) -> None:
        """Keys are those of a scenario file.

        Parameters
        ----------
        preset : Literal["mubarak2019-permutation-15", "mubarak2019-permutation-2", "mubarak2019-pe

        ranks : int
            nodes of the job; all free nodes if absent
        pattern : Literal["uniform", "adversarial", "permutation", "tornado", "hotspot", "nearest-g
            whom messages go to (default: uniform)
        load : float
            offered load, as a fraction of a node's injection bandwidth; may exceed 1; in bursts:
            during a burst
        interval : str | int
            in place of `load`: mean time between messages of a node (all-to-all: between rounds)
        message : str | int
            size of a message (default: 512 B)
        arrival : Literal["exponential", "bernoulli", "fixed"]
            when messages are created (default: exponential)
        shift : int
            adversarial: groups between source and target (default: 1)
        hot_fraction : float
            hotspot: share of the messages that go to the hot nodes (default: 0.1)
        hot_nodes : int
            hotspot, incast: number of hot nodes, the first of the job (default: 1)
        threshold : str | int
            rotating: bytes sent to a target before the next one is drawn (default: 8388608 B)
        burst : str | int
            length of a burst; without it traffic never pauses
        pause : str | int
            time between bursts; needs `burst`
        start : Literal["lock-step", "jittered"]
            when each node begins (default: lock-step)
        """
    def replace(  # type: ignore[override]
        self,
        *,
        preset: Literal["mubarak2019-permutation-15", "mubarak2019-permutation-2", "mubarak2019-permutation-36", "mubarak2019-uniform-15", "mubarak2019-uniform-2", "mubarak2019-uniform-36", "wang2018-amg-bursty", "wang2018-amg-uniform", "wang2018-cr-bursty", "wang2018-cr-uniform", "wang2018-fb-bursty", "wang2018-fb-uniform"] | None = ...,
        ranks: int | None = ...,
        pattern: Literal["uniform", "adversarial", "permutation", "tornado", "hotspot", "nearest-group", "all-to-all", "rotating", "incast"] | None = ...,
        load: float | None = ...,
        interval: str | int | None = ...,
        message: str | int | None = ...,
        arrival: Literal["exponential", "bernoulli", "fixed"] | None = ...,
        shift: int | None = ...,
        hot_fraction: float | None = ...,
        hot_nodes: int | None = ...,
        threshold: str | int | None = ...,
        burst: str | int | None = ...,
        pause: str | int | None = ...,
        start: Literal["lock-step", "jittered"] | None = ...,
    ) -> Self: ...

class Occupancy(Workload):
    """All jobs of a stretch of a scheduler log."""
    log: str | None
    from_: str | int | None
    span: str | int | None
    second: str | int | None
    processors_per_rank: float | None
    most: int | None
    rules: Sequence[Mapping[str, Any]] | None
    def __init__(
        self,
        *,
        log: str | None = ...,
        from_: str | int | None = ...,
        span: str | int | None = ...,
        second: str | int | None = ...,
        processors_per_rank: float | None = ...,
        most: int | None = ...,
        rules: Sequence[Mapping[str, Any]] | None = ...,
    ) -> None:
        """Keys are those of a scenario file.

        Parameters
        ----------
        log : str
            scheduler log in the Standard Workload Format (.swf, packed or not)
        from_ : str | int
            instant of the log, counted from its first start, that is the beginning of the run;
            default: 0
        span : str | int
            how much of the log is taken
        second : str | int
            simulated time for which a second of the log stands; default: 1 us
        processors_per_rank : float
            processors of the log that a rank stands for; the number of ranks is rounded up;
            default: 1
        most : int
            jobs taken at most, those that start first; default: 200
        rules : Sequence[Mapping[str, Any]]
            tables with `workload` (without `ranks`) and `up_to`, the most ranks of a job that it
            is for; the first that fits is taken, one without `up_to` always fits
        """
    def replace(  # type: ignore[override]
        self,
        *,
        log: str | None = ...,
        from_: str | int | None = ...,
        span: str | int | None = ...,
        second: str | int | None = ...,
        processors_per_rank: float | None = ...,
        most: int | None = ...,
        rules: Sequence[Mapping[str, Any]] | None = ...,
    ) -> Self: ...

