"""Which MPI calls the reader understands, by name and by what they do to the network."""

from __future__ import annotations

from enum import Enum
from functools import cache


class Call(Enum):
    """What a region of a trace is to the reader."""

    PROGRAM = "program"
    INIT = "init"
    FINALIZE = "finalize"
    LOCAL = "local"
    TRANSFER = "transfer"
    COLLECTIVE = "collective"
    ONE_SIDED = "one-sided"
    UNSUPPORTED = "unsupported"


_TRANSFERS = (
    "send bsend ssend rsend isend ibsend issend irsend recv irecv sendrecv sendrecv_replace "
    "isendrecv isendrecv_replace mrecv imrecv start startall wait waitall waitany waitsome test "
    "testall testany testsome probe iprobe mprobe improbe"
)
_COLLECTIVES = (
    "barrier bcast reduce allreduce allgather allgatherv gather gatherv scatter scatterv alltoall "
    "alltoallv alltoallw reduce_scatter reduce_scatter_block scan exscan"
)
_ONE_SIDED = (
    "put get rput rget accumulate raccumulate get_accumulate rget_accumulate fetch_and_op "
    "compare_and_swap win_fence win_flush win_flush_all win_flush_local win_flush_local_all "
    "win_unlock win_unlock_all win_post win_start win_complete win_wait win_test"
)
_LOCAL = (
    "wtime wtick initialized finalized query_thread is_thread_main pcontrol request_free "
    "request_get_status cancel test_cancelled send_init bsend_init ssend_init rsend_init recv_init "
    "buffer_attach buffer_detach address alloc_mem free_mem dims_create topo_test cart_coords "
    "cart_get cart_rank cart_shift cart_map cartdim_get graph_get graph_map graph_neighbors "
    "graph_neighbors_count graphdims_get comm_rank comm_size comm_compare comm_group comm_free "
    "comm_test_inter comm_remote_size comm_remote_group pack unpack pack_size win_create "
    "win_allocate win_allocate_shared win_create_dynamic win_attach win_detach win_free win_lock "
    "win_lock_all win_sync win_shared_query"
)
_LOCAL_PREFIXES = (
    "group_",
    "type_",
    "get_",
    "error_",
    "errhandler_",
    "attr_",
    "keyval_",
    "info_",
    "op_",
    "status_",
    "aint_",
    "t_",
    "session_",
    "pack_external",
    "unpack_external",
    "add_error_",
    "comm_get_",
    "comm_set_",
    "comm_create_keyval",
    "comm_free_keyval",
    "comm_delete_attr",
    "comm_call_errhandler",
    "win_get_",
    "win_set_",
    "win_create_keyval",
    "win_free_keyval",
    "win_delete_attr",
    "win_call_errhandler",
)


_KINDS: dict[str, Call] = {
    "init": Call.INIT,
    "init_thread": Call.INIT,
    "finalize": Call.FINALIZE,
    **dict.fromkeys(_TRANSFERS.split(), Call.TRANSFER),
    **dict.fromkeys(_COLLECTIVES.split(), Call.COLLECTIVE),
    **dict.fromkeys(_ONE_SIDED.split(), Call.ONE_SIDED),
    **dict.fromkeys(_LOCAL.split(), Call.LOCAL),
}


_CREATIONS = {
    f"{kind}_{how}"
    for kind, ways in (
        ("comm", "dup dup_with_info idup create create_group split split_type"),
        ("cart", "create sub"),
        ("graph", "create"),
        ("dist_graph", "create create_adjacent"),
    )
    for how in ways.split()
}


def is_creation(name: str) -> bool:
    """Whether a call makes a communicator of ranks of one job; what is sent on it has its own call.

    Examples
    --------
    >>> is_creation("MPI_Cart_create"), is_creation("MPI_Intercomm_merge")
    (True, False)
    """
    return plain_name(name).lower().removeprefix("mpi_") in _CREATIONS


def plain_name(name: str) -> str:
    """Return the name of a region without what recorders and languages add to those of MPI.

    Examples
    --------
    >>> plain_name("MPI_Send()"), plain_name("mpi_send_"), plain_name("MPI_Send_c")
    ('MPI_Send', 'mpi_send', 'MPI_Send')
    """
    if name[:4].lower() != "mpi_":
        return name
    plain = name.partition("(")[0].rstrip("_ ")
    for ending in ("_f08ts", "_f08", "_c"):
        plain = plain.removesuffix(ending)
    return plain


@cache
def classify(name: str) -> Call:
    """Say what a region with this name is.

    Parameters
    ----------
    name : str
        Region name as the trace has it; C and Fortran spellings are equal.

    Returns
    -------
    Call
        ``PROGRAM`` for everything that is not an MPI call.

    Examples
    --------
    >>> classify("MPI_Waitall").value, classify("MPI_Put").value, classify("main").value
    ('transfer', 'one-sided', 'program')
    """
    lowered = name.lower()
    if not lowered.startswith("mpi_"):
        return Call.PROGRAM
    call = lowered.removeprefix("mpi_")
    known = _KINDS.get(call)
    if known is None:
        return Call.LOCAL if call.startswith(_LOCAL_PREFIXES) else Call.UNSUPPORTED
    return known
