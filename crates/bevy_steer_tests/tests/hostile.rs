//! Numbers, entities and moments that must not break steering, whatever a game does with them.

use core::{any::TypeId, time::Duration};

use bevy::prelude::*;
use bevy_steer::{AngularVelocity, KeepRotation, NeighborIndex, TurnLimits, Velocity, prelude::*};
use proptest::prelude::*;

use crate::common::{
    Seen, Sim, at,
    hostile::{Before, InvalidAgents, STEPS, bits, hostile_plans, invalid_vehicles, set_step},
    log_lines,
    mutations::WorldMutator,
    random_behaviors::{self, give_example, with_field},
    rng::cases,
    watch,
    worlds::Plan,
};

proptest! {
    #![proptest_config(cases(64))]

    #[test]
    fn invalid_input_does_not_spread(plan in hostile_plans(10)) {
        let (sim, agents) = plan.build();
        survive(&plan, sim, agents);
    }

    #[test]
    fn invalid_input_does_not_spread_in_a_uniform_crowd(plan in hostile_plans(24)) {
        // As most agents of a game are: in one table, and steered in blocks.
        let agents = vec![plan.agents[0]; plan.agents.len()];
        let plan = Plan { agents, is_mixed: false, ..plan };
        let (mut sim, agents) = plan.build();
        for &agent in &agents {
            let mut agent = sim.app.world_mut().entity_mut(agent);
            agent.remove::<(Arbitration, AngularVelocity, KeepRotation)>();
        }
        survive(&plan, sim, agents);
    }
}

/// Forty ticks, before each of which the world is changed at random.
fn survive(plan: &Plan, mut sim: Sim, mut agents: Vec<Entity>) {
    log_lines::catch();
    let mut rng = plan.rng(77);
    let mut invalid_agents = InvalidAgents::default();
    for _ in 0..40 {
        for _ in 0..1 + rng.index(3) {
            let (agents, rng) = (&mut agents, &mut rng);
            WorldMutator { world: sim.app.world_mut(), plan, agents, rng }.mutate();
        }
        let step = rng.pick(&STEPS);
        set_step(&mut sim, step);
        let before: Vec<Before> = agents.iter().map(|&agent| Before::of(&sim, agent)).collect();
        sim.tick();
        for (before, &agent) in before.iter().zip(&agents) {
            before.assert_valid_after_tick(&sim, agent, step);
        }
        if !step.is_zero() {
            invalid_agents.note(&sim, &agents);
        }
    }
    invalid_agents.assert_reported_once(&log_lines::caught());
}

#[test]
fn agents_with_an_invalid_vehicle_rest_until_corrected() {
    for broken in invalid_vehicles() {
        let mut sim = Sim::new();
        let velocity = Velocity(Vec3::Y);
        let agent = sim.spawn((broken, velocity, Seek::new(Vec2::X * 50.0), at(1.0, 2.0)));
        sim.run(0.5);
        assert_eq!(sim.position(agent), Vec3::new(1.0, 2.0, 0.0), "{broken:?}");
        assert_eq!(sim.velocity(agent), Vec3::Y, "{broken:?}");
        *sim.get_mut::<Vehicle>(agent) = Vehicle::default();
        sim.run(0.5);
        assert!(sim.position(agent).x > 1.5, "{broken:?}");
    }
}

#[test]
fn seventy_thousand_agents_may_coincide() {
    const COUNT: usize = 70_000;
    let mut sim = Sim::new();
    let agent = (Vehicle::default(), Flock::new(4.0), at(3.0, 3.0));
    let agents: Vec<Entity> =
        sim.app.world_mut().spawn_batch(core::iter::repeat_n(agent, COUNT)).collect();
    sim.tick();
    sim.tick();
    assert_eq!(sim.ask(NeighborIndex::len), COUNT);
    assert_eq!(sim.ask(|index| index.within(Vec2::splat(3.0), 1.0).count()), COUNT);
    let moving = agents.iter().filter(|&&agent| {
        let (position, velocity) = (sim.position(agent), sim.velocity(agent));
        assert!(position.is_finite() && position.distance(Vec3::new(3.0, 3.0, 0.0)) < 1.0);
        velocity.length() > 0.01
    });
    assert!(moving.count() > COUNT * 9 / 10, "those in one place must part");
}

#[test]
fn a_radius_with_an_infinite_square_is_harmless() {
    for plane in SteeringPlane::ALL {
        let mut sim = Sim::in_plane(plane);
        let agents: Vec<Entity> = (0..40)
            .map(|i| {
                let place = Vec3::new((i % 4) as f32, (i / 4 % 3) as f32, (i / 12) as f32);
                let place = Transform::from_translation(place * 1e30);
                sim.spawn((Vehicle::default(), Flock::new(1e30), place))
            })
            .collect();
        sim.run(0.5);
        assert!(agents.iter().all(|&agent| sim.position(agent).is_finite()));
    }
}

