//! [`SteeringSystems::Integrate`](crate::SteeringSystems::Integrate): force becomes velocity
//! becomes position.

mod motion;
mod slide;
mod step;

pub(crate) use motion::move_agents;
