//! Wander: it strolls, alike at every tick rate.

use bevy::{math::ops, prelude::*};
use bevy_steer::{Memory, Velocity, WanderMemory, prelude::*};

use crate::common::{Sim, place, strong};

fn wander_at(displacement: Vec3) -> Wander {
    Wander { memory: Memory(WanderMemory { displacement, ..default() }), ..default() }
}

fn stroll(count: usize, hz: f32, seconds: f32, plane: SteeringPlane) -> (Sim, Vec<Entity>) {
    let mut sim = Sim::with(SteeringPlugin::new(Update).with_plane(plane).with_seed(5), hz);
    let start = (Vehicle::default(), Velocity(plane.forward() * 5.0));
    let agents: Vec<_> =
        (0..count).map(|_| sim.spawn((start, Wander::default(), SteeringLayers::NONE))).collect();
    sim.run(seconds);
    (sim, agents)
}

#[test]
fn wander_spread_does_not_depend_on_the_tick_rate() {
    let spread = |hz: f32| {
        let (sim, agents) = stroll(4000, hz, 1.0, SteeringPlane::Xy);
        let angle = |agent: &Entity| SteeringPlane::Xy.angle(sim.heading(*agent));
        let squares: f32 = agents.iter().map(|agent| angle(agent) * angle(agent)).sum();
        (squares / agents.len() as f32).sqrt()
    };
    let spreads: Vec<f32> = [30.0, 60.0, 120.0, 240.0].into_iter().map(spread).collect();
    for spread in &spreads {
        let off = spread / spreads[1] - 1.0;
        assert!(off.abs() < 0.1, "{spreads:?}");
    }
    assert!(spreads[0] > 0.1, "they should not go straight: {spreads:?}");
}

#[test]
fn wanderers_keep_moving_and_do_not_circle() {
    for plane in SteeringPlane::ALL {
        let (mut sim, agents) = stroll(50, 64.0, 5.0, plane);
        for &agent in &agents {
            assert!(sim.velocity(agent).length() > 4.0);
        }
        let before: Vec<Vec3> = agents.iter().map(|&agent| sim.position(agent)).collect();
        sim.run(5.0);
        for (&agent, before) in agents.iter().zip(before) {
            let gone = sim.position(agent).distance(before);
            assert!(gone > 2.5, "{plane:?}: {gone} of 25 units in five seconds");
        }
    }
}

#[test]
fn wander_has_no_bias_to_one_side() {
    let (sim, agents) = stroll(2000, 64.0, 4.0, SteeringPlane::Xy);
    let mean = agents.iter().map(|&agent| sim.position(agent).y).sum::<f32>() / 2000.0;
    assert!(mean.abs() < 0.5, "{mean}");
}

#[test]
fn the_same_seed_wanders_the_same_way() {
    let place = |seed| {
        let mut sim = Sim::with(SteeringPlugin::new(Update).with_seed(seed), 64.0);
        let agent = sim.spawn((Vehicle::default(), Wander::default()));
        sim.run(5.0);
        sim.position(agent)
    };
    assert_eq!(place(1), place(1));
    assert_ne!(place(1), place(2));
}

#[test]
fn the_displacement_is_in_the_agents_frame() {
    for plane in SteeringPlane::ALL {
        let forward = plane.forward();
        let left = plane.left(forward);
        for (displacement, towards) in [(Vec3::X, forward), (Vec3::Y, left), (Vec3::Z, Vec3::Y)] {
            if displacement == Vec3::Z && plane.is_planar() {
                continue;
            }
            let steering = SteeringPlugin::new(Update).with_plane(plane).without_integration();
            let mut sim = Sim::with(steering, 64.0);
            let wander = wander_at(displacement).with_rate(0.0);
            let agent = sim.spawn((strong(5.0), wander, Velocity(forward * 5.0)));
            sim.tick();
            // Five radii ahead and three to that side.
            let expected = (forward * 5.0 + towards * 3.0).normalize() * 5.0 - forward * 5.0;
            let wish = sim.wish(agent);
            let off = wish.angle_between(expected);
            assert!(wish.distance(expected) < 1e-4 || off < 1e-3, "{plane:?} {towards}: {wish}");
        }
    }
}

