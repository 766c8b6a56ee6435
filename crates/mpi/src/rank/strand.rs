//! A strand: one line of control of a rank, and the step that it is at.

use odonata_units::Instant;

use super::awaited::Awaited;
use crate::collective::Collective;
use crate::header::Envelope;
use crate::host::USUAL;
use crate::operation::Operation;

/// Action of a strand until `Strand::until`.
#[derive(Clone, Copy, Debug)]
pub(super) enum Step {
    /// Between calls.
    Fetch,
    /// Entering the call in `Strand::operation`.
    Start,
    /// Between two steps of a collective.
    Collective,
    /// Setting a send up.
    Inject(u32),
    /// Registering a receive.
    Register(u32),
    /// Looking through the unexpected queue in vain.
    Post(u32),
    /// Taking a matched message in.
    Take(Envelope, u32, Then),
    /// Acknowledging a rendezvous.
    Land(u32, Then),
    /// Looking at the posted queue in vain.
    Keep(Envelope, Then),
    /// Releasing a completed request.
    Retire(u32),
    /// Looking whether what is awaited is complete.
    Wait,
    /// Waiting for a message.
    Blocked,
    /// About to return, as soon as collectives in progress have had their turn.
    Leave,
    /// Returning from a call.
    Return,
    /// An operation of a graph that is no call ends.
    Computed,
    /// There is no such strand any more.
    Gone,
    /// The program has ended, and will start again when its channel can have sent everything.
    Rest,
    /// The program has ended.
    Finished,
    /// The program did something impossible.
    Failed,
}

/// Step that follows progress on messages.
#[derive(Clone, Copy, Debug)]
pub(super) enum Then {
    /// Go on with this many envelopes, then look whether what is awaited is complete.
    Wait(u32),
    /// Go on with this many envelopes, then leave the call.
    Leave(u32),
    /// A receive has just been posted.
    Posted(u32),
}

/// Which of the awaited requests must complete.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Goal {
    All,
    Any,
    Some,
    Test,
}

/// Purpose of a strand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Task {
    /// The program, if it is a sequence.
    Sequence,
    /// The operation of a graph at this position.
    Operation(u32),
    /// A nonblocking collective; its request.
    Collective(u32),
}

/// One line of control.
pub(super) struct Strand {
    /// Number among those of the rank.
    pub(super) id: u32,
    /// Whose CPU it runs on.
    pub(super) stream: u32,
    pub(super) task: Task,
    pub(super) until: Instant,
    pub(super) step: Step,
    pub(super) operation: Operation,
    pub(super) goal: Goal,
    pub(super) awaited: Awaited,
    pub(super) collective: Option<Box<Ongoing>>,
    /// Price of the steps of the call, in millionths of that of the library.
    pub(super) price: u64,
}

/// A collective in progress.
pub(super) struct Ongoing {
    pub(super) steps: Collective,
    pub(super) comm: usize,
    pub(super) tag: u32,
    pub(super) pending: Vec<u32>,
}

impl Strand {
    /// A strand at `step`, which nothing ends yet.
    pub(super) const fn new(stream: u32, task: Task, step: Step) -> Self {
        Self {
            id: 0,
            stream,
            task,
            until: Instant::NEVER,
            step,
            operation: Operation::Finish,
            goal: Goal::All,
            awaited: Awaited::new(),
            collective: None,
            price: USUAL,
        }
    }
}
