//! [`SteeringSystems::Integrate`](crate::SteeringSystems::Integrate): force becomes velocity becomes place.

mod motion;
mod turning;

pub(crate) use motion::move_agents;
