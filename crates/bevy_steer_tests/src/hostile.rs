//! What must hold in a game with mistakes in it.

use core::time::Duration;
use std::collections::BTreeSet;

use bevy::{prelude::*, time::TimeUpdateStrategy};
use bevy_steer::{AngularVelocity, prelude::*};
use proptest::prelude::*;

use crate::{
    Sim,
    rng::WORST,
    worlds::{Plan, plans},
};

/// Any plan for a world in which some or half of the values are the worst.
pub fn hostile_plans(most: usize) -> impl Strategy<Value = Plan> {
    let shares = proptest::sample::select(vec![0.01, 0.1, 0.5]);
    (plans(most), shares).prop_map(|(plan, worst)| Plan { worst, ..plan })
}

/// Lets this much time pass with every tick.
pub fn set_step(sim: &mut Sim, step: Duration) {
    let world = sim.app.world_mut();
    world.resource_mut::<Time<Virtual>>().set_max_delta(Duration::from_secs(10));
    world.insert_resource(TimeUpdateStrategy::ManualDuration(step));
}

/// Time steps from none to a second.
pub const STEPS: [Duration; 4] = [
    Duration::ZERO,
    Duration::from_micros(1),
    Duration::from_nanos(1_000_000_000 / 64),
    Duration::from_secs(1),
];

/// What a tick may not spoil.
#[derive(Clone, Copy)]
pub struct Before {
    transform: Transform,
    velocity: Vec3,
    spin: Option<Vec3>,
    force: SteeringForce,
}

impl Before {
    pub fn of(sim: &Sim, agent: Entity) -> Self {
        Self {
            transform: *sim.get::<Transform>(agent),
            velocity: sim.velocity(agent),
            spin: sim.app.world().get::<AngularVelocity>(agent).map(|spin| spin.0),
            force: *sim.get(agent),
        }
    }

    pub fn assert_valid_after_tick(&self, sim: &Sim, agent: Entity, step: Duration) {
        let after = Self::of(sim, agent);
        let (place, was) = (after.transform, self.transform);
        let is_still = bits(place.translation) == bits(was.translation)
            && bits(after.velocity) == bits(self.velocity);
        if step.is_zero() {
            // Nothing happens while no time passes, so what a game has just set may still stand.
            assert!(is_still, "{was:?} became {place:?}");
            return;
        }
        self.assert_finite(&after);
        let plane = sim.plane(agent);
        let height = |v: Vec3| bits(v - plane.flatten(v));
        assert_eq!(height(place.translation), height(was.translation), "it has left {plane:?}");
        let stays = is_still || after.velocity == plane.flatten(after.velocity);
        assert!(stays, "{} would leave {plane:?}", after.velocity);

        let force = *sim.get::<SteeringForce>(agent);
        // An agent that thinks in another tick keeps its last force, whatever a game has made of
        // it.
        let same = |a: Vec3, b: Vec3| bits(a) == bits(b);
        let is_last_force = same(force.linear, self.force.linear)
            && same(force.angular, self.force.angular)
            && thinks_seldom(sim, agent);
        let is_finite = force.linear.is_finite() && force.angular.is_finite();
        assert!(is_finite || is_last_force, "{force:?}");
        let vehicle = sim.get::<Vehicle>(agent);
        if !is_valid(vehicle) || !was.translation.is_finite() || !self.velocity.is_finite() {
            assert!(is_still, "{vehicle:?}: {was:?} became {place:?}");
            assert_eq!(force, SteeringForce::default(), "{vehicle:?}");
            return;
        }
        let with_rounding = |limit: f32| f64::from(limit) * (1.0 + 1e-4) + 1e-19;
        let strength = force.linear.as_dvec3().length();
        let is_in_limit = strength <= with_rounding(vehicle.max_force);
        assert!(is_in_limit || is_last_force, "{force:?} of {vehicle:?}");
        let speed = plane.flatten(after.velocity).as_dvec3().length();
        // What is too fast is slowed by the force that the agent has.
        let before = plane.flatten(self.velocity).length();
        let is_in_limit = speed <= with_rounding(vehicle.max_speed.max(before));
        assert!(is_in_limit || is_still, "{} of {vehicle:?}", after.velocity);
    }

    fn assert_finite(&self, after: &Self) {
        let check = |now: Vec3, was: Vec3| {
            assert!(now.is_finite() || !was.is_finite(), "{was} became {now}");
        };
        check(after.transform.translation, self.transform.translation);
        check(after.transform.scale, self.transform.scale);
        check(after.velocity, self.velocity);
        let (rotation, was) = (after.transform.rotation, self.transform.rotation);
        assert!(rotation.is_finite() || !was.is_finite(), "{was} became {rotation}");
        if let (Some(spin), Some(was)) = (after.spin, self.spin) {
            check(spin, was);
        }
    }
}

fn thinks_seldom(sim: &Sim, agent: Entity) -> bool {
    sim.app.world().get::<ThinkEvery>(agent).is_some_and(|think| think.0 > 1)
}

/// What is wrong with these agents must have been logged, each thing once.
#[derive(Default)]
pub struct InvalidAgents(BTreeSet<Entity>);

impl InvalidAgents {
    /// Notes which of them are invalid.
    pub fn note(&mut self, sim: &Sim, agents: &[Entity]) {
        self.0.extend(agents.iter().filter(|&&agent| {
            let numbers = (sim.position(agent), sim.velocity(agent));
            let is_finite = numbers.0.is_finite() && numbers.1.is_finite();
            !(is_valid(sim.get::<Vehicle>(agent)) && is_finite)
        }));
    }

    pub fn assert_reported_once(&self, lines: &[String]) {
        let reports: Vec<&str> = lines
            .iter()
            // An agent that was invalid and is valid now may be reported for this too.
            .filter(|line| !line.contains("too far from the origin"))
            .map(|line| line.split_once(" is ").map_or(line.as_str(), |(named, _)| named))
            .collect();
        let different: BTreeSet<&str> = reports.iter().copied().collect();
        assert_eq!(different.len(), reports.len(), "named again: {reports:#?}");
        for agent in &self.0 {
            let name = format!(" {agent}: ");
            let is_named = reports.iter().any(|line| line.contains(&name));
            assert!(is_named, "{agent} is not in {reports:#?}");
        }
    }
}

pub fn bits(v: Vec3) -> [u32; 3] {
    v.to_array().map(f32::to_bits)
}

/// As the documentation of [`Vehicle`] says.
fn is_valid(vehicle: &Vehicle) -> bool {
    let Vehicle { mass, max_speed, max_force, radius, response } = *vehicle;
    let sensible = |x: f32| (0.0..=1e9).contains(&x);
    mass >= 1e-9 && [mass, max_speed, max_force, radius, response].into_iter().all(sensible)
}

/// A vehicle with one field replaced by each invalid value.
pub fn invalid_vehicles() -> impl Iterator<Item = Vehicle> {
    let fields: [fn(&mut Vehicle) -> &mut f32; 5] = [
        |vehicle| &mut vehicle.mass,
        |vehicle| &mut vehicle.max_speed,
        |vehicle| &mut vehicle.max_force,
        |vehicle| &mut vehicle.radius,
        |vehicle| &mut vehicle.response,
    ];
    let replaced = fields.into_iter().flat_map(|field| {
        WORST.into_iter().map(move |worst| {
            let mut vehicle = Vehicle::default();
            *field(&mut vehicle) = worst;
            vehicle
        })
    });
    replaced.filter(|vehicle| !is_valid(vehicle))
}
