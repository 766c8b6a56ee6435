//! Endpoints: when one is enabled it gets aliases, and counters that say what is complete.

use std::ffi::{c_int, c_void};
use std::ptr;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU64, Ordering};

use odonata_interpose::{INSIDE, Within};

use super::abi::{
    Alias, BIND, CLOSE, CNTR_OPEN, CNTR_OPS, CNTR_READ, CNTR_READERR, CONTROL, CntrAttr,
    DOMAIN_OPS, ENOSYS, EP_MSG, EP_RMA, EP_TAGGED, FI_ALIAS, FI_ATOMIC, FI_FENCE, FI_GETOPSFLAG,
    FI_OPT_CXI_SET_MSG_ORDER, FI_OPT_CXI_SET_TCLASS, FI_ORDER_SAS, FI_READ, FI_SEND, FI_SET_VAL,
    FI_TRANSMIT, FI_WRITE, FID_OPS, FidVar, Info, ORDER_ACROSS, ORDER_RMA, Object, PostFn, kind,
};
use super::life;
use super::object_map::ObjectMap;
use super::table::{Field, Slot, Table, TableRef};
use crate::counts::COUNTS;
use crate::lane::{Lane, PostTarget};

use crate::order::OrderTracker;

static ENDPOINTS: ObjectMap<Endpoint, 1024> = ObjectMap::new();

/// Whether messages of one kind may be steered, and in which order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum OrderRule {
    /// Each may be steered for itself.
    Free,
    /// They may be steered where that keeps the order of their destination.
    Kept,
    /// They are not steered.
    LeftAlone,
}

/// The rules of an endpoint.
struct Rules {
    sends: OrderRule,
    memory: OrderRule,
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
        // SAFETY: `bind_counter` has stored a counter that the provider opened, which has this
        // table and lives until it is taken out again, when the endpoint was closed: no call on the
        // endpoint, such as the one that asks here, is under way then.
        let table = unsafe { TableRef::of(counter, &CNTR_OPS) };
        let (Some(read), Some(errors)) =
            (table.function(&CNTR_READ), table.function(&CNTR_READERR))
        else {
            return 0;
        };
        read(counter).wrapping_add(errors(counter))
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
    const ALL: [Self; 3] = [Self::Messages, Self::Memory, Self::Tagged];

    /// The field of an endpoint with the table of the family.
    const fn field(self) -> Field<kind::Transfers> {
        match self {
            Self::Messages => EP_MSG,
            Self::Memory => EP_RMA,
            Self::Tagged => EP_TAGGED,
        }
    }
}

/// Replaces functions in a copy of the provider's table of a family.
type PatchTransfers = fn(Table<kind::Transfers>, Family) -> Table<kind::Transfers>;

/// Parts that an endpoint has once it is enabled.
struct Enabled {
    /// The provider's tables, by [`Family`].
    real: [TableRef<kind::Transfers>; 3],
    /// Ours, in their place.
    ours: [Option<Table<kind::Transfers>>; 3],
}

