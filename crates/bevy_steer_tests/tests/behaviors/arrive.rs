//! Arrive: it gets there, it stops there, at every tick rate.

use bevy::prelude::*;
use bevy_steer::{Velocity, prelude::*};

use crate::{
    behaviors::modes,
    common::{Seen, Sim, at, watch},
};

const PROFILES: [ArriveProfile; 5] = [
    ArriveProfile::SlowRadius(4.0),
    ArriveProfile::SLOW,
    ArriveProfile::NORMAL,
    ArriveProfile::FAST,
    ArriveProfile::Braking,
];

#[test]
fn arrive_settles_within_the_stop_radius() {
    const STOP: f32 = 0.2;
    const GOAL: f32 = 20.0;
    for hz in [20.0, 30.0, 60.0, 144.0] {
        for profile in PROFILES {
            for vehicle in [Vehicle::new(5.0), Vehicle::new(5.0).with_max_force(4.0)] {
                let case = format!("{hz} Hz, {profile:?}, force {}", vehicle.max_force);
                let mut sim = Sim::with(SteeringPlugin::new(Update), hz);
                let arrive =
                    Arrive::new(Vec2::new(GOAL, 0.0)).with_profile(profile).with_stop_radius(STOP);
                let agent = sim.spawn((vehicle, arrive, at(0.0, 0.0)));
                let (mut farthest, mut turns, mut last) = (0.0_f32, 0, 1.0_f32);
                sim.run_with(15.0, |world| {
                    farthest = farthest.max(world.get::<Transform>(agent).unwrap().translation.x);
                    let speed = world.get::<Velocity>(agent).unwrap().x;
                    turns += usize::from(speed * last < 0.0 && speed.abs() > 0.01);
                    last = if speed.abs() > 0.01 { speed } else { last };
                });
                let end = sim.position(agent).x;
                assert!((end - GOAL).abs() <= STOP, "{case}: rests at {end}");
                assert!(farthest <= GOAL + STOP, "{case}: shot over to {farthest}");
                assert_eq!(turns, 0, "{case}: swings");
                assert!(sim.velocity(agent).length() < 1e-3, "{case}: creeps");
            }
        }
    }
}

#[test]
fn arrive_does_not_overshoot_with_a_slow_response() {
    const GOAL: f32 = 700.0;
    for response in [0.0, 0.05, 0.1, 0.3, 1.0] {
        for profile in PROFILES {
            let vehicle = Vehicle::new(340.0).with_max_force(700.0).with_response(response);
            let mut sim = Sim::new();
            let arrive = Arrive::new(Vec2::X * GOAL).with_profile(profile).with_stop_radius(1.0);
            let agent = sim.spawn((vehicle, arrive, at(0.0, 0.0)));
            let mut farthest = 0.0_f32;
            sim.run_with(12.0, |world| {
                farthest = farthest.max(world.get::<Transform>(agent).unwrap().translation.x);
            });
            let case = format!("response {response}, {profile:?}");
            assert!(farthest <= GOAL + 0.1, "{case}: shot over to {farthest}");
            assert!(sim.position(agent).x > GOAL - 1.5, "{case}: at {}", sim.position(agent).x);
        }
    }
}

#[test]
fn arrive_profiles_differ_in_speed() {
    let time = |profile| {
        let mut sim = Sim::new();
        watch(&mut sim.app);
        let arrive = Arrive::new(Vec2::new(20.0, 0.0)).with_profile(profile);
        sim.spawn((Vehicle::new(5.0), arrive, at(0.0, 0.0)));
        let mut ticks = 0;
        while sim.app.world().resource::<Seen>().0.is_empty() {
            sim.tick();
            ticks += 1;
            assert!(ticks < 64 * 30, "{profile:?} never arrives");
        }
        ticks
    };
    let times = [ArriveProfile::FAST, ArriveProfile::NORMAL, ArriveProfile::SLOW].map(time);
    assert!(times.is_sorted_by(|a, b| a < b), "{times:?}");
    assert!(time(ArriveProfile::Braking) <= times[0]);
}

#[test]
fn arrived_is_emitted_again_after_the_target_moved_away() {
    let mut sim = Sim::new();
    watch(&mut sim.app);
    let goal = sim.spawn(at(5.0, 0.0));
    let agent = sim.spawn((Vehicle::default(), Arrive::new(goal), at(0.0, 0.0)));
    sim.run(10.0);
    let arrived = format!("Arrived {{ entity: {agent} }}");
    assert_eq!(sim.app.world().resource::<Seen>().0.len(), 1, "{arrived}");
    sim.get_mut::<Transform>(goal).translation = Vec3::new(0.0, 5.0, 0.0);
    sim.run(10.0);
    assert_eq!(sim.app.world().resource::<Seen>().0.len(), 2);
}

