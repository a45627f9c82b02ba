//! Limits that a game's own behaviours give, and the permitted velocity.

use bevy::prelude::*;
use bevy_steer::{Velocity, prelude::*};

use crate::common::{Sim, at};

/// Nobody goes beyond `x`.
#[derive(Component, Reflect, Clone, Debug, Default)]
#[reflect(Component, Default)]
struct Line {
    x: f32,
    is_soft: bool,
    blend: Blend,
}

impl SteeringBehavior for Line {
    type Param = ();
    const PRIORITY: Priority = Priority::Normal;
    const DRIVES: bool = false;
    const LIMITS: bool = true;
    bevy_steer::blend_field!();

    fn steer(&mut self, _: &Agent, (): &ParamOf<Self>) -> Steering {
        Steering::NONE
    }

    fn limits(&mut self, agent: &Agent, (): &ParamOf<Self>, limits: &mut VelocityLimits) {
        let bound = -agent.approach_speed(self.x - agent.position.x);
        limits.add(if self.is_soft {
            VelocityLimit::soft(Vec3::NEG_X, bound)
        } else {
            VelocityLimit::hard(Vec3::NEG_X, bound)
        });
    }
}

fn sim() -> Sim {
    let mut sim = Sim::new();
    sim.app.add_steering_behavior::<Line>();
    sim
}

#[test]
fn a_hard_limit_is_kept_whatever_is_requested() {
    for mode in [Arbitration::Prioritized, Arbitration::WeightedSum, Arbitration::dithered()] {
        let mut sim = sim();
        let seek = Seek::new(Vec2::X * 1e3).with_weight(5.0).with_priority(Priority::Critical);
        let line = Line { x: 10.0, ..default() };
        let agent = sim.spawn((Vehicle::default(), mode, seek, line));
        let mut farthest = f32::NEG_INFINITY;
        sim.run_with(8.0, |world| {
            farthest = farthest.max(world.get::<Transform>(agent).unwrap().translation.x);
        });
        assert!(farthest < 9.5 && farthest > 9.3, "its body ends at the line: {farthest}");
    }
}

#[test]
fn limits_apply_to_several_and_to_agents_that_think_rarely() {
    let mut sim = sim();
    let lines = Several::new([Line { x: 30.0, ..default() }, Line { x: 10.0, ..default() }]);
    let seek = Seek::new(Vec2::X * 1e3);
    let agent = sim.spawn((Vehicle::default(), seek, lines));
    let line = Line { x: 10.0, ..default() };
    let rare = sim.spawn((Vehicle::default(), seek, line, ThinkEvery(4), at(0.0, 5.0)));
    sim.run(8.0);
    for agent in [agent, rare] {
        let x = sim.position(agent).x;
        assert!(x < 9.6 && x > 9.0, "{x}");
    }
}

#[test]
fn a_soft_limit_gives_way_to_a_hard_one() {
    let mut sim = sim();
    // Pushed to the right by a soft limit, held by a hard one.
    let seek = Seek::new(Vec2::X * 1e3);
    let lines =
        Several::new([Line { x: -5.0, is_soft: true, ..default() }, Line { x: 10.0, ..default() }]);
    let agent = sim.spawn((Vehicle::default(), seek, lines, at(12.0, 0.0)));
    sim.run(4.0);
    assert!(sim.position(agent).x < 9.6, "{}", sim.position(agent));
}

#[test]
fn the_permitted_velocity_can_be_read_without_integration() {
    let mut sim = Sim::without_motion();
    sim.app.add_steering_behavior::<Line>();
    let seek = Seek::new(Vec2::X * 1e3);
    let free = sim.spawn((Vehicle::default(), seek, VelocityLimits::default()));
    let line = Line { x: 0.525, ..default() };
    let held = sim.spawn((Vehicle::default(), seek, line));
    sim.tick();
    // A force of 20 in a tick of 1/64 s.
    let step = Vec3::X * 20.0 / 64.0;
    let limits = sim.get::<VelocityLimits>(free);
    assert!((limits.permitted() - step).length() < 1e-5, "{}", limits.permitted());
    let limits = sim.get::<VelocityLimits>(held);
    assert!((limits.requested() - step).length() < 1e-5, "{}", limits.requested());
    assert!(limits.permitted().length() < 1e-3, "{}", limits.permitted());
}

#[test]
fn agents_without_limits_have_no_room_for_them() {
    let mut sim = sim();
    let plain = sim.spawn((Vehicle::default(), Seek::new(Vec2::X)));
    let limited = sim.spawn((Vehicle::default(), Line::default()));
    let world = sim.app.world();
    assert!(!world.entity(plain).contains::<VelocityLimits>());
    assert!(world.entity(limited).contains::<VelocityLimits>());
}

#[test]
fn a_disabled_behavior_does_not_limit() {
    let mut sim = sim();
    let line = Line { x: 3.0, ..default() }.disabled();
    let agent = sim.spawn((Vehicle::default(), Seek::new(Vec2::X * 1e3), line, Velocity(Vec3::X)));
    sim.run(4.0);
    assert!(sim.position(agent).x > 10.0);
}

/// Nobody goes to the right, by this weight.
#[derive(Component, Reflect, Clone, Debug, Default)]
#[reflect(Component, Default)]
struct Firmly {
    weight: f32,
    blend: Blend,
}

impl SteeringBehavior for Firmly {
    type Param = ();
    const PRIORITY: Priority = Priority::Normal;
    const DRIVES: bool = false;
    const LIMITS: bool = true;
    bevy_steer::blend_field!();

    fn steer(&mut self, _: &Agent, (): &ParamOf<Self>) -> Steering {
        Steering::NONE
    }

    fn limits(&mut self, _: &Agent, (): &ParamOf<Self>, limits: &mut VelocityLimits) {
        limits.add(VelocityLimit::firm(Vec3::NEG_X, 0.0, self.weight));
    }
}

#[test]
fn a_firm_limit_gives_way_by_its_weight() {
    for (weight, share) in [(0.0, 1.0), (3.0, 0.25), (99.0, 0.01), (-1.0, 1.0), (f32::NAN, 1.0)] {
        let mut sim = Sim::without_motion();
        sim.app.add_steering_behavior::<Firmly>();
        let seek = Seek::new(Vec2::X * 1e3);
        let agent = sim.spawn((Vehicle::default(), seek, Firmly { weight, ..default() }));
        sim.tick();
        let limits = sim.get::<VelocityLimits>(agent);
        // |x − requested|² + weight · x² is least at requested / (1 + weight).
        let expected = limits.requested() * share;
        assert!((limits.permitted() - expected).length() < 1e-5, "{weight}: {limits:?}");
    }
}