/// State of an endpoint.
pub(super) struct Endpoint {
    /// The domain that it was opened from, which libfabric keeps open as long as it is.
    domain: AtomicPtr<usize>,
    caps: u64,
    msg_order: u64,
    /// The provider's table of the fid.
    fid: TableRef<kind::Fid>,
    /// Our table of the fid.
    our_fid: Table<kind::Fid>,
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

/// Takes what belongs to a new endpoint, with our table of its fid; false if there is no room.
///
/// # Safety
///
/// `endpoint` is a live endpoint of libfabric, which `domain` has opened by `info`, and which is
/// closed through its own table.
pub(super) unsafe fn insert(
    endpoint: Object,
    domain: Object,
    info: &Info,
    patch: fn(Table<kind::Fid>) -> Table<kind::Fid>,
) -> bool {
    if info.tx_attr.is_null() {
        return false;
    }
    // SAFETY: an info that libfabric has taken has attributes of its own structure or none, and
    // these are not null; they live as long as the info.
    let msg_order = unsafe { (*info.tx_attr).msg_order };
    // SAFETY: an endpoint has this table, a constant of its provider.
    let fid = unsafe { TableRef::of(endpoint, &FID_OPS) };
    let Some(our_fid) = fid.copy().map(patch) else {
        return false;
    };
    let new = Endpoint {
        domain: AtomicPtr::new(domain),
        caps: info.caps,
        msg_order,
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
    };
    let replace = |endpoint_data: &Endpoint| {
        // SAFETY: the endpoint is live, and has this field. Our table stays in the map until
        // `control::close` has put that of the provider back.
        unsafe { endpoint_data.our_fid.as_table().put(endpoint, &FID_OPS) };
    };
    ENDPOINTS.insert(endpoint, new, replace).is_ok()
}

/// Removes what belongs to an endpoint; gives its counters.
///
/// # Safety
///
/// Nobody uses what [`find`] has given for it any more.
pub(super) unsafe fn remove(endpoint: Object) -> [Object; 2] {
    // SAFETY: as the caller promises.
    let found = unsafe { ENDPOINTS.remove(endpoint) };
    found.map_or([ptr::null_mut(); 2], |found| {
        [&found.sends, &found.memory]
            .map(|kind| kind.counter.swap(ptr::null_mut(), Ordering::AcqRel))
    })
}

/// State of an endpoint.
pub(super) fn find(endpoint: Object) -> Option<&'static Endpoint> {
    // SAFETY: an endpoint is removed when it was closed, and libfabric forbids to close an endpoint
    // while another call on it lasts: no call that uses the answer is under way then.
    unsafe { ENDPOINTS.find(endpoint) }
}

/// Notes that something completes in a domain that was not sent through us.
pub(super) fn lose_all(domain: Object) {
    ENDPOINTS.each(|endpoint| {
        if endpoint.domain.load(Ordering::Relaxed) == domain {
            endpoint.lose();
        }
    });
}

impl Endpoint {
    /// The provider's function.
    pub(super) fn real(
        &self,
        family: Family,
        slot: &Slot<kind::Transfers, PostFn>,
    ) -> Option<PostFn> {
        self.enabled.get()?.real[family as usize].function(slot)
    }

    /// Notes that nothing can be concluded from counts any more.
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

