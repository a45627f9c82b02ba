//! [`SteeredBody`]: the velocity of the engine goes into steering, and that of steering comes out.
//!
//! Steering integrates the agent as if it had no body, with everything that belongs to that: force,
//! top speed, solid surfaces, the bounds of the world, heading. What comes of it goes to the engine
//! as velocities, and the `Transform` is put back, as the engine moves the body from there.

use bevy::{ecs::system::StaticSystemParam, prelude::*};
use bevy_steer::{
    AngularVelocity as Spin, Heading, KeepRotation, SkipIntegration, SteeringPlane,
    SteeringSettings, SteeringTick, Vehicle, Velocity,
};

use crate::{
    engine::{BodyKind, BodyVelocity, PhysicsEngine, ReadBody},
    measure::Measured,
};

/// An agent with a body.
#[derive(Component, Debug, Default)]
#[component(clone_behavior = Ignore)]
pub(crate) struct SteeredBody {
    /// The tick in which the engine moved it last.
    moved_in: Option<u64>,
    /// Where it is before steering moves it, in this tick.
    start: Option<Transform>,
    /// What this crate has set.
    pub(crate) measured: Measured,
}

impl SteeredBody {
    /// The engine moves it in this tick. Returns the agent's own velocity if it brings that along,
    /// as the body is new or was static or gone.
    fn take_over(&mut self, before: Vec3, own: Vec3, tick: u64) -> Option<Vec3> {
        let brings = match self.moved_in.replace(tick) {
            None => before == Vec3::ZERO,
            Some(last) => last + 1 < tick,
        };
        (brings && own.is_finite()).then_some(own)
    }
}

/// Agents that steering moves, not the game.
pub(crate) type Moved = Without<SkipIntegration>;

/// Agents that have got a body.
pub(crate) fn adopt_bodies<E: PhysicsEngine>(
    mut commands: Commands,
    agents: Query<(Entity, ReadBody<E>), (With<Vehicle>, Without<SteeredBody>, Moved)>,
) {
    for (entity, _) in &agents {
        commands.entity(entity).try_insert(SteeredBody::default());
    }
}

/// The engine's velocity is that of an agent that the game moves. When steering moves it again it
/// is measured anew.
pub(crate) fn let_go_of_bodies(
    mut agents: Query<&mut SteeredBody, With<SkipIntegration>>,
    tick: Res<SteeringTick>,
) {
    for mut steered in &mut agents {
        steered.moved_in = Some(tick.0);
        steered.measured.forget_colliders();
    }
}

/// Steering reads how the bodies move, which contacts, joints or the game may have changed.
pub(crate) fn read_bodies<E: PhysicsEngine>(
    mut agents: Query<
        (
            (E::Body, &mut SteeredBody, &Transform),
            (&mut Velocity, &mut Heading, Option<&mut Spin>),
            (Option<&SteeringPlane>, Has<KeepRotation>),
        ),
        Moved,
    >,
    settings: Res<SteeringSettings>,
    tick: Res<SteeringTick>,
) {
    for ((body, mut steered, transform), agent, (plane, keeps_rotation)) in &mut agents {
        let (mut velocity, mut heading, spin) = agent;
        let plane = plane.copied().unwrap_or(settings.plane);
        E::set_velocity(body, |body| {
            if !body.kind.is_moved() {
                return None;
            }
            let own = plane.flatten(velocity.0);
            let brought = steered.take_over(body.velocity.linear, own, tick.0);
            let linear = brought.unwrap_or(body.velocity.linear);
            velocity.set_if_neq(Velocity(plane.flatten(linear)));
            // One that turns by an angular velocity may have been turned by a contact.
            let turning = body.velocity.angular;
            if let Some(mut spin) = spin
                && body.kind == BodyKind::Dynamic
                && !keeps_rotation
            {
                let normal = plane.normal();
                let flat = if plane.is_planar() { normal * turning.dot(normal) } else { turning };
                spin.set_if_neq(Spin(flat));
                let faces = plane.flatten(transform.rotation * plane.forward()).try_normalize();
                if let Some(faces) = faces {
                    heading.set_if_neq(Heading(faces));
                }
            }
            brought.map(|linear| BodyVelocity { linear, angular: turning })
        });
    }
}

