//! The used part of the ABI of libfabric, from its public headers (1.17; all of it append-only).
//!
//! Objects and tables of functions are looked at as words of 8 bytes: an object begins with its
//! `struct fid`, a table with its size in bytes. `tests/layout.rs` compares [`LAYOUT`] with the
//! headers that are installed.

use std::ffi::{c_char, c_int, c_void};

pub(super) use super::table::Object;
use super::table::{Field, Slot};

/// Kinds of tables, by the structures of libfabric.
pub(super) mod kind {
    /// `struct fi_ops`, of every object.
    #[derive(Debug)]
    pub(crate) struct Fid;
    /// `struct fi_ops_fabric`.
    #[derive(Debug)]
    pub(crate) struct Fabric;
    /// `struct fi_ops_domain`.
    #[derive(Debug)]
    pub(crate) struct Domain;
    /// `struct fi_ops_cntr`.
    #[derive(Debug)]
    pub(crate) struct Counter;
    /// `struct fi_ops_msg`, `fi_ops_tagged` and `fi_ops_rma`.
    #[derive(Debug)]
    pub(crate) struct Transfers;
}

// Words of objects.
pub(super) const FID_CLASS: usize = 0;
pub(super) const FID_OPS: Field<kind::Fid> = Field::new(2);
pub(super) const FABRIC_OPS: Field<kind::Fabric> = Field::new(3);
pub(super) const DOMAIN_OPS: Field<kind::Domain> = Field::new(3);
pub(super) const EP_MSG: Field<kind::Transfers> = Field::new(5);
pub(super) const EP_RMA: Field<kind::Transfers> = Field::new(6);
pub(super) const EP_TAGGED: Field<kind::Transfers> = Field::new(7);
pub(super) const CNTR_OPS: Field<kind::Counter> = Field::new(3);

