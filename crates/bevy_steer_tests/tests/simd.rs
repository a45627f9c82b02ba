//! Eight agents at a time steer as each of them does by itself, in the same bits.

use bevy::{ecs::change_detection::Tick, prelude::*};
use bevy_steer::{Feelers, Heading, Length, Memory, TargetMemory, Velocity, prelude::*};
use proptest::prelude::*;

use crate::common::{
    Sim,
    hostile::bits,
    rng::{TestRng, cases},
};

fn vehicle(rng: &mut TestRng) -> Vehicle {
    Vehicle {
        mass: rng.number(0.2..3.0),
        max_speed: rng.number(0.0..9.0),
        max_force: rng.number(0.0..60.0),
        radius: rng.number(0.1..1.0),
        response: rng.number(0.0..0.5),
    }
}

fn blend(rng: &mut TestRng) -> Blend {
    Blend {
        weight: rng.number(0.5..2.0),
        priority: rng.chance(0.2).then(|| rng.pick(&Priority::ALL)),
        enabled: rng.chance(0.9),
    }
}

/// With a target that is near, far or where the agent is.
fn arrive(rng: &mut TestRng, here: Vec3) -> Arrive {
    let profile = match rng.index(3) {
        0 => ArriveProfile::SlowRadius(rng.number(0.0..6.0)),
        1 => ArriveProfile::Deceleration(rng.number(0.0..2.0)),
        _ => ArriveProfile::Braking,
    };
    let ways = [Vec3::ZERO, rng.point(1.0), rng.point(14.0)];
    let arrive = Arrive::new(here + rng.pick(&ways)).with_profile(profile);
    let arrive = match rng.index(3) {
        0 => arrive,
        1 => arrive.with_stop_radius(rng.number(0.0..2.0)),
        _ => arrive.with_stop_radius(Length::Radii(rng.number(0.0..4.0))),
    };
    let time = rng.chance(0.1).then(|| rng.number(0.0..1.0));
    Arrive { blend: blend(rng), ..arrive.with_time_to_target(time) }
}

fn avoid_walls(rng: &mut TestRng) -> AvoidWalls {
    let whiskers = Feelers::Whiskers { angle: rng.number(0.0..3.0), length: rng.number(-1.0..2.0) };
    AvoidWalls {
        feelers: if rng.chance(0.3) { Feelers::Single } else { whiskers },
        look_ahead: rng.number(-0.5..2.0),
        blend: blend(rng),
        ..default()
    }
}

fn bounds(rng: &mut TestRng) -> Bounds {
    let edge =
        rng.pick(&[BoundsEdge::Wrap, BoundsEdge::Wrap, BoundsEdge::Clamp, BoundsEdge::Bounce]);
    match rng.index(3) {
        0 => Bounds::UNBOUNDED,
        1 => Bounds::cuboid(Vec3::splat(-9.0), Vec3::new(8.0, 9.0, 10.0), edge),
        _ => Bounds::cuboid(Vec3::splat(-30.0), Vec3::splat(30.0), edge),
    }
}