/// Notes where the bodies are before steering moves them.
pub(crate) fn note_starts<E: PhysicsEngine>(
    mut agents: Query<(&mut SteeredBody, ReadBody<E>, &Transform), Moved>,
) {
    for (mut steered, body, transform) in &mut agents {
        steered.start = E::body(body).kind.is_moved().then_some(*transform);
    }
}

/// Puts the bodies back to where they were, and gives them the velocities with which the engine
/// takes them to where steering has moved them.
pub(crate) fn write_bodies<E: PhysicsEngine>(
    mut agents: Query<
        (
            (&mut SteeredBody, E::Body, &mut Transform),
            (&Vehicle, &Velocity, Option<&SteeringPlane>, Has<KeepRotation>),
        ),
        Moved,
    >,
    settings: Res<SteeringSettings>,
    time: Res<Time>,
    clock: StaticSystemParam<E::Clock>,
) {
    let dt = time.delta_secs();
    let runs = dt > 0.0 && E::is_running(&clock);
    for ((mut steered, body, mut transform), agent) in &mut agents {
        let (vehicle, velocity, plane, keeps_rotation) = agent;
        let Some(start) = steered.start.take() else { continue };
        let end = *transform;
        transform.set_if_neq(start);
        if !runs || !velocity.is_finite() {
            continue;
        }
        let plane = plane.copied().unwrap_or(settings.plane);
        E::set_velocity(body, |body| {
            let before = body.velocity;
            if body.is_disabled {
                return None;
            }
            let velocity = velocity.0;
            let step = Step { start: start.translation, end: end.translation, velocity, dt };
            let off = step.off(plane);
            let mut wanted = velocity;
            if step.is_jump(off, plane.flatten(before.linear), vehicle.max_speed) {
                // Wrapped round the edge of the world, or put back into it.
                transform.translation += off;
            } else if body.kind == BodyKind::Kinematic && off.length() > HELD_BACK * vehicle.radius
            {
                wanted = plane.flatten(end.translation - start.translation) / dt;
            }
            let spin = if keeps_rotation { None } else { step_spin(&start, &end, dt) };
            let rests = wanted.length() <= RESTS * vehicle.max_speed
                && spin.unwrap_or_default() == Vec3::ZERO;
            if body.is_asleep && rests {
                return None;
            }
            // What leads out of the plane, as falling does, is not for steering to decide.
            let wanted = wanted + (before.linear - plane.flatten(before.linear));
            let linear = Vec3::select(body.moves, wanted, before.linear);
            let angular =
                spin.map_or(before.angular, |spin| Vec3::select(body.turns, spin, Vec3::ZERO));
            Some(BodyVelocity { linear, angular })
        });
    }
}

/// The angular velocity that makes this turn, if there is one.
fn step_spin(start: &Transform, end: &Transform, dt: f32) -> Option<Vec3> {
    let turn = (end.rotation * start.rotation.inverse()).normalize();
    let turn = if turn.w < 0.0 { -turn } else { turn };
    let angle = turn.to_scaled_axis();
    let spin = if angle.length() > TURNED { angle / dt } else { Vec3::ZERO };
    spin.is_finite().then_some(spin)
}

/// A body that stays this far behind where its velocity leads, in radii, was held back by a surface
/// or an edge.
const HELD_BACK: f32 = 1e-3;

/// An agent that wants to move no faster than this, as a share of its top speed, does not wake its
/// body.
const RESTS: f32 = 1e-3;

/// A smaller turn is rounding, in radians.
const TURNED: f32 = 1e-4;

/// What steering has done in a tick.
struct Step {
    start: Vec3,
    end: Vec3,
    /// At its end.
    velocity: Vec3,
    dt: f32,
}

impl Step {
    /// How far it ends from where its velocity leads.
    fn off(&self, plane: SteeringPlane) -> Vec3 {
        plane.flatten(self.end - self.start - self.velocity * self.dt)
    }

    /// Whether it ends farther off than a body may be held back or pushed in a tick.
    fn is_jump(&self, off: Vec3, before: Vec3, max_speed: f32) -> bool {
        let fastest = before.length().max(self.velocity.length()).max(max_speed);
        off.length() > 2.5 * fastest * self.dt
    }
}
