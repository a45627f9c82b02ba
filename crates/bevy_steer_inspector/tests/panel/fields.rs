//! The parameters of behaviours.

use bevy::prelude::*;
use bevy_steer::{Length, prelude::*};
use bevy_steer_inspector::{Inspector, Scope};

use crate::{
    common::{Orbit, Panel, app},
    panel::named,
};

#[test]
fn slider_changes_the_agents_in_scope() {
    let mut app = app();
    let one = named(&mut app, "One", Flock::default());
    let other = named(&mut app, "Other", Flock::new(9.0));
    let mut panel = Panel::about(app, one);
    panel.frame();
    panel.click("Show Flock");
    panel.slide("Flock.weight", 2.5);
    panel.slide("Flock.cohesion", 3.0);
    assert_eq!(panel.get::<Flock>(one).unwrap().blend.weight, 2.5);
    assert_eq!(panel.get::<Flock>(one).unwrap().cohesion, 3.0);
    let before = panel.get::<Flock>(other).unwrap();
    assert_eq!((before.cohesion, before.blend.weight), (1.0, 1.0));

    panel.world().resource_mut::<Inspector>().scope = Scope::All;
    panel.slide("Flock.weight", 0.5);
    panel.slide("Flock.cohesion", 2.0);
    let after = panel.get::<Flock>(other).unwrap();
    assert_eq!((after.cohesion, after.blend.weight), (2.0, 0.5));
    // Other parameters keep their values.
    assert_eq!(after.radius, 9.0.into());
}

#[test]
fn angles_are_shown_in_degrees() {
    let mut app = app();
    let agent = named(&mut app, "Ada", Flock::default());
    let mut panel = Panel::about(app, agent);
    panel.frame();
    panel.click("Show Flock");
    panel.slide("Flock.view_angle", 90.0);
    let angle = panel.get::<Flock>(agent).unwrap().view_angle;
    assert!((angle - core::f32::consts::FRAC_PI_2).abs() < 1e-6, "{angle}");
}

#[test]
fn nested_fields_have_sliders() {
    let mut app = app();
    let agent = named(&mut app, "Ada", LookWhereYouGo::default());
    let mut panel = Panel::about(app, agent);
    panel.frame();
    panel.click("Show LookWhereYouGo");
    panel.slide("LookWhereYouGo.limits.max_rate", 180.0);
    let rate = panel.get::<LookWhereYouGo>(agent).unwrap().limits.max_rate;
    assert!((rate - core::f32::consts::PI).abs() < 1e-6, "{rate}");
}

#[test]
fn lengths_are_set_in_units_or_in_radii() {
    let mut app = app();
    let agent = named(&mut app, "Ada", Arrive::default());
    let radius = app.world().get::<Vehicle>(agent).unwrap().radius;
    let mut panel = Panel::about(app, agent);
    panel.frame();
    panel.click("Show Arrive");
    panel.slide("Arrive.stop_radius", 0.5);
    assert_eq!(panel.get::<Arrive>(agent).unwrap().stop_radius, Length::Radii(0.5));
    // The same length in units.
    panel.click("↔");
    assert_eq!(panel.get::<Arrive>(agent).unwrap().stop_radius, Length::Units(0.5 * radius));
    panel.slide("Arrive.stop_radius", 0.75);
    assert_eq!(panel.get::<Arrive>(agent).unwrap().stop_radius, Length::Units(0.75));
}

#[test]
fn unusual_values_are_shown_unchanged() {
    let mut app = app();
    let odd = Flock { radius: f32::INFINITY.into(), cohesion: 1e9, alignment: -2.0, ..default() };
    let agent = named(&mut app, "Odd", (odd, Flee { panic_distance: Some(f32::NAN), ..default() }));
    let mut panel = Panel::about(app, agent);
    panel.frame();
    panel.click("Show Flock");
    panel.click("Show Flee");
    panel.frame();
    assert_eq!(panel.get::<Flock>(agent), Some(odd));
    assert!(panel.get::<Flee>(agent).unwrap().panic_distance.unwrap().is_nan());
}

#[test]
fn attributes_give_fields_of_a_game_units_ranges_and_help() {
    let mut app = app();
    app.add_steering_behavior::<Orbit>();
    let agent = named(&mut app, "Moon", Orbit::default());
    let mut panel = Panel::about(app, agent);
    panel.frame();
    panel.click("Show Orbit");
    let period = panel.slider("Orbit.period");
    assert_eq!(period, [1.0, 60.0, 8.0].map(Some));
    let tilt = panel.slider("Orbit.tilt");
    // In degrees, as the range is.
    assert_eq!(tilt.map(|degrees| degrees.map(f64::round)), [-90.0, 90.0, 30.0].map(Some));
    // Strict: no more than the upper end, in radians.
    panel.slide("Orbit.tilt", 400.0);
    let tilt = panel.get::<Orbit>(agent).unwrap().tilt;
    assert!((tilt - core::f32::consts::FRAC_PI_2).abs() < 1e-6, "{tilt}");
    // Runtime state is no parameter.
    assert!(!panel.has("Orbit.angle") && panel.has("state"));
    panel.hover("period");
    assert!(panel.has("Time of one revolution."));
}
