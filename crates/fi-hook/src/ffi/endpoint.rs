//! Endpoints: when one is enabled it gets aliases, and counters that say what is complete.

use std::ffi::{c_int, c_void};
use std::ptr;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU64, Ordering};

use odonata_interpose::{INSIDE, Within};

use super::abi::{
    Alias, BIND, BindFn, CLOSE, CNTR_OPEN, CNTR_OPS, CNTR_READ, CNTR_READERR, CONTROL, CloseFn,
    CntrAttr, CntrOpenFn, ControlFn, CountFn, ENOSYS, EP_MSG, EP_RMA, EP_TAGGED, FI_ALIAS,
    FI_ATOMIC, FI_FENCE, FI_GETOPSFLAG, FI_OPT_CXI_SET_MSG_ORDER, FI_OPT_CXI_SET_TCLASS,
    FI_ORDER_SAS, FI_READ, FI_SEND, FI_SET_VAL, FI_TRANSMIT, FI_WRITE, FID_OPS, FidVar, Info, OPS,
    ORDER_ACROSS, ORDER_RMA, Object,
};
use super::life;
use super::object_map::ObjectMap;
use super::table::{Table, function_at, set_table, table_of, typed_at};
use crate::lane::{Lane, PostTarget};
use crate::left::COUNTS;
use crate::order::OrderTracker;

static ENDPOINTS: ObjectMap<1024> = ObjectMap::new();

/// How messages of a kind may be steered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum OrderRule {
    /// Each for itself.
    Free,
    /// In the order of their destination.
    Kept,
    /// Not at all.
    LeftAlone,
}

/// Messages of one kind: sends, or accesses to remote memory.
pub(super) struct Kind {
    rule: OnceLock<OrderRule>,
    pub(super) order: OrderTracker,
    /// Counts what is complete; null: nothing does.
    counter: AtomicPtr<usize>,
}

impl Kind {
    fn new(order: OrderTracker) -> Self {
        Self {
            rule: OnceLock::new(),
            order,
            counter: AtomicPtr::new(ptr::null_mut()),
        }
    }

    pub(super) fn rule(&self) -> OrderRule {
        self.rule.get().copied().unwrap_or(OrderRule::LeftAlone)
    }

    /// Whether there is a counter of what is complete.
    pub(super) fn is_counted(&self) -> bool {
        !self.counter.load(Ordering::Acquire).is_null()
    }

    /// Messages that are complete, also with an error.
    pub(super) fn completed(&self) -> u64 {
        let counter = self.counter.load(Ordering::Acquire);
        if counter.is_null() {
            return 0;
        }
        let _inside = Within::new(&INSIDE); // it may make progress, and send
        // SAFETY: the counter lives until the endpoint is closed; the functions have this type.
        unsafe {
            let ops = table_of(counter, CNTR_OPS);
            let (Some(read), Some(errors)) = (
                typed_at::<CountFn>(ops, CNTR_READ),
                typed_at::<CountFn>(ops, CNTR_READERR),
            ) else {
                return 0;
            };
            read(counter).wrapping_add(errors(counter))
        }
    }

    /// Whether everything that was sent is complete, as far as it is counted.
    pub(super) fn is_idle(&self) -> bool {
        !self.is_counted() || self.order.is_lost() || self.order.is_idle(|| self.completed())
    }
}

/// Families of functions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Family {
    Messages,
    Memory,
    Tagged,
}

impl Family {
    const ALL: [(Self, usize); 3] = [
        (Self::Messages, EP_MSG),
        (Self::Memory, EP_RMA),
        (Self::Tagged, EP_TAGGED),
    ];
}

/// What an endpoint has once it is enabled.
struct Enabled {
    /// The provider's tables, by [`Family`].
    real: [*const usize; 3],
    /// Ours, in their place.
    ours: [Option<Table>; 3],
}

/// What belongs to an endpoint.
pub(super) struct Endpoint {
    domain: Object,
    caps: u64,
    msg_order: u64,
    /// The provider's table of the fid, and ours.
    fid: *const usize,
    our_fid: Table,
    enabled: OnceLock<Enabled>,
    /// Aliases by [`PostTarget::index`]; null: the endpoint itself, or the ordered alias, is used.
    aliases: [AtomicPtr<usize>; PostTarget::COUNT],
    /// Targets of the modes for messages that keep their order: modes of one class have one target.
    targets: OnceLock<[PostTarget; 3]>,
    pub(super) sends: Kind,
    pub(super) memory: Kind,
    /// The program's own counters that it has bound, by flags of what they count.
    bound: AtomicU64,
    /// Nothing more is steered: the program has changed what aliases were made from.
    has_given_up: AtomicBool,
    /// The decision on a message that the program was told to post again.
    pub(super) retry: AtomicU64,
}

