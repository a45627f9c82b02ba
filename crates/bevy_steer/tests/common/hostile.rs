//! What a game with mistakes in it does to its agents between two ticks, and what must hold all the same.

use core::time::Duration;

use bevy::{prelude::*, time::TimeUpdateStrategy};
use bevy_steer::prelude::*;
use proptest::prelude::*;

use super::{
    Sim,
    dice::{Dice, WORST},
    giver::Giver,
    worlds::{BEHAVIORS, Motion, Plan, plans},
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

/// Does something to the world that it should not, or something that it may do at any time.
pub fn meddle(sim: &mut Sim, plan: &Plan, agents: &mut Vec<Entity>, dice: &mut Dice) {
    let everybody: Vec<Entity> = agents.clone();
    let world = sim.app.world_mut();
    let agent = dice.pick(agents);
    match dice.index(10) {
        0 => world.get_mut::<Transform>(agent).unwrap().translation = dice.point(20.0),
        1 => world.get_mut::<Velocity>(agent).unwrap().0 = dice.point(20.0),
        2 => *world.get_mut::<Vehicle>(agent).unwrap() = dice.vehicle(),
        3 => world.get_mut::<Heading>(agent).unwrap().0 = dice.point(1.0),
        4 => {
            let spin = AngularVelocity(dice.point(3.0));
            world.entity_mut(agent).insert(spin);
        }
        5 => {
            world.entity_mut(agent).insert(dice.bounds());
        }
        6 => world.insert_resource(WorldBounds(dice.bounds())),
        7 if agents.len() > 1 => {
            world.despawn(agent);
            agents.retain(|&other| other != agent);
        }
        8 => agents.push(plan.spawn_agent(world, 500 + agents.len() as u64, &Motion::NONE)),
        _ => {
            let seed = dice.index(1 << 20) as u64;
            let dice = Dice::new(seed, 2).with_worst(plan.worst);
            let mut giver = Giver {
                dice,
                motion: &Motion::NONE,
                reach: plan.reach,
                whom: &everybody,
                except: None,
            };
            giver.give(&mut world.entity_mut(agent), seed as u32 % BEHAVIORS);
        }
    }
}

/// What a tick may not spoil.
#[derive(Clone, Copy)]
pub struct Before {
    transform: Transform,
    velocity: Vec3,
    spin: Option<Vec3>,
}

impl Before {
    pub fn of(sim: &Sim, agent: Entity) -> Self {
        Self {
            transform: *sim.get::<Transform>(agent),
            velocity: sim.velocity(agent),
            spin: sim.app.world().get::<AngularVelocity>(agent).map(|spin| spin.0),
        }
    }

    pub fn assert_unspoilt(&self, sim: &Sim, agent: Entity, step: Duration) {
        let after = Self::of(sim, agent);
        let vehicle = *sim.get::<Vehicle>(agent);
        let finite = |v: Vec3, was: Vec3| v.is_finite() || !was.is_finite();
        let (place, was) = (after.transform, self.transform);
        assert!(finite(place.translation, was.translation), "{was:?} became {place:?}");
        assert!(place.rotation.is_finite() || !was.rotation.is_finite(), "{place:?}");
        assert!(finite(after.velocity, self.velocity), "{} {vehicle:?}", after.velocity);
        if let (Some(spin), Some(was)) = (after.spin, self.spin) {
            assert!(finite(spin, was), "spin {was} became {spin}");
        }

        let force = sim.get::<SteeringForce>(agent);
        assert!(force.linear.is_finite() && force.angular.is_finite(), "{force:?}");
        if step.is_zero() {
            // Nothing happens while no time passes, so what a game has just set may still stand.
            assert_eq!(bits(place.translation), bits(was.translation));
            assert_eq!(bits(after.velocity), bits(self.velocity));
        } else if makes_sense(&vehicle) {
            let with_rounding = |limit: f64| limit * (1.0 + 1e-4) + f64::from(f32::MIN_POSITIVE);
            let limit = with_rounding(f64::from(vehicle.max_force));
            assert!(force.linear.as_dvec3().length() <= limit, "{force:?} of {vehicle:?}");
            // What a game does outside the plane is not bounded.
            let plane = sim.plane(agent);
            let speed = |v: Vec3| plane.flatten(v).as_dvec3().length();
            let most = f64::from(vehicle.max_speed).max(speed(self.velocity));
            let speed = speed(after.velocity);
            assert!(speed.is_nan() || speed <= with_rounding(most), "{speed} of {vehicle:?}");
        } else {
            assert_eq!(bits(place.translation), bits(was.translation), "{vehicle:?}");
            assert_eq!(bits(after.velocity), bits(self.velocity), "{vehicle:?}");
        }
    }
}

pub fn bits(v: Vec3) -> [u32; 3] {
    v.to_array().map(f32::to_bits)
}

/// As the documentation of [`Vehicle`] says.
fn makes_sense(vehicle: &Vehicle) -> bool {
    let Vehicle { mass, max_speed, max_force, radius, response } = *vehicle;
    let sensible = |x: f32| x >= 0.0 && x.is_finite();
    mass > 0.0
        && [mass, max_speed, max_force, radius, response].into_iter().all(sensible)
        && (max_force / mass).is_finite()
}

/// A vehicle with one field replaced by each value that makes no sense there.
pub fn senseless_vehicles() -> impl Iterator<Item = Vehicle> {
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
    replaced.filter(|vehicle| !makes_sense(vehicle))
}
