//! What one would write without this crate: agents that seek a point, in two systems over their
//! `Transform`s.
//!
//! It does less than the crate does: agents have no heading, the world has no edges, no value is
//! checked, and there is nothing but seeking. So it is the floor, not the competition.

use bevy::{ecs::schedule::SingleThreadedExecutor, prelude::*};

use super::{Dice, Place, STEP};

/// Agents that seek the origin, and the schedule that moves them.
pub struct HandMade {
    world: World,
    schedule: Schedule,
}

#[derive(Component, Clone, Copy)]
struct Body {
    mass: f32,
    max_speed: f32,
    max_force: f32,
    response: f32,
}

#[derive(Component, Clone, Copy)]
struct Motion(Vec3);

#[derive(Component, Clone, Copy)]
struct Force(Vec3);

impl HandMade {
    /// Systems that go through all agents one after the other.
    pub fn new(place: Place) -> Self {
        Self::with(place, |schedule| {
            schedule.add_systems((seek, integrate).chain());
        })
    }

    /// Systems that share the agents out over all threads.
    pub fn on_all_threads(place: Place) -> Self {
        Self::with(place, |schedule| {
            schedule.add_systems((seek_in_parallel, integrate_in_parallel).chain());
        })
    }

    fn with(place: Place, add_systems: impl FnOnce(&mut Schedule)) -> Self {
        // For its pool of threads, which outlives it.
        App::new().add_plugins(MinimalPlugins);
        let mut world = World::new();
        world.init_resource::<Time>();
        let mut dice = Dice::new(1);
        let body = Body { mass: 1.0, max_speed: 1.0, max_force: 4.0, response: 0.1 };
        let bodies: Vec<_> = (0..place.agents)
            .map(|_| {
                let transform = Transform::from_translation(place.point(&mut dice));
                let speed = dice.number(0.5, 1.0);
                (transform, body, Motion(place.direction(&mut dice) * speed), Force(Vec3::ZERO))
            })
            .collect();
        world.spawn_batch(bodies).for_each(drop);
        let mut schedule = Schedule::default();
        schedule.set_executor(SingleThreadedExecutor::new());
        add_systems(&mut schedule);
        Self { world, schedule }
    }

    /// One tick.
    pub fn tick(&mut self) {
        self.world.resource_mut::<Time>().advance_by(STEP);
        self.schedule.run(&mut self.world);
    }
}

type Pushed = (&'static Transform, &'static Body, &'static Motion, &'static mut Force);
type Moved = (&'static mut Transform, &'static Body, &'static mut Motion, &'static Force);

fn seek(mut bodies: Query<Pushed>) {
    for (transform, body, motion, mut force) in &mut bodies {
        force.0 = push(transform.translation, body, motion.0);
    }
}

fn integrate(mut bodies: Query<Moved>, time: Res<Time>) {
    let dt = time.delta_secs();
    for (mut transform, body, mut motion, force) in &mut bodies {
        go(&mut transform.translation, body, &mut motion.0, force.0, dt);
    }
}

fn seek_in_parallel(mut bodies: Query<Pushed>) {
    bodies.par_iter_mut().for_each(|(transform, body, motion, mut force)| {
        force.0 = push(transform.translation, body, motion.0);
    });
}

fn integrate_in_parallel(mut bodies: Query<Moved>, time: Res<Time>) {
    let dt = time.delta_secs();
    bodies.par_iter_mut().for_each(|(mut transform, body, mut motion, force)| {
        go(&mut transform.translation, body, &mut motion.0, force.0, dt);
    });
}

fn push(place: Vec3, body: &Body, velocity: Vec3) -> Vec3 {
    let wish = (-place).normalize_or_zero() * body.max_speed - velocity;
    (wish * (body.mass / body.response)).clamp_length_max(body.max_force)
}

fn go(place: &mut Vec3, body: &Body, velocity: &mut Vec3, force: Vec3, dt: f32) {
    *velocity = (*velocity + force * (dt / body.mass)).clamp_length_max(body.max_speed);
    *place += *velocity * dt;
}
