//! [`SteeredBody`]: the velocity of the engine goes into steering, and that of steering comes out.
//!
//! Steering integrates the agent as if it had no body, with everything that belongs to that: force,
//! top speed, solid surfaces, the bounds of the world, heading. What comes of it goes to the engine
//! as velocities, and the `Transform` is put back, as the engine moves the body from there.

use bevy::{ecs::system::StaticSystemParam, prelude::*};
use bevy_steer::{
    AngularVelocity as Spin, Heading, KeepRotation, SkipIntegration, SteeringPlane,
    SteeringSettings, Vehicle, Velocity,
};

use crate::{
    engine::{BodyKind, BodyVelocity, PhysicsEngine, ReadBody},
    measure::Measured,
};

/// An agent that the engine moves.
#[derive(Component, Debug, Default)]
#[component(clone_behavior = Ignore)]
pub(crate) struct SteeredBody {
    /// Where it is before steering moves it, in this tick.
    start: Option<Transform>,
    /// What this crate has set.
    pub(crate) measured: Measured,
}

/// Agents that steering moves, not the game.
type Moved = Without<SkipIntegration>;

/// Agents that have got a body. One that moves already brings its velocity along.
pub(crate) fn adopt_bodies<E: PhysicsEngine>(
    mut commands: Commands,
    mut agents: Query<
        (Entity, E::Body, &Velocity, Option<&SteeringPlane>),
        (With<Vehicle>, Without<SteeredBody>, Moved),
    >,
    settings: Res<SteeringSettings>,
) {
    for (entity, body, velocity, plane) in &mut agents {
        let plane = plane.copied().unwrap_or(settings.plane);
        let velocity = plane.flatten(velocity.0);
        E::set_velocity(body, |state| {
            let before = state.velocity;
            let is_new = state.kind.is_moved() && before.linear == Vec3::ZERO;
            let linear = if is_new && velocity.is_finite() { velocity } else { before.linear };
            BodyVelocity { linear, ..before }
        });
        commands.entity(entity).try_insert(SteeredBody::default());
    }
}

/// Steering reads how the bodies move, which contacts, joints or the game may have changed.
pub(crate) fn read_bodies<E: PhysicsEngine>(
    mut agents: Query<
        (
            (ReadBody<E>, &Transform),
            (&mut Velocity, &mut Heading, Option<&mut Spin>),
            (Option<&SteeringPlane>, Has<KeepRotation>),
        ),
        (With<SteeredBody>, Moved),
    >,
    settings: Res<SteeringSettings>,
) {
    for ((body, transform), agent, (plane, keeps_rotation)) in &mut agents {
        let (mut velocity, mut heading, spin) = agent;
        let body = E::body(body);
        if !body.kind.is_moved() {
            continue;
        }
        let plane = plane.copied().unwrap_or(settings.plane);
        velocity.set_if_neq(Velocity(plane.flatten(body.velocity.linear)));
        // One that turns by an angular velocity may have been turned by a contact.
        if let Some(mut spin) = spin
            && body.kind == BodyKind::Dynamic
            && !keeps_rotation
        {
            let turning = body.velocity.angular;
            let normal = plane.normal();
            let flat = if plane.is_planar() { normal * turning.dot(normal) } else { turning };
            spin.set_if_neq(Spin(flat));
            let faces = plane.flatten(transform.rotation * plane.forward()).try_normalize();
            if let Some(faces) = faces {
                heading.set_if_neq(Heading(faces));
            }
        }
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
                return before;
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
            // What leads out of the plane, as falling does, is not for steering to decide.
            let wanted = wanted + (before.linear - plane.flatten(before.linear));
            let linear = Vec3::select(body.moves, wanted, before.linear);
            let spin = if keeps_rotation { None } else { step_spin(&start, &end, dt) };
            let angular =
                spin.map_or(before.angular, |spin| Vec3::select(body.turns, spin, Vec3::ZERO));
            BodyVelocity { linear, angular }
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