#[test]
fn the_index_follows_spawns_and_despawns() {
    let mut sim = Sim::new();
    let mut agents = Vec::new();
    for round in 0..200_usize {
        for i in 0..round % 7 {
            let place = at((round * 13 % 40) as f32, (i * 7) as f32);
            agents.push(sim.spawn((
                Vehicle::default(),
                Flock::default(),
                Wander::default(),
                place,
            )));
        }
        for _ in 0..round % 6 {
            if !agents.is_empty() {
                let gone = agents.swap_remove(round * 31 % agents.len());
                sim.app.world_mut().despawn(gone);
            }
        }
        sim.tick();
        assert_eq!(sim.ask(NeighborIndex::len), agents.len());
        assert!(agents.iter().all(|&agent| sim.position(agent).is_finite()));
    }
    assert!(agents.len() > 50);
}

#[test]
fn opposing_forces_cancel() {
    let mut sim = Sim::new();
    let place = Vec2::new(20.0, 10.0);
    let torn = (Seek::new(place), Flee::new(place), Arbitration::WeightedSum);
    let still = sim.spawn((Vehicle::default(), torn.clone()));
    let moving = sim.spawn((Vehicle::default(), torn, Velocity(Vec3::Y * 3.0)));
    sim.run(3.0);
    assert_eq!(bits(sim.position(still)), bits(Vec3::ZERO));
    assert_eq!(sim.heading(still), Vec3::X, "it keeps the heading that it has");
    // Both wishes hold its own motion against it, so it brakes.
    assert!(sim.velocity(moving).length() < 0.01);
    assert!(sim.position(moving).y < 1.0);
}

#[test]
fn a_non_finite_external_force_is_reported_once_and_dropped() {
    #[derive(Resource)]
    struct Gust(Vec3);
    fn blow(gust: Res<Gust>, mut forces: Query<&mut SteeringForce>) {
        forces.iter_mut().for_each(|mut force| force.linear += gust.0);
    }
    log_lines::catch();
    let mut sim = Sim::new();
    sim.app.insert_resource(Gust(Vec3::ZERO)).add_systems(
        SteeringSchedule,
        blow.after(SteeringSystems::Limit).before(SteeringSystems::Integrate),
    );
    // So many that they are steered in blocks, and some that are not.
    let traveller = (Vehicle::default(), Seek::new(Vec2::X * 1000.0));
    let agents: Vec<Entity> = (0..19).map(|_| sim.spawn(traveller)).collect();
    sim.run(1.0);
    for gust in [Vec3::NAN, Vec3::INFINITY, Vec3::NAN] {
        let before: Vec<Vec3> = agents.iter().map(|&agent| sim.velocity(agent)).collect();
        sim.app.insert_resource(Gust(gust));
        sim.run(0.5);
        sim.app.insert_resource(Gust(Vec3::ZERO));
        for (&agent, velocity) in agents.iter().zip(before) {
            assert_eq!(sim.velocity(agent), velocity, "nothing pushes or stops it");
        }
        let place = sim.position(agents[0]);
        sim.get_mut::<Velocity>(agents[0]).0 = Vec3::ZERO;
        sim.run(1.0);
        assert!(sim.velocity(agents[0]).x > 4.9, "{}", sim.velocity(agents[0]));
        assert!(sim.position(agents[0]).x > place.x);
    }
    let lines = log_lines::caught();
    assert_eq!(lines.len(), agents.len(), "{lines:#?}");
    assert!(lines.iter().all(|line| line.contains(": SteeringForce is ")), "{lines:#?}");
}

#[test]
fn a_despawned_target_emits_one_event_per_behavior() {
    let mut sim = Sim::new();
    watch(&mut sim.app);
    let target = sim.spawn((at(9.0, 0.0), Velocity(Vec3::Y)));
    let with_target = with_field(TypeId::of::<Target>()) | with_field(TypeId::of::<Bearing>());
    let bits = (0..random_behaviors::count()).filter(|bit| with_target & 1 << bit != 0);
    let mut agents: Vec<Entity> = bits
        .map(|bit| {
            let agent = sim.spawn(Vehicle::default());
            give_example(&mut sim.app.world_mut().entity_mut(agent), bit, target);
            agent
        })
        .collect();
    assert!(agents.len() >= 9);
    // Despawned before it was ever seen.
    let late = sim.spawn((Vehicle::default(), Seek::new(target).disabled()));
    agents.push(late);
    sim.run(0.5);
    sim.app.world_mut().despawn(target);
    sim.get_mut::<Seek>(late).set_enabled(true);
    sim.run(1.0);
    let lost = |sim: &Sim| sim.app.world().resource::<Seen>().0.clone();
    assert_eq!(lost(&sim), vec![format!("TargetLost {target:?}"); agents.len()]);
    for &agent in &agents {
        assert_eq!(sim.get::<SteeringForce>(agent).linear, Vec3::ZERO);
        assert!(sim.get::<SteeringForce>(agent).angular.length() < 0.01);
    }

    let next = sim.spawn(at(-9.0, 0.0));
    sim.get_mut::<Seek>(late).target = next.into();
    sim.run(0.5);
    assert!(sim.velocity(late).x < 0.0, "it goes for its new target");
    sim.app.world_mut().despawn(next);
    sim.run(0.5);
    assert_eq!(lost(&sim).len(), agents.len() + 1);
}