    /// Rules that the attributes allow: for sends, and for accesses to remote memory.
    fn rules_by_attributes(&self) -> Rules {
        if self.msg_order & ORDER_ACROSS != 0 {
            return Rules {
                sends: OrderRule::LeftAlone,
                memory: OrderRule::LeftAlone,
            };
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
        Rules { sends, memory }
    }

    /// Binds the counters that are needed, unless the program has its own, before it is enabled.
    pub(super) fn count(&self, endpoint: Object) {
        let Rules { sends, memory } = self.rules_by_attributes();
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
        let domain = self.domain.load(Ordering::Relaxed);
        // SAFETY: the domain has opened this endpoint, so that libfabric keeps it open until the
        // endpoint is closed; a domain has this table, which is that of the provider or our copy.
        let of_domain = unsafe { TableRef::of(domain, &DOMAIN_OPS) };
        let (Some(open), Some(bind)) = (of_domain.function(&CNTR_OPEN), self.fid.function(&BIND))
        else {
            return;
        };
        let mut counter: Object = ptr::null_mut();
        let attributes = CntrAttr::default();
        let done = open(
            domain,
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
            // SAFETY: the provider has just opened this counter, and nobody else has it.
            unsafe { shut(counter) };
        }
    }

    /// Makes aliases after it was enabled, and puts our functions (by `patch`) in the place of the
    /// provider's.
    pub(super) fn enable(&self, endpoint: Object, patch: PatchTransfers) {
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

    fn take_over(&self, endpoint: Object, patch: PatchTransfers) {
        // SAFETY: an endpoint has these fields; the tables there are null or constants of its
        // provider.
        let real = Family::ALL.map(|family| unsafe { TableRef::of(endpoint, &family.field()) });
        let ours = Family::ALL.map(|family| Some(patch(real[family as usize].copy()?, family)));
        let enabled = self.enabled.get_or_init(|| Enabled { real, ours });
        for family in Family::ALL {
            if let Some(table) = &enabled.ours[family as usize] {
                // SAFETY: the endpoint is live, since this is a call on it, and has this field. Our
                // table stays in the map until `control::close` has put that of the provider back.
                unsafe { table.as_table().put(endpoint, &family.field()) };
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
        // SAFETY: the provider has just made the alias as a copy of this endpoint.
        unsafe { self.give_back(alias) };
        let mut class = lane.class.map_or(0, |class| class.0);
        let mut order = 0_u64;
        let is_set = (lane.class.is_none()
            || self.set(alias, FI_OPT_CXI_SET_TCLASS, (&raw mut class).cast()))
            && (!unordered || self.set(alias, FI_OPT_CXI_SET_MSG_ORDER, (&raw mut order).cast()));
        if !is_set {
            COUNTS.aliases_refused.add(1);
            // SAFETY: the provider has just made this alias, and nobody else has it.
            unsafe { shut(alias) };
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

    /// Leaves its messages alone from now on.
    pub(super) fn give_up(&self) {
        self.has_given_up.store(true, Ordering::Relaxed);
    }

    /// The aliases that it has.
    pub(super) fn aliases(&self) -> impl Iterator<Item = Object> {
        let all = self
            .aliases
            .iter()
            .map(|alias| alias.load(Ordering::Acquire));
        all.filter(|alias| !alias.is_null())
    }

    /// The provider's function of the fid.
    pub(super) fn of_fid<F: Copy>(&self, slot: &Slot<kind::Fid, F>) -> Option<F> {
        self.fid.function(slot)
    }

    /// The provider's `fi_control`.
    pub(super) fn control(&self, object: Object, command: c_int, argument: *mut c_void) -> c_int {
        match self.of_fid(&CONTROL) {
            Some(real) => real(object, command, argument),
            None => ENOSYS,
        }
    }

    /// Gives an object the provider's tables.
    ///
    /// # Safety
    ///
    /// `object` is this endpoint, or an alias that the provider has made of it, and live.
    pub(super) unsafe fn give_back(&self, object: Object) {
        // SAFETY: an endpoint and its aliases have this field, as the caller promises.
        unsafe { self.fid.put(object, &FID_OPS) };
        if let Some(enabled) = self.enabled.get() {
            for family in Family::ALL {
                // SAFETY: as above.
                unsafe { enabled.real[family as usize].put(object, &family.field()) };
            }
        }
    }

    /// Closes the aliases of the endpoint.
    ///
    /// # Safety
    ///
    /// No other call on the endpoint is under way, and none follows that would use an alias.
    pub(super) unsafe fn shut_aliases(&self) {
        for alias in &self.aliases {
            let alias = alias.swap(ptr::null_mut(), Ordering::AcqRel);
            if !alias.is_null() {
                // SAFETY: the alias was made by the provider and is closed here alone, once, since
                // it was taken out; nobody else uses it, as the caller promises.
                unsafe { shut(alias) };
            }
        }
    }
}

/// Closes an object of ours by the provider's function.
///
/// # Safety
///
/// `object` is a live object of libfabric that nobody uses afterwards.
pub(super) unsafe fn shut(object: Object) {
    // SAFETY: the object is live, as the caller promises, and begins with its fid, which has this
    // table, a constant of the provider.
    let table = unsafe { TableRef::of(object, &FID_OPS) };
    if let Some(close) = table.function(&CLOSE) {
        close(object);
    }
}
