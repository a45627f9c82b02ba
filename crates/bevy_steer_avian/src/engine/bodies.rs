//! [`SteeredBody`]: the velocity of the engine goes into steering, and that of steering comes out.
//!
//! Steering integrates the agent as if it had no body, with everything that belongs to that: force,
//! top speed, solid surfaces, the bounds of the world, heading. What comes of it goes to the engine
//! as velocities, and the `Transform` is put back, as the engine moves the body from there.

use bevy::prelude::*;
use bevy_steer::{
    AngularVelocity as Spin, Heading, KeepRotation, SkipIntegration, SteeringPlane,
    SteeringSettings, Vehicle, Velocity,
};

use super::{avian::prelude::*, measure::Measured, space};

/// An agent that the engine moves.
#[derive(Component, Debug, Default)]
#[component(clone_behavior = Ignore)]
pub(super) struct SteeredBody {
    /// Where it is before steering moves it, in this tick.
    start: Option<Transform>,
    /// What this crate has set.
    pub(super) measured: Measured,
}

/// Agents that steering moves, not the game.
type Moved = Without<SkipIntegration>;

/// Whether the engine moves such a body.
fn is_movable(body: &RigidBody) -> bool {
    !body.is_static()
}

/// Agents that have got a body. One that moves already brings its velocity along.
pub(super) fn adopt_bodies(
    mut commands: Commands,
    mut agents: Query<
        (Entity, &RigidBody, &Velocity, &mut LinearVelocity, Option<&SteeringPlane>),
        (With<Vehicle>, Without<SteeredBody>, Moved),
    >,
    settings: Res<SteeringSettings>,
) {
    for (entity, body, velocity, mut linear, plane) in &mut agents {
        let plane = plane.copied().unwrap_or(settings.plane);
        let velocity = space::from_world(plane.flatten(velocity.0));
        if is_movable(body) && linear.0 == default() && velocity.is_finite() {
            linear.set_if_neq(LinearVelocity(velocity));
        }
        commands.entity(entity).try_insert(SteeredBody::default());
    }
}

/// Steering reads how the bodies move, which contacts, joints or the game may have changed.
pub(super) fn read_bodies(
    mut agents: Query<
        (
            (&RigidBody, &LinearVelocity, &AngularVelocity, &Transform),
            (&mut Velocity, &mut Heading, Option<&mut Spin>),
            (Option<&SteeringPlane>, Has<KeepRotation>),
        ),
        (With<SteeredBody>, Moved),
    >,
    settings: Res<SteeringSettings>,
) {
    for (engine, agent, (plane, keeps_rotation)) in &mut agents {
        let (body, linear, angular, transform) = engine;
        let (mut velocity, mut heading, spin) = agent;
        if !is_movable(body) {
            continue;
        }
        let plane = plane.copied().unwrap_or(settings.plane);
        velocity.set_if_neq(Velocity(plane.flatten(space::to_world(linear.0))));
        // One that turns by an angular velocity may have been turned by a contact.
        if let Some(mut spin) = spin
            && body.is_dynamic()
            && !keeps_rotation
        {
            let turning = space::spin_to_world(*angular);
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
pub(super) fn note_starts(mut agents: Query<(&mut SteeredBody, &RigidBody, &Transform), Moved>) {
    for (mut steered, body, transform) in &mut agents {
        steered.start = is_movable(body).then_some(*transform);
    }
}

/// Puts the bodies back to where they were, and gives them the velocities with which the engine
/// takes them to where steering has moved them.
pub(super) fn write_bodies(
    mut agents: Query<
        (
            (&RigidBody, &mut SteeredBody, Has<RigidBodyDisabled>, Option<&LockedAxes>),
            (&Vehicle, &Velocity, Option<&SteeringPlane>, Has<KeepRotation>),
            (&mut Transform, &mut LinearVelocity, &mut AngularVelocity),
        ),
        Moved,
    >,
    settings: Res<SteeringSettings>,
    time: Res<Time>,
    physics: Res<Time<Physics>>,
) {
    let dt = time.delta_secs();
    // What the engine does not step would pile up.
    let runs = dt > 0.0 && !physics.is_paused() && physics.relative_speed() > 0.0;
    for ((body, mut steered, is_disabled, locked), agent, engine) in &mut agents {
        let (vehicle, velocity, plane, keeps_rotation) = agent;
        let (mut transform, mut linear, mut angular) = engine;
        let Some(start) = steered.start.take() else { continue };
        let end = *transform;
        transform.set_if_neq(start);
        if !runs || is_disabled || !velocity.is_finite() {
            continue;
        }

        let plane = plane.copied().unwrap_or(settings.plane);
        let before = space::to_world(linear.0);
        let step =
            Step { start: start.translation, end: end.translation, velocity: velocity.0, dt };
        let off = step.off(plane);
        let mut wanted = velocity.0;
        if step.is_jump(off, plane.flatten(before), vehicle.max_speed) {
            // Wrapped round the edge of the world, or put back into it.
            transform.translation += off;
        } else if body.is_kinematic() && off.length() > HELD_BACK * vehicle.radius {
            wanted = plane.flatten(end.translation - start.translation) / dt;
        }
        // What leads out of the plane, as falling does, is not for steering to decide.
        let wanted = wanted + (before - plane.flatten(before));
        let after = match locked {
            Some(&locked) => before + space::unlocked(locked, wanted - before),
            None => wanted,
        };
        linear.set_if_neq(LinearVelocity(space::from_world(after)));

        if !keeps_rotation {
            let turn = (end.rotation * start.rotation.inverse()).normalize();
            let turn = if turn.w < 0.0 { -turn } else { turn };
            let angle = turn.to_scaled_axis();
            let spin = if angle.length() > TURNED { angle / dt } else { Vec3::ZERO };
            let spin = locked.map_or(spin, |&locked| space::unlocked_spin(locked, spin));
            if spin.is_finite() {
                angular.set_if_neq(space::spin_from_world(spin));
            }
        }
    }
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
