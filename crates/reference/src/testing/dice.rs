//! Random choices: parameters and traffic.

#![expect(
    clippy::cast_possible_truncation,
    reason = "lists of choices are short"
)]

use odonata_network::{
    Abate, AbateShare, Arbitration, Architecture, ClassShare, Control, CreditReturn, Delivery,
    GetData, LinkParameters, Monitor, Nscc, Pace, Parameters, Qos, Rccc, Switching,
};
use odonata_units::{Bandwidth, NodeId, Span, Stream};

use crate::testing::endpoint::{MessageSizes, Pattern, Rhythm};
use crate::testing::parameters::gigabytes;
use crate::testing::traffic::Traffic;

/// Random choices.
pub(super) struct Dice(pub(super) Stream);

/// Links that all have the same latency.
const fn alike(bandwidth: Bandwidth, latency: Span) -> LinkParameters {
    LinkParameters {
        bandwidth,
        latency,
        longest: latency,
    }
}

impl Dice {
    pub(super) fn between(&mut self, least: u32, most: u32) -> u32 {
        least + self.0.below(most - least + 1)
    }

    pub(super) fn chance(&mut self, percent: u32) -> bool {
        self.0.below(100) < percent
    }

    pub(super) fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.0.below(choices.len() as u32) as usize]
    }

    fn bandwidths(&mut self) -> [Bandwidth; 5] {
        // One with a flit time that is no whole number of picoseconds.
        let rates = [
            gigabytes(4),
            gigabytes(25),
            gigabytes(50),
            gigabytes(7),
            gigabytes(100),
        ];
        let one = self.pick(&rates);
        if self.chance(50) {
            [one; 5]
        } else {
            [0; 5].map(|_| self.pick(&rates))
        }
    }

    /// A latency: tiny, short or long; odd or round.
    fn latency(&mut self, scale: u32) -> Span {
        match scale {
            // The engine refuses delays below 16 ps, and is slow when they are hardly more.
            0 => Span::from_ps(self.between(70, 300).into()),
            1 => Span::from_ps(self.between(300, 20_000).into()),
            2 => Span::from_ns(self.between(1, 30).into()),
            _ => Span::from_ns(self.between(30, 300).into()),
        }
    }

    /// Sometimes links between routers whose latencies differ within a kind.
    pub(super) fn cables(&mut self, parameters: &mut Parameters) {
        if self.chance(65) {
            return;
        }
        parameters.groups_per_row = self.between(1, 7);
        let links = [
            &mut parameters.local,
            &mut parameters.row,
            &mut parameters.column,
            &mut parameters.global,
        ];
        for link in links {
            if self.chance(75) {
                let eighths = u64::from(self.between(0, 40));
                link.longest = Span::from_ps(link.latency.ps() * (8 + eighths) / 8);
            }
        }
    }

    fn latency_or_zero(&mut self, scale: u32) -> Span {
        if self.chance(25) {
            Span::ZERO
        } else {
            self.latency(scale)
        }
    }

    fn buffer(&mut self, packet_flits: u32) -> u32 {
        match self.0.below(3) {
            0 => packet_flits * self.between(1, 3),
            1 => packet_flits + self.between(0, 3 * packet_flits),
            _ => packet_flits * self.between(10, 60),
        }
    }

    pub(super) fn parameters(&mut self, seed: u64) -> Parameters {
        let scale = self.pick(&[0, 1, 1, 2, 2, 2, 3]);
        let [host, local, row, column, global] =
            (self.bandwidths()).map(|bandwidth| alike(bandwidth, self.latency(scale)));
        let flit_bytes = self.pick(&[6, 8, 32, 100, 128]);
        let full = flit_bytes * self.between(1, 8);
        // Sometimes the last flit of the largest packet is partly empty.
        let packet_bytes = if self.chance(25) {
            full - self.0.below(flit_bytes)
        } else {
            full
        };
        let header_bytes = if self.chance(50) {
            0
        } else {
            self.0.below(packet_bytes.min(16))
        };
        let packet_flits = packet_bytes.div_ceil(flit_bytes);
        let architecture = self.pick(&[Architecture::Voq, Architecture::Cioq]);
        let (response_bytes, outstanding) = self.responses(packet_bytes);
        let get_data = if self.chance(60) {
            GetData::Responses
        } else {
            GetData::Requests
        };
        Parameters {
            host,
            local,
            row,
            column,
            global,
            groups_per_row: 1,
            architecture,
            router_latency: self.latency_or_zero(scale),
            credit_delay: self.latency_or_zero(scale),
            input_buffer_flits: self.input_buffers(packet_flits),
            output_buffer_flits: self.buffer(packet_flits),
            speedup: self.between(1, 4),
            arbitration: self.pick(&[
                Arbitration::RoundRobin,
                Arbitration::OldestFirst,
                Arbitration::HighestVc,
                Arbitration::LowestVc,
            ]),
            credit_return: if architecture == Architecture::Voq && self.chance(33) {
                CreditReturn::Reservation
            } else {
                CreditReturn::Departure
            },
            switching: self.pick(&[
                Switching::CutThrough,
                Switching::CutThrough,
                Switching::StoreAndForward,
            ]),
            packet_bytes,
            largest_multiple: 1,
            flit_bytes,
            header_bytes,
            delivery: self.pick(&[Delivery::Tail, Delivery::Tail, Delivery::Head]),
            nic_buffer_packets: self.pick(&[1, 2, 3, 30]),
            nic_queues: self.pick(&[1, 1, 2, 3, 48]),
            response_bytes,
            outstanding,
            get_data,
            get_behind: 0,
            qos: self.qos(host.bandwidth.serialization(packet_bytes.into())),
            control: self.pace(packet_bytes).map(Control::Pace),
            seed,
        }
    }

    /// Lets packets stand for several full ones, where buffers have room for them.
    pub(super) fn large_packets(&mut self, parameters: &mut Parameters) {
        parameters.largest_multiple = self.pick(&[2, 3, 7]);
        let least = parameters.largest_flits();
        let depths = parameters.input_buffer_flits.iter_mut();
        for depth in depths.chain([&mut parameters.output_buffer_flits]) {
            *depth = least.max(*depth);
        }
    }

    /// `[node]`: how many of them its packets stand for at most.
    pub(super) fn packet_multiples(&mut self, nodes: usize, largest: u16) -> Vec<u16> {
        let all = 0..nodes;
        all.map(|_| self.pick(&[1, 2, largest]).min(largest))
            .collect()
    }

    fn input_buffers(&mut self, packet_flits: u32) -> [u32; 5] {
        let one = self.buffer(packet_flits);
        if self.chance(60) {
            [one; 5]
        } else {
            [0; 5].map(|_| self.buffer(packet_flits))
        }
    }

    /// Bytes of a response and most requests outstanding.
    fn responses(&mut self, packet_bytes: u32) -> (u32, u32) {
        if self.chance(60) {
            return (0, 0);
        }
        let bytes = self.between(1, packet_bytes);
        (bytes, self.pick(&[0, 1, 2, 3, 8, 50]))
    }

    /// Pacing that begins at once or late, for packets of any length.
    fn pace(&mut self, packet_bytes: u32) -> Option<Pace> {
        self.chance(40).then(|| Pace {
            least_sources: self.pick(&[2, 2, 3, 6]),
            queue_flits: self.pick(&[1, 4, 20, 200]),
            pause: self.pick(&[0, 1, 4, 16]),
            spread_milli: self.pick(&[0, 0, 250, 1_000, 4_000]),
            expiry_milli: self.pick(&[375, 1_500, 5_000, 20_000]),
            smallest_bytes: self.pick(&[0, 16, packet_bytes / 2, packet_bytes]),
        })
    }

    /// Receiver credit for round trips of any length, or for that of the network.
    pub(super) fn credit(&mut self) -> Rccc {
        Rccc {
            round_trip: self
                .chance(40)
                .then(|| Span::from_ns(self.pick(&[20, 50, 300, 1_000]))),
            window_milli: self.pick(&[0, 375, 1_500, 6_000]),
            rate_milli: self.pick(&[250, 900, 990, 1_000, 4_000]),
            pull: self.pick(&[1, 1, 2, 4, 16]),
        }
    }

    /// Ejection matching that begins at once or late, over periods of any length.
    pub(super) fn abatement(&mut self) -> Abate {
        let on_milli = self.pick(&[0, 10, 100, 300]);
        Abate {
            on_milli,
            off_milli: self.pick(&[0, 10, 50, 300]),
            hold_milli: self.pick(&[0, 500, 2_000, 8_000]),
            aggressor_milli: self.pick(&[0, 25, 100, 400, 1_000]),
            share: self.pick(&[AbateShare::Exact, AbateShare::Exact, AbateShare::Codes]),
            period: Span::from_ns(self.pick(&[20, 100, 1_000, 10_000])),
            periods: self.pick(&[1, 2, 5, 20]),
            floor_ppm: self.pick(&[2_500, 10_000, 40_000, 200_000]),
        }
    }

    /// Windows for round trips of any length, or for that of the network.
    pub(super) fn windows(&mut self) -> Nscc {
        let mark_from_milli = self.pick(&[0, 50, 200, 800]);
        Nscc {
            round_trip: self
                .chance(40)
                .then(|| Span::from_ns(self.pick(&[50, 300, 1_000, 5_000]))),
            target_milli: self.pick(&[10, 250, 1_000, 4_000]),
            free_delay: Span::from_ns(self.pick(&[0, 20, 250, 1_000])),
            adjust_bytes: self.pick(&[1, 500, 8_320, 33_280]),
            average: self.pick(&[1, 4, 20, 80]),
            window_milli: self.pick(&[0, 375, 1_500, 6_000]),
            mark_from_milli,
            mark_to_milli: mark_from_milli + self.pick(&[0, 1, 100, 600]),
            forget_milli: self.pick(&[0, 500, 2_000, 16_000]),
        }
    }

    /// Up to three classes; windows of a few packets, so that caps bind, or of many.
    fn qos(&mut self, packet: Span) -> Qos {
        let classes = self.pick(&[1, 1, 2, 3]);
        let windows = [
            packet * u64::from(self.between(1, 10)),
            packet * u64::from(self.between(10, 100)),
            Span::from_ns(1_000),
        ];
        let mut shares = Qos::NONE.shares;
        for share in &mut shares[..classes] {
            let caps = [1, 50_000, 100_000, 333_333, 500_000, 800_000, 1_000_000];
            *share = ClassShare::cap(self.pick(&caps));
        }
        Qos {
            classes: classes as u8,
            window: self.pick(&windows),
            monitor: self.pick(&[Monitor::Static, Monitor::Sliding, Monitor::TokenBucket]),
            shares,
        }
    }

    /// Two classes or more, at most `most`, with assured shares, ceilings and priorities.
    pub(super) fn shares(&mut self, qos: &mut Qos, most: u8) {
        qos.classes = self.between(2, 4).min(u32::from(most.max(1))) as u8;
        for share in &mut qos.shares[..usize::from(qos.classes)] {
            let priority = self.pick(&[1, 2, 2, 7]);
            *share = ClassShare {
                assured_ppm: self.pick(&[1, 50_000, 200_000, 400_000]),
                fabric_ppm: self.pick(&[1, 100_000, 300_000]),
                ceiling_ppm: self.pick(&[1_000_000, 1_000_000, 800_000, 300_000, 50_000]),
                priority,
                response_priority: self.pick(&[priority, priority - 1]),
            };
        }
    }

    pub(super) fn traffic(&mut self, parameters: &Parameters, nodes: u32) -> Traffic {
        let payload = u64::from(parameters.packet_bytes - parameters.header_bytes);
        let bytes = match self.0.below(3) {
            0 => MessageSizes::all(payload),
            1 => MessageSizes::between(1, payload * 3),
            _ => MessageSizes::between(payload, payload * 20),
        };
        match self.0.below(4) {
            0 => Traffic::PingPong {
                serves: self.between(1, 6),
                rallies: self.between(0, 10).into(),
                reaction: self.latency_or_zero(1),
                bytes,
            },
            1 => Traffic::ManyToOne {
                bursts: self.between(1, 4),
                gap: Span::from_ns(self.between(0, 500).into()),
                bytes,
            },
            _ => {
                let hot = NodeId(self.0.below(nodes));
                let shift = self.between(1, nodes.max(2) - 1);
                let patterns = [
                    Pattern::Uniform,
                    Pattern::Uniform,
                    Pattern::Shift(shift),
                    Pattern::HotSpot(hot),
                ];
                Traffic::OpenLoop {
                    pattern: self.pick(&patterns),
                    rhythm: self.pick(&[Rhythm::Exponential, Rhythm::Fixed, Rhythm::Slotted]),
                    load: self.pick(&[0.1, 0.5, 0.9, 1.0, 1.3]),
                    bytes,
                }
            }
        }
    }

    /// Messages that are answered at least once.
    pub(super) fn rallies(&mut self, parameters: &Parameters) -> Traffic {
        let payload = u64::from(parameters.packet_bytes - parameters.header_bytes);
        let sizes = [
            MessageSizes::all(1),
            MessageSizes::between(1, payload),
            MessageSizes::between(1, payload * 3),
            MessageSizes::between(payload, payload * 20),
        ];
        Traffic::PingPong {
            serves: self.between(1, 8),
            rallies: self.between(1, 10).into(),
            reaction: self.latency_or_zero(1),
            bytes: self.pick(&sizes),
        }
    }

    /// Time for a few dozen packets per node.
    pub(super) fn duration(&mut self, parameters: &Parameters, traffic: &Traffic) -> Span {
        let flits = parameters.packet_bytes.div_ceil(parameters.flit_bytes);
        let work = u64::from(flits * parameters.flit_bytes);
        let packet = parameters.host.bandwidth.serialization(work);
        let packets = match traffic {
            Traffic::OpenLoop { .. } => self.between(20, 80),
            Traffic::PingPong { .. } | Traffic::ManyToOne { .. } => self.between(50, 300),
        };
        packet * u64::from(packets)
    }
}
