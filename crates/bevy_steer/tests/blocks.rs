//! Eight agents at a time steer as each of them does by itself, in the same bits.

mod common;

use bevy::{ecs::change_detection::Tick, prelude::*};
use bevy_steer::{Heading, TargetMemory, Velocity, prelude::*};
use common::{
    Sim,
    dice::{Dice, cases},
    hostile::bits,
};
use proptest::prelude::*;

fn vehicle(dice: &mut Dice) -> Vehicle {
    Vehicle {
        mass: dice.number(0.2..3.0),
        max_speed: dice.number(0.0..9.0),
        max_force: dice.number(0.0..60.0),
        radius: dice.number(0.1..1.0),
        response: dice.number(0.0..0.5),
    }
}

fn blend(dice: &mut Dice) -> Blend {
    Blend {
        weight: dice.number(0.5..2.0),
        priority: dice.chance(0.2).then(|| dice.pick(&Priority::ALL)),
        enabled: dice.chance(0.9),
    }
}

fn bounds(dice: &mut Dice) -> Bounds {
    let edge =
        dice.pick(&[BoundsEdge::Wrap, BoundsEdge::Wrap, BoundsEdge::Clamp, BoundsEdge::Bounce]);
    match dice.index(3) {
        0 => Bounds::UNBOUNDED,
        1 => Bounds::cuboid(Vec3::splat(-9.0), Vec3::new(8.0, 9.0, 10.0), edge),
        _ => Bounds::cuboid(Vec3::splat(-30.0), Vec3::splat(30.0), edge),
    }
}

/// All agents have the same behaviours and so are in one table; `one_by_one` gives each a component that keeps it out of
/// blocks and says nothing new.
fn steered(seed: u64, worst: f32, one_by_one: bool) -> Vec<Seen> {
    let mut dice = Dice::new(seed, 7).with_worst(worst);
    let plane = dice.pick(&SteeringPlane::ALL);
    let mut sim = Sim::with(SteeringPlugin::new(Update).with_plane(plane), 32.0);
    sim.app.insert_resource(WorldBounds(bounds(&mut dice)));
    let behaviors = 1 + dice.index(15);
    let think_seldom = dice.chance(0.5);
    for _ in 0..dice.index(12) {
        let obstacle = Obstacle::sphere(dice.number(0.1..3.0));
        let thing = sim.spawn((obstacle, Transform::from_translation(dice.point(15.0))));
        if dice.chance(0.2) {
            sim.app.world_mut().entity_mut(thing).insert(Velocity(dice.point(2.0)));
        }
    }
    let somebody = sim.spawn(Transform::from_translation(dice.point(9.0)));
    let alike = Flock::new(4.0).with_max_neighbors(6);
    let agents: Vec<Entity> = (0..4 + dice.index(40))
        .map(|_| {
            let place = Transform::from_translation(dice.point(12.0));
            let velocity = if dice.chance(0.1) { Vec3::ZERO } else { dice.point(5.0) };
            let agent = sim.spawn((vehicle(&mut dice), place, Velocity(velocity)));
            let mut agent = sim.app.world_mut().entity_mut(agent);
            if behaviors & 1 != 0 {
                let target = match dice.index(20) {
                    0 => Target::Entity(somebody),
                    1 => Target::nearest(SteeringLayers::ALL, 9.0),
                    _ => dice.point(14.0).into(),
                };
                agent.insert(Seek { target, blend: blend(&mut dice), ..default() });
            }
            if behaviors & 2 != 0 {
                let (distance, radius) = (dice.number(0.0..6.0), dice.number(0.0..6.0));
                let rate = dice.number(0.0..9.0);
                let blend = blend(&mut dice);
                agent.insert(Wander { distance, radius, rate, blend, ..default() });
            }
            if behaviors & 4 != 0 {
                let flock =
                    if dice.chance(0.5) { alike } else { Flock::new(dice.number(0.0..9.0)) };
                agent.insert(Flock { blend: blend(&mut dice), ..flock });
            }
            if behaviors & 8 != 0 {
                let (look_ahead, margin) = (dice.number(0.0..2.0), dice.number(0.0..2.0));
                let blend = blend(&mut dice);
                agent.insert(AvoidObstacles { look_ahead, margin, blend, ..default() });
            }
            if think_seldom {
                agent.insert(ThinkEvery(dice.index(5) as u32));
            }
            if dice.chance(0.1) {
                // As of one that turned by itself once.
                agent.insert(SteeringForce { angular: dice.point(1.0), ..default() });
            }
            if one_by_one {
                agent.insert(plane);
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
            (state.map(bits), core::array::from_fn(|i| changes[i] != before[i]))
        }));
    }
    states
}

