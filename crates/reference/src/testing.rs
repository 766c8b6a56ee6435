//! What tests of both simulators need: endpoints, traffic, parameters, random scenarios, theory.
//!
//! ```text
//!   Scenario::random(seed) --> shape, routing, parameters, traffic
//!          | build()
//!          v
//!   topology, routing, Vec<TestEndpoint> --> engine and reference model --> records, arrivals: equal?
//! ```
//!
//! Everything is reproducible from a number, and everything an endpoint sees is kept, so that two
//! simulators can be compared by `==` on their records and their endpoints.

mod dice;
mod draw_changes;
mod draw_plant;
mod endpoint;
mod engine;
mod parameters;
mod plant;
mod scenario;
pub mod theory;
mod traffic;
mod ways;

pub use endpoint::{Arrival, MessageSizes, Mix, OpenLoop, Pattern, Rhythm, TestEndpoint, message};
pub use engine::{Guest, guests, network, observe, simulate_recorded};
pub use parameters::{booksim, codes_dally, gigabytes, kang2022, shape_of_1056};
pub use plant::{Family, Plant};
pub use scenario::{Scenario, System, entries};
pub use traffic::{Traffic, many_to_one, open_loop, ping_pong};
pub use ways::{modes, routing};
