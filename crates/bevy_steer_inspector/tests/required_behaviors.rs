//! Behaviours that another component requires: presets leave them to it.

use bevy::prelude::*;
use bevy_steer::{Path, prelude::*};
use bevy_steer_inspector::presets::{Preset, write};

use crate::common::{agent, app, names};

/// Stands for a planner, which writes the path.
#[derive(Component, Clone, Debug, Default)]
#[require(PathFollow)]
struct Planned;

#[test]
fn behaviours_that_belong_to_others_stay() {
    let mut app = app();
    let planned = agent(&mut app, (Planned, Seek::new(Vec2::X)));
    let input = SteeringWish::new([Wish::velocity(Vec3::X)]);
    let player = agent(&mut app, (input.clone(), Wish::default(), Wander::default()));
    let text = write(app.world_mut(), player).expect("a preset");
    assert!(!text.contains("Wish"), "{text}");
    let preset = Preset::read(r#"(behaviors: {"AvoidAgents": ()})"#, app.world_mut()).unwrap();
    for agent in [planned, player] {
        preset.apply(app.world_mut(), agent, false);
    }
    assert_eq!(names(&app, planned), ["PathFollow", "AvoidAgents"]);
    assert_eq!(names(&app, player), ["Wish", "AvoidAgents"]);
    assert_eq!(app.world().get::<SteeringWish>(player), Some(&input));
    // One that the file has is applied.
    let orders = r#"(behaviors: {"Wish": (vector: (0.0, 2.0, 0.0))})"#;
    Preset::read(orders, app.world_mut()).unwrap().apply(app.world_mut(), player, false);
    assert_eq!(app.world().get::<Wish>(player).unwrap().vector, Vec3::Y * 2.0);
}

#[test]
fn what_a_planner_sets_is_neither_saved_nor_replaced() {
    let mut app = app();
    let path = |x: f32| Path::new([Vec2::ZERO, Vec2::X * x]);
    let follow = |x: f32| PathFollow::new(path(x)).with_end(PathEnd::Loop);
    let planned = agent(&mut app, (Planned, follow(3.0)));
    let own = agent(&mut app, follow(5.0));
    let [of_planned, of_own] =
        [planned, own].map(|agent| write(app.world_mut(), agent).expect("a preset"));
    assert!(!of_planned.contains("path"), "{of_planned}");
    assert!(of_own.contains("path"), "{of_own}");
    for text in [of_planned, of_own] {
        let other = agent(&mut app, (Planned, PathFollow::new(path(7.0))));
        Preset::read(&text, app.world_mut()).unwrap().apply(app.world_mut(), other, false);
        let kept = app.world().get::<PathFollow>(other).unwrap();
        assert_eq!((&kept.path, kept.end), (&path(7.0), PathEnd::Loop));
    }
}