/// What somebody is like, and what of it has changed in the last tick.
type Seen = ([[u32; 3]; 5], [bool; 4]);

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
fn first_difference(seed: u64, worst: f32) -> Option<(usize, [[[f32; 3]; 5]; 2], [[bool; 4]; 2])> {
    let (blocks, singles) = (steered(seed, worst, false), steered(seed, worst, true));
    assert_eq!(blocks.len(), singles.len());
    let mut pairs = blocks.iter().zip(&singles);
    let at = pairs.position(|(block, single)| block != single)?;
    let both = [blocks[at], singles[at]];
    let states = both.map(|(state, _)| state.map(|vector| vector.map(f32::from_bits)));
    Some((at, states, both.map(|(_, changes)| changes)))
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn blocks_steer_as_one_by_one(seed in any::<u64>()) {
        prop_assert_eq!(first_difference(seed, 0.0), None);
    }

    #[test]
    fn also_where_it_makes_no_sense(seed in any::<u64>(), worst in 0.01_f32..0.3) {
        prop_assert_eq!(first_difference(seed, worst), None);
    }
}

type State = [[u32; 3]; 4];

/// Where a crowd is after a second that is given a plane and bounds of its own, or finds them in its world.
fn crowd(has_own_plane: bool, has_own_bounds: bool) -> Vec<State> {
    let (plane, bounds) =
        (SteeringPlane::Xz, Bounds::cuboid(Vec3::splat(-4.0), Vec3::splat(4.0), BoundsEdge::Wrap));
    let steering = SteeringPlugin::new(Update);
    let steering = if has_own_plane { steering } else { steering.with_plane(plane) };
    let mut sim = Sim::with(steering, 64.0);
    if !has_own_bounds {
        sim.app.insert_resource(WorldBounds(bounds));
    }
    let mut dice = Dice::new(3, 11);
    let agents: Vec<Entity> = (0..20)
        .map(|_| {
            let place = Transform::from_translation(dice.point(4.0));
            let velocity = Velocity(dice.point(3.0) * Vec3::new(1.0, 0.0, 1.0));
            let seek = Seek::new(dice.point(9.0));
            let agent = sim.spawn((vehicle(&mut dice), Heading(Vec3::X), seek, place, velocity));
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
fn a_plane_and_bounds_of_its_own_are_to_a_crowd_what_those_of_the_world_are() {
    let expected = crowd(false, false);
    assert_eq!(crowd(true, false), expected);
    assert_eq!(crowd(false, true), expected);
    assert_eq!(crowd(true, true), expected);
}

#[test]
fn a_crowd_at_rest_is_turned_to_where_it_looks() {
    let in_planes = SteeringPlane::ALL.map(|plane| (plane, plane.direction(1.0)));
    let straight = [Vec3::Y, Vec3::NEG_Y].map(|way| (SteeringPlane::Free, way));
    for (plane, heading) in in_planes.into_iter().chain(straight) {
        let mut sim = Sim::with(SteeringPlugin::new(Update).with_plane(plane), 64.0);
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
fn whoever_moves_has_changed_and_whoever_stands_has_not() {
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
fn who_seeks_a_point_forgets_whom_it_has_sought() {
    let mut sim = Sim::new();
    let somebody = sim.spawn(Transform::default());
    let agents: Vec<Entity> = (0..20)
        .map(|i| {
            let memory = TargetMemory { current: Some(somebody), lost: Some(somebody) };
            let seek = Seek { memory, ..Seek::new(Vec2::new(i as f32, 5.0)) };
            sim.spawn((Vehicle::default(), seek, Transform::default()))
        })
        .collect();
    sim.tick();
    for agent in agents {
        assert_eq!(sim.get::<Seek>(agent).memory, TargetMemory::default());
    }
}
