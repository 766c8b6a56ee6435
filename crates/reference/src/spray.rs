//! Spraying at the NIC: `docs/model/routing.md`, section of that name.

use odonata_endpoint::Endpoint;
use odonata_units::GroupId;

use crate::sender::{Scores, Sprayer};
use crate::simulation::Simulation;

impl<E: Endpoint> Simulation<'_, E> {
    /// A packet of a message starts: its NIC decides on its path.
    pub(crate) fn spray(&mut self, node: usize, packet: usize) {
        let packet = &mut self.packets[packet];
        let (mode, own) = (packet.route.mode, &self.own_routing[0]);
        let goes_down = !self.rerouting.is_empty();
        let Some(spray) = own.spray(mode).filter(|_| !goes_down) else {
            return;
        };
        if self.window_numbers.is_none() || packet.transfer.is_none() {
            return;
        }
        let [from, to] = [packet.source, packet.target].map(|node| self.topology.router_of(node));
        let thirds = own.third_groups(from, to);
        if thirds.is_empty() {
            return;
        }
        let Sprayer { draws, scores } = &mut self.nodes[node].sprayer;
        let known = scores.entry((mode, self.topology.group_of(to)));
        let scores = known.or_insert_with(|| Scores {
            minimal: spray.top_score,
            over: thirds
                .iter()
                .map(|group| (*group, spray.top_score))
                .collect(),
        });
        let alike: u32 = thirds.iter().map(|_| scores.minimal).sum();
        let minimal = alike * spray.minimal_percent / 100;
        let mut sum = minimal;
        let drawn = draws.below(minimal + scores.over.iter().map(|(_, score)| score).sum::<u32>());
        let is_it = |(_, score): &&(GroupId, u32)| {
            sum += score;
            sum > drawn
        };
        let chosen = if drawn < minimal {
            None
        } else {
            scores.over.iter().find(is_it)
        };
        let via = chosen.map(|(group, _)| self.topology.first_router(*group));
        packet.travel.decide(via);
    }

    /// The acknowledgement of a packet arrives at its NIC.
    pub(crate) fn heed_path(&mut self, node: usize, packet: usize) {
        let packet = &self.packets[packet];
        let mode = packet.route.mode;
        let to = self.topology.group_of_node(packet.target);
        let scores = &mut self.nodes[node].sprayer.scores;
        let (Some(spray), Some(scores)) =
            (self.own_routing[0].spray(mode), scores.get_mut(&(mode, to)))
        else {
            return;
        };
        let over = self.topology.group_of(packet.travel.over());
        let mut paths = scores.over.iter_mut();
        let score = match packet.travel.is_nonminimal() {
            false => Some(&mut scores.minimal),
            true => paths.find_map(|(group, score)| (*group == over).then_some(score)),
        };
        if let Some(score) = score {
            let cut = (*score * spray.mark_cut).div_ceil(100);
            *score = match packet.is_marked {
                true => (*score - cut).max(1),
                false => spray.top_score.min(*score + 1),
            };
        }
    }
}
