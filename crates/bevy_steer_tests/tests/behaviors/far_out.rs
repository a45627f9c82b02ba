//! Far from the origin positions are coarse. Agents arrive as exactly as they can, and what cannot
//! move at all says why.

use bevy::prelude::*;
use bevy_steer::{Path, prelude::*};

use crate::common::{Seen, Sim, log_lines, watch};

/// Worlds around these places, from near to far.
const PLACES: [f32; 4] = [0.0, 1e4, 1e5, 1e6];

fn events(sim: &Sim, kind: &str) -> usize {
    sim.app.world().resource::<Seen>().0.iter().filter(|event| event.starts_with(kind)).count()
}

#[test]
fn agents_arrive_far_from_the_origin() {
    const PROFILES: [ArriveProfile; 4] = [
        ArriveProfile::SlowRadius(4.0),
        ArriveProfile::SLOW,
        ArriveProfile::FAST,
        ArriveProfile::Braking,
    ];
    for place in PLACES {
        let mut sim = Sim::new();
        watch(&mut sim.app);
        let middle = Vec3::new(place, -place, 0.0);
        let mut agents = Vec::new();
        for way in [Vec3::X * 9.0, Vec3::Y * -7.0, Vec3::new(6.0, 1.0, 0.0), Vec3::splat(5.0)] {
            for profile in PROFILES {
                for think in [1, 4] {
                    let arrive = Arrive::new(middle + way).with_profile(profile);
                    let start = Transform::from_translation(middle);
                    let agent = (Vehicle::default(), arrive, start, ThinkEvery(think));
                    agents.push((sim.spawn(agent), middle + way));
                }
            }
        }
        sim.run(12.0);
        assert_eq!(events(&sim, "Arrived"), agents.len(), "around {place}");
        for (agent, goal) in agents {
            let off = (goal - sim.position(agent)).truncate().length();
            // Nearer than its own size, at any rate.
            let most = if place < 1e6 { 0.1 } else { 0.5 };
            assert!(off <= most, "around {place}: {off} from {goal}");
        }
        sim.run(2.0);
        assert_eq!(events(&sim, "Arrived"), 32, "around {place}: not again");
    }
}

#[test]
fn slots_are_taken_far_from_the_origin() {
    for place in PLACES {
        let mut sim = Sim::new();
        watch(&mut sim.app);
        let middle = Vec3::new(place, -place, 0.0);
        let leader = sim.spawn(Transform::from_translation(middle));
        for offset in [Vec3::new(-6.0, 2.0, 0.0), Vec3::new(3.0, 7.3, 0.0), Vec3::X * 9.1] {
            let start = Transform::from_translation(middle + Vec3::Y);
            sim.spawn((Vehicle::default(), OffsetPursue::new(leader, offset), start));
        }
        sim.run(12.0);
        assert_eq!(events(&sim, "Arrived"), 3, "around {place}");
    }
}

#[test]
fn what_wants_less_than_top_speed_is_named_too() {
    let lines = |place: f32, behave: &dyn Fn(&mut EntityWorldMut)| {
        log_lines::catch();
        let mut sim = Sim::new();
        for i in 0..9 {
            let start = Transform::from_xyz(place, place + 300.0 * i as f32, 0.0);
            let agent = sim.spawn((Vehicle::default(), start));
            behave(&mut sim.app.world_mut().entity_mut(agent));
        }
        sim.run(3.0);
        log_lines::caught().len()
    };
    let path = |agent: &EntityWorldMut| {
        let from = agent.get::<Transform>().unwrap().translation.truncate();
        let follow = PathFollow::new(Path::new([from, from + Vec2::X * 500.0]));
        follow.along_corridor(1.0, 0.5)
    };
    let behaves: [&dyn Fn(&mut EntityWorldMut); 4] = [
        &|agent| _ = agent.insert(Flock::default()),
        &|agent| _ = agent.insert(Cruise::new(0.3)),
        &|agent| _ = agent.insert(Wish::velocity(Vec3::X)),
        &|agent| {
            let follow = path(agent);
            agent.insert(follow);
        },
    ];
    for (i, behave) in behaves.into_iter().enumerate() {
        assert_eq!(lines(1e5, behave), 0, "{i}");
        assert_eq!(lines(1e7, behave), 1, "{i}");
    }
}

#[test]
fn paths_are_finished_far_from_the_origin() {
    for place in PLACES {
        let mut sim = Sim::new();
        watch(&mut sim.app);
        let middle = Vec2::new(place, place);
        let points = [[5.0, 1.0], [5.0, 9.0], [-6.0, 8.0], [-6.0, -2.0]];
        let path = PathFollow::new(Path::new(points.map(|point| middle + Vec2::from(point))));
        for style in [path.clone(), path.clone().by_waypoints(0.1), path.along_corridor(1.0, 0.5)] {
            sim.spawn((Vehicle::default(), style, Transform::from_translation(middle.extend(0.0))));
        }
        sim.run(20.0);
        assert_eq!(events(&sim, "PathFinished"), 3, "around {place}");
        assert_eq!(events(&sim, "WaypointReached"), 12, "around {place}");
    }
}

#[test]
fn where_nothing_can_move_one_warning_says_why() {
    let run = |place: f32, speed: f32| {
        log_lines::catch();
        let mut sim = Sim::new();
        // Blocks of eight, single agents, and some with bounds of their own.
        for i in 0..11 {
            let start = Transform::from_xyz(place, place + 10.0 * i as f32, 0.0);
            let agent = sim.spawn((Vehicle::new(speed), Seek::new(Vec2::splat(-place)), start));
            if i > 8 {
                sim.app.world_mut().entity_mut(agent).insert(Bounds::UNBOUNDED);
            }
        }
        // At rest, and at the edge of the world: neither is stuck for its place.
        let start = Transform::from_xyz(place, 0.0, 0.0);
        sim.spawn((Vehicle::new(speed), Arrive::new(start.translation), start));
        let edge = Bounds::rect(Vec2::ZERO, Vec2::splat(place), BoundsEdge::Clamp);
        let out = Seek::new(Vec2::new(place * 2.0, 0.0));
        sim.spawn((Vehicle::new(speed), out, start, edge));
        sim.run(3.0);
        log_lines::caught()
    };
    for (place, speed) in [(1e4, 5.0), (1e5, 5.0), (1e6, 5.0), (1e7, 500.0), (10.0, 0.05)] {
        assert_eq!(run(place, speed), Vec::<String>::new(), "around {place} at {speed}");
    }
    let lines = run(1e7, 5.0);
    assert_eq!(lines.len(), 1, "{lines:?}");
    assert!(lines[0].contains(": Transform.translation is too far"), "{lines:?}");
    assert!(lines[0].contains("rounding swallows the agent's steps"), "{lines:?}");
}