#[test]
fn arrived_resets_at_two_stop_radii() {
    for (step, told) in [(1.9, 1), (2.1, 2)] {
        const STOP_RADIUS: f32 = 4.0;
        let mut sim = Sim::new();
        watch(&mut sim.app);
        let goal = sim.spawn(at(5.0, 0.0));
        let arrive = Arrive::new(goal).with_stop_radius(STOP_RADIUS);
        let agent = sim.spawn((Vehicle::default(), arrive, at(0.0, 0.0)));
        sim.run(10.0);
        let there = sim.position(agent);
        sim.get_mut::<Transform>(goal).translation = there + Vec3::X * (STOP_RADIUS * step);
        sim.run(10.0);
        assert_eq!(sim.app.world().resource::<Seen>().0.len(), told, "{step} radii away");
    }
}

#[test]
fn arrive_returns_after_a_push() {
    let mut sim = Sim::new();
    let agent = sim.spawn((Vehicle::default(), Arrive::new(Vec2::ZERO), at(3.0, 0.0)));
    sim.run(6.0);
    sim.get_mut::<Velocity>(agent).0 = Vec3::Y * 5.0;
    sim.run(8.0);
    assert!(sim.position(agent).length() <= 0.1);
}

#[test]
fn arrived_is_emitted_once_while_others_push_the_agent() {
    // A point is jostled as far as a body.
    for body in [Vehicle::default(), Vehicle::default().with_radius(0.0)] {
        let mut sim = Sim::new();
        watch(&mut sim.app);
        let goal = sim.spawn(at(5.0, 0.0));
        let agent = sim.spawn((body, Arrive::new(goal), at(0.0, 0.0)));
        sim.run(6.0);
        let mut farthest = 0.0_f32;
        for push in 0..20 {
            sim.get_mut::<Velocity>(agent).0 = Quat::from_rotation_z(push as f32) * Vec3::X * 5.0;
            sim.run_with(0.7, |world| {
                let place = world.get::<Transform>(agent).unwrap().translation;
                farthest = farthest.max(place.distance(Vec3::X * 5.0));
            });
        }
        assert!(farthest > 0.4, "it was pushed out of two stop radii: {farthest}");
        sim.run(5.0);
        assert_eq!(sim.app.world().resource::<Seen>().0.len(), 1);
        // Far off it has left.
        sim.get_mut::<Transform>(agent).translation.x = -5.0;
        sim.run(6.0);
        assert_eq!(sim.app.world().resource::<Seen>().0.len(), 2);
    }
}

#[test]
fn the_first_arrival_is_told_once_while_others_push_the_agent() {
    let mut sim = Sim::new();
    watch(&mut sim.app);
    let agent = sim.spawn((Vehicle::default(), Arrive::new(Vec2::new(5.0, 0.0)), at(0.0, 0.0)));
    let told = |sim: &Sim| sim.app.world().resource::<Seen>().0.len();
    let mut before = 0;
    for push in 0..40 {
        let kick = Quat::from_rotation_z(push as f32 * 2.4) * Vec3::X * 1.5;
        sim.get_mut::<Velocity>(agent).0 += kick;
        sim.run(0.15);
        assert!(told(&sim) <= 1, "after {push} pushes");
        before += usize::from(told(&sim) == 0);
    }
    assert!(before > 5, "it was pushed before it had arrived");
    sim.run(5.0);
    assert_eq!(told(&sim), 1);
}

/// An agent that arrives at a runner, and what it runs from and to.
struct Chase {
    sim: Sim,
    agent: Entity,
    runner: Entity,
}

impl Chase {
    /// The agent is at the origin. The runner keeps its velocity.
    fn new(plugin: SteeringPlugin, agent: impl Bundle, start: Vec3, velocity: Vec3) -> Self {
        let mut sim = Sim::with(plugin, 64.0);
        watch(&mut sim.app);
        let body = Vehicle::new(velocity.length());
        let runner = (body, WhenIdle::Coast, Velocity(velocity));
        let runner = sim.spawn((runner, Transform::from_translation(start)));
        let arrive = Arrive::new(runner);
        let agent = sim.spawn((agent, Transform::IDENTITY));
        sim.app.world_mut().entity_mut(agent).insert(arrive);
        Self { sim, agent, runner }
    }

    /// Between the bodies, or how deep they are in each other.
    fn distance(&self) -> f32 {
        let apart = self.sim.position(self.agent).distance(self.sim.position(self.runner));
        let radius = |entity| self.sim.get::<Vehicle>(entity).radius;
        (apart - radius(self.agent) - radius(self.runner)).abs()
    }

