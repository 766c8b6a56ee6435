//! How the network treats the messages of a job: routing mode and traffic class.
//!
//! Mubarak et al. 2019, section VI: a class for whole applications (mechanism I) or for their
//! collectives (mechanism II). Users of a node stay unaware of either: what they send is marked
//! here on its way to the NIC.

use odonata_mpi::header::Envelope;
use odonata_network::{Endpoint, Message, Nic, NicCounters};
use odonata_registry::spelling::hint;
use odonata_units::Instant;
use odonata_workload::NodeEndpoint;

use crate::config::{Config, Job};
use crate::error::SimError;

/// Mode and classes of a job's messages.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Service {
    /// The job.
    job: u8,
    mode: u8,
    class: u8,
    collective_class: u8,
    /// Payload below which a message is small, bytes, and the class of such.
    small: Option<(u64, u8)>,
}

impl Service {
    /// That of job `index`, whose messages take routing mode `mode`.
    pub(crate) fn new(config: &Config, index: usize, mode: u8) -> Result<Self, SimError> {
        let Job {
            class,
            collective_class,
            small_class,
            ..
        } = &config.jobs[index];
        let find = |key: &str, name: &str| class_number(config, (index, key), name);
        let own = class
            .as_deref()
            .map_or_else(|| Ok(last_class(config)), |name| find("class", name))?;
        let collective = collective_class
            .as_deref()
            .map_or(Ok(own), |name| find("collective_class", name))?;
        let small = match small_class {
            Some(small) => Some((small.below_bytes, find("small_class", &small.class)?)),
            None => None,
        };
        Ok(Self {
            job: u8::try_from(index).unwrap_or(u8::MAX),
            mode,
            class: own,
            collective_class: collective,
            small,
        })
    }

    /// Class of a message of an MPI job.
    const fn class_of(&self, message: &Message) -> u8 {
        let envelope = Envelope::decode(&message.header);
        if envelope.context & 1 == 1 {
            return self.collective_class;
        }
        match self.small {
            Some((below, class)) if envelope.bytes < below => class,
            _ => self.class,
        }
    }
}

fn last_class(config: &Config) -> u8 {
    let classes = config
        .system
        .qos
        .as_ref()
        .map_or(1, |qos| qos.classes.len());
    u8::try_from(classes.saturating_sub(1)).unwrap_or(u8::MAX)
}

fn class_number(config: &Config, (index, key): (usize, &str), name: &str) -> Result<u8, SimError> {
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

/// A user of a node, and how its messages are treated.
pub(crate) struct Served {
    pub(crate) endpoint: NodeEndpoint,
    pub(crate) service: Service,
    /// Those of the other jobs that share the node.
    pub(crate) others: Vec<Service>,
}

impl Served {
    /// A node that nobody uses.
    pub(crate) fn idle() -> Self {
        Self {
            endpoint: NodeEndpoint::Idle,
            service: Service::default(),
            others: Vec::new(),
        }
    }
}

/// A NIC that marks what a rank sends.
struct Marking<'a, N> {
    nic: &'a mut N,
    service: Service,
    others: &'a [Service],
}

impl<N: Nic> Nic for Marking<'_, N> {
    #[inline]
    fn send(&mut self, message: Message) {
        let mut others = self.others.iter();
        let other = others.find(|service| service.job == message.job);
        let service = other.unwrap_or(&self.service);
        self.nic.send(Message {
            mode: service.mode,
            class: service.class_of(&message),
            ..message
        });
    }

    #[inline]
    fn counters(&self) -> NicCounters {
        self.nic.counters()
    }
}

impl Endpoint for Served {
    #[inline]
    fn next_wake(&self) -> Instant {
        self.endpoint.next_wake()
    }

    #[inline]
    fn wake(&mut self, now: Instant, nic: &mut impl Nic) {
        let (service, others) = (self.service, &self.others[..]);
        self.endpoint.wake(
            now,
            &mut Marking {
                nic,
                service,
                others,
            },
        );
    }

    #[inline]
    fn deliver(&mut self, now: Instant, message: &Message) {
        self.endpoint.deliver(now, message);
    }

    #[inline(always)]
    fn pull(&mut self) -> Option<(Instant, Message)> {
        let (created, mut message) = self.endpoint.pull()?;
        message.mode = self.service.mode;
        message.class = match self.service.small {
            Some((below, class)) if message.bytes < below => class,
            _ => self.service.class,
        };
        Some((created, message))
    }

    #[inline]
    fn is_finished(&self) -> bool {
        self.endpoint.is_finished()
    }
}

#[cfg(test)]
mod tests {
    use super::Service;
    use odonata_mpi::header::{Envelope, MessageKind};
    use odonata_network::Message;
    use odonata_units::NodeId;

    fn message(context: u32, bytes: u64) -> Message {
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
        }
    }

    #[test]
    fn collectives_then_size_then_job() {
        let service = Service {
            job: 0,
            mode: 0,
            class: 3,
            collective_class: 1,
            small: Some((100, 2)),
        };
        let class = |context, bytes| service.class_of(&message(context, bytes));
        assert_eq!((class(1, 8), class(1, 1_000)), (1, 1), "collectives");
        assert_eq!((class(0, 99), class(2, 100)), (2, 3), "by payload");
        let plain = Service {
            small: None,
            ..service
        };
        assert_eq!(plain.class_of(&message(0, 0)), 3);
    }
}
