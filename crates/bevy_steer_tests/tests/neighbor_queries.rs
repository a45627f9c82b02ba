//! The indexes find exactly what a linear search finds.

use bevy::prelude::*;
use bevy_steer::{
    KeepRotation, Neighbor, NeighborIndex, NeighborQuery, ObstacleIndex, Velocity, prelude::*,
};
use proptest::prelude::*;

use crate::common::{
    Sim, at,
    crowds::{Crowd, Member, Question, crowds},
    rng::cases,
};

/// Asks a crowd twenty questions.
fn ask_questions(crowd: &Crowd, ask: impl Fn(&NeighborIndex, &Question, &[(Member, Vec3)])) {
    let (mut sim, members) = crowd.gather();
    let mut rng = crowd.rng(2);
    let questions: Vec<Question> =
        (0..20).map(|_| crowd.question(&sim, &members, &mut rng)).collect();
    sim.ask(|index| {
        assert_eq!(index.len(), members.len());
        assert_eq!(index.is_empty(), members.is_empty());
        for question in &questions {
            ask(index, question, &question.search_linearly(&members, &crowd.bounds()));
        }
    });
}

/// Those of an ordered crowd that are in range.
fn in_reach(candidates: &[(Member, Vec3)], radius: f32) -> &[(Member, Vec3)] {
    let limit = radius * radius;
    &candidates[..candidates.partition_point(|(_, offset)| offset.length_squared() <= limit)]
}

fn entities(found: &[(Member, Vec3)]) -> Vec<Entity> {
    found.iter().map(|(member, _)| member.entity).collect()
}

proptest! {
    #![proptest_config(cases(200))]

    #[test]
    fn within_finds_exactly_the_agents_in_range(crowd in crowds(0..=300)) {
        ask_questions(&crowd, |index, question, candidates| {
            let mut found: Vec<Neighbor> = index.within(question.query, question.radius).collect();
            let mut search = index.within(question.query, question.radius);
            let mut by_and_by: Vec<Neighbor> = search.by_ref().take(40).collect();
            search.for_each(|neighbor| by_and_by.push(neighbor));
            assert_eq!(by_and_by, found);
            found.sort_by_key(|neighbor| neighbor.id);
            let mut expected = in_reach(candidates, question.radius).to_vec();
            expected.sort_by_key(|(member, _)| member.number);
            let names: Vec<Entity> = found.iter().map(|neighbor| neighbor.entity).collect();
            assert_eq!(names, entities(&expected), "within {}", question.radius);
            for (neighbor, (member, offset)) in found.iter().zip(expected) {
                assert_eq!(neighbor.id.0, member.number);
                assert_eq!(neighbor.offset, offset);
                assert_eq!(neighbor.distance_squared, offset.length_squared());
                assert_eq!(neighbor.layers, member.layers);
            }
        });
    }

    #[test]
    fn nearest_prefers_the_lowest_id_among_equals(crowd in crowds(0..=300)) {
        ask_questions(&crowd, |index, question, candidates| {
            let nearest = index.nearest(question.query, question.radius);
            let expected = in_reach(candidates, question.radius).first();
            assert_eq!(nearest.map(|n| n.entity), expected.map(|(member, _)| member.entity));
            let anywhere = index.nearest(question.query, f32::INFINITY);
            let expected = candidates.first().map(|(member, _)| member.entity);
            assert_eq!(anywhere.map(|n| n.entity), expected);
        });
    }

    #[test]
    fn nearest_k_are_the_nearest_in_order(crowd in crowds(0..=300)) {
        ask_questions(&crowd, |index, question, candidates| {
            for count in [0, 1, 2, 7, 50, 1000] {
                let found = index.nearest_k(question.query, count, question.radius);
                let found: Vec<Entity> = found.iter().map(|neighbor| neighbor.entity).collect();
                let mut expected = entities(in_reach(candidates, question.radius));
                expected.truncate(count);
                assert_eq!(found, expected, "{count} within {}", question.radius);
            }
        });
    }

    #[test]
    fn obstacle_queries_find_every_overlap(crowd in crowds(0..=200)) {
        let mut sim = Sim::with(SteeringPlugin::new(Update).with_plane(crowd.plane), 64.0);
        sim.app.insert_resource(WorldBounds(crowd.bounds()));
        let mut rng = crowd.rng(3);
        let obstacles: Vec<(Entity, Vec3, f32)> = (0..crowd.count)
            .map(|_| {
                let size = rng.pick(&[0.0, 0.001, 0.01, 0.1, 0.5]) * crowd.reach;
                let place = crowd.place(&mut rng);
                let transform = Transform::from_translation(place);
                (sim.spawn((Obstacle::sphere(size), transform)), place, size)
            })
            .collect();
        sim.tick();
        let index = sim.app.world().resource::<ObstacleIndex>();
        prop_assert_eq!(index.len(), obstacles.len());
        for _ in 0..20 {
            let center = crowd.place(&mut rng);
            let radius = rng.pick(&[0.0, 0.01, 0.2, 2.0]) * crowd.reach;
            let mut found: Vec<Entity> = index.around(center, radius).map(|o| o.entity).collect();
            let count = found.len();
            found.sort_unstable();
            found.dedup();
            prop_assert_eq!(found.len(), count, "each comes once");
            for &(entity, place, size) in &obstacles {
                let offset = crowd.plane.flatten(place - center);
                let gap = crowd.bounds().shortest(offset).length() - size;
                let is_found = found.binary_search(&entity).is_ok();
                prop_assert!(is_found || gap > radius, "{} at {} from {}", entity, place, center);
            }
        }
    }
}

