//! How the network treats the messages of a job: routing mode and traffic class.
//!
//! Mubarak et al. 2019, section VI: a class for whole applications (mechanism I) or for their
//! collectives (mechanism II). Users of a node stay unaware of either: what they send is marked
//! here on its way to the NIC.

use std::sync::Arc;

use odonata_endpoint::{Endpoint, Message, Nic, NicCounters};
use odonata_mpi::header::{self, Envelope};
use odonata_policy::{BEST_EFFORT, BULK_DATA, LOW_LATENCY, TrafficClassName};
use odonata_registry::spelling::hint;
use odonata_units::Instant;
use odonata_workload::NodeEndpoint;

use crate::build::machine::Turn;
use crate::config::{Config, Job};
use crate::error::SimError;
use crate::policy::interface::Class;
use crate::policy::steering::{Steering, Steerings};

/// Mode and classes of a job's messages.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Service {
    /// The job.
    job: u8,
    /// `[turn]`: modes that take turns from iteration to iteration, mostly one; none: as the
    /// policy of the job decides.
    turns: Arc<[Option<Turn>]>,
    class: u8,
    collective_class: u8,
    /// Payload below which a message is small, bytes, and the class of such.
    small: Option<(u64, u8)>,
}

impl Service {
    /// The service of job `index`, whose messages take these modes in turn.
    pub(crate) fn new(
        config: &Config,
        index: usize,
        turns: Arc<[Option<Turn>]>,
    ) -> Result<Self, SimError> {
        let Job {
            class,
            collective_class,
            small_class,
            ..
        } = &config.jobs[index];
        let find = |key: &str, name: &str| class_number(config, index, key, name);
        let own = class
            .as_deref()
            .map_or_else(|| Ok(default_class(config)), |name| find("class", name))?;
        let collective = collective_class
            .as_deref()
            .map_or(Ok(own), |name| find("collective_class", name))?;
        let small = match small_class {
            Some(small) => Some((small.below_bytes, find("small_class", &small.class)?)),
            None => None,
        };
        Ok(Self {
            job: u8::try_from(index).unwrap_or(u8::MAX),
            turns,
            class: own,
            collective_class: collective,
            small,
        })
    }

    /// The mode of the turn that `message` belongs to; `None`: the policy decides.
    fn mode_of(&self, message: &Message) -> Option<u8> {
        let Some(turn) = self.turns.get(usize::from(message.mode)) else {
            return Some(0);
        };
        let Turn { mode, alltoall } = (*turn)?;
        let is_apart = mode != alltoall && Envelope::decode(&message.header).alltoall;
        Some(if is_apart { alltoall } else { mode })
    }

    /// The mode of what belongs to no alltoall, in the first turn.
    fn first_mode(&self) -> u8 {
        let turn = self.turns.first().copied().flatten();
        turn.map_or(0, |turn| turn.mode)
    }

    /// Class of a message of an MPI job.
    const fn class_of(&self, message: &Message) -> u8 {
        let envelope = Envelope::decode(&message.header);
        if envelope.context & 1 == 1 {
            return self.collective_class;
        }
        self.class_of_bytes(envelope.bytes)
    }

    /// Class of a message of so many bytes.
    const fn class_of_bytes(&self, bytes: u64) -> u8 {
        match self.small {
            Some((below, class)) if bytes < below => class,
            _ => self.class,
        }
    }
}

/// The class of messages that ask for none: best effort by name, otherwise the last one.
pub(crate) fn default_class(config: &Config) -> u8 {
    class_called(config, BEST_EFFORT).unwrap_or_else(|| last_class(config))
}

/// The class of this name, if the system has it.
pub(crate) fn class_called(config: &Config, class: TrafficClassName) -> Option<u8> {
    let classes = &config.system.qos.as_ref()?.classes;
    let found = classes.iter().position(|one| one.name == class.name);
    found.and_then(|number| u8::try_from(number).ok())
}

pub(crate) fn last_class(config: &Config) -> u8 {
    let classes = config
        .system
        .qos
        .as_ref()
        .map_or(1, |qos| qos.classes.len());
    u8::try_from(classes.saturating_sub(1)).unwrap_or(u8::MAX)
}

