//! Layouts and values of uGNI on x86-64, from public sources.

use std::ffi::c_void;
use std::mem::{offset_of, size_of};

/// What functions return.
#[repr(i32)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Code {
    /// Done.
    Success = 0,
    /// Nothing is there yet.
    NotDone = 1,
    /// An argument is impossible.
    InvalidParameter = 2,
    /// A queue or a mailbox is full.
    ErrorResource = 3,
    /// The other process does not take part, or has not registered this memory.
    PermissionError = 5,
    /// This is not possible in this state.
    InvalidState = 8,
    /// There is no such thing.
    NoMatch = 9,
    /// A size is beyond what was agreed.
    SizeError = 10,
    /// The other process cannot be reached.
    TransactionError = 11,
    /// The emulator does not do this.
    IllegalOperation = 12,
}

/// What a descriptor asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Data to the other process.
    Put,
    /// Data to the other process, then a flag.
    PutWithFlag,
    /// Data from the other process.
    Get,
}

impl Kind {
    /// The kind of a `type` that `GNI_PostFma` takes.
    #[must_use]
    pub const fn of_fma(number: u32) -> Option<Self> {
        match number {
            3 => Some(Self::Put),
            4 => Some(Self::PutWithFlag),
            5 => Some(Self::Get),
            _ => None,
        }
    }

    /// The kind of a `type` that `GNI_PostRdma` takes.
    #[must_use]
    pub const fn of_rdma(number: u32) -> Option<Self> {
        match number {
            1 => Some(Self::Put),
            2 => Some(Self::Get),
            _ => None,
        }
    }
}

/// Delivery modes and their names; ORDERED_TAIL, 0x100, may be added to any.
pub const MODES: [(u16, &str); 8] = [
    (0x00, "adaptive-0"),
    (0x20, "adaptive-1"),
    (0x40, "adaptive-2"),
    (0x80, "adaptive-3"),
    (0x03, "in-order"),
    (0x08, "nmin-hash"),
    (0x10, "min-hash"),
    (0x04, "no-radapt"),
];

/// The flag that may be added to a mode.
pub(crate) const ORDERED_TAIL: u16 = 0x100;

/// `cq_mode`: an event in the queue of the sender.
pub(crate) const CQ_LOCAL: u16 = 1;
/// `cq_mode`: an event in the queue of the sender when the data are visible.
pub(crate) const CQ_GLOBAL: u16 = 2;

/// `gni_mem_handle_t`: here the registered range.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct MemoryHandle {
    /// First address.
    pub start: u64,
    /// Bytes.
    pub length: u64,
}

/// `gni_post_descriptor_t`.
#[repr(C)]
#[derive(Debug)]
pub struct PostDescriptor {
    /// Next one of a chain.
    pub next: *mut PostDescriptor,
    /// Unused here.
    pub previous: *mut PostDescriptor,
    /// A number for the program.
    pub post_id: u64,
    /// How the post ended.
    pub status: u64,
    /// Which events were given.
    pub cq_mode_complete: u16,
    /// What is asked for.
    pub kind: u32,
    /// Which events the program wants.
    pub cq_mode: u16,
    /// Delivery mode.
    pub delivery_mode: u16,
    /// Data here.
    pub local_address: u64,
    /// Registration of the data here.
    pub local_handle: MemoryHandle,
    /// Data there.
    pub remote_address: u64,
    /// Registration of the data there.
    pub remote_handle: MemoryHandle,
    /// Bytes.
    pub length: u64,
    /// Unused here.
    pub rdma_mode: u16,
    /// Unused here: events go to the queue of the endpoint.
    pub source_queue: *mut c_void,
    /// Flag that follows the data.
    pub flag_value: u64,
    /// Where the flag goes.
    pub flag_address: u64,
    /// Unused here.
    pub amo_command: u32,
    /// Unused here.
    pub first_operand: u64,
    /// Unused here.
    pub second_operand: u64,
    /// Data of a `GNI_PostCqWrite`.
    pub cqwrite_value: u64,
    /// Unused here.
    pub ce_command: u32,
    /// Unused here.
    pub ce_mode: u32,
    /// Unused here.
    pub ce_reduction_id: u64,
}

const _: () = assert!(size_of::<PostDescriptor>() == 184);
const _: () = assert!(offset_of!(PostDescriptor, kind) == 36);
const _: () = assert!(offset_of!(PostDescriptor, delivery_mode) == 42);
const _: () = assert!(offset_of!(PostDescriptor, local_address) == 48);
const _: () = assert!(offset_of!(PostDescriptor, remote_address) == 72);
const _: () = assert!(offset_of!(PostDescriptor, length) == 96);
const _: () = assert!(offset_of!(PostDescriptor, flag_value) == 120);
const _: () = assert!(offset_of!(PostDescriptor, cqwrite_value) == 160);
const _: () = assert!(offset_of!(PostDescriptor, ce_reduction_id) == 176);

/// `gni_smsg_attr_t`: a mailbox.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct SmsgAttributes {
    /// Unused here.
    pub kind: u32,
    /// Memory in which the mailbox is.
    pub buffer: u64,
    /// Bytes of the mailbox.
    pub buffer_bytes: u32,
    /// Registration of the memory.
    pub handle: MemoryHandle,
    /// Where in the memory it begins.
    pub offset: u32,
    /// Messages that it holds.
    pub credits: u16,
    /// Bytes of the largest message, header and data.
    pub largest: u32,
}