/// All agents have the same behaviours and so are in one table; `one_by_one` gives each a component
/// that keeps it out of blocks and says nothing new.
fn steered(seed: u64, worst: f32, one_by_one: bool) -> Vec<Seen> {
    let mut rng = TestRng::new(seed, 7).with_worst(worst);
    let plane = rng.pick(&SteeringPlane::ALL);
    let mut sim = Sim::with(SteeringPlugin::new(Update).with_plane(plane), 32.0);
    let own_bounds = bounds(&mut rng);
    sim.app.insert_resource(WorldBounds(own_bounds));
    let behaviors = 1 + rng.index(63);
    let think_seldom = rng.chance(0.5);
    for _ in 0..rng.index(12) {
        let obstacle = Obstacle::new(rng.shape());
        let place = Transform::from_translation(rng.point(15.0)).with_rotation(rng.rotation());
        let thing = sim.spawn((obstacle, place));
        if rng.chance(0.2) {
            sim.app.world_mut().entity_mut(thing).insert(Velocity(rng.point(2.0)));
        }
    }
    for _ in 0..rng.index(4) {
        let from = rng.point(15.0);
        let place = Transform::from_translation(rng.point(3.0)).with_rotation(rng.rotation());
        sim.spawn((Wall::new(from, from + rng.point(6.0)), place));
    }
    let other = sim.spawn(Transform::from_translation(rng.point(9.0)));
    let alike = Flock::new(4.0).with_max_neighbors(6);
    let agents: Vec<Entity> = (0..4 + rng.index(40))
        .map(|_| {
            let place = Transform::from_translation(rng.point(12.0));
            let velocity = if rng.chance(0.1) { Vec3::ZERO } else { rng.point(5.0) };
            let agent = sim.spawn((vehicle(&mut rng), place, Velocity(velocity)));
            let mut agent = sim.app.world_mut().entity_mut(agent);
            if behaviors & 1 != 0 {
                let target = match rng.index(20) {
                    0 => Target::Entity(other),
                    1 => Target::nearest(SteeringLayers::ALL, 9.0),
                    _ => rng.point(14.0).into(),
                };
                agent.insert(Seek { target, blend: blend(&mut rng), ..default() });
            }
            if behaviors & 2 != 0 {
                let (distance, radius) = (rng.number(0.0..6.0), rng.number(0.0..6.0));
                let rate = rng.number(0.0..9.0);
                let blend = blend(&mut rng);
                agent.insert(Wander { distance, radius, rate, blend, ..default() });
            }
            if behaviors & 4 != 0 {
                let flock = if rng.chance(0.5) { alike } else { Flock::new(rng.number(0.0..9.0)) };
                agent.insert(Flock { blend: blend(&mut rng), ..flock });
            }
            if behaviors & 8 != 0 {
                let (look_ahead, margin) = (rng.number(-0.5..2.0), rng.number(-0.5..2.0));
                let blend = blend(&mut rng);
                agent.insert(AvoidObstacles { look_ahead, margin, blend, ..default() });
            }
            if behaviors & 16 != 0 {
                agent.insert(arrive(&mut rng, place.translation));
            }
            if behaviors & 32 != 0 {
                agent.insert(avoid_walls(&mut rng));
            }
            if think_seldom {
                agent.insert(ThinkEvery(rng.index(5) as u32));
            }
            if rng.chance(0.1) {
                // As of one that turned by itself once.
                agent.insert(SteeringForce { angular: rng.point(1.0), ..default() });
            }
            if one_by_one {
                agent.insert(own_bounds);
            }
            agent.id()
        })
        .collect();
    let mut states = Vec::new();
    for _ in 0..12 {
        let before: Vec<_> = agents.iter().map(|&agent| last_changes(&sim, agent)).collect();
        sim.tick();
        states.extend(agents.iter().zip(before).map(|(&agent, before)| {
            let SteeringForce { linear, angular } = *sim.get(agent);
            let state =
                [sim.position(agent), sim.velocity(agent), sim.heading(agent), linear, angular];
            let changes = last_changes(&sim, agent);
            (state.map(bits), core::array::from_fn(|i| changes[i] != before[i]), seen(&sim, agent))
        }));
    }
    states
}

/// The state of an agent, which parts of it have changed in the last tick, and what is
/// [`seen`] else.
type Seen = ([[u32; 3]; 5], [bool; 4], (Option<(bool, [u32; 3])>, Option<[u32; 3]>));

/// Whether and where an agent has arrived, and its permitted velocity.
fn seen(sim: &Sim, agent: Entity) -> (Option<(bool, [u32; 3])>, Option<[u32; 3]>) {
    let agent = sim.app.world().entity(agent);
    let arrived =
        agent.get::<Arrive>().map(|arrive| (arrive.memory.arrived, bits(arrive.memory.arrived_at)));
    (arrived, agent.get::<VelocityLimits>().map(|limits| bits(limits.permitted())))
}

