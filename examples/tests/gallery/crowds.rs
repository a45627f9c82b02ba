//! Scenes with crowds: a hallway with lanes, a door with an arch, and two crowds that cross.

use std::collections::HashMap;

use bevy::prelude::*;
use bevy_steer::prelude::*;
use bevy_steer_examples::gallery::scenes::{
    self,
    crossing::Contacts,
    door::Door,
    hallway::{Hallway, Stream, lanes},
};

use super::play::Play;

fn people(world: &mut World) -> Vec<(Vec2, Stream)> {
    let mut people = world.query_filtered::<(&Transform, &Stream), With<Vehicle>>();
    people.iter(world).map(|(at, stream)| (at.translation.truncate(), *stream)).collect()
}

#[test]
fn lanes_form_in_the_hallway_and_it_flows() {
    let mut play = Play::new("hallway");
    play.run(1.0);
    let mixed = lanes(&people(play.world()));
    play.run(14.0);
    let soon = lanes(&people(play.world()));
    play.run(30.0);
    let begin = play.all::<&Hallway, (), _>(|hallway| hallway.through)[0];
    let mut late = 0.0;
    const SAMPLES: u32 = 6;
    for _ in 0..SAMPLES {
        play.run(10.0);
        late += lanes(&people(play.world())) / SAMPLES as f32;
    }
    let end = play.all::<&Hallway, (), _>(|hallway| hallway.through)[0];
    assert!(mixed < 0.4 && soon > mixed + 0.2 && late > 0.6, "lanes: {mixed} {soon} {late}");
    // 1.5 come in on each side in each second of this minute.
    assert!(end - begin > 140, "{} got through in a minute", end - begin);
    // Nobody is left standing.
    let count = people(play.world()).len();
    assert!((60..=110).contains(&count), "{count} people");
}

#[test]
fn lanes_are_measured_from_none_to_all() {
    let at = |x: f32, y: f32, stream: f32| (Vec2::new(x, y), Stream(stream));
    let apart: Vec<_> = (0..10)
        .flat_map(|i| [at(30.0 * i as f32, 40.0, 1.0), at(30.0 * i as f32, -40.0, -1.0)])
        .collect();
    assert_eq!(lanes(&apart), 1.0);
    let mixed: Vec<_> =
        (0..40).map(|i| at(20.0 * i as f32, 0.0, if i % 2 == 0 { 1.0 } else { -1.0 })).collect();
    assert!(lanes(&mixed) < 0.1, "{}", lanes(&mixed));
    assert_eq!(lanes(&[]), 0.0);
}

#[test]
fn the_crowd_at_the_door_forms_an_arch_that_flows() {
    let mut play = Play::new("door");
    play.run(30.0);
    let before = play.all::<&Door, (), _>(|door| door.passed)[0];
    play.run(60.0);
    let after = play.all::<&Door, (), _>(|door| door.passed)[0];
    // One after the other without gaps through a door of two bodies: 2.6 a second.
    let flow = (after - before) as f32 / 60.0;
    assert!((0.6..2.6).contains(&flow), "{flow} a second");
    let count = play.all::<&Transform, With<PathFollow>, _>(|_| ()).len();
    assert!((95..=100).contains(&count), "{count} people");
}

#[test]
fn walkers_that_cross_get_a_new_goal_where_they_arrive() {
    let mut play = Play::new("crossing");
    let mut goals: HashMap<Entity, Vec3> = HashMap::new();
    let mut turns = 0;
    play.watch(30.0, |world| {
        let mut walkers = world.query::<(Entity, &Transform, &Arrive)>();
        for (walker, at, arrive) in walkers.iter(world) {
            let Target::Point(target) = arrive.target else { continue };
            let target = target.in_plane(SteeringPlane::Xy);
            let before = goals.insert(walker, target).filter(|before| *before != target);
            if let Some(before) = before {
                turns += 1;
                // The tick in which the goal changes has moved the walker on already.
                assert!(before.distance(at.translation) < 30.0, "turns before it is there");
            }
            assert!(!arrive.has_arrived(), "{walker} rests at its goal");
        }
    });
    // 80 walkers, each of which needs eight seconds or a little more for a crossing.
    assert!(turns > 150, "{turns} turns");
}

#[test]
fn contacts_are_counted_with_avoidance_and_without() {
    let mut play = Play::new("crossing");
    play.run(20.0);
    let switch = scenes::find("crossing").unwrap().switches[0];
    switch.toggle(play.world());
    play.run(20.0);
    let Contacts { on, off, .. } = play.all::<&Contacts, (), _>(Clone::clone)[0].clone();
    assert!((on.seconds - 20.0).abs() < 0.1 && (off.seconds - 20.0).abs() < 0.1);
    assert!(off.contacts > 100 && on.contacts == 0, "{on:?} {off:?}");
    let score = scenes::find("crossing").and_then(|scene| scene.score).expect("a score");
    let texts: Vec<String> = score(play.world()).into_iter().map(|part| part.text).collect();
    let expected = ["avoidance on: 0 contacts in 20 s".to_owned()]
        .into_iter()
        .chain([format!("off: {} contacts in 20 s", off.contacts)]);
    assert!(expected.eq(texts.iter().cloned()), "{texts:?}");
}
