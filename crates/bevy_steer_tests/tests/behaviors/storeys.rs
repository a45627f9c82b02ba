//! Planar agents have to do only with what is level with them.

use core::f32::consts::TAU;

use bevy::prelude::*;
use bevy_steer::{AgentId, Length, ObstacleShape, Velocity, prelude::*};
use proptest::prelude::*;

use crate::{
    behaviors::wish_in,
    common::{
        Sim,
        rng::{TestRng, cases},
    },
};

fn ground() -> Sim {
    Sim::with(SteeringPlugin::new(Update).with_plane(SteeringPlane::Xz), 64.0)
}

/// Where these are, and how they move, bit by bit, but for their height.
fn bits(sim: &Sim, agents: &[Entity]) -> Vec<[u32; 4]> {
    let of = |&agent: &Entity| {
        let (place, velocity) = (sim.position(agent), sim.velocity(agent));
        [place.x, place.z, velocity.x, velocity.z].map(f32::to_bits)
    };
    agents.iter().map(of).collect()
}

const APART: f32 = 5.0;

/// Walkers, stones and walls at one height.
fn furnish(sim: &mut Sim, storey: u64) -> Vec<Entity> {
    let mut rng = TestRng::new(77, storey);
    let height = storey as f32 * APART;
    let mut place = |size: f32| Transform::from_translation(rng.point(size).with_y(height));
    for i in 0..6 {
        sim.spawn((Obstacle::sphere(0.5 + 0.2 * i as f32), place(12.0)));
        let (start, end) = (place(12.0).translation, place(12.0).translation);
        sim.spawn(Wall::new(start, end).with_height(3.0));
    }
    (0..24)
        .map(|i| {
            let avoid = (AvoidAgents::default(), AvoidObstacles::default(), AvoidWalls::default());
            let goal = Seek::new(place(12.0).translation);
            let id = AgentId(storey * 1000 + i);
            sim.spawn((Vehicle::default(), avoid, goal, Wander::default(), id, place(12.0)))
        })
        .collect()
}

fn as_if_alone(seconds: f32, fill: impl Fn(&mut Sim, u64) -> Vec<Entity>) {
    let mut both = ground();
    let storeys = [0, 1].map(|storey| fill(&mut both, storey));
    both.run(seconds);
    for (storey, agents) in storeys.iter().enumerate() {
        let mut alone = ground();
        let same = fill(&mut alone, storey as u64);
        alone.run(seconds);
        assert!(bits(&both, agents) == bits(&alone, &same), "storey {storey}");
    }
}

#[test]
fn storeys_avoid_bit_by_bit_as_if_alone() {
    as_if_alone(6.0, furnish);
}

#[test]
fn storeys_flock_bit_by_bit_as_if_alone() {
    let gather_in =
        |crowd| move |sim: &mut Sim, storey| gather(sim, storey as f32 * APART, storey, crowd);
    as_if_alone(6.0, gather_in(CROWD));
    // 480 square units each.
    as_if_alone(6.0, gather_in((30, 60.0)));
    // More than a search looks at, and more than a small table of cells holds, spread thinly.
    as_if_alone(0.25, gather_in((600, 6.0)));
    as_if_alone(0.25, gather_in((2500, 400.0)));
}

