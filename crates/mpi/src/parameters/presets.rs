//! The presets: costs of known MPI libraries and simulators.

use odonata_units::Span;

use super::MpiParameters;
use crate::collective::{Algorithm, CollectiveKind};

const fn ns(ns: u64) -> Span {
    Span::from_ns(ns)
}

impl MpiParameters {
    pub(super) const fn firefly_kang2022() -> Self {
        Self {
            eager_limit: 12_000,
            call_enter: ns(30),
            call_return: ns(30),
            send_setup: ns(13),
            send_envelope: 32,
            send_copy_per_byte: Span::from_ps(344),
            receive_setup: ns(10),
            receive_copy: Span::from_ps(344),
            receive_copy_per_byte: Span::ZERO,
            match_each: ns(15),
            register: ns(300),
            register_per_page: ns(10),
            page: 4096,
            acknowledge: Span::ZERO,
            host_to_nic: ns(5),
            nic_to_host: ns(5),
            nic_send: ns(5),
            nic_send_per_byte: Span::ZERO,
            nic_match: ns(10),
            nic_match_limit: 512,
            nic_get: ns(200),
            eager_header: 45,
            rts_header: 45,
            get_header: 13,
            data_header: 13,
            ack_header: 15,
            algorithms: CollectiveKind::defaults(),
        }
    }

    /// CODES, model-net-mpi-replay: every message, control messages included, starts 10 + 2,500 +
    /// 1,000 ns after its call; the payload of an eager one delays it by 0.55 ns a byte more;
    /// below 8,192 B is eager; control messages of a rendezvous have 64 B; nothing else costs time.
    /// Collectives of its online workloads: MPICH's allreduce, the dissemination barrier.
    pub(super) const fn codes() -> Self {
        let leg = ns(10 + 2_500 + 1_000);
        let mut parameters = Self::ideal();
        parameters.eager_limit = 8_191;
        parameters.host_to_nic = leg;
        parameters.nic_send_per_byte = Span::from_ps(550);
        parameters.nic_get = leg;
        parameters.rts_header = 64;
        parameters.get_header = 64;
        parameters.algorithms[CollectiveKind::Allreduce.index()] = Algorithm::Mpich;
        parameters.algorithms[CollectiveKind::Barrier.index()] = Algorithm::Dissemination;
        parameters
    }

    pub(super) const fn ideal() -> Self {
        Self {
            eager_limit: u64::MAX,
            call_enter: Span::ZERO,
            call_return: Span::ZERO,
            send_setup: Span::ZERO,
            send_envelope: 0,
            send_copy_per_byte: Span::ZERO,
            receive_setup: Span::ZERO,
            receive_copy: Span::ZERO,
            receive_copy_per_byte: Span::ZERO,
            match_each: Span::ZERO,
            register: Span::ZERO,
            register_per_page: Span::ZERO,
            page: 4096,
            acknowledge: Span::ZERO,
            host_to_nic: Span::ZERO,
            nic_to_host: Span::ZERO,
            nic_send: Span::ZERO,
            nic_send_per_byte: Span::ZERO,
            nic_match: Span::ZERO,
            nic_match_limit: 0,
            nic_get: Span::ZERO,
            eager_header: 0,
            rts_header: 0,
            get_header: 0,
            data_header: 0,
            ack_header: 0,
            algorithms: CollectiveKind::defaults(),
        }
    }
}
