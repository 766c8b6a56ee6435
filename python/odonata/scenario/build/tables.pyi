"""Classes of the tables of a scenario.

Generated from the registry by `make docs`; a test compares.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, Self

from odonata.scenario.build.families import Placement, Policy, Routing, Topology, Workload
from odonata.scenario.build.table import Table

class Failures(Table):
    """Links that have failed."""
    links: Sequence[Sequence[int]] | None
    fraction: float | None
    kinds: Sequence[Literal["local", "row", "column", "global"]] | None
    def __init__(
        self,
        *,
        links: Sequence[Sequence[int]] | None = ...,
        fraction: float | None = ...,
        kinds: Sequence[Literal["local", "row", "column", "global"]] | None = ...,
    ) -> None:
        """Keys are those of a scenario file.

        Parameters
        ----------
        links : Sequence[Sequence[int]]
            pairs of routers whose links have failed
        fraction : float
            fraction of the links that have failed, drawn by the seed
        kinds : Sequence[Literal["local", "row", "column", "global"]]
            kinds of links that `fraction` speaks of; default: global
        """
    def replace(  # type: ignore[override]
        self,
        *,
        links: Sequence[Sequence[int]] | None = ...,
        fraction: float | None = ...,
        kinds: Sequence[Literal["local", "row", "column", "global"]] | None = ...,
    ) -> Self: ...

class Link(Table):
    """Links of one kind."""
    bandwidth: str | int | None
    latency: str | int | None
    def __init__(
        self,
        *,
        bandwidth: str | int | None = ...,
        latency: str | int | None = ...,
    ) -> None:
        """Keys are those of a scenario file.

        Parameters
        ----------
        bandwidth : str | int
            bandwidth of each direction
        latency : str | int
            propagation delay
        """
    def replace(  # type: ignore[override]
        self,
        *,
        bandwidth: str | int | None = ...,
        latency: str | int | None = ...,
    ) -> Self: ...

class Links(Table):
    """Links."""
    host: Link | None
    local: Link | None
    row: Link | None
    column: Link | None
    global_: Link | None
    def __init__(
        self,
        *,
        host: Link | None = ...,
        local: Link | None = ...,
        row: Link | None = ...,
        column: Link | None = ...,
        global_: Link | None = ...,
    ) -> None:
        """Keys are those of a scenario file.

        Parameters
        ----------
        host : Link
            host links
        local : Link
            local links
        row : Link
            row links
        column : Link
            column links
        global_ : Link
            global links
        """
    def replace(  # type: ignore[override]
        self,
        *,
        host: Link | None = ...,
        local: Link | None = ...,
        row: Link | None = ...,
        column: Link | None = ...,
        global_: Link | None = ...,
    ) -> Self: ...

class Router(Table):
    """Router."""
    architecture: Literal["voq", "cioq"] | None
    latency: str | int | None
    credit_delay: str | int | None
    input_buffer: str | int | None
    host_buffer: str | int | None
    global_buffer: str | int | None
    output_buffer: str | int | None
    speedup: int | None
    arbitration: Literal["round-robin", "oldest-first", "highest-vc", "lowest-vc"] | None
    credit_return: Literal["departure", "reservation"] | None
    switching: Literal["cut-through", "store-and-forward"] | None
    virtual_channels: int | None
    def __init__(
        self,
        *,
        architecture: Literal["voq", "cioq"] | None = ...,
        latency: str | int | None = ...,
        credit_delay: str | int | None = ...,
        input_buffer: str | int | None = ...,
        host_buffer: str | int | None = ...,
        global_buffer: str | int | None = ...,
        output_buffer: str | int | None = ...,
        speedup: int | None = ...,
        arbitration: Literal["round-robin", "oldest-first", "highest-vc", "lowest-vc"] | None = ...,
        credit_return: Literal["departure", "reservation"] | None = ...,
        switching: Literal["cut-through", "store-and-forward"] | None = ...,
        virtual_channels: int | None = ...,
    ) -> None:
        """Keys are those of a scenario file.

        Parameters
        ----------
        architecture : Literal["voq", "cioq"]
            buffer organisation: per output without head-of-line blocking, or input queues,
            crossbar and output queues
        latency : str | int
            pipeline latency, passed on the way in
        credit_delay : str | int
            from leaving a buffer to sending the credit (default: 0 ps)
        input_buffer : str | int
            input buffer of each virtual channel
        host_buffer : str | int
            the same behind links from nodes; default: `input_buffer`
        global_buffer : str | int
            the same behind global links; default: `input_buffer`
        output_buffer : str | int
            output buffer of each virtual channel (cioq only); default: `input_buffer`
        speedup : int
            crossbar bandwidth over the fastest link (cioq only) (default: 1)
        arbitration : Literal["round-robin", "oldest-first", "highest-vc", "lowest-vc"]
            who goes first at an output port (default: round-robin)
        credit_return : Literal["departure", "reservation"]
            when a packet gives its place back: as it starts on its way out, or as soon as its next
            place is reserved (voq only) (default: departure)
        switching : Literal["cut-through", "store-and-forward"]
            whether a packet leaves before its tail has come in (default: cut-through)
        virtual_channels : int
            virtual channels per port; absent: what the routing needs
        """
    def replace(  # type: ignore[override]
        self,
        *,
        architecture: Literal["voq", "cioq"] | None = ...,
        latency: str | int | None = ...,
        credit_delay: str | int | None = ...,
        input_buffer: str | int | None = ...,
        host_buffer: str | int | None = ...,
        global_buffer: str | int | None = ...,
        output_buffer: str | int | None = ...,
        speedup: int | None = ...,
        arbitration: Literal["round-robin", "oldest-first", "highest-vc", "lowest-vc"] | None = ...,
        credit_return: Literal["departure", "reservation"] | None = ...,
        switching: Literal["cut-through", "store-and-forward"] | None = ...,
        virtual_channels: int | None = ...,
    ) -> Self: ...

class Packet(Table):
    """Packet."""
    size: str | int | None
    flit: str | int | None
    header: str | int | None
    delivery: Literal["tail", "head"] | None
    def __init__(
        self,
        *,
        size: str | int | None = ...,
        flit: str | int | None = ...,
        header: str | int | None = ...,
        delivery: Literal["tail", "head"] | None = ...,
    ) -> None:
        """Keys are those of a scenario file.

        Parameters
        ----------
        size : str | int
            largest packet, headers included
        flit : str | int
            unit of buffers and credits
        header : str | int
            header of each packet (default: 0 B)
        delivery : Literal["tail", "head"]
            which end of a packet must arrive for it to count as delivered (default: tail)
        """
    def replace(  # type: ignore[override]
        self,
        *,
        size: str | int | None = ...,
        flit: str | int | None = ...,
        header: str | int | None = ...,
        delivery: Literal["tail", "head"] | None = ...,
    ) -> Self: ...

class Nic(Table):
    """Nic."""
    buffer_packets: int | None
    queues: int | None
    response: str | int | None
    outstanding: int | None
    get_data: Literal["requests", "responses"] | None
    counters: Literal["aries", "cassini"] | None
    def __init__(
        self,
        *,
        buffer_packets: int | None = ...,
        queues: int | None = ...,
        response: str | int | None = ...,
        outstanding: int | None = ...,
        get_data: Literal["requests", "responses"] | None = ...,
        counters: Literal["aries", "cassini"] | None = ...,
    ) -> None:
        """Keys are those of a scenario file.

        Parameters
        ----------
        buffer_packets : int
            output buffer in largest packets (default: 30)
        queues : int
            send queues for each traffic class: messages of different ranks, and of one rank to
            different nodes, take turns packet by packet (default: 1)
        response : str | int
            packet that answers each packet of a message; 0: one-way packets (default: 0 B)
        outstanding : int
            packets that may wait for their answer; 0: any number (default: 0)
        get_data : Literal["requests", "responses"]
            virtual channels of the data of gets, those of a rendezvous included: with `responses`
            they are the answer (default: requests)
        counters : Literal["aries", "cassini"]
            whose names the counters of NICs have (`telemetry.counters`) (default: aries)
        """
    def replace(  # type: ignore[override]
        self,
        *,
        buffer_packets: int | None = ...,
        queues: int | None = ...,
        response: str | int | None = ...,
        outstanding: int | None = ...,
        get_data: Literal["requests", "responses"] | None = ...,
        counters: Literal["aries", "cassini"] | None = ...,
    ) -> Self: ...

class Node(Table):
    """Every node of the machine."""
    nics: int | None
    wiring: Literal["spread", "together"] | None
    stripe: str | int | None
    def __init__(
        self,
        *,
        nics: int | None = ...,
        wiring: Literal["spread", "together"] | None = ...,
        stripe: str | int | None = ...,
    ) -> None:
        """Keys are those of a scenario file.

        Parameters
        ----------
        nics : int
            NICs of a node: so many network ends are one node, and a rank uses that of its slot
            (default: 1)
        wiring : Literal["spread", "together"]
            whether each NIC of a node has a router of its own, consecutive ones, or all of them
            are on one (default: spread)
        stripe : str | int
            payload from which on a message goes in equal parts by all NICs of its node; default:
            never
        """
    def replace(  # type: ignore[override]
        self,
        *,
        nics: int | None = ...,
        wiring: Literal["spread", "together"] | None = ...,
        stripe: str | int | None = ...,
    ) -> Self: ...

class Class(Table):
    """A traffic class."""
    name: str | None
    cap: str | int | None
    def __init__(
        self,
        *,
        name: str | None = ...,
        cap: str | int | None = ...,
    ) -> None:
        """Keys are those of a scenario file.

        Parameters
        ----------
        name : str
            of the class
        cap : str | int
            share of the bandwidth of a link up to which the class goes first
        """
    def replace(  # type: ignore[override]
        self,
        *,
        name: str | None = ...,
        cap: str | int | None = ...,
    ) -> Self: ...

class Qos(Table):
    """Traffic classes."""
    window: str | int | None
    monitor: Literal["static", "sliding", "token-bucket"] | None
    classes: Sequence[Class] | None
    def __init__(
        self,
        *,
        window: str | int | None = ...,
        monitor: Literal["static", "sliding", "token-bucket"] | None = ...,
        classes: Sequence[Class] | None = ...,
    ) -> None:
        """Keys are those of a scenario file.

        Parameters
        ----------
        window : str | int
            over which the caps hold (default: 5 ms)
        monitor : Literal["static", "sliding", "token-bucket"]
            how the use of a link is counted: from window to window, over the last window, or by
            tokens (default: static)
        classes : Sequence[Class]
            `{ name, cap }` in order of priority, the highest first
        """
    def replace(  # type: ignore[override]
        self,
        *,
        window: str | int | None = ...,
        monitor: Literal["static", "sliding", "token-bucket"] | None = ...,
        classes: Sequence[Class] | None = ...,
    ) -> Self: ...

class Mpi(Table):
    """Costs and algorithms of the MPI library."""
    preset: Literal["firefly-kang2022", "codes", "ideal", "cray-mpich-aries", "cray-mpich-cxi"] | None
    eager_limit: str | int | None
    call_enter: str | int | None
    call_return: str | int | None
    send_setup: str | int | None
    send_envelope: str | int | None
    send_copy_per_byte: str | int | None
    receive_setup: str | int | None
    receive_copy: str | int | None
    receive_copy_per_byte: str | int | None
    match_each: str | int | None
    register: str | int | None
    register_per_page: str | int | None
    page: str | int | None
    acknowledge: str | int | None
    host_to_nic: str | int | None
    nic_to_host: str | int | None
    nic_send: str | int | None
    nic_send_per_byte: str | int | None
    nic_match: str | int | None
    nic_match_limit: str | int | None
    nic_get: str | int | None
    eager_header: str | int | None
    rts_header: str | int | None
    get_header: str | int | None
    data_header: str | int | None
    ack_header: str | int | None
    local_latency: str | int | None
    local_per_byte: str | int | None
    collectives: Literal["firefly", "codes", "mpich", "openmpi", "nccl-like"] | None
    barrier: Literal["binary-tree", "recursive-doubling", "dissemination", "double-tree", "bine", "hierarchical", "mpich", "openmpi", "nccl-like"] | None
    bcast: Literal["binary-tree", "binomial", "linear", "pipeline", "scatter-doubling", "scatter-ring", "bine", "hierarchical", "mpich", "openmpi", "nccl-like"] | None
    reduce: Literal["binary-tree", "binomial", "linear", "pipeline", "rabenseifner", "bine", "hierarchical", "mpich", "openmpi", "nccl-like"] | None
    allreduce: Literal["binary-tree", "recursive-doubling", "rabenseifner", "ring", "double-tree", "bine", "bine-halving", "hierarchical", "mpich", "openmpi", "nccl-like"] | None
    alltoall: Literal["ring-rounds", "pairwise", "linear", "bruck", "mpich", "openmpi", "nccl-like"] | None
    allgather: Literal["ring", "recursive-doubling", "bruck", "neighbor-exchange", "bine", "mpich", "openmpi", "nccl-like"] | None
    gather: Literal["linear", "binomial", "mpich", "openmpi", "nccl-like"] | None
    scatter: Literal["linear", "binomial", "mpich", "openmpi", "nccl-like"] | None
    reduce_scatter: Literal["ring", "recursive-halving", "pairwise", "bine", "mpich", "openmpi", "nccl-like"] | None
    scan: Literal["linear", "recursive-doubling", "mpich", "openmpi", "nccl-like"] | None
    def __init__(
        self,
        *,
        preset: Literal["firefly-kang2022", "codes", "ideal", "cray-mpich-aries", "cray-mpich-cxi"] | None = ...,
        eager_limit: str | int | None = ...,
        call_enter: str | int | None = ...,
        call_return: str | int | None = ...,
        send_setup: str | int | None = ...,
        send_envelope: str | int | None = ...,
        send_copy_per_byte: str | int | None = ...,
        receive_setup: str | int | None = ...,
        receive_copy: str | int | None = ...,
        receive_copy_per_byte: str | int | None = ...,
        match_each: str | int | None = ...,
        register: str | int | None = ...,
        register_per_page: str | int | None = ...,
        page: str | int | None = ...,
        acknowledge: str | int | None = ...,
        host_to_nic: str | int | None = ...,
        nic_to_host: str | int | None = ...,
        nic_send: str | int | None = ...,
        nic_send_per_byte: str | int | None = ...,
        nic_match: str | int | None = ...,
        nic_match_limit: str | int | None = ...,
        nic_get: str | int | None = ...,
        eager_header: str | int | None = ...,
        rts_header: str | int | None = ...,
        get_header: str | int | None = ...,
        data_header: str | int | None = ...,
        ack_header: str | int | None = ...,
        local_latency: str | int | None = ...,
        local_per_byte: str | int | None = ...,
        collectives: Literal["firefly", "codes", "mpich", "openmpi", "nccl-like"] | None = ...,
        barrier: Literal["binary-tree", "recursive-doubling", "dissemination", "double-tree", "bine", "hierarchical", "mpich", "openmpi", "nccl-like"] | None = ...,
        bcast: Literal["binary-tree", "binomial", "linear", "pipeline", "scatter-doubling", "scatter-ring", "bine", "hierarchical", "mpich", "openmpi", "nccl-like"] | None = ...,
        reduce: Literal["binary-tree", "binomial", "linear", "pipeline", "rabenseifner", "bine", "hierarchical", "mpich", "openmpi", "nccl-like"] | None = ...,
        allreduce: Literal["binary-tree", "recursive-doubling", "rabenseifner", "ring", "double-tree", "bine", "bine-halving", "hierarchical", "mpich", "openmpi", "nccl-like"] | None = ...,
        alltoall: Literal["ring-rounds", "pairwise", "linear", "bruck", "mpich", "openmpi", "nccl-like"] | None = ...,
        allgather: Literal["ring", "recursive-doubling", "bruck", "neighbor-exchange", "bine", "mpich", "openmpi", "nccl-like"] | None = ...,
        gather: Literal["linear", "binomial", "mpich", "openmpi", "nccl-like"] | None = ...,
        scatter: Literal["linear", "binomial", "mpich", "openmpi", "nccl-like"] | None = ...,
        reduce_scatter: Literal["ring", "recursive-halving", "pairwise", "bine", "mpich", "openmpi", "nccl-like"] | None = ...,
        scan: Literal["linear", "recursive-doubling", "mpich", "openmpi", "nccl-like"] | None = ...,
    ) -> None:
        """Keys are those of a scenario file.

        Parameters
        ----------
        preset : Literal["firefly-kang2022", "codes", "ideal", "cray-mpich-aries", "cray-mpich-cxi"
            where the other parameters start from
        eager_limit : str | int
            largest payload that is sent at once
        call_enter : str | int
            entering a call
        call_return : str | int
            returning from a call
        send_setup : str | int
            setting a send up
        send_envelope : str | int
            envelope copied with each send
        send_copy_per_byte : str | int
            copying one byte of an eager payload out
        receive_setup : str | int
            setting a matched receive up
        receive_copy : str | int
            copying an eager payload in, whatever its size
        receive_copy_per_byte : str | int
            copying one byte of an eager payload in
        match_each : str | int
            comparing one envelope with one receive
        register : str | int
            registering memory for a rendezvous
        register_per_page : str | int
            registering one whole page of a payload above one page
        page : str | int
            a page
        acknowledge : str | int
            sending the acknowledgement of a rendezvous
        host_to_nic : str | int
            from the host to its NIC
        nic_to_host : str | int
            from the NIC to its host
        nic_send : str | int
            the NIC starts a message that is not a get request
        nic_send_per_byte : str | int
            delay of an eager message per byte, beside everything else
        nic_match : str | int
            the NIC finds the buffer of a short message
        nic_match_limit : str | int
            wire size up to which nic_match shows
        nic_get : str | int
            the sender's NIC answers a get request
        eager_header : str | int
            header of an eager message
        rts_header : str | int
            request to send
        get_header : str | int
            get request
        data_header : str | int
            header of rendezvous data
        ack_header : str | int
            acknowledgement; 0: none
        local_latency : str | int
            from hand-over to arrival between ranks of one node, through its memory
        local_per_byte : str | int
            each byte of payload between ranks of one node
        collectives : Literal["firefly", "codes", "mpich", "openmpi", "nccl-like"]
            whose choice of algorithms is followed where none is named
        barrier : Literal["binary-tree", "recursive-doubling", "dissemination", "double-tree", "bin
            algorithm of barrier
        bcast : Literal["binary-tree", "binomial", "linear", "pipeline", "scatter-doubling", "scatt
            algorithm of bcast
        reduce : Literal["binary-tree", "binomial", "linear", "pipeline", "rabenseifner", "bine", "
            algorithm of reduce
        allreduce : Literal["binary-tree", "recursive-doubling", "rabenseifner", "ring", "double-tr
            algorithm of allreduce
        alltoall : Literal["ring-rounds", "pairwise", "linear", "bruck", "mpich", "openmpi", "nccl-
            algorithm of alltoall
        allgather : Literal["ring", "recursive-doubling", "bruck", "neighbor-exchange", "bine", "mp
            algorithm of allgather
        gather : Literal["linear", "binomial", "mpich", "openmpi", "nccl-like"]
            algorithm of gather
        scatter : Literal["linear", "binomial", "mpich", "openmpi", "nccl-like"]
            algorithm of scatter
        reduce_scatter : Literal["ring", "recursive-halving", "pairwise", "bine", "mpich", "openmpi
            algorithm of reduce_scatter
        scan : Literal["linear", "recursive-doubling", "mpich", "openmpi", "nccl-like"]
            algorithm of scan
        """
    def replace(  # type: ignore[override]
        self,
        *,
        preset: Literal["firefly-kang2022", "codes", "ideal", "cray-mpich-aries", "cray-mpich-cxi"] | None = ...,
        eager_limit: str | int | None = ...,
        call_enter: str | int | None = ...,
        call_return: str | int | None = ...,
        send_setup: str | int | None = ...,
        send_envelope: str | int | None = ...,
        send_copy_per_byte: str | int | None = ...,
        receive_setup: str | int | None = ...,
        receive_copy: str | int | None = ...,
        receive_copy_per_byte: str | int | None = ...,
        match_each: str | int | None = ...,
        register: str | int | None = ...,
        register_per_page: str | int | None = ...,
        page: str | int | None = ...,
        acknowledge: str | int | None = ...,
        host_to_nic: str | int | None = ...,
        nic_to_host: str | int | None = ...,
        nic_send: str | int | None = ...,
        nic_send_per_byte: str | int | None = ...,
        nic_match: str | int | None = ...,
        nic_match_limit: str | int | None = ...,
        nic_get: str | int | None = ...,
        eager_header: str | int | None = ...,
        rts_header: str | int | None = ...,
        get_header: str | int | None = ...,
        data_header: str | int | None = ...,
        ack_header: str | int | None = ...,
        local_latency: str | int | None = ...,
        local_per_byte: str | int | None = ...,
        collectives: Literal["firefly", "codes", "mpich", "openmpi", "nccl-like"] | None = ...,
        barrier: Literal["binary-tree", "recursive-doubling", "dissemination", "double-tree", "bine", "hierarchical", "mpich", "openmpi", "nccl-like"] | None = ...,
        bcast: Literal["binary-tree", "binomial", "linear", "pipeline", "scatter-doubling", "scatter-ring", "bine", "hierarchical", "mpich", "openmpi", "nccl-like"] | None = ...,
        reduce: Literal["binary-tree", "binomial", "linear", "pipeline", "rabenseifner", "bine", "hierarchical", "mpich", "openmpi", "nccl-like"] | None = ...,
        allreduce: Literal["binary-tree", "recursive-doubling", "rabenseifner", "ring", "double-tree", "bine", "bine-halving", "hierarchical", "mpich", "openmpi", "nccl-like"] | None = ...,
        alltoall: Literal["ring-rounds", "pairwise", "linear", "bruck", "mpich", "openmpi", "nccl-like"] | None = ...,
        allgather: Literal["ring", "recursive-doubling", "bruck", "neighbor-exchange", "bine", "mpich", "openmpi", "nccl-like"] | None = ...,
        gather: Literal["linear", "binomial", "mpich", "openmpi", "nccl-like"] | None = ...,
        scatter: Literal["linear", "binomial", "mpich", "openmpi", "nccl-like"] | None = ...,
        reduce_scatter: Literal["ring", "recursive-halving", "pairwise", "bine", "mpich", "openmpi", "nccl-like"] | None = ...,
        scan: Literal["linear", "recursive-doubling", "mpich", "openmpi", "nccl-like"] | None = ...,
    ) -> Self: ...

class System(Table):
    """System."""
    preset: str | None
    name: str | None
    note: str | None
    topology: Topology | None
    failures: Failures | None
    links: Links | None
    router: Router | None
    packet: Packet | None
    nic: Nic | None
    node: Node | None
    qos: Qos | None
    mpi: Mpi | None
    def __init__(
        self,
        *,
        preset: str | None = ...,
        name: str | None = ...,
        note: str | None = ...,
        topology: Topology | None = ...,
        failures: Failures | None = ...,
        links: Links | None = ...,
        router: Router | None = ...,
        packet: Packet | None = ...,
        nic: Nic | None = ...,
        node: Node | None = ...,
        qos: Qos | None = ...,
        mpi: Mpi | None = ...,
    ) -> None:
        """Keys are those of a scenario file.

        Parameters
        ----------
        preset : str
            named system that the other tables override
        name : str
            what results call this system; default: the preset and what it changes
        note : str
            what the model leaves out of this system; every result says it
        topology : Topology

        failures : Failures
            links that have failed
        links : Links

        router : Router
            router
        packet : Packet
            packet
        nic : Nic
            nic
        node : Node
            every node of the machine
        qos : Qos
            traffic classes
        mpi : Mpi
            costs and algorithms of the MPI library
        """
    def replace(  # type: ignore[override]
        self,
        *,
        preset: str | None = ...,
        name: str | None = ...,
        note: str | None = ...,
        topology: Topology | None = ...,
        failures: Failures | None = ...,
        links: Links | None = ...,
        router: Router | None = ...,
        packet: Packet | None = ...,
        nic: Nic | None = ...,
        node: Node | None = ...,
        qos: Qos | None = ...,
        mpi: Mpi | None = ...,
    ) -> Self: ...

class SmallClass(Table):
    """Class of small messages."""
    name: str | None
    below: str | int | None
    def __init__(
        self,
        *,
        name: str | None = ...,
        below: str | int | None = ...,
    ) -> None:
        """Keys are those of a scenario file.

        Parameters
        ----------
        name : str
            class of small messages
        below : str | int
            messages of fewer bytes are small
        """
    def replace(  # type: ignore[override]
        self,
        *,
        name: str | None = ...,
        below: str | int | None = ...,
    ) -> Self: ...

class Job(Table):
    """Job."""
    name: str | None
    role: Literal["victim", "aggressor", "background"] | None
    start: str | int | None
    end: str | int | None
    repeat: bool | None
    ranks_per_node: int | None
    share_nodes: bool | None
    muted: bool | None
    class_: str | None
    collective_class: str | None
    small_class: SmallClass | None
    routing: Routing | Literal["minimal", "valiant-group", "valiant-node", "ugal-g", "ugal-n", "par", "booksim-ugal", "codes-adaptive", "codes-par", "adaptive-0", "adaptive-1", "adaptive-2", "adaptive-3", "min-hash", "nmin-hash", "in-order", "q-adaptive"] | Sequence[Routing | Literal["minimal", "valiant-group", "valiant-node", "ugal-g", "ugal-n", "par", "booksim-ugal", "codes-adaptive", "codes-par", "adaptive-0", "adaptive-1", "adaptive-2", "adaptive-3", "min-hash", "nmin-hash", "in-order", "q-adaptive"]] | None
    alternate: Literal["iteration"] | None
    policy: Policy | Literal["application-aware", "slingshot"] | None
    placement: Placement | Literal["contiguous", "random-node", "random-router", "random-chassis", "random-cabinet", "random-group", "geometric", "striped", "list"] | None
    workload: Workload | None
    def __init__(
        self,
        *,
        name: str | None = ...,
        role: Literal["victim", "aggressor", "background"] | None = ...,
        start: str | int | None = ...,
        end: str | int | None = ...,
        repeat: bool | None = ...,
        ranks_per_node: int | None = ...,
        share_nodes: bool | None = ...,
        muted: bool | None = ...,
        class_: str | None = ...,
        collective_class: str | None = ...,
        small_class: SmallClass | None = ...,
        routing: Routing | Literal["minimal", "valiant-group", "valiant-node", "ugal-g", "ugal-n", "par", "booksim-ugal", "codes-adaptive", "codes-par", "adaptive-0", "adaptive-1", "adaptive-2", "adaptive-3", "min-hash", "nmin-hash", "in-order", "q-adaptive"] | Sequence[Routing | Literal["minimal", "valiant-group", "valiant-node", "ugal-g", "ugal-n", "par", "booksim-ugal", "codes-adaptive", "codes-par", "adaptive-0", "adaptive-1", "adaptive-2", "adaptive-3", "min-hash", "nmin-hash", "in-order", "q-adaptive"]] | None = ...,
        alternate: Literal["iteration"] | None = ...,
        policy: Policy | Literal["application-aware", "slingshot"] | None = ...,
        placement: Placement | Literal["contiguous", "random-node", "random-router", "random-chassis", "random-cabinet", "random-group", "geometric", "striped", "list"] | None = ...,
        workload: Workload | None = ...,
    ) -> None:
        """Keys are those of a scenario file.

        Parameters
        ----------
        name : str
            unique; default: the kind of its workload
        role : Literal["victim", "aggressor", "background"]
            a victim also runs alone; the others are there until it has ended
        start : str | int
            when the job arrives and its ranks begin; default: 0
        end : str | int
            when the job leaves, whatever it does, and later jobs may have its nodes; default:
            never
        repeat : bool
            start again until every victim has ended; default: true for aggressors and background
            if something else ends the run
        ranks_per_node : int
            ranks that share a node; placement counts nodes; default: 1
        share_nodes : bool
            the job may use the nodes of earlier jobs that share nodes, and later ones its own;
            default: false
        muted : bool
            the job is absent, but its nodes stay reserved
        class_ : str
            traffic class; default: the last one
        collective_class : str
            class of collective operations
        small_class : SmallClass
            class of small messages
        routing : Routing | Literal["minimal", "valiant-group", "valiant-node", "ugal-g", "ugal-n",
            how packets of this job find their way; default: as the system's do
        alternate : Literal["iteration"]
            when the routings of a list take turns; that of the policy comes last
        policy : Policy | Literal["application-aware", "slingshot"]

        placement : Placement | Literal["contiguous", "random-node", "random-router", "random-chass

        workload : Workload

        """
    def replace(  # type: ignore[override]
        self,
        *,
        name: str | None = ...,
        role: Literal["victim", "aggressor", "background"] | None = ...,
        start: str | int | None = ...,
        end: str | int | None = ...,
        repeat: bool | None = ...,
        ranks_per_node: int | None = ...,
        share_nodes: bool | None = ...,
        muted: bool | None = ...,
        class_: str | None = ...,
        collective_class: str | None = ...,
        small_class: SmallClass | None = ...,
        routing: Routing | Literal["minimal", "valiant-group", "valiant-node", "ugal-g", "ugal-n", "par", "booksim-ugal", "codes-adaptive", "codes-par", "adaptive-0", "adaptive-1", "adaptive-2", "adaptive-3", "min-hash", "nmin-hash", "in-order", "q-adaptive"] | Sequence[Routing | Literal["minimal", "valiant-group", "valiant-node", "ugal-g", "ugal-n", "par", "booksim-ugal", "codes-adaptive", "codes-par", "adaptive-0", "adaptive-1", "adaptive-2", "adaptive-3", "min-hash", "nmin-hash", "in-order", "q-adaptive"]] | None = ...,
        alternate: Literal["iteration"] | None = ...,
        policy: Policy | Literal["application-aware", "slingshot"] | None = ...,
        placement: Placement | Literal["contiguous", "random-node", "random-router", "random-chassis", "random-cabinet", "random-group", "geometric", "striped", "list"] | None = ...,
        workload: Workload | None = ...,
    ) -> Self: ...

class Measure(Table):
    """Steady-state measurement of open-loop traffic."""
    warm_up: str | int | None
    window: str | int | None
    drain: str | int | None
    def __init__(
        self,
        *,
        warm_up: str | int | None = ...,
        window: str | int | None = ...,
        drain: str | int | None = ...,
    ) -> None:
        """Keys are those of a scenario file.

        Parameters
        ----------
        warm_up : str | int
            excluded from latency and accepted load (default: 20 us)
        window : str | int
            measured (default: 50 us)
        drain : str | int
            longest wait for measured packets; default: four windows
        """
    def replace(  # type: ignore[override]
        self,
        *,
        warm_up: str | int | None = ...,
        window: str | int | None = ...,
        drain: str | int | None = ...,
    ) -> Self: ...

class Stop(Table):
    """Bounds of a run."""
    time: str | int | None
    def __init__(
        self,
        *,
        time: str | int | None = ...,
    ) -> None:
        """Keys are those of a scenario file.

        Parameters
        ----------
        time : str | int
            simulated time at which a run ends in any case (default: 1 s)
        """
    def replace(  # type: ignore[override]
        self,
        *,
        time: str | int | None = ...,
    ) -> Self: ...

class Telemetry(Table):
    """Records beyond the defaults."""
    packet_sample: int | None
    message_sample: int | None
    series_bin: str | int | None
    iteration_records: int | None
    q_table: bool | None
    blame: bool | None
    counters: bool | None
    counter_interval: str | int | None
    counter_view: Literal["operator", "user"] | None
    link_series: bool | None
    def __init__(
        self,
        *,
        packet_sample: int | None = ...,
        message_sample: int | None = ...,
        series_bin: str | int | None = ...,
        iteration_records: int | None = ...,
        q_table: bool | None = ...,
        blame: bool | None = ...,
        counters: bool | None = ...,
        counter_interval: str | int | None = ...,
        counter_view: Literal["operator", "user"] | None = ...,
        link_series: bool | None = ...,
    ) -> None:
        """Keys are those of a scenario file.

        Parameters
        ----------
        packet_sample : int
            record every n-th packet of each node; 0: none (default: 0)
        message_sample : int
            record about every n-th message between ranks; 0: none (default: 0)
        series_bin : str | int
            width of a bin of the time series (default: 1 us)
        iteration_records : int
            iterations of a job kept at most, all ranks together; more are thinned evenly (default:
            1000000)
        q_table : bool
            keep what routers have learnt (q-adaptive) (default: False)
        blame : bool
            charge every wait of a packet to the jobs that made it wait (default: False)
        counters : bool
            count what tiles and NICs count, by the machine's names (default: False)
        counter_interval : str | int
            time between two readings of the counters; absent: one at the end
        counter_view : Literal["operator", "user"]
            whose counters: those of all routers and NICs, or of those that the victims (without
            any: all jobs) are on (default: operator)
        link_series : bool
            count what every link carried over time, in bins of `series_bin` that double until at
            most 128 remain (default: False)
        """
    def replace(  # type: ignore[override]
        self,
        *,
        packet_sample: int | None = ...,
        message_sample: int | None = ...,
        series_bin: str | int | None = ...,
        iteration_records: int | None = ...,
        q_table: bool | None = ...,
        blame: bool | None = ...,
        counters: bool | None = ...,
        counter_interval: str | int | None = ...,
        counter_view: Literal["operator", "user"] | None = ...,
        link_series: bool | None = ...,
    ) -> Self: ...

class ScenarioTable(Table):
    """ScenarioTable."""
    schema: Literal[1] | None
    name: str | None
    description: str | None
    seed: int | None
    replicas: int | None
    without: str | None
    system: System | None
    routing: Routing | Literal["minimal", "valiant-group", "valiant-node", "ugal-g", "ugal-n", "par", "booksim-ugal", "codes-adaptive", "codes-par", "adaptive-0", "adaptive-1", "adaptive-2", "adaptive-3", "min-hash", "nmin-hash", "in-order", "q-adaptive"] | None
    jobs: Sequence[Job] | None
    measure: Measure | None
    stop: Stop | None
    telemetry: Telemetry | None
    sweep: Mapping[str, Any] | None
    def __init__(
        self,
        *,
        schema: Literal[1] | None = ...,
        name: str | None = ...,
        description: str | None = ...,
        seed: int | None = ...,
        replicas: int | None = ...,
        without: str | None = ...,
        system: System | None = ...,
        routing: Routing | Literal["minimal", "valiant-group", "valiant-node", "ugal-g", "ugal-n", "par", "booksim-ugal", "codes-adaptive", "codes-par", "adaptive-0", "adaptive-1", "adaptive-2", "adaptive-3", "min-hash", "nmin-hash", "in-order", "q-adaptive"] | None = ...,
        jobs: Sequence[Job] | None = ...,
        measure: Measure | None = ...,
        stop: Stop | None = ...,
        telemetry: Telemetry | None = ...,
        sweep: Mapping[str, Any] | None = ...,
    ) -> None:
        """Keys are those of a scenario file.

        Parameters
        ----------
        schema : Literal[1]
            version of the format
        name : str
            name of the results; default: of the file
        description : str
            for readers
        seed : int
            root of every random stream
        replicas : int
            runs of each variant, each with a seed of its own; default: 1
        without : str
            job that is left out while its nodes stay reserved; default: "none", every job is there
        system : System

        routing : Routing | Literal["minimal", "valiant-group", "valiant-node", "ugal-g", "ugal-n",

        jobs : Sequence[Job]

        measure : Measure
            steady-state measurement of open-loop traffic
        stop : Stop
            bounds of a run
        telemetry : Telemetry
            records beyond the defaults
        sweep : Mapping[str, Any]
            dotted keys with lists of values: the grid of runs
        """
    def replace(  # type: ignore[override]
        self,
        *,
        schema: Literal[1] | None = ...,
        name: str | None = ...,
        description: str | None = ...,
        seed: int | None = ...,
        replicas: int | None = ...,
        without: str | None = ...,
        system: System | None = ...,
        routing: Routing | Literal["minimal", "valiant-group", "valiant-node", "ugal-g", "ugal-n", "par", "booksim-ugal", "codes-adaptive", "codes-par", "adaptive-0", "adaptive-1", "adaptive-2", "adaptive-3", "min-hash", "nmin-hash", "in-order", "q-adaptive"] | None = ...,
        jobs: Sequence[Job] | None = ...,
        measure: Measure | None = ...,
        stop: Stop | None = ...,
        telemetry: Telemetry | None = ...,
        sweep: Mapping[str, Any] | None = ...,
    ) -> Self: ...