/// Declares words of tables with the types of the functions there; `tests/layout.rs` compares the
/// words with the headers.
macro_rules! slots {
    ($($(#[$meta:meta])* $name:ident: $kind:ident, $function:ty = $word:literal;)*) => {$(
        $(#[$meta])*
        // SAFETY: by the headers of libfabric, this member of a table of this kind is null or the
        // address of a function of this type.
        pub(super) const $name: Slot<kind::$kind, $function> = unsafe { Slot::new($word) };
    )*};
}

slots! {
    CLOSE: Fid, CloseFn = 1;
    BIND: Fid, BindFn = 2;
    CONTROL: Fid, ControlFn = 3;
    OPS_OPEN: Fid, OpsOpenFn = 4;
    DOMAIN: Fabric, OpenFn = 1;
    DOMAIN2: Fabric, Open2Fn = 6;
    ENDPOINT: Domain, OpenFn = 3;
    CNTR_OPEN: Domain, CntrOpenFn = 5;
    ENDPOINT2: Domain, Open2Fn = 11;
    CNTR_READ: Counter, CountFn = 1;
    CNTR_READERR: Counter, CountFn = 2;
    /// Sends are at the same words for messages and tagged messages.
    SEND: Transfers, PostFn = 4;
    SENDV: Transfers, PostFn = 5;
    SENDMSG: Transfers, PostFn = 6;
    /// This word, and that of `INJECTDATA`, are the same for remote memory.
    INJECT: Transfers, PostFn = 7;
    SENDDATA: Transfers, PostFn = 8;
    INJECTDATA: Transfers, PostFn = 9;
    /// Reads and writes are of remote memory.
    READ: Transfers, PostFn = 1;
    READV: Transfers, PostFn = 2;
    READMSG: Transfers, PostFn = 3;
    WRITE: Transfers, PostFn = 4;
    WRITEV: Transfers, PostFn = 5;
    WRITEMSG: Transfers, PostFn = 6;
    WRITEDATA: Transfers, PostFn = 8;
}

// Commands of `fi_control`.
pub(super) const FI_GETOPSFLAG: c_int = 2;
pub(super) const FI_SETOPSFLAG: c_int = 3;
pub(super) const FI_ALIAS: c_int = 4;
pub(super) const FI_ENABLE: c_int = 6;
pub(super) const FI_QUEUE_WORK: c_int = 11;
pub(super) const FI_SET_VAL: c_int = 18;

// Names of values of the provider cxi (`rdma/fi_cxi_ext.h`, which Debian does not have).
pub(super) const FI_OPT_CXI_SET_TCLASS: c_int = -(0xccc << 16);
pub(super) const FI_OPT_CXI_SET_MSG_ORDER: c_int = FI_OPT_CXI_SET_TCLASS + 1;

// Flags.
pub(super) const FI_MULTICAST: u64 = 1 << 5;
pub(super) const FI_ATOMIC: u64 = 1 << 4;
pub(super) const FI_READ: u64 = 1 << 8;
pub(super) const FI_WRITE: u64 = 1 << 9;
pub(super) const FI_SEND: u64 = 1 << 11;
pub(super) const FI_TRANSMIT: u64 = FI_SEND;
pub(super) const FI_MORE: u64 = 1 << 18;
pub(super) const FI_TRIGGER: u64 = 1 << 20;
pub(super) const FI_FENCE: u64 = 1 << 21;
/// Bits of providers; of cxi: high-rate puts, unreliable, counter write-back, weak fence.
pub(super) const OF_PROVIDERS: u64 = 0xf << 60;
pub(super) const FI_CXI_WEAK_FENCE: u64 = 1 << 63;

/// The bit that orders sends after sends.
pub(super) const FI_ORDER_SAS: u64 = 1 << 8;
/// The bits that order sends against reads and writes, both ways.
pub(super) const ORDER_ACROSS: u64 = 1 << 2 | 1 << 5 | 1 << 6 | 1 << 7;
/// The bits that order reads and writes, also the newer ones for RMA alone.
pub(super) const ORDER_RMA: u64 = 1 | 1 << 1 | 1 << 3 | 1 << 4 | 0xf << 32;

pub(super) const FI_EP_RDM: c_int = 3;
pub(super) const FI_CLASS_CNTR: usize = 15;
pub(super) const FI_CLASS_STX_CTX: usize = 8;

// Errors, negated.
pub(super) const EAGAIN: isize = -11;
pub(super) const ENOSYS: c_int = -38;
pub(super) const EINVAL: c_int = -22;

/// `struct fi_info`, to its last member that is used.
#[repr(C)]
pub(super) struct Info {
    next: *mut Info,
    pub(super) caps: u64,
    mode: u64,
    addr_format: u32,
    src_addrlen: usize,
    dest_addrlen: usize,
    src_addr: *mut c_void,
    dest_addr: *mut c_void,
    handle: *mut c_void,
    pub(super) tx_attr: *const TxAttr,
    rx_attr: *mut c_void,
    pub(super) ep_attr: *const EpAttr,
    domain_attr: *mut c_void,
    pub(super) fabric_attr: *const FabricAttr,
}

/// `struct fi_tx_attr`, to its last member that is used.
#[repr(C)]
pub(super) struct TxAttr {
    caps: u64,
    mode: u64,
    op_flags: u64,
    pub(super) msg_order: u64,
}

/// `struct fi_ep_attr`, to its last member that is used.
#[repr(C)]
pub(super) struct EpAttr {
    pub(super) kind: c_int,
}

/// `struct fi_fabric_attr`, to its last member that is used.
#[repr(C)]
pub(super) struct FabricAttr {
    pub(super) fabric: Object,
    name: *const c_char,
    pub(super) prov_name: *const c_char,
}

/// `struct fi_alias`.
#[repr(C)]
pub(super) struct Alias {
    pub(super) fid: *mut Object,
    pub(super) flags: u64,
}

/// `struct fi_fid_var`.
#[repr(C)]
pub(super) struct FidVar {
    pub(super) name: c_int,
    pub(super) value: *mut c_void,
}

/// `struct fi_cntr_attr`; all zeros: completions, and nobody waits.
#[repr(C)]
#[derive(Default)]
pub(super) struct CntrAttr {
    events: c_int,
    wait_obj: c_int,
    wait_set: usize,
    flags: u64,
}

/// Common beginning of `struct fi_msg`, `fi_msg_tagged` and `fi_msg_rma`.
#[repr(C)]
pub(super) struct Msg {
    pub(super) iov: *const libc::iovec,
    desc: *mut c_void,
    pub(super) iov_count: usize,
    pub(super) addr: u64,
}

#[cfg(test)]
impl Msg {
    /// A message of these buffers.
    pub(super) fn new(buffers: &[libc::iovec], addr: u64) -> Self {
        Self {
            iov: buffers.as_ptr(),
            desc: std::ptr::null_mut(),
            iov_count: buffers.len(),
            addr,
        }
    }
}

/// `struct fi_provider`.
#[repr(C)]
pub(super) struct Provider {
    pub(super) version: u32,
    pub(super) fi_version: u32,
    pub(super) context: [usize; 4],
    pub(super) name: *const c_char,
    pub(super) getinfo: usize,
    pub(super) fabric: usize,
    pub(super) cleanup: usize,
}

pub(super) type CloseFn = extern "C-unwind" fn(Object) -> c_int;
pub(super) type BindFn = extern "C-unwind" fn(Object, Object, u64) -> c_int;
pub(super) type ControlFn = extern "C-unwind" fn(Object, c_int, *mut c_void) -> c_int;
pub(super) type OpsOpenFn =
    extern "C-unwind" fn(Object, *const c_char, u64, *mut Object, *mut c_void) -> c_int;
/// It opens a domain from a fabric, or an endpoint from a domain.
pub(super) type OpenFn =
    extern "C-unwind" fn(Object, *const Info, *mut Object, *mut c_void) -> c_int;
pub(super) type Open2Fn =
    extern "C-unwind" fn(Object, *const Info, *mut Object, u64, *mut c_void) -> c_int;
pub(super) type CntrOpenFn =
    extern "C-unwind" fn(Object, *const CntrAttr, *mut Object, *mut c_void) -> c_int;
pub(super) type CountFn = extern "C-unwind" fn(Object) -> u64;
/// Any send, read or write: an endpoint and at most eight words, each a pointer or a number of 8
/// bytes, which the calling convention passes alike; what is superfluous is not looked at.
#[rustfmt::skip]
pub(super) type PostFn = extern "C-unwind" fn(
    Object, usize, usize, usize, usize, usize, usize, usize, usize,
) -> isize;

/// Expressions of C with the values that are used here, for the test of the layout.
pub const LAYOUT: &[(&str, i64)] = &{
    use std::mem::offset_of;
    const fn words(count: usize) -> i64 {
        8 * count as i64
    }
    [
        ("sizeof(void *)", 8),
        ("offsetof(struct fid, fclass)", words(FID_CLASS)),
        ("offsetof(struct fid, ops)", words(FID_OPS.word())),
        ("offsetof(struct fid_fabric, ops)", words(FABRIC_OPS.word())),
        ("offsetof(struct fid_domain, ops)", words(DOMAIN_OPS.word())),
        ("offsetof(struct fid_ep, msg)", words(EP_MSG.word())),
        ("offsetof(struct fid_ep, rma)", words(EP_RMA.word())),
        ("offsetof(struct fid_ep, tagged)", words(EP_TAGGED.word())),
        ("offsetof(struct fid_cntr, ops)", words(CNTR_OPS.word())),
        ("offsetof(struct fi_ops, size)", 0),
        ("offsetof(struct fi_ops, close)", words(CLOSE.word())),
        ("offsetof(struct fi_ops, bind)", words(BIND.word())),
        ("offsetof(struct fi_ops, control)", words(CONTROL.word())),
        ("offsetof(struct fi_ops, ops_open)", words(OPS_OPEN.word())),
        (
            "offsetof(struct fi_ops_fabric, domain)",
            words(DOMAIN.word()),
        ),
        (
            "offsetof(struct fi_ops_fabric, domain2)",
            words(DOMAIN2.word()),
        ),
        (
            "offsetof(struct fi_ops_domain, endpoint)",
            words(ENDPOINT.word()),
        ),
        (
            "offsetof(struct fi_ops_domain, cntr_open)",
            words(CNTR_OPEN.word()),
        ),
        (
            "offsetof(struct fi_ops_domain, endpoint2)",
            words(ENDPOINT2.word()),
        ),
        (
            "offsetof(struct fi_ops_cntr, read)",
            words(CNTR_READ.word()),
        ),
        (
            "offsetof(struct fi_ops_cntr, readerr)",
            words(CNTR_READERR.word()),
        ),
        ("offsetof(struct fi_ops_msg, send)", words(SEND.word())),
        ("offsetof(struct fi_ops_msg, sendv)", words(SENDV.word())),
        (
            "offsetof(struct fi_ops_msg, sendmsg)",
            words(SENDMSG.word()),
        ),
        ("offsetof(struct fi_ops_msg, inject)", words(INJECT.word())),
        (
            "offsetof(struct fi_ops_msg, senddata)",
            words(SENDDATA.word()),
        ),
        (
            "offsetof(struct fi_ops_msg, injectdata)",
            words(INJECTDATA.word()),
        ),
        ("offsetof(struct fi_ops_tagged, send)", words(SEND.word())),
        ("offsetof(struct fi_ops_tagged, sendv)", words(SENDV.word())),
        (
            "offsetof(struct fi_ops_tagged, sendmsg)",
            words(SENDMSG.word()),
        ),
        (
            "offsetof(struct fi_ops_tagged, inject)",
            words(INJECT.word()),
        ),
        (
            "offsetof(struct fi_ops_tagged, senddata)",
            words(SENDDATA.word()),
        ),
        (
            "offsetof(struct fi_ops_tagged, injectdata)",
            words(INJECTDATA.word()),
        ),
        ("offsetof(struct fi_ops_rma, read)", words(READ.word())),
        ("offsetof(struct fi_ops_rma, readv)", words(READV.word())),
        (
            "offsetof(struct fi_ops_rma, readmsg)",
            words(READMSG.word()),
        ),
        ("offsetof(struct fi_ops_rma, write)", words(WRITE.word())),
        ("offsetof(struct fi_ops_rma, writev)", words(WRITEV.word())),
        (
            "offsetof(struct fi_ops_rma, writemsg)",
            words(WRITEMSG.word()),
        ),
        ("offsetof(struct fi_ops_rma, inject)", words(INJECT.word())),
        (
            "offsetof(struct fi_ops_rma, writedata)",
            words(WRITEDATA.word()),
        ),
        (
            "offsetof(struct fi_ops_rma, injectdata)",
            words(INJECTDATA.word()),
        ),
        ("FI_GETOPSFLAG", FI_GETOPSFLAG as i64),
        ("FI_SETOPSFLAG", FI_SETOPSFLAG as i64),
        ("FI_ALIAS", FI_ALIAS as i64),
        ("FI_ENABLE", FI_ENABLE as i64),
        ("FI_QUEUE_WORK", FI_QUEUE_WORK as i64),
        ("FI_SET_VAL", FI_SET_VAL as i64),
        ("FI_MULTICAST", FI_MULTICAST as i64),
        ("FI_ATOMIC", FI_ATOMIC as i64),
        ("FI_READ", FI_READ as i64),
        ("FI_WRITE", FI_WRITE as i64),
        ("FI_SEND", FI_SEND as i64),
        ("FI_TRANSMIT", FI_TRANSMIT as i64),
        ("FI_MORE", FI_MORE as i64),
        ("FI_TRIGGER", FI_TRIGGER as i64),
        ("FI_FENCE", FI_FENCE as i64),
        ("FI_ORDER_SAS", FI_ORDER_SAS as i64),
        (
            "FI_ORDER_RAS | FI_ORDER_WAS | FI_ORDER_SAR | FI_ORDER_SAW",
            ORDER_ACROSS as i64,
        ),
        (
            "FI_ORDER_RAR | FI_ORDER_RAW | FI_ORDER_WAR | FI_ORDER_WAW | FI_ORDER_RMA_RAR | \
             FI_ORDER_RMA_RAW | FI_ORDER_RMA_WAR | FI_ORDER_RMA_WAW",
            ORDER_RMA as i64,
        ),
        ("FI_TC_BEST_EFFORT", 0x200),
        ("FI_TC_LOW_LATENCY", 0x201),
        ("FI_TC_DEDICATED_ACCESS", 0x202),
        ("FI_TC_BULK_DATA", 0x203),
        ("FI_EP_RDM", FI_EP_RDM as i64),
        ("FI_CLASS_CNTR", FI_CLASS_CNTR as i64),
        ("FI_CLASS_STX_CTX", FI_CLASS_STX_CTX as i64),
        ("-FI_EAGAIN", EAGAIN as i64),
        ("-FI_ENOSYS", ENOSYS as i64),
        ("-FI_EINVAL", EINVAL as i64),
        (
            "offsetof(struct fi_info, caps)",
            offset_of!(Info, caps) as i64,
        ),
        (
            "offsetof(struct fi_info, tx_attr)",
            offset_of!(Info, tx_attr) as i64,
        ),
        (
            "offsetof(struct fi_info, ep_attr)",
            offset_of!(Info, ep_attr) as i64,
        ),
        (
            "offsetof(struct fi_info, fabric_attr)",
            offset_of!(Info, fabric_attr) as i64,
        ),
        (
            "offsetof(struct fi_tx_attr, msg_order)",
            offset_of!(TxAttr, msg_order) as i64,
        ),
        (
            "offsetof(struct fi_ep_attr, type)",
            offset_of!(EpAttr, kind) as i64,
        ),
        (
            "offsetof(struct fi_fabric_attr, fabric)",
            offset_of!(FabricAttr, fabric) as i64,
        ),
        (
            "offsetof(struct fi_fabric_attr, prov_name)",
            offset_of!(FabricAttr, prov_name) as i64,
        ),
        (
            "offsetof(struct fi_alias, fid)",
            offset_of!(Alias, fid) as i64,
        ),
        (
            "offsetof(struct fi_alias, flags)",
            offset_of!(Alias, flags) as i64,
        ),
        (
            "offsetof(struct fi_fid_var, name)",
            offset_of!(FidVar, name) as i64,
        ),
        (
            "offsetof(struct fi_fid_var, val)",
            offset_of!(FidVar, value) as i64,
        ),
        ("sizeof(struct fi_cntr_attr)", size_of::<CntrAttr>() as i64),
        ("FI_CNTR_EVENTS_COMP", 0),
        ("FI_WAIT_NONE", 0),
        (
            "offsetof(struct fi_msg, msg_iov)",
            offset_of!(Msg, iov) as i64,
        ),
        (
            "offsetof(struct fi_msg, iov_count)",
            offset_of!(Msg, iov_count) as i64,
        ),
        (
            "offsetof(struct fi_msg, addr)",
            offset_of!(Msg, addr) as i64,
        ),
        (
            "offsetof(struct fi_msg_tagged, iov_count)",
            offset_of!(Msg, iov_count) as i64,
        ),
        (
            "offsetof(struct fi_msg_tagged, addr)",
            offset_of!(Msg, addr) as i64,
        ),
        (
            "offsetof(struct fi_msg_rma, iov_count)",
            offset_of!(Msg, iov_count) as i64,
        ),
        (
            "offsetof(struct fi_msg_rma, addr)",
            offset_of!(Msg, addr) as i64,
        ),
        ("sizeof(struct fi_provider)", size_of::<Provider>() as i64),
        (
            "offsetof(struct fi_provider, name)",
            offset_of!(Provider, name) as i64,
        ),
        (
            "offsetof(struct fi_provider, getinfo)",
            offset_of!(Provider, getinfo) as i64,
        ),
        (
            "offsetof(struct fi_provider, fabric)",
            offset_of!(Provider, fabric) as i64,
        ),
    ]
};