    fn arrivals(&self) -> usize {
        self.sim.app.world().resource::<Seen>().0.len()
    }
}

#[test]
fn arrive_keeps_up_with_a_moving_target() {
    for plane in SteeringPlane::ALL {
        for speed in [0.02, 0.1, 0.4, 0.8] {
            // It runs away, across, towards the agent, and aslant.
            for turn in [0.0, 1.6, 3.1, -2.2] {
                for max_speed in [1.0, 5.0, 40.0] {
                    let vehicle = Vehicle::new(max_speed);
                    let (start, way) = (plane.direction(0.0) * max_speed, plane.direction(turn));
                    let plugin = SteeringPlugin::new(Update).with_plane(plane);
                    let mut chase = Chase::new(plugin, vehicle, start, way * (speed * max_speed));
                    let case = format!("{plane:?} {speed} {turn} {max_speed}");
                    chase.sim.run(15.0);
                    assert_eq!(chase.arrivals(), 1, "{case}, {} away", chase.distance());
                    for _ in 0..64 {
                        chase.sim.tick();
                        let off = chase.distance();
                        assert!(off < 0.21 * vehicle.radius, "{case}: {off} away");
                    }
                    assert_eq!(chase.arrivals(), 1, "{case}");
                }
            }
        }
    }
}

#[test]
fn arrive_keeps_up_whatever_the_profile_mode_and_thinking() {
    for mode in modes() {
        for profile in PROFILES {
            for think in [1, 4] {
                let agent = (Vehicle::default(), mode.clone(), ThinkEvery(think));
                let plugin = SteeringPlugin::new(Update);
                let mut chase = Chase::new(plugin, agent, Vec3::X * 8.0, Vec3::Y * 2.0);
                chase.sim.get_mut::<Arrive>(chase.agent).profile = profile;
                chase.sim.run(10.0);
                let (off, case) = (chase.distance(), format!("{mode:?} {profile:?} {think}"));
                assert_eq!(chase.arrivals(), 1, "{case}: {off} away");
                assert!(off < 0.12, "{case}: {off} away");
            }
        }
    }
}

#[test]
fn arrive_follows_a_target_that_turns_and_one_that_stops() {
    let mut sim = Sim::new();
    watch(&mut sim.app);
    let target = sim.spawn((Transform::IDENTITY, Velocity::default()));
    let agent = sim.spawn((Vehicle::default(), Arrive::new(target), at(2.0, 0.0)));
    let (mut time, mut worst) = (0.0_f32, 0.0_f32);
    for _ in 0..640 {
        // On a circle of five units, at two units a second.
        let place = Vec2::from_angle(time * 0.4) * 5.0;
        sim.get_mut::<Transform>(target).translation = place.extend(0.0);
        sim.get_mut::<Velocity>(target).0 = (place.perp() * 0.4).extend(0.0);
        if time > 4.0 {
            worst = worst.max(sim.position(agent).distance(place.extend(0.0)));
        }
        sim.tick();
        time += 1.0 / sim.hz;
    }
    assert!(worst < 0.15, "{worst}");
    sim.get_mut::<Velocity>(target).0 = Vec3::ZERO;
    let place = sim.position(target);
    let mut farthest = 0.0_f32;
    sim.run_with(4.0, |world| {
        farthest = farthest.max(world.get::<Transform>(agent).unwrap().translation.distance(place));
    });
    assert!(farthest < 0.4, "it shot over by {farthest}");
    assert!(sim.velocity(agent).length() < 1e-3);
    assert_eq!(sim.app.world().resource::<Seen>().0.len(), 1);
}

#[test]
fn agents_that_arrive_at_each_other_come_to_rest() {
    for (speed, velocity) in [(5.0, Vec3::ZERO), (2.0, Vec3::X * 2.0), (4.0, Vec3::Y * 4.0)] {
        let mut sim = Sim::new();
        watch(&mut sim.app);
        let one = sim.spawn((Vehicle::default(), at(-10.0, 0.0)));
        let other = (Vehicle::new(speed), Velocity(velocity), Arrive::new(one), at(10.0, 0.0));
        let other = sim.spawn(other);
        sim.app.world_mut().entity_mut(one).insert(Arrive::new(other));
        sim.run(20.0);
        for agent in [one, other] {
            let moving = sim.velocity(agent).length();
            assert!(moving < 1e-2, "{moving} at {} after {velocity}", sim.position(agent));
        }
        assert_eq!(sim.app.world().resource::<Seen>().0.len(), 2);
    }
}
