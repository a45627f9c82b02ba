//! The scenes of the classic tutorials: what their switches and clicks do.

use bevy::prelude::*;
use bevy_egui::egui::{
    Event,
    accesskit::{Action, ActionData, ActionRequest, Role},
};
use bevy_steer::{ShowSteeringGizmos, Velocity, prelude::*};
use bevy_steer_examples::gallery::{
    look::Look,
    scene::{Click, Switch},
    scenes,
    stage::ARENA,
};

use egui_kittest::{
    Harness,
    kittest::{NodeT, Queryable},
};

use super::play::Play;

fn switch(scene: &str, name: &str) -> &'static Switch {
    let scene = scenes::find(scene).unwrap();
    scene.switches.iter().find(|switch| switch.name == name).expect(name)
}

fn click(play: &mut Play, scene: &str, place: Vec2) {
    let click = scenes::find(scene).unwrap().click.expect("the scene takes clicks");
    click(play.world(), Click { place: place.extend(0.0), fresh: true });
}

/// The vehicle with one of its behaviours on for some seconds, after a click: its distances from
/// the target, in each tick of the last second.
fn with_only(name: &str, target: Vec2, seconds: f32) -> Vec<f32> {
    let mut play = Play::new("one-vehicle");
    for switch in scenes::find("one-vehicle").unwrap().switches {
        (switch.set)(play.world(), false);
        assert!(!(switch.is_on)(play.world()));
    }
    let on = switch("one-vehicle", name);
    on.toggle(play.world());
    let switches = scenes::find("one-vehicle").unwrap().switches;
    let count = switches.iter().filter(|switch| (switch.is_on)(play.world())).count();
    assert_eq!(count, 1, "only {name} is on");
    click(&mut play, "one-vehicle", target);
    play.run(seconds - 1.0);
    let mut distances = Vec::new();
    play.watch(1.0, |world| {
        let vehicle = world.query_filtered::<&Transform, With<Vehicle>>().single(world).unwrap();
        distances.push(vehicle.translation.truncate().distance(target));
    });
    distances
}

#[test]
fn one_vehicle_does_what_is_switched_on() {
    let target = Vec2::new(120.0, 40.0);
    let seek = with_only("Seek", target, 8.0);
    let (near, far) = seek.iter().fold((f32::MAX, 0.0_f32), |(a, b), &d| (a.min(d), b.max(d)));
    assert!(far - near > 20.0, "Seek goes past: {near} to {far}");
    let start = Vec2::new(-300.0, -120.0);
    let flee = with_only("Flee", start + Vec2::new(20.0, 10.0), 4.0);
    assert!(flee.iter().all(|&distance| distance > 95.0), "{flee:?}");
    for name in ["Arrive, slow", "Arrive, normal", "Arrive, fast"] {
        let arrive = with_only(name, target, 8.0);
        assert!(arrive.iter().all(|&distance| distance < 6.0), "{name}: {arrive:?}");
    }
}

#[test]
fn arrive_fast_is_there_first() {
    let left = |name| with_only(name, Vec2::new(120.0, 40.0), 3.2)[0];
    let [slow, normal, fast] = ["Arrive, slow", "Arrive, normal", "Arrive, fast"].map(left);
    assert!(slow > normal + 2.0 && normal > fast + 2.0, "{slow} {normal} {fast}");
}

#[test]
fn wanderer_keeps_out_of_the_way_of_circles() {
    let mut play = Play::new("drifting-circles");
    let (mut ticks, mut touches, mut travelled) = (0, 0, 0.0);
    play.watch(60.0, |world| {
        let mut circles = world.query::<(&Transform, &Vehicle, &Velocity, &Obstacle)>();
        let circles: Vec<_> = circles
            .iter(world)
            .map(|(at, body, velocity, _)| (at.translation, body.radius, velocity.length()))
            .collect();
        assert_eq!(circles.len(), 5);
        for (at, radius, speed) in &circles {
            assert!(at.truncate().abs().cmple(ARENA - radius + 0.01).all(), "{at} {radius}");
            assert!(*speed > 5.0, "a circle has stopped");
        }
        let mut wanderers = world.query::<(&Transform, &Vehicle, &Velocity, &Wander)>();
        let (at, body, velocity, _) = wanderers.single(world).unwrap();
        travelled += velocity.length() / 64.0;
        let hit = |(center, radius, _): &(Vec3, f32, f32)| {
            center.distance(at.translation) < 0.95 * (radius + body.radius)
        };
        (ticks, touches) = (ticks + 1, touches + u32::from(circles.iter().any(hit)));
    });
    assert!(touches * 50 < ticks, "the wanderer touches a circle in {touches} of {ticks} ticks");
    assert!(travelled > 60.0 * 40.0, "the wanderer has gone {travelled} units");
}