proptest! {
    #![proptest_config(cases(48))]

    /// Uneven floors, heaps, flocks that look at few others, agents of all sizes and speeds.
    #[test]
    fn whatever_is_on_storeys_moves_bit_by_bit_as_if_alone(seed in any::<u64>()) {
        as_if_alone(0.5, |sim, storey| {
            let mut rng = TestRng::new(seed, storey);
            let (count, reach) = rng.pick(&[(20, 8.0), (90, 8.0), (90, 40.0), (200, 4.0), (300, 90.0)]);
            let height = storey as f32 * 20.0;
            let largest = rng.pick(&[0.6, 1.5]);
            let radius = rng.number(1.0..12.0);
            // The layers of some, and things that are in them.
            let layers = SteeringLayers(rng.pick(&[1, 1, 2, 4, 6]));
            let angle = rng.pick(&[TAU, TAU, 4.0]);
            for i in 0..rng.index(3) as u64 {
                let place = rng.point(reach).with_y(height + 1.0);
                let id = AgentId(storey * 1000 + 900 + i);
                sim.spawn((layers, id, Transform::from_translation(place)));
            }
            for _ in 0..rng.index(60) {
                let (place, end) = (rng.point(reach), rng.point(reach));
                sim.spawn((
                    Obstacle::sphere(rng.number(0.2..3.0)),
                    Transform::from_translation(place.with_y(height)),
                ));
                sim.spawn(Wall::new(place.with_y(height), end.with_y(height)).with_height(3.0));
            }
            (0..count)
                .map(|i| {
                    let spot = if rng.chance(0.3) { Vec3::ZERO } else { rng.point(reach) };
                    let level = height + rng.number(0.0..2.0);
                    let vehicle = Vehicle::new(rng.number(1.0..20.0))
                        .with_radius(rng.number(0.3..largest));
                    let goal = rng.point(reach);
                    let agent = sim.spawn((
                        vehicle,
                        AgentId(storey * 1000 + i),
                        Velocity(rng.point(3.0)),
                        Transform::from_translation(spot.with_y(level)),
                    ));
                    let mut agent = sim.app.world_mut().entity_mut(agent);
                    if rng.chance(0.6) {
                        let most = rng.pick(&[2, 7, 1000]);
                        let radius = Length::Units(radius * rng.number(0.5..1.0));
                        let flock = Flock::default().with_view_angle(angle);
                        agent.insert(Flock { radius, max_neighbors: most, ..flock });
                    }
                    if rng.chance(0.3) {
                        agent.insert(layers);
                    }
                    if rng.chance(0.05) {
                        let flocks = [Flock::new(2.0), Flock::new(5.0)];
                        agent.insert(Several::new(flocks));
                    }
                    if rng.chance(0.6) {
                        agent.insert((AvoidAgents::default(), Seek::new(goal)));
                    }
                    if rng.chance(0.4) {
                        agent.insert((AvoidObstacles::default(), AvoidWalls::default()));
                    }
                    agent.id()
                })
                .collect()
        });
    }
}

#[test]
fn a_slope_is_no_storey() {
    let with_others = |height| {
        let mut sim = ground();
        let own = gather(&mut sim, 0.0, 0, CROWD);
        gather(&mut sim, height, 1, CROWD);
        sim.run(1.0);
        bits(&sim, &own)
    };
    assert!(with_others(1.0) != with_others(APART));
}

/// How many flock, and how far from the middle they may be.
const CROWD: (u64, f32) = (150, 15.0);

/// A flock at one height; some of it in the very same place.
fn gather(sim: &mut Sim, height: f32, seed: u64, (count, reach): (u64, f32)) -> Vec<Entity> {
    let mut rng = TestRng::new(9, seed);
    (0..count)
        .map(|i| {
            let place = if i % 50 < 4 { Vec3::ZERO } else { rng.point(reach) };
            let place = Transform::from_translation(place.with_y(height));
            let id = AgentId(seed * 1000 + i);
            sim.spawn((Vehicle::default(), Flock::default(), Velocity(rng.point(3.0)), id, place))
        })
        .collect()
}

#[test]
fn obstacles_count_where_they_reach_into_the_height() {
    let (xy, xz) = (SteeringPlane::Xy, SteeringPlane::Xz);
    let avoid = AvoidObstacles::default;
    let ball = |up: Vec3| (Obstacle::sphere(4.0), Transform::from_translation(Vec3::X * 8.0 + up));
    assert_eq!(wish_in(xz, avoid(), ball(Vec3::Y * 100.0)), Vec3::ZERO);
    // It is two units high, half of it above.
    assert_ne!(wish_in(xz, avoid(), ball(Vec3::Y * 4.9)), Vec3::ZERO);
    assert_eq!(wish_in(xz, avoid(), ball(Vec3::Y * 5.1)), Vec3::ZERO);
    assert_ne!(wish_in(xz, (avoid(), SteeringHeight(3.0)), ball(Vec3::Y * 5.1)), Vec3::ZERO);
    assert_eq!(wish_in(xz, (avoid(), SteeringHeight(1.0)), ball(Vec3::Y * -4.9)), Vec3::ZERO);
    assert_ne!(wish_in(xy, avoid(), ball(Vec3::Z * 100.0)), Vec3::ZERO, "2D has no heights");
    assert_eq!(wish_in(xy, (avoid(), SteeringHeight(2.0)), ball(Vec3::Z * 100.0)), Vec3::ZERO);
    let upright = (Obstacle::capsule(0.5, 40.0), Transform::from_xyz(8.0, 20.0, 0.1));
    assert_ne!(wish_in(xz, avoid(), upright), Vec3::ZERO);
    let line =
        ObstacleShape::Segment { start: Vec3::new(8.0, 3.0, -9.0), end: Vec3::new(8.0, 3.0, 9.0) };
    assert_eq!(wish_in(xz, avoid(), (Obstacle::new(line), Transform::default())), Vec3::ZERO);
}