/// When its place, velocity, heading and force were marked as changed last.
fn last_changes(sim: &Sim, agent: Entity) -> [Tick; 4] {
    let agent = sim.app.world().entity(agent);
    [
        agent.get_ref::<Transform>().expect("a place").last_changed(),
        agent.get_ref::<Velocity>().expect("a velocity").last_changed(),
        agent.get_ref::<Heading>().expect("a heading").last_changed(),
        agent.get_ref::<SteeringForce>().expect("a force").last_changed(),
    ]
}

/// Where the two ways part: in blocks, and one by one.
fn first_difference(seed: u64, worst: f32) -> Option<String> {
    let (blocks, singles) = (steered(seed, worst, false), steered(seed, worst, true));
    assert_eq!(blocks.len(), singles.len());
    let mut pairs = blocks.iter().zip(&singles);
    let at = pairs.position(|(block, single)| block != single)?;
    let shown = [blocks[at], singles[at]].map(|(state, changes, seen)| {
        format!("{:?} {changes:?} {seen:x?}", state.map(|vector| vector.map(f32::from_bits)))
    });
    Some(format!("{at}: {shown:#?}"))
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn simd_equals_scalar(seed in any::<u64>()) {
        prop_assert_eq!(first_difference(seed, 0.0), None);
    }

    #[test]
    fn simd_equals_scalar_for_invalid_input(seed in any::<u64>(), worst in 0.01_f32..0.3) {
        prop_assert_eq!(first_difference(seed, worst), None);
    }
}

type State = [[u32; 3]; 4];

/// Where a crowd is after a second that is given a plane and bounds of its own, or finds them in
/// its world.
fn crowd(has_own_plane: bool, has_own_bounds: bool) -> Vec<State> {
    let (plane, bounds) =
        (SteeringPlane::Xz, Bounds::cuboid(Vec3::splat(-4.0), Vec3::splat(4.0), BoundsEdge::Wrap));
    let steering = SteeringPlugin::new(Update);
    let steering = if has_own_plane { steering } else { steering.with_plane(plane) };
    let mut sim = Sim::with(steering, 64.0);
    if !has_own_bounds {
        sim.app.insert_resource(WorldBounds(bounds));
    }
    let mut rng = TestRng::new(3, 11);
    let agents: Vec<Entity> = (0..20)
        .map(|_| {
            let place = Transform::from_translation(rng.point(4.0));
            let velocity = Velocity(rng.point(3.0) * Vec3::new(1.0, 0.0, 1.0));
            let seek = Seek::new(rng.point(9.0));
            let agent = sim.spawn((vehicle(&mut rng), Heading(Vec3::X), seek, place, velocity));
            let mut agent = sim.app.world_mut().entity_mut(agent);
            if has_own_plane {
                agent.insert(plane);
            }
            if has_own_bounds {
                agent.insert(bounds);
            }
            agent.id()
        })
        .collect();
    sim.run(1.0);
    let state = |&agent: &Entity| {
        let force = sim.get::<SteeringForce>(agent).linear;
        [sim.position(agent), sim.velocity(agent), sim.heading(agent), force].map(bits)
    };
    agents.iter().map(state).collect()
}

#[test]
fn own_plane_and_bounds_equal_those_of_the_world() {
    let expected = crowd(false, false);
    assert_eq!(crowd(true, false), expected);
    assert_eq!(crowd(false, true), expected);
    assert_eq!(crowd(true, true), expected);
}