/// Holds what belongs to a new endpoint, with our table of its fid; false if there is no place.
pub(super) fn insert(
    endpoint: Object,
    domain: Object,
    info: &Info,
    patch: fn(Table) -> Table,
) -> bool {
    if info.tx_attr.is_null() {
        return false;
    }
    // SAFETY: an endpoint has this table, which is replaced before the program has it; the info is
    // the caller's, and libfabric has taken it.
    unsafe {
        let fid = table_of(endpoint, FID_OPS);
        let Some(our_fid) = Table::copy(fid).map(patch) else {
            return false;
        };
        let held = ENDPOINTS.insert(
            endpoint,
            Box::new(Endpoint {
                domain,
                caps: info.caps,
                msg_order: (*info.tx_attr).msg_order,
                fid,
                our_fid,
                enabled: OnceLock::new(),
                aliases: [const { AtomicPtr::new(ptr::null_mut()) }; PostTarget::COUNT],
                targets: OnceLock::new(),
                sends: Kind::new(OrderTracker::default()),
                memory: Kind::new(OrderTracker::counting()),
                bound: AtomicU64::new(0),
                has_given_up: AtomicBool::new(false),
                retry: AtomicU64::new(0),
            }),
        );
        if let Ok(held) = held {
            set_table(endpoint, FID_OPS, (*held).our_fid.address());
        }
        held.is_ok()
    }
}

/// Lets go what belongs to an endpoint that nobody uses any more; gives its counters.
pub(super) fn remove(endpoint: Object) -> [Object; 2] {
    // SAFETY: what is held here are endpoints.
    let found = unsafe { ENDPOINTS.remove::<Endpoint>(endpoint) };
    found.map_or([ptr::null_mut(); 2], |found| {
        [&found.sends, &found.memory]
            .map(|kind| kind.counter.swap(ptr::null_mut(), Ordering::AcqRel))
    })
}

/// What belongs to an endpoint.
pub(super) fn find(endpoint: Object) -> Option<&'static Endpoint> {
    // SAFETY: what is held lives until the endpoint is closed.
    ENDPOINTS
        .find::<Endpoint>(endpoint)
        .map(|found| unsafe { &*found })
}

/// Something completes in a domain that was not sent through us.
pub(super) fn lose_all(domain: Object) {
    ENDPOINTS.each(|endpoint: *mut Endpoint| {
        // SAFETY: what is held lives, and nothing is released meanwhile.
        let endpoint = unsafe { &*endpoint };
        if endpoint.domain == domain {
            endpoint.lose();
        }
    });
}

impl Endpoint {
    /// The provider's function.
    pub(super) fn real(&self, family: Family, word: usize) -> Option<*mut c_void> {
        let enabled = self.enabled.get()?;
        // SAFETY: it is the provider's table of this family.
        unsafe { function_at(enabled.real[family as usize], word) }
    }

    /// Nothing can be concluded from counts any more.
    pub(super) fn lose(&self) {
        self.sends.order.lose();
        self.memory.order.lose();
    }

    /// Whether messages are left alone from now on.
    pub(super) fn has_given_up(&self) -> bool {
        self.has_given_up.load(Ordering::Relaxed)
    }

    /// The target of a mode's messages that keep their order.
    pub(super) fn target_of(&self, mode: usize) -> PostTarget {
        self.targets
            .get()
            .map_or(PostTarget::OWN, |targets| targets[mode.min(2)])
    }

    /// The object of libfabric that messages for a target are posted to.
    pub(super) fn object_of(&self, own: Object, target: PostTarget, unordered: bool) -> Object {
        for unordered in [unordered, false] {
            if let Some(index) = target.index(unordered) {
                let alias = self.aliases[index].load(Ordering::Acquire);
                if !alias.is_null() {
                    return alias;
                }
            }
        }
        own
    }

    /// Whether a target has an unordered alias.
    pub(super) fn is_unordered(&self, target: PostTarget) -> bool {
        target
            .index(true)
            .is_some_and(|index| !self.aliases[index].load(Ordering::Relaxed).is_null())
    }