/// The number of a class that a send mode of a policy of job `index` asks for.
pub(crate) fn class_of_mode(config: &Config, index: usize, class: &Class) -> Result<u8, SimError> {
    match class {
        Class::Urgent => Ok(class_called(config, LOW_LATENCY).unwrap_or(0)),
        Class::Bulk => Ok(class_called(config, BULK_DATA).unwrap_or_else(|| last_class(config))),
        Class::Named(name, key) => class_number(config, index, &format!("policy.{key}"), name),
    }
}

pub(crate) fn class_number(
    config: &Config,
    index: usize,
    key: &str,
    name: &str,
) -> Result<u8, SimError> {
    let path = format!("jobs[{index}].{key}");
    let Some(qos) = &config.system.qos else {
        let message = format!(
            "`{name}` is a traffic class, but the system has none; add [system.qos] with `classes`, \
             or leave `{key}` out"
        );
        return Err(SimError::new(path, message));
    };
    let names = || qos.classes.iter().map(|class| class.name.as_str());
    let found = names().position(|known| known == name);
    found
        .and_then(|number| u8::try_from(number).ok())
        .ok_or_else(|| {
            let hint = hint(name, names());
            let known = names().collect::<Vec<_>>().join(", ");
            SimError::new(
                path,
                format!("there is no traffic class `{name}`{hint}; [system.qos] has {known}"),
            )
        })
}

/// Mode and class of all messages of an endpoint that is asked for them: they differ in nothing but
/// their targets.
#[derive(Clone, Copy, Debug, Default)]
struct Pulled {
    mode: u8,
    class: u8,
}

/// A user of a node, and how its messages are treated. What every message of open-loop traffic
/// touches comes first.
#[repr(C)]
pub(crate) struct Served {
    pulled: Pulled,
    /// Deciders on messages, where a job has a policy.
    pub(crate) steering: Option<Box<Steerings>>,
    pub(crate) endpoint: NodeEndpoint,
    pub(crate) service: Service,
    /// The services of the other jobs that share the node.
    pub(crate) others: Vec<Service>,
}

impl Served {
    /// A node that nobody uses.
    pub(crate) fn idle() -> Self {
        Self::new(NodeEndpoint::Idle, Service::default())
    }

    /// A node that one job uses.
    pub(crate) fn new(endpoint: NodeEndpoint, service: Service) -> Self {
        let pulled = endpoint.message_bytes().map(|bytes| Pulled {
            mode: service.first_mode(),
            class: service.class_of_bytes(bytes),
        });
        Self {
            pulled: pulled.unwrap_or_default(),
            steering: None,
            endpoint,
            service,
            others: Vec::new(),
        }
    }

    /// Takes in and gives out what has waited for the end of a reading of counters.
    fn catch_up(&mut self, now: Instant, nic: &mut impl Nic) {
        let Some(steerings) = &mut self.steering else {
            return;
        };
        for (job, steering) in steerings.each_mut() {
            while let Some(message) = steering.noticed(now) {
                self.endpoint.deliver(now, &message);
            }
            let service = service_of(&self.service, &self.others, job);
            while let Some(message) = steering.released(now) {
                post(service, Some(&mut *steering), now, message, nic);
            }
        }
    }

    /// Decider of the job of the rank that a message is for.
    fn steering_of(&mut self, message: &Message) -> Option<&mut Steering> {
        let steerings = self.steering.as_mut()?;
        let job = self.endpoint.job_at(header::local_rank(&message.header));
        steerings.of_mut(job.unwrap_or(self.service.job))
    }
}

/// The service of a job; where a node has but one job, messages need not say whose they are.
#[inline]
fn service_of<'a>(own: &'a Service, others: &'a [Service], job: u8) -> &'a Service {
    let other = others.iter().find(|one| one.job == job);
    other.unwrap_or(own)
}

/// Gives a message to the NIC, marked.
#[inline]
fn post(
    service: &Service,
    steering: Option<&mut Steering>,
    now: Instant,
    mut message: Message,
    nic: &mut impl Nic,
) {
    message.class = service.class_of(&message);
    match (service.mode_of(&message), steering) {
        (None, Some(steering)) => steering.post(now, message, nic),
        (mode, steering) => {
            if let Some(steering) = steering {
                steering.passed_by(now, message.nic, nic);
            }
            message.mode = mode.unwrap_or(0);
            nic.send(message);
        }
    }
}

/// A NIC that marks what a rank sends.
struct Marking<'a, N> {
    now: Instant,
    nic: &'a mut N,
    service: &'a Service,
    others: &'a [Service],
    steering: Option<&'a mut Steerings>,
}

