//! Seek: straight to the target at full speed.

use bevy::prelude::*;

use crate::{
    agent::{Blend, Goal, Memory, Priority},
    behavior::{
        Agent, AgentBlock, DebugDraw, ParamOf, STargets, SimdBehavior, Steering, SteeringBehavior,
        Target, TargetMemory,
    },
    behaviors::arrival::ArriveProfile,
    sensing::{Course, Surroundings},
    simd::{Arithmetic, Lanes, One, Vector, WIDTH, each, every, split},
};

/// The change of velocity that makes an agent move to `target` at full speed.
///
/// `n(target − position) · max_speed − velocity`; at the target itself the requested velocity is
/// zero. Reynolds (1999), "Seek".
pub fn seek(position: Vec3, velocity: Vec3, target: Vec3, max_speed: f32) -> Vec3 {
    seek_on(One, (target - position).to_array(), velocity.to_array(), max_speed).into()
}

/// Where the body of an agent does not fit it stops this near, in radii.
const STOP: f32 = 0.2;

impl Course {
    /// The change of velocity of an agent that goes for the goal at full speed. Where its body does
    /// not fit it comes to rest.
    pub fn seek(&self, agent: &Agent) -> Vec3 {
        if self.is_blocked {
            let stop_radius = agent.reachable(STOP * agent.vehicle.radius);
            agent.arrive(self.offset, Vec3::ZERO, ArriveProfile::Braking, stop_radius, None)
        } else {
            seek(Vec3::ZERO, agent.velocity, self.offset, agent.vehicle.max_speed)
        }
    }
}

/// [`seek`] as a kernel, from the offset to the target.
#[inline(always)]
pub(super) fn seek_on<L: Arithmetic>(
    l: L,
    offset: Vector<L>,
    velocity: Vector<L>,
    max_speed: L::F,
) -> Vector<L> {
    let (direction, _) = split(l, offset);
    each!(d => l.sub(l.mul(direction[d], max_speed), velocity[d]))
}

/// Moves to a target at full speed, and overshoots it: use [`Arrive`](crate::Arrive) to stop there.
///
/// Goes round obstacles and walls near it that stop its body, see [`Surroundings::course`].
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_steer::prelude::*;
/// # fn spawn(mut commands: Commands, player: Entity) {
/// commands.spawn((Vehicle::default(), Seek::new(player)));
/// commands.spawn((Vehicle::default(), Seek::new(Vec2::new(3.0, 4.0)).with_weight(0.5)));
/// # }
/// ```
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq)]
#[reflect(Component, Debug, Default, PartialEq, Clone)]
#[cfg_attr(feature = "serialize", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serialize", reflect(Serialize, Deserialize))]
pub struct Seek {
    /// The target.
    #[entities]
    pub target: Target,
    /// Weight, tier (default [`Priority::Normal`]) and whether it is enabled.
    pub blend: Blend,
    /// The memory of the target.
    #[entities]
    pub memory: Memory<TargetMemory>,
}

impl Seek {
    /// Seeks a point (`Vec3`, `Vec2`), an entity or any other [`Target`].
    pub fn new(target: impl Into<Target>) -> Self {
        Self { target: target.into(), ..Self::default() }
    }
}

impl SteeringBehavior for Seek {
    type Param = (STargets, Surroundings<'static>);
    const PRIORITY: Priority = Priority::Normal;
    const HAS_GOAL: bool = true;
    crate::blend_field!();

    fn goal(&self) -> Option<Goal> {
        self.target.entity(&self.memory).map(Goal::Reach)
    }

    #[inline(always)]
    fn steer(&mut self, agent: &Agent, (targets, surroundings): &ParamOf<Self>) -> Steering {
        let Some(view) = targets.find(agent, &self.target, &mut self.memory) else {
            return Steering::NONE;
        };
        let course = surroundings.course(agent, view.offset, &mut self.memory.detour);
        Steering::linear(course.seek(agent))
    }

    fn debug_draw(&self, agent: &Agent, (targets, _): &ParamOf<Self>, draw: &mut DebugDraw) {
        let Some(view) = targets.last_seen(agent, &self.target, &self.memory) else { return };
        draw.way(agent, view.offset);
    }
}

impl SimdBehavior for Seek {
    #[inline(always)]
    fn steer_simd<L: Lanes>(
        l: L,
        requested: u8,
        behaviors: &mut [Self; WIDTH],
        agents: &AgentBlock,
        (_, surroundings): &ParamOf<Self>,
    ) -> (Vector<L>, u8) {
        let Some(points) = Target::points(every!(i => &behaviors[i].target)) else {
            return ([l.splat(0.0); 3], 0);
        };
        let (offset, has_target) = agents.towards(l, &points);
        let change = seek_on(l, offset, agents.velocity(l), agents.vehicle(l).max_speed);
        let mut concerned = surroundings.near_block(agents);
        for (i, behavior) in behaviors.iter().enumerate() {
            concerned |= u8::from(!behavior.memory.detour.is_empty()) << i;
        }
        let requested = requested & !concerned;
        TargetMemory::forget(behaviors.iter_mut().map(|seek| &mut *seek.memory), requested);
        // An invalid target is ignored.
        (change, requested & l.bits(has_target))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wants_full_speed_towards_the_target() {
        let change = seek(
            Vec3::new(1.0, 1.0, 0.0),
            Vec3::new(2.0, 0.0, 0.0),
            Vec3::new(4.0, 5.0, 0.0),
            10.0,
        );
        assert!((change - Vec3::new(4.0, 8.0, 0.0)).length() < 1e-5, "{change}");
    }

    #[test]
    fn wants_to_stand_on_the_target() {
        assert_eq!(seek(Vec3::ONE, Vec3::X, Vec3::ONE, 10.0), Vec3::NEG_X);
    }
}
