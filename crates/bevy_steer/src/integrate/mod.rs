//! [`SteeringSystems::Integrate`](crate::SteeringSystems::Integrate): force becomes velocity becomes place.

mod lanes;
mod motion;
mod turning;

pub(crate) use motion::move_agents;