impl<N: Nic> Nic for Marking<'_, N> {
    #[inline]
    fn send(&mut self, message: Message) {
        let service = service_of(self.service, self.others, message.job);
        let mut steering = match &mut self.steering {
            None => None,
            Some(steerings) => steerings.of_mut(service.job),
        };
        if let Some(steering) = &mut steering
            && steering.delays(self.now, message)
        {
            return;
        }
        post(service, steering, self.now, message, self.nic);
    }

    #[inline]
    fn counters(&self, nic: u8) -> NicCounters {
        self.nic.counters(nic)
    }
}

impl Endpoint for Served {
    #[inline]
    fn next_wake(&self) -> Instant {
        let own = self.endpoint.next_wake();
        match &self.steering {
            None => own,
            Some(steering) => own.min(steering.next_wake()),
        }
    }

    #[inline]
    fn wake(&mut self, now: Instant, nic: &mut impl Nic) {
        if self.steering.is_some() {
            self.catch_up(now, nic);
            if self.endpoint.next_wake() > now {
                return;
            }
        }
        let mut marking = Marking {
            now,
            nic,
            service: &self.service,
            others: &self.others,
            steering: self.steering.as_deref_mut(),
        };
        self.endpoint.wake(now, &mut marking);
    }

    #[inline]
    fn deliver(&mut self, now: Instant, message: &Message) {
        if self.steering.is_some()
            && let Some(steering) = self.steering_of(message)
            && steering.holds(now, message)
        {
            return;
        }
        self.endpoint.deliver(now, message);
    }

    #[inline(always)]
    fn pull(&mut self) -> Option<(Instant, Message)> {
        let (created, message) = self.endpoint.pull()?;
        let Pulled { mode, class } = self.pulled;
        Some((
            created,
            Message {
                mode,
                class,
                ..message
            },
        ))
    }

    #[inline]
    fn is_finished(&self) -> bool {
        let has_sent = self
            .steering
            .as_ref()
            .is_none_or(|steering| steering.is_empty());
        has_sent && self.endpoint.is_finished()
    }
}

#[cfg(test)]
mod tests {
    use super::{Service, Turn};
    use odonata_endpoint::{Message, Role};
    use odonata_mpi::header::{Envelope, MessageKind};
    use odonata_units::NodeId;

    fn message(context: u32, bytes: u64) -> Message {
        part_of(context, bytes, false)
    }

    fn part_of(context: u32, bytes: u64, alltoall: bool) -> Message {
        let envelope = Envelope {
            kind: MessageKind::Eager,
            context,
            tag: 0,
            source: 0,
            sequence: 0,
            bytes,
            send_slot: 0,
            receive_slot: 0,
            repetition: 0,
            alltoall,
        };
        Message {
            source: NodeId(0),
            target: NodeId(1),
            bytes: bytes + 45,
            header: envelope.encode(0),
            mode: 0,
            class: 0,
            sender: 0,
            nic: 0,
            job: 0,
            role: Role::Request,
            is_ordered: false,
        }
    }

    #[test]
    fn collectives_then_size_then_job() {
        let service = Service {
            job: 0,
            turns: [Some(Turn {
                mode: 0,
                alltoall: 0,
            })]
            .into(),
            class: 3,
            collective_class: 1,
            small: Some((100, 2)),
        };
        let class = |context, bytes| service.class_of(&message(context, bytes));
        assert_eq!((class(1, 8), class(1, 1_000)), (1, 1), "collectives");
        assert_eq!((class(0, 99), class(2, 100)), (2, 3), "by payload");
        let plain = Service {
            small: None,
            ..service.clone()
        };
        assert_eq!(plain.class_of(&message(0, 0)), 3);
    }

    #[test]
    fn alltoalls_have_the_mode_of_their_turn() {
        let turn = |mode, alltoall| Some(Turn { mode, alltoall });
        let service = Service {
            turns: [turn(4, 5), turn(6, 6), None].into(),
            ..Service::default()
        };
        let mode = |turn, alltoall| {
            service.mode_of(&Message {
                mode: turn,
                ..part_of(1, 8, alltoall)
            })
        };
        assert_eq!((mode(0, false), mode(0, true)), (Some(4), Some(5)));
        assert_eq!((mode(1, false), mode(1, true)), (Some(6), Some(6)));
        assert_eq!(
            (mode(2, false), mode(2, true)),
            (None, None),
            "the policy decides"
        );
    }
}