#[test]
fn the_displacement_forgets_its_direction_at_its_rate() {
    // By diffusion on a circle, and on a sphere, which has two ways to go.
    for (plane, ways) in [(SteeringPlane::Xy, 1.0), (SteeringPlane::Free, 2.0)] {
        for hz in [16.0, 256.0] {
            let mut sim = Sim::with(SteeringPlugin::new(Update).with_plane(plane), hz);
            let rate = 2.0;
            let wander = wander_at(Vec3::X).with_rate(rate);
            let start = (Vehicle::default(), SteeringLayers::NONE, wander);
            let agents: Vec<Entity> = (0..2000).map(|_| sim.spawn(start.clone())).collect();
            let seconds = 0.25;
            sim.run(seconds);
            let still = agents.iter().map(|&agent| sim.get::<Wander>(agent).memory.displacement.x);
            let mean = still.sum::<f32>() / agents.len() as f32;
            let expected = ops::exp(-0.5 * ways * rate * rate * seconds);
            assert!((mean - expected).abs() < 0.06, "{plane:?} {hz}: {mean} {expected}");
        }
    }
}

#[test]
fn wanderers_do_not_stay_along_the_walls_of_a_room() {
    let (xy, default_mode) = (SteeringPlane::Xy, Arbitration::default);
    let usual = Vehicle::default();
    let mut cases = vec![
        (0, xy, default_mode(), 1, usual),
        (1, xy, default_mode(), 1, usual),
        (2, SteeringPlane::Xz, default_mode(), 1, usual),
        (3, xy, default_mode(), 3, usual),
    ];
    let first = [0.01, 0.25].map(|epsilon| Arbitration::FirstActive { epsilon });
    for mode in first.into_iter().chain([Arbitration::WeightedSum, Arbitration::dithered()]) {
        cases.push((0, xy, mode, 1, usual));
    }
    for (radius, speed) in [(0.25, 5.0), (1.0, 5.0), (0.5, 2.5), (0.5, 10.0)] {
        let body = Vehicle::new(speed).with_radius(radius);
        cases.push((0, xy, default_mode(), 1, body));
    }
    for (seed, plane, mode, think, body) in cases {
        let mut sim =
            Sim::with(SteeringPlugin::new(Update).with_plane(plane).with_seed(seed), 64.0);
        let corners = [[-20.0, -15.0], [20.0, -15.0], [20.0, 15.0], [-20.0, 15.0]];
        let corners = corners.map(|corner| place(plane, Vec2::from(corner)));
        for i in 0..4 {
            sim.spawn(Wall::new(corners[i], corners[(i + 1) % 4]));
        }
        let agents: Vec<Entity> = (0..40)
            .map(|i| {
                let start = Vec2::new((i % 8) as f32 * 4.0 - 14.0, (i / 8) as f32 * 5.0 - 10.0);
                let start = Transform::from_translation(place(plane, start));
                let wanders = (Wander::default(), AvoidWalls::default(), SteeringLayers::NONE);
                sim.spawn((body, wanders, mode.clone(), ThinkEvery(think), start))
            })
            .collect();
        sim.run(10.0);
        let (mut near, mut far, mut speeds) = (0, 0, 0.0);
        for _ in 0..100 {
            // Slow ones take longer for as long a way.
            sim.run((2.5 / body.max_speed).max(0.5));
            for &agent in &agents {
                let at = sim.position(agent);
                let [x, y] = [Vec2::X, Vec2::Y].map(|axis| at.dot(place(plane, axis)).abs());
                let is_near = x > 18.0 || y > 13.0;
                (near, far) = (near + i32::from(is_near), far + i32::from(!is_near));
                speeds += sim.velocity(agent).length();
            }
        }
        // Evenly spread there would be 17 % of them, as their bodies do not reach the walls.
        let most = if body.max_speed < 5.0 { 0.24 } else { 0.22 };
        let (share, speed) = (near as f32 / (near + far) as f32, speeds / (near + far) as f32);
        let case = format!("{seed} {plane:?} {mode:?} {think} {} {}", body.radius, body.max_speed);
        assert!((0.03..most).contains(&share), "{case}: {share}");
        assert!(speed > 0.8 * body.max_speed, "{case}: {speed}");
    }
}