    /// What the attributes allow: for sends, and for accesses to remote memory.
    fn rules_by_attributes(&self) -> (OrderRule, OrderRule) {
        if self.msg_order & ORDER_ACROSS != 0 {
            return (OrderRule::LeftAlone, OrderRule::LeftAlone);
        }
        let sends = if self.msg_order & FI_ORDER_SAS == 0 {
            OrderRule::Free
        } else {
            OrderRule::Kept
        };
        let memory = if self.msg_order & ORDER_RMA == 0 {
            OrderRule::Free
        } else {
            OrderRule::LeftAlone
        };
        (sends, memory)
    }

    /// Before it is enabled: the counters that are needed, unless the program has its own.
    pub(super) fn count(&self, endpoint: Object) {
        let (sends, memory) = self.rules_by_attributes();
        let bound = self.bound.load(Ordering::Relaxed);
        let fences = self.caps & FI_FENCE != 0;
        let needs = sends == OrderRule::Kept || sends == OrderRule::Free && fences;
        if needs && bound & FI_SEND == 0 {
            self.bind_counter(endpoint, &self.sends, FI_SEND);
        }
        // Atomics complete in the same counter, and are not counted when they are posted.
        let is_countable = self.caps & FI_ATOMIC == 0 && bound & (FI_READ | FI_WRITE) == 0;
        if memory == OrderRule::Free && fences && is_countable {
            self.bind_counter(endpoint, &self.memory, FI_READ | FI_WRITE);
        }
        let _ = self.sends.rule.set(match sends {
            OrderRule::Kept | OrderRule::Free if needs && !self.sends.is_counted() => {
                OrderRule::LeftAlone
            }
            rule => rule,
        });
        let _ = self.memory.rule.set(match memory {
            OrderRule::Free if fences && !self.memory.is_counted() => OrderRule::LeftAlone,
            rule => rule,
        });
    }

    fn bind_counter(&self, endpoint: Object, kind: &Kind, flags: u64) {
        if kind.is_counted() {
            return; // of an attempt to enable that failed
        }
        // SAFETY: the functions of these places have these types, and a counter begins with its fid.
        unsafe {
            let open = typed_at::<CntrOpenFn>(table_of(self.domain, OPS), CNTR_OPEN);
            let (Some(open), Some(bind)) = (open, typed_at::<BindFn>(self.fid, BIND)) else {
                return;
            };
            let mut counter: Object = ptr::null_mut();
            let attributes = CntrAttr::default();
            let done = open(
                self.domain,
                &raw const attributes,
                &raw mut counter,
                ptr::null_mut(),
            );
            if done != 0 || counter.is_null() {
                return;
            }
            if bind(endpoint, counter, flags) == 0 {
                kind.counter.store(counter, Ordering::Release);
            } else {
                shut(counter);
            }
        }
    }

    /// After it was enabled: aliases, and our functions (by `patch`) in the place of the provider's.
    pub(super) fn enable(&self, endpoint: Object, patch: fn(Table, Family) -> Table) {
        if self.enabled.get().is_some() {
            return;
        }
        if self.sends.rule() == OrderRule::LeftAlone && self.memory.rule() == OrderRule::LeftAlone {
            COUNTS.endpoints_left.add(1);
            return;
        }
        let free = |kind: &Kind| kind.rule() == OrderRule::Free;
        let any_free = free(&self.sends) || free(&self.memory);
        let lanes = life::lanes();
        let mut targets = [PostTarget::OWN; 3];
        for (mode, lane) in lanes.into_iter().enumerate() {
            let target = PostTarget::ordered(mode);
            let earlier = (0..mode).find(|&other| lanes[other].class == lane.class);
            targets[mode] = match (lane.class, earlier) {
                (None, _) => PostTarget::OWN,
                (Some(_), Some(earlier)) => targets[earlier],
                (Some(_), None) if self.alias(endpoint, target, lane, false) => target,
                (Some(_), None) => PostTarget::OWN,
            };
            if lane.unordered && any_free {
                self.alias(endpoint, target, lane, true);
            }
        }
        let _ = self.targets.set(targets);
        let has_alias = |alias: &AtomicPtr<usize>| !alias.load(Ordering::Relaxed).is_null();
        if !self.aliases.iter().any(has_alias) {
            COUNTS.endpoints_left.add(1);
            return;
        }
        COUNTS.endpoints.add(1);
        self.take_over(endpoint, patch);
    }

    fn take_over(&self, endpoint: Object, patch: fn(Table, Family) -> Table) {
        // SAFETY: an endpoint has these tables, which may be null.
        let real = Family::ALL.map(|(_, word)| unsafe { table_of(endpoint, word) });
        let ours = Family::ALL.map(|(family, _)| {
            // SAFETY: as above.
            unsafe { Table::copy(real[family as usize]) }.map(|table| patch(table, family))
        });
        let enabled = self.enabled.get_or_init(|| Enabled { real, ours });
        for (family, word) in Family::ALL {
            if let Some(table) = &enabled.ours[family as usize] {
                // SAFETY: the table lives until the endpoint is closed.
                unsafe { set_table(endpoint, word, table.address()) };
            }
        }
    }

