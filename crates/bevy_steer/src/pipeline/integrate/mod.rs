//! [`SteeringSystems::Integrate`](crate::SteeringSystems::Integrate): force becomes velocity
//! becomes position.

mod columns;
mod motion;
mod motion_simd;
mod slide;
mod step;

pub(crate) use motion::move_agents;
