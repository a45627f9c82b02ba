//! Scenes in which agents move to a target, or in a way that is given.

use std::collections::{HashMap, HashSet};

use bevy::prelude::*;
use bevy_steer::{AgentId, AngularVelocity, Heading, Velocity, prelude::*};

use super::play::Play;

#[test]
fn seek_with_less_force_overshoots_farther() {
    let mut play = Play::new("seek");
    let mut farthest: HashMap<u64, f32> = HashMap::new();
    play.run(2.2);
    // All have passed the target, which has not moved yet.
    play.watch(1.7, |world| {
        let mut all = world.query::<(&AgentId, &Transform, &Seek)>();
        for (id, transform, seek) in all.iter(world) {
            let Target::Entity(target) = seek.target else { continue };
            let target = world.get::<Transform>(target).unwrap().translation;
            let distance = transform.translation.truncate().distance(target.truncate());
            let most = farthest.entry(id.0).or_default();
            *most = most.max(distance);
        }
    });
    let mut swings: Vec<_> = farthest.into_iter().collect();
    swings.sort_unstable_by_key(|(id, _)| *id);
    let swings: Vec<f32> = swings.into_iter().map(|(_, swing)| swing).collect();
    assert!(swings.is_sorted() && swings[0] > 20.0, "strong to weak: {swings:?}");
}

#[test]
fn arriving_agents_stop_at_the_target() {
    let mut play = Play::new("arrive");
    play.run(5.9);
    let rests =
        play.all::<(&Arrive, &Velocity), (), _>(|(arrive, v)| (arrive.has_arrived(), v.length()));
    assert_eq!(rests.len(), 4);
    assert!(rests.iter().all(|(arrived, speed)| *arrived && *speed < 1.0), "{rests:?}");
}

#[test]
fn offset_pursue_keeps_the_formation() {
    let mut play = Play::new("offset-pursue");
    play.run(6.0);
    let mut worst = 0.0_f32;
    play.watch(20.0, |world| {
        let mut all = world.query::<(&Transform, &OffsetPursue)>();
        for (transform, pursue) in all.iter(world) {
            let Target::Entity(leader) = pursue.target else { continue };
            let leader = world.get::<Transform>(leader).unwrap();
            let slot = leader.translation + leader.rotation * pursue.offset;
            worst = worst.max(slot.distance(transform.translation));
        }
    });
    assert!(worst < 45.0, "a follower is {worst} units from its place");
}

#[test]
fn the_formation_flies_steadily() {
    let mut play = Play::new("offset-pursue");
    play.run(6.0);
    // Changes of the turn rate, in radians a second.
    let mut jitter: HashMap<Entity, Vec<f32>> = HashMap::new();
    let mut before: HashMap<Entity, (Vec3, f32)> = HashMap::new();
    play.watch(20.0, |world| {
        let mut all = world.query::<(Entity, &Velocity)>();
        for (bird, velocity) in all.iter(world) {
            let heading = velocity.0.normalize_or_zero();
            let (last, rate) = before.get(&bird).copied().unwrap_or((heading, 0.0));
            let now = last.cross(heading).z * 64.0;
            before.insert(bird, (heading, now));
            jitter.entry(bird).or_default().push((now - rate).abs());
        }
    });
    assert_eq!(jitter.len(), 9);
    let mean = |changes: Vec<f32>| changes.iter().skip(2).sum::<f32>() / changes.len() as f32;
    let means: Vec<f32> = jitter.into_values().map(mean).collect();
    assert!(means.iter().all(|mean| *mean < 0.03), "turn rates change by {means:?} a tick");
}

#[test]
fn path_followers_pass_all_waypoints() {
    let mut play = Play::new("path-follow");
    #[derive(Resource, Default)]
    struct Passed(HashMap<Entity, HashSet<usize>>);
    play.world().init_resource::<Passed>();
    play.world().add_observer(|reached: On<WaypointReached>, mut passed: ResMut<Passed>| {
        passed.0.entry(reached.entity).or_default().insert(reached.index);
    });
    play.run(35.0);
    let passed: Vec<usize> =
        play.world().resource::<Passed>().0.values().map(HashSet::len).collect();
    assert_eq!(passed, [8, 8]);
}

#[test]
fn align_and_face_reach_their_headings() {
    let mut play = Play::new("align");
    play.run(3.4);
    let wanted = SteeringPlane::Xy.direction(2.2);
    let off = play.all::<&Heading, With<Align>, _>(|heading| heading.angle_between(wanted));
    let worst = off.into_iter().fold(0.0, f32::max);
    assert!(worst < 0.2, "align: {worst} radians off");

    let mut play = Play::new("face");
    play.run(5.0);
    let world = play.world();
    let mut all = world.query::<(&Transform, &Heading, &Face)>();
    let mut off: Vec<f32> = all
        .iter(world)
        .map(|(at, heading, face)| {
            let Target::Entity(light) = face.target else { return f32::MAX };
            let light = world.get::<Transform>(light).unwrap().translation;
            heading.angle_between((light - at.translation).with_z(0.0))
        })
        .collect();
    off.sort_unstable_by(f32::total_cmp);
    let usual = off[off.len() / 2];
    assert!(usual < 0.35, "face: {usual} radians off");
}

#[test]
fn needles_turn_all_the_time() {
    let mut play = Play::new("align");
    let mut still = 0.0_f32;
    let mut longest = 0.0_f32;
    play.watch(12.0, |world| {
        let mut rates = world.query_filtered::<&AngularVelocity, With<Align>>();
        let turns = rates.iter(world).any(|rate| rate.length() > 0.2);
        still = if turns { 0.0 } else { still + 1.0 / 64.0 };
        longest = longest.max(still);
    });
    assert!(longest < 1.5, "all needles stand still for {longest} s");
}

#[test]
fn boats_begin_at_the_corner_before_their_next() {
    let mut play = Play::new("look-where-you-go");
    play.watch(4.0, |world| {
        for (at, follow) in world.query::<(&Transform, &PathFollow)>().iter(world) {
            let points = follow.path.points();
            let off = (0..points.len()).map(|i| {
                let line = Segment3d::new(points[i], points[(i + 1) % points.len()]);
                line.closest_point(at.translation).distance(at.translation)
            });
            let off = off.fold(f32::MAX, f32::min);
            assert!(off < 45.0, "a boat is {off} units off its path at {}", at.translation);
        }
    });
}

#[test]
fn match_velocity_copies_the_leader() {
    let mut play = Play::new("match-velocity");
    play.run(5.0);
    let leader = play.all::<&Velocity, With<Wander>, _>(|velocity| velocity.0)[0];
    let followers = play.all::<&Velocity, With<MatchVelocity>, _>(|velocity| velocity.0);
    let worst = followers.into_iter().map(|v| v.distance(leader)).fold(0.0, f32::max);
    assert!(worst < 70.0, "a follower's velocity differs by {worst}");
}