    /// Makes the alias of a target; whether there is one.
    fn alias(&self, endpoint: Object, target: PostTarget, lane: Lane, unordered: bool) -> bool {
        let Some(index) = target.index(unordered) else {
            return false;
        };
        let mut alias: Object = ptr::null_mut();
        // Without its flags an alias would send without completions.
        let mut flags = FI_TRANSMIT;
        if self.control(endpoint, FI_GETOPSFLAG, (&raw mut flags).cast()) != 0 {
            flags = 0;
        }
        let mut wanted = Alias {
            fid: &raw mut alias,
            flags: flags | FI_TRANSMIT,
        };
        let done = self.control(endpoint, FI_ALIAS, (&raw mut wanted).cast());
        if done != 0 || alias.is_null() {
            COUNTS.aliases_refused.add(1);
            return false;
        }
        self.give_back(alias);
        let mut class = lane.class.map_or(0, |class| class.0);
        let mut order = 0_u64;
        let is_set = (lane.class.is_none()
            || self.set(alias, FI_OPT_CXI_SET_TCLASS, (&raw mut class).cast()))
            && (!unordered || self.set(alias, FI_OPT_CXI_SET_MSG_ORDER, (&raw mut order).cast()));
        if !is_set {
            COUNTS.aliases_refused.add(1);
            shut(alias);
            return false;
        }
        COUNTS.aliases.add(1);
        self.aliases[index].store(alias, Ordering::Release);
        true
    }

    fn set(&self, alias: Object, name: c_int, value: *mut c_void) -> bool {
        let mut variable = FidVar { name, value };
        self.control(alias, FI_SET_VAL, (&raw mut variable).cast()) == 0
    }

    /// Whether it has been enabled and has aliases.
    pub(super) fn is_enabled(&self) -> bool {
        self.enabled.get().is_some()
    }

    /// The program has bound a counter of its own for what these flags say.
    pub(super) fn bound(&self, flags: u64) {
        self.bound.fetch_or(flags, Ordering::Relaxed);
    }

    /// Nothing more is steered.
    pub(super) fn give_up(&self) {
        self.has_given_up.store(true, Ordering::Relaxed);
    }

    /// Its aliases.
    pub(super) fn aliases(&self) -> impl Iterator<Item = Object> {
        let all = self
            .aliases
            .iter()
            .map(|alias| alias.load(Ordering::Acquire));
        all.filter(|alias| !alias.is_null())
    }

    /// The provider's function of the fid.
    ///
    /// # Safety
    ///
    /// The function of this word has this type.
    pub(super) unsafe fn of_fid<F: Copy>(&self, word: usize) -> Option<F> {
        // SAFETY: as the caller says.
        unsafe { typed_at(self.fid, word) }
    }

    /// The provider's `fi_control`.
    pub(super) fn control(&self, object: Object, command: c_int, argument: *mut c_void) -> c_int {
        // SAFETY: the function of this place has this type.
        match unsafe { typed_at::<ControlFn>(self.fid, CONTROL) } {
            Some(real) => real(object, command, argument),
            None => ENOSYS,
        }
    }

    /// Gives an object that was copied from the endpoint, or the endpoint, the provider's tables.
    pub(super) fn give_back(&self, object: Object) {
        // SAFETY: it is an endpoint; the tables are the provider's.
        unsafe {
            set_table(object, FID_OPS, self.fid.expose_provenance());
            if let Some(enabled) = self.enabled.get() {
                for (family, word) in Family::ALL {
                    let real = enabled.real[family as usize];
                    set_table(object, word, real.expose_provenance());
                }
            }
        }
    }

    /// Before the endpoint goes: its aliases go.
    pub(super) fn shut_aliases(&self) {
        for alias in &self.aliases {
            let alias = alias.swap(ptr::null_mut(), Ordering::AcqRel);
            if !alias.is_null() {
                shut(alias);
            }
        }
    }
}

/// Closes an object of ours by the provider's function.
pub(super) fn shut(object: Object) {
    // SAFETY: the object is ours, and begins with its fid.
    unsafe {
        if let Some(close) = typed_at::<CloseFn>(table_of(object, FID_OPS), CLOSE) {
            close(object);
        }
    }
}
