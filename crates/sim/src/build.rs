//! From a configuration to a machine with its jobs.

pub(crate) mod cables;
pub(crate) mod demand;
pub(crate) mod events;
pub(crate) mod hosts;
pub(crate) mod inputs;
pub(crate) mod jobs;
pub(crate) mod learned;
pub(crate) mod limits;
pub(crate) mod machine;
pub(crate) mod memory;
pub(crate) mod out_of_service;
pub(crate) mod pattern_limit;
pub(crate) mod service;
pub(crate) mod shape;
pub(crate) mod sites;
pub(crate) mod sources;
pub(crate) mod topology;