#[test]
fn boids_flock_and_bounce() {
    let mut play = Play::new("twenty-boids");
    let order = |play: &mut Play| {
        let headings = play.all::<&Velocity, With<Flock>, _>(|v| v.0.normalize_or_zero());
        assert_eq!(headings.len(), 20);
        headings.iter().sum::<Vec3>().length() / 20.0
    };
    let before = order(&mut play);
    let mut most = 0.0_f32;
    for _ in 0..30 {
        play.run(1.0);
        most = most.max(order(&mut play));
    }
    assert!(before < 0.5 && most > 0.7, "order {before} at first, {most} at best");
    let (mut before, mut bounces, mut slow) = (Vec::<(Vec2, Vec2)>::new(), 0, 0.0);
    play.watch(20.0, |world| {
        let mut boids = world.query_filtered::<(&Transform, &Velocity), With<Flock>>();
        let now: Vec<(Vec2, Vec2)> = boids
            .iter(world)
            .map(|(place, velocity)| (place.translation.truncate(), velocity.0.truncate()))
            .collect();
        for ((place, velocity), (_, before)) in now.iter().zip(&before) {
            assert!(place.abs().cmple(ARENA + 0.01).all(), "{place}");
            let turned = (*velocity * *before).cmplt(Vec2::ZERO);
            bounces += u32::from((place.abs().cmpgt(ARENA - 15.0) & turned).any());
            slow += f32::from(u8::from(velocity.length() < 40.0)) / 64.0;
        }
        before = now;
    });
    assert!(bounces > 20, "{bounces} bounces in 20 s");
    assert!(slow < 40.0, "boids stand for {slow} of 400 s");
}

#[test]
fn vehicle_stops_at_the_last_waypoint_unless_it_loops() {
    let scene = "waypoints";
    let mut play = Play::new(scene);
    let state = |play: &mut Play| {
        play.all::<(&Transform, &Velocity), With<PathFollow>, _>(|(at, v)| {
            (at.translation.truncate(), v.length())
        })[0]
    };
    play.run(25.0);
    assert!(state(&mut play).1 > 50.0, "it goes round");
    (switch(scene, "loop").set)(play.world(), false);
    play.run(20.0);
    let (at, speed) = state(&mut play);
    let last = Vec2::new(260.0, -170.0);
    assert!(at.distance(last) < 5.0 && speed < 1.0, "at {at} with {speed}");
    let added = Vec2::new(-100.0, -200.0);
    click(&mut play, scene, added);
    play.run(10.0);
    let (at, speed) = state(&mut play);
    assert!(at.distance(added) < 5.0 && speed < 1.0, "at {at} with {speed}");
    switch(scene, "loop").toggle(play.world());
    play.run(2.0);
    assert!(state(&mut play).1 > 50.0, "it goes on");
}

/// A scene beside its sliders.
fn with_sliders(scene: &'static str) -> Harness<'static, Play> {
    let controls = scenes::find(scene).unwrap().controls.expect("controls");
    Harness::new_ui_state(move |ui, play: &mut Play| controls(play.world(), ui), Play::new(scene))
}

fn slide(harness: &mut Harness<Play>, label: &str, value: f64) {
    let (target_node, target_tree) =
        harness.get_by_role_and_label(Role::Slider, label).accesskit_node().locate();
    let data = Some(ActionData::NumericValue(value));
    let request = ActionRequest { action: Action::SetValue, target_node, target_tree, data };
    harness.event(Event::AccessKitActionRequest(request));
    harness.run_steps(4);
}

#[test]
fn sliders_set_the_limits_of_one_vehicle() {
    let mut harness = with_sliders("one-vehicle");
    let speed = |play: &mut Play| {
        play.all::<&Velocity, With<Vehicle>, _>(|velocity| velocity.0.length())[0]
    };
    harness.state_mut().run(1.0);
    assert!(speed(harness.state_mut()) > 150.0);
    slide(&mut harness, "max_speed", 60.0);
    slide(&mut harness, "max_force", 900.0);
    let play = harness.state_mut();
    let limits = play.all::<&Vehicle, (), _>(|vehicle| (vehicle.max_speed, vehicle.max_force));
    assert_eq!(limits, [(60.0, 900.0)]);
    play.run(1.0);
    assert!(speed(play) < 61.0, "{}", speed(play));
}

#[test]
fn boids_have_colors_and_a_view_of_their_own() {
    let mut play = Play::new("twenty-boids");
    let mut hues = play.all::<&Look, With<Flock>, _>(|look| Oklcha::from(look.color).hue as i32);
    hues.sort_unstable();
    hues.dedup();
    assert!(hues.len() > 15 && hues.windows(2).all(|pair| pair[1] - pair[0] < 90), "{hues:?}");
    let shown =
        |play: &mut Play| play.all::<Has<ShowSteeringGizmos>, With<Flock>, _>(|is_shown| is_shown);
    assert_eq!(shown(&mut play), [true; 20]);
    switch("twenty-boids", "show the view").toggle(play.world());
    assert_eq!(shown(&mut play), [false; 20]);
}