#[test]
fn distances_wrap_also_outside_the_bounds() {
    let bounds = Bounds::rect(Vec2::splat(-100.0), Vec2::splat(100.0), BoundsEdge::Wrap);
    let mut sim = Sim::new();
    sim.app.insert_resource(WorldBounds(bounds));
    let lure = |sim: &mut Sim, x: f32, y: f32| sim.spawn((SteeringLayers::default(), at(x, y)));
    let left = lure(&mut sim, -99.0, 50.0);
    let outside = lure(&mut sim, 502.0, -150.0);
    lure(&mut sim, 0.0, 50.0);
    sim.ask(|_| ());
    sim.tick();
    let near = sim.ask(|index| index.nearest_k(Vec2::new(99.0, 50.0), 5, 10.0));
    assert_eq!(near.len(), 2, "{near:?}");
    assert_eq!((near[0].entity, near[0].offset), (left, Vec3::X * 2.0));
    assert_eq!((near[1].entity, near[1].offset), (outside, Vec3::X * 3.0));
}

#[test]
fn any_entity_with_layers_and_transform_is_indexed() {
    let mut sim = Sim::new();
    let lure = sim.spawn((SteeringLayers::layer(3), at(1.0, 0.0)));
    let moving = sim.spawn((SteeringLayers::layer(3), at(2.0, 0.0), Velocity(Vec3::Y * 9.0)));
    let agent = sim.spawn((Vehicle::default(), SteeringLayers::layer(3), at(3.0, 0.0)));
    let parent = sim.spawn(Transform::from_xyz(4.0, 0.0, 0.0));
    let child = sim.spawn((SteeringLayers::layer(3), at(0.5, 0.0), ChildOf(parent)));
    sim.spawn((SteeringLayers::NONE, at(0.0, 0.0)));
    sim.spawn((SteeringLayers::layer(3), at(f32::NAN, 0.0)));
    sim.spawn(at(0.0, 0.0));
    sim.ask(|_| ());
    sim.tick();
    let query = NeighborQuery::at(Vec2::ZERO).with_layers(SteeringLayers::layer(3));
    let found = sim.ask(|index| index.nearest_k(query, 9, 100.0));
    let names: Vec<Entity> = found.iter().map(|neighbor| neighbor.entity).collect();
    assert_eq!(names, [lure, moving, agent, child]);
    assert_eq!(found[0].radius, 0.0);
    assert_eq!(found[1].velocity, Vec3::Y * 9.0);
    assert_eq!(found[2].radius, Vehicle::default().radius);
    assert_eq!(found[3].offset, Vec3::X * 4.5);
    assert_eq!(sim.ask(NeighborIndex::fastest), 9.0);
}

#[test]
fn matching_layers_are_found_among_many_others() {
    let (bystanders, wanted) = (SteeringLayers::layer(1), SteeringLayers::layer(2));
    let mut sim = Sim::without_motion();
    let crowd: Vec<Entity> =
        (0..100).map(|i| sim.spawn((bystanders, at(0.01 * i as f32, 0.0)))).collect();
    let one = sim.spawn((wanted, at(3.0, 0.0)));
    sim.ask(|_| {});
    sim.tick();
    let query = NeighborQuery::at(Vec2::ZERO).with_layers(wanted);
    sim.ask(|index| {
        let found: Vec<Entity> = index.within(query, 5.0).map(|found| found.entity).collect();
        assert_eq!(found, [one]);
        assert_eq!(index.within(query, 5.0).next().map(|found| found.entity), Some(one));
        assert_eq!(index.nearest(query, 5.0).map(|found| found.entity), Some(one));
        assert_eq!(index.nearest_k(query, 2, 5.0).len(), 1);
        let others = NeighborQuery::at(Vec2::ZERO).except(crowd[0]);
        assert_eq!(index.within(others, 5.0).count(), 100);
        assert_eq!(index.nearest(others, 5.0).map(|found| found.entity), Some(crowd[1]));
    });
}

