//! [`SteeringSystems::Integrate`](crate::SteeringSystems::Integrate): force becomes velocity becomes place.

mod motion;
mod motion_simd;
mod turning;

pub(crate) use motion::move_agents;