#[test]
fn agents_may_target_themselves() {
    let mut sim = Sim::new();
    let agents: [Entity; 6] =
        core::array::from_fn(|_| sim.spawn((Vehicle::default(), Velocity(Vec3::X))));
    let world = sim.app.world_mut();
    world.entity_mut(agents[0]).insert(Seek::new(agents[0]));
    world.entity_mut(agents[1]).insert(Pursue::new(agents[1]));
    world.entity_mut(agents[2]).insert(Arrive::new(agents[2]));
    world.entity_mut(agents[3]).insert(Evade::new(agents[3]));
    world.entity_mut(agents[4]).insert((Face::new(agents[4]), Align::like(agents[4])));
    world.entity_mut(agents[5]).insert(MatchVelocity::new(agents[5]));
    sim.run(2.0);
    for agent in &agents[..3] {
        assert!(sim.velocity(*agent).length() < 0.01, "there already, so it stops");
    }
    for agent in agents {
        assert!(sim.position(agent).is_finite() && sim.heading(agent).is_normalized());
    }
}

/// A flock with an obstacle in its way, around a place; gives the least gap to the obstacle and how
/// alike the flock's members go in the end, from 0 to 1.
fn flight_around(center: Vec3) -> (f32, f32) {
    let mut sim = Sim::new();
    let rock = center + Vec3::X * 400.0;
    sim.spawn((Obstacle::sphere(60.0), Transform::from_translation(rock)));
    let agents: Vec<Entity> = (0..25)
        .map(|i| {
            let place = Vec3::new((i % 5) as f32 * 30.0, (i / 5) as f32 * 30.0 - 60.0, 0.0);
            sim.spawn((
                Vehicle::new(100.0),
                Flock::new(60.0),
                Seek::new(center + Vec3::X * 2000.0).with_weight(0.5),
                AvoidObstacles::default(),
                Transform::from_translation(center + place),
            ))
        })
        .collect();
    let mut gap = f32::INFINITY;
    sim.run_with(10.0, |world| {
        for &agent in &agents {
            let place = world.get::<Transform>(agent).unwrap().translation;
            gap = gap.min(place.distance(rock) - 60.0);
        }
    });
    let sum: Vec3 = agents.iter().map(|&agent| sim.velocity(agent).normalize()).sum();
    assert!(agents.iter().all(|&agent| sim.position(agent).x > rock.x + 60.0), "all got past");
    (gap, sum.length() / agents.len() as f32)
}

#[test]
fn flock_works_a_million_units_from_the_origin() {
    for center in [Vec3::ZERO, Vec3::new(1e6, -1e6, 0.0)] {
        let (gap, alike) = flight_around(center);
        assert!(gap > 0.0, "at {center} an agent went {} into the rock", -gap);
        assert!(alike > 0.9, "at {center} the flock's headings agree by {alike}");
    }
}

#[test]
fn infinite_turn_limits_turn_at_once() {
    for (max_rate, max_accel) in [(9.0, f32::INFINITY), (f32::INFINITY, f32::INFINITY), (9.0, 1e30)]
    {
        let mut sim = Sim::new();
        let limits = TurnLimits { max_rate, max_accel, ..default() };
        let agent = sim.spawn((Vehicle::default(), Align::to_angle(2.0).with_limits(limits)));
        sim.run(2.0);
        let wanted = SteeringPlane::Xy.direction(2.0);
        let heading = sim.heading(agent);
        assert!(heading.distance(wanted) < 0.05, "{limits:?}: {heading}");
    }
}

#[test]
fn infinite_predictions_start_from_rest() {
    for prediction in [Prediction::Distance, Prediction::OwnSpeed, Prediction::Intercept] {
        let mut sim = Sim::new();
        let prey = sim.spawn((at(10.0, 0.0), Velocity(Vec3::Y)));
        let pursue = Pursue::new(prey).with_prediction(prediction);
        let agent = sim.spawn((Vehicle::default(), pursue.with_max_look_ahead(f32::INFINITY)));
        sim.run(1.0);
        assert!(sim.velocity(agent).length() > 1.0, "{prediction:?}: {}", sim.velocity(agent));
    }
}

#[test]
fn a_tick_of_one_second_is_stable() {
    let mut sim = Sim::new();
    set_step(&mut sim, Duration::from_secs(1));
    let agent = sim.spawn((Vehicle::default(), Arrive::new(Vec2::X * 40.0).with_stop_radius(0.5)));
    for _ in 0..60 {
        sim.tick();
        assert!(sim.position(agent).x < 41.0, "{}", sim.position(agent));
    }
    assert!((sim.position(agent).x - 40.0).abs() < 0.6, "{}", sim.position(agent));
}