#[test]
fn invalid_queries_find_nothing() {
    let mut sim = Sim::new();
    sim.spawn((SteeringLayers::default(), at(0.0, 0.0)));
    sim.ask(|_| ());
    sim.tick();
    let nowhere = Vec3::new(f32::NAN, 0.0, 0.0);
    sim.ask(|index| {
        for (center, radius) in [(Vec3::ZERO, f32::NAN), (Vec3::ZERO, -1.0), (nowhere, 5.0)] {
            assert_eq!(index.within(center, radius).count(), 0);
            assert!(index.nearest(center, radius).is_none());
            assert!(index.nearest_k(center, 3, radius).is_empty());
        }
        assert!(index.nearest_k(Vec3::ZERO, 0, 5.0).is_empty());
        assert_eq!(index.within(Vec3::ZERO, 5.0).count(), 1);
    });
}

#[test]
fn maximum_speed_and_radius_cover_all_entries() {
    let mut sim = Sim::new();
    // Blocks of eight and some more, with one of invalid speed.
    let slow = [(1.0, 0.5); 9];
    let special = [(3.0, 0.25), (5.0, 2.5), (f32::INFINITY, 0.5), (4.0, 0.5)];
    for (speed, radius) in [&slow[..7], &special, &slow].concat() {
        let vehicle = Vehicle::new(9.0).with_radius(radius);
        sim.spawn((vehicle, Velocity(Vec3::new(0.0, speed, 0.0)), KeepRotation));
    }
    sim.ask(|_| {});
    sim.tick();
    let [fastest, largest] = sim.ask(|index| [index.fastest(), index.largest()]);
    assert_eq!([fastest, largest], [5.0, 2.5]);
}

#[test]
fn agents_are_indexed_by_their_own_transform() {
    let mut sim = Sim::new();
    let parent = sim.spawn(at(100.0, 0.0));
    let agent = sim.spawn((Vehicle::default(), at(1.0, 0.0), ChildOf(parent)));
    sim.ask(|_| {});
    sim.tick();
    let found = sim.ask(|index| index.nearest(Vec2::ZERO, 2.0).map(|neighbor| neighbor.entity));
    assert_eq!(found, Some(agent));
}

#[test]
fn positions_outside_non_wrapping_bounds_are_kept() {
    let mut sim = Sim::without_motion();
    let bounds = Bounds::rect(Vec2::splat(-5.0), Vec2::splat(5.0), BoundsEdge::Clamp);
    sim.app.insert_resource(WorldBounds(bounds));
    let agents: Vec<Entity> =
        (0..10).map(|i| sim.spawn((Vehicle::default(), at(8.0, i as f32)))).collect();
    sim.ask(|_| {});
    sim.tick();
    let nearest = sim.ask(|index| index.nearest(Vec2::new(8.5, 4.0), 1.0));
    assert_eq!(nearest.map(|one| (one.entity, one.offset)), Some((agents[4], Vec3::X * -0.5)));
}

/// Where a crowd that avoids each other is after a while, beside something else.
fn crowd_beside(other: impl Bundle) -> Vec<[u32; 3]> {
    let mut sim = Sim::new();
    let agents: Vec<Entity> = (0..60)
        .map(|i| {
            let place = at((i * 37 % 60) as f32 * 0.4, (i * 23 % 60) as f32 * 0.4);
            let goal = Seek::new(Vec2::new((i % 7) as f32 * 4.0, (i % 5) as f32 * 5.0));
            sim.spawn((Vehicle::default(), place, goal, AvoidAgents::default()))
        })
        .collect();
    sim.spawn(other);
    sim.run(3.0);
    agents.iter().map(|&agent| sim.position(agent).to_array().map(f32::to_bits)).collect()
}

#[test]
fn what_is_too_far_off_or_in_no_layer_changes_no_bit() {
    let alone = crowd_beside(());
    let bullet = (Velocity(Vec3::X * 300.0), at(-400.0, 9.0), SteeringLayers::NONE);
    assert_eq!(crowd_beside(bullet), alone);
    let giant = (Vehicle::default().with_radius(100.0), at(900.0, 0.0));
    assert_eq!(crowd_beside(giant), alone);
    let near = (Vehicle::default().with_radius(5.0), at(10.0, 10.0));
    assert_ne!(crowd_beside(near), alone);
}
