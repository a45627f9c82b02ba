//! Agents that decide only now and then.

use bevy::prelude::*;
use bevy_steer::{Velocity, prelude::*};

use crate::common::{Sim, at};

/// How often each of some agents was asked.
#[derive(Component, Reflect, Clone, Copy, Debug, Default)]
#[reflect(Component, Default)]
struct Counting {
    asked: u32,
    told_dt: f32,
    blend: Blend,
}

impl SteeringBehavior for Counting {
    type Param = ();
    const PRIORITY: Priority = Priority::Normal;
    bevy_steer::blend_field!();
    fn steer(&mut self, agent: &Agent, (): &()) -> Steering {
        self.asked += 1;
        self.told_dt = agent.dt;
        Steering::linear(Vec3::X * self.asked as f32)
    }
}

fn sim() -> Sim {
    let mut sim = Sim::new();
    sim.app.add_steering_behavior::<Counting>();
    sim
}

#[test]
fn turns_are_spread_evenly_over_ticks() {
    let mut sim = sim();
    let agents: Vec<Entity> = (0..40)
        .map(|_| sim.spawn((Vehicle::default(), Counting::default(), ThinkEvery(4))))
        .collect();
    let mut before = 0;
    for tick in 1..=12 {
        sim.tick();
        let asked: u32 = agents.iter().map(|&agent| sim.get::<Counting>(agent).asked).sum();
        assert_eq!(asked - before, 10, "tick {tick}");
        before = asked;
    }
    assert!(agents.iter().all(|&agent| sim.get::<Counting>(agent).asked == 3));
    assert!(agents.iter().all(|&agent| sim.get::<Counting>(agent).told_dt == 4.0 / 64.0));
}

#[test]
fn the_force_is_kept_between_turns() {
    let mut sim = sim();
    let agent = sim.spawn((Vehicle::new(100.0), Counting::default(), ThinkEvery(3)));
    let mut forces = Vec::new();
    let mut places = Vec::new();
    for _ in 0..9 {
        sim.tick();
        forces.push(sim.get::<SteeringForce>(agent).linear.x);
        places.push(sim.position(agent).x);
    }
    for turn in forces.chunks(3) {
        assert!(turn[0] > 0.0 && turn.iter().all(|force| force == &turn[0]), "{forces:?}");
    }
    assert!(forces[3] > forces[0] && forces[6] > forces[3], "{forces:?}");
    assert!(places.is_sorted_by(|a, b| a < b), "it moves at every tick: {places:?}");
}

#[test]
fn arrive_is_stable_with_rare_turns() {
    let mut sim = sim();
    // Much nimbler than it thinks.
    let vehicle = Vehicle::new(10.0).with_response(0.0).with_max_force(1e4);
    let goal = Vec2::new(30.0, 0.0);
    let agent = sim.spawn((vehicle, Arrive::new(goal), ThinkEvery(8), at(0.0, 0.0)));
    sim.run(20.0);
    assert!(sim.position(agent).distance(goal.extend(0.0)) < 0.5, "{}", sim.position(agent));
    assert!(sim.velocity(agent).length() < 0.1, "{}", sim.velocity(agent));
}

#[test]
fn flock_holds_together_with_rare_turns() {
    let spread = |every: u32| {
        let mut sim = sim();
        let agents: Vec<Entity> = (0..30)
            .map(|i| {
                let place = at((i % 6) as f32 * 2.0, (i / 6) as f32 * 2.0);
                let flock = Flock::new(6.0);
                sim.spawn((
                    Vehicle::default(),
                    flock,
                    Velocity(Vec3::X * 2.0),
                    ThinkEvery(every),
                    place,
                ))
            })
            .collect();
        sim.run(10.0);
        let places: Vec<Vec3> = agents.iter().map(|&agent| sim.position(agent)).collect();
        let middle = places.iter().sum::<Vec3>() / places.len() as f32;
        assert!(middle.x > 10.0, "it travels: {middle}");
        places.iter().map(|place| place.distance(middle)).fold(0.0, f32::max)
    };
    assert!(spread(1) < 15.0 && spread(5) < 15.0, "{} {}", spread(1), spread(5));
}