#[test]
fn a_crowd_at_rest_is_rotated_to_its_heading() {
    let in_planes = SteeringPlane::ALL.map(|plane| (plane, plane.direction(1.0)));
    let straight = [Vec3::Y, Vec3::NEG_Y].map(|way| (SteeringPlane::Free, way));
    for (plane, heading) in in_planes.into_iter().chain(straight) {
        let mut sim = Sim::in_plane(plane);
        // As a save or a system of the game may have left it.
        let turned = Transform::from_rotation(plane.rotation(plane.direction(-2.0)));
        let spawn = |_| sim.spawn((Vehicle::default(), Heading(heading), turned));
        let agents: Vec<Entity> = (0..16).map(spawn).collect();
        sim.tick();
        for agent in agents {
            let rotation = sim.get::<Transform>(agent).rotation;
            assert!(plane.heading(rotation).distance(heading) < 1e-5, "{plane:?}: {rotation}");
            assert!(
                rotation.angle_between(plane.rotation(heading)) < 1e-3,
                "{plane:?}: {rotation}"
            );
        }
    }
}

#[test]
fn only_moving_agents_trigger_change_detection() {
    #[derive(Resource, Default)]
    struct Changes(Vec<Entity>);
    let mut sim = Sim::new();
    sim.app.init_resource::<Changes>().add_systems(
        PostUpdate,
        |changed: Query<Entity, Changed<Transform>>, mut changes: ResMut<Changes>| {
            changes.0 = changed.iter().collect();
        },
    );
    // Three blocks and some more: all of the first move, some of the second, none of the third.
    let agents: Vec<Entity> = (0..28_u8)
        .map(|i| {
            let moves = i < 8 || i < 16 && i % 3 == 0 || i == 25;
            let velocity = Velocity(if moves { Vec3::X } else { Vec3::ZERO });
            sim.spawn((Vehicle::default(), Heading(Vec3::X), velocity, Transform::default()))
        })
        .collect();
    sim.run(0.2);
    let moving = |&&agent: &&Entity| sim.velocity(agent) != Vec3::ZERO;
    let moving: Vec<Entity> = agents.iter().filter(moving).copied().collect();
    assert_eq!(moving.len(), 8 + 3 + 1);
    assert_eq!(sim.app.world().resource::<Changes>().0, moving);
}

#[test]
fn seeking_a_point_resets_the_target_memory() {
    let mut sim = Sim::new();
    let other = sim.spawn(Transform::default());
    let agents: Vec<Entity> = (0..20)
        .map(|i| {
            let memory =
                Memory(TargetMemory { current: Some(other), lost: Some(other), ..default() });
            let seek = Seek { memory, ..Seek::new(Vec2::new(i as f32, 5.0)) };
            sim.spawn((Vehicle::default(), seek, Transform::default()))
        })
        .collect();
    sim.tick();
    for agent in agents {
        assert_eq!(*sim.get::<Seek>(agent).memory, TargetMemory::default());
    }
}

#[test]
fn defaults_that_are_said_change_no_bit() {
    let run = |says: u32| {
        let mut sim = Sim::new();
        let mut rng = TestRng::new(5, 3);
        let agents: Vec<Entity> = (0..21)
            .map(|i| {
                let place = Transform::from_translation(rng.point(9.0));
                let behaviors = (Seek::new(rng.point(9.0)), Wander::default());
                let velocity = Velocity(rng.point(2.0));
                let agent = sim.spawn((vehicle(&mut rng), place, velocity, behaviors));
                let mut agent = sim.app.world_mut().entity_mut(agent);
                if says & 1 != 0 {
                    agent.insert(SteeringPlane::default());
                }
                if says & 2 != 0 {
                    agent.insert(Arbitration::default());
                }
                // One that is not the default, beside those that are.
                if says & 4 != 0 && i == 20 {
                    agent.insert(Arbitration::WeightedSum);
                }
                agent.id()
            })
            .collect();
        sim.run(1.0);
        let state = |&agent: &Entity| [sim.position(agent), sim.velocity(agent)].map(bits);
        agents[..20].iter().map(state).collect::<Vec<_>>()
    };
    for says in 1..8 {
        assert_eq!(run(says), run(0), "{says}");
    }
}