#[test]
fn walls_count_where_they_reach_into_the_height() {
    let xz = SteeringPlane::Xz;
    let wall = |y: f32| Wall::new(Vec3::new(2.0, y, -9.0), Vec3::new(2.0, y, 9.0));
    let avoid = AvoidWalls::default;
    assert_ne!(wish_in(xz, avoid(), wall(-100.0)), Vec3::ZERO, "it has no end");
    assert_eq!(wish_in(xz, avoid(), wall(-100.0).with_height(3.0)), Vec3::ZERO);
    assert_ne!(wish_in(xz, avoid(), wall(-3.0).with_height(3.0)), Vec3::ZERO);
    assert_eq!(wish_in(xz, avoid(), wall(1.1).with_height(3.0)), Vec3::ZERO);
}

#[test]
fn obstacles_reach_as_high_as_they_are_scaled() {
    let wish = |scale: Vec3, turn: Quat, y: f32| {
        let place = Transform::from_xyz(4.0, y, 0.2).with_scale(scale).with_rotation(turn);
        let avoid = AvoidObstacles::default().with_look_ahead(1.5);
        wish_in(SteeringPlane::Xz, avoid, (Obstacle::sphere(1.0), place)) != Vec3::ZERO
    };
    let (upright, lying) = (Quat::IDENTITY, Quat::from_rotation_x(core::f32::consts::FRAC_PI_2));
    // The agent reaches one unit down.
    assert!(wish(Vec3::ONE, upright, -1.9) && !wish(Vec3::ONE, upright, -2.1));
    let puddle = Vec3::new(1.0, 0.1, 1.0);
    assert!(wish(puddle, upright, -1.05) && !wish(puddle, upright, -1.15));
    let pillar = Vec3::new(1.0, 9.0, 1.0);
    assert!(wish(pillar, upright, -9.9) && !wish(pillar, upright, -10.1));
    // Its height is along the ground then.
    assert!(!wish(pillar, lying, -2.1));
    let wall = |scale: Vec3, y: f32| {
        let place = Transform::from_xyz(0.0, y, 0.0).with_scale(scale);
        let wall = Wall::new(Vec3::new(2.0, 0.0, -9.0), Vec3::new(2.0, 0.0, 9.0)).with_height(1.0);
        wish_in(SteeringPlane::Xz, AvoidWalls::default(), (wall, place)) != Vec3::ZERO
    };
    assert!(!wall(Vec3::ONE, -4.0) && wall(Vec3::new(1.0, 5.0, 1.0), -4.0));
}

#[test]
fn agents_without_a_radius_have_a_height() {
    let mut sim = ground();
    let flock = (Vehicle::default().with_radius(0.0), Flock::new(8.0));
    let [low, high] = [0.0, 0.3]
        .map(|y| sim.spawn((flock, WhenIdle::Coast, Transform::from_xyz(2.0 * y, y, 0.0))));
    sim.run(0.1);
    let apart = sim.position(high).x - sim.position(low).x;
    assert!(apart > 0.6 + 1e-3, "they see each other and part: {apart}");
}

#[test]
fn nearest_targets_may_be_on_other_storeys() {
    let seek = Seek::new(Target::nearest(SteeringLayers::layer(4), 50.0));
    let lure = (SteeringLayers::layer(4), Transform::from_xyz(0.0, 30.0, 9.0));
    assert!(wish_in(SteeringPlane::Xz, seek, lure).z > 0.0);
}
