//! Rules of traffic classes and of congestion control, in flits and instants.

pub(crate) mod classes;
pub(crate) mod congestion;
pub(crate) mod notice_times;
