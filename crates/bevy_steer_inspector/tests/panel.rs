//! The widgets of the panel and what they do in the world.

mod common;

use bevy::{
    gizmos::config::{GizmoConfig, GizmoConfigStore},
    prelude::*,
    time::Virtual,
};
use bevy_egui::egui;
use bevy_steer::{
    AngularVelocity, Length, Paint, ShowSteeringGizmos, Shown, SteeringGizmos, SteeringTrace,
    prelude::*,
};
use bevy_steer_inspector::{Inspector, Scope, inspector_ui};
use common::{Orbit, Panel, app};
use egui_kittest::Harness;

fn named(app: &mut App, name: &str, behaviors: impl Bundle) -> Entity {
    app.world_mut().spawn((Name::new(name.to_owned()), Vehicle::default(), behaviors)).id()
}

#[test]
fn list_selects_and_deselects_agents() {
    let mut app = app();
    named(&mut app, "Ada", Seek::new(Vec2::X));
    let bob = named(&mut app, "Bob", Seek::new(Vec2::X));
    let mut panel = Panel::new(app);
    panel.frame();
    assert_eq!(panel.selected(), None);
    panel.click("Bob  #1");
    assert_eq!(panel.selected(), Some(bob));
    assert!(panel.get::<SteeringTrace>(bob).is_some());
    assert!(panel.get::<ShowSteeringGizmos>(bob).is_some());
    panel.frame();
    panel.click("Deselect");
    assert_eq!(panel.selected(), None);
    assert!(panel.get::<ShowSteeringGizmos>(bob).is_none());
}

#[test]
fn search_finds_names_and_ids() {
    let mut app = app();
    for name in ["Ada", "Bob", "Barbara"] {
        named(&mut app, name, Seek::new(Vec2::X));
    }
    let mut panel = Panel::new(app);
    panel.type_into("Search agents", "ba");
    assert!(!panel.has("Ada  #0") && !panel.has("Bob  #1") && panel.has("Barbara  #2"));
    panel.type_into("Search agents", "x");
    assert!(panel.has("No agent has this name."));
}

#[test]
fn list_follows_spawned_and_despawned_agents() {
    let mut app = app();
    let ada = named(&mut app, "Ada", Seek::new(Vec2::X));
    let mut panel = Panel::about(app, ada);
    panel.frame();
    assert!(panel.has("Ada  #0"));
    panel.world().spawn((Name::new("Late"), Vehicle::default()));
    panel.frame();
    assert!(panel.has("Late  #1"));
    panel.world().despawn(ada);
    panel.frame();
    assert_eq!(panel.selected(), None);
    assert!(!panel.has("Ada  #0") && panel.has("Late  #1"));
}

#[test]
fn switch_disables_and_enables_a_behaviour() {
    let mut app = app();
    let agent = named(&mut app, "Ada", Seek::new(Vec2::X * 50.0));
    let mut panel = Panel::about(app, agent);
    panel.frame();
    panel.click("Seek on");
    assert!(!panel.get::<Seek>(agent).unwrap().blend.enabled);
    panel.ticks(3);
    assert!(panel.get::<SteeringForce>(agent).unwrap().linear.x < 0.0, "it brakes");
    panel.click("Seek on");
    assert!(panel.get::<Seek>(agent).unwrap().blend.enabled);
}

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
fn menu_adds_and_button_removes_behaviours() {
    let mut app = app();
    let agent = named(&mut app, "Ada", Seek::new(Vec2::X));
    let mut panel = Panel::about(app, agent);
    panel.frame();
    panel.click("+ Add behaviour");
    panel.click("Wander");
    assert_eq!(panel.get::<Wander>(agent), Some(Wander::default()));
    panel.click("Remove Seek");
    assert!(panel.get::<Seek>(agent).is_none());
}

#[test]
fn removing_the_last_turning_behaviour_removes_angular_velocity() {
    let mut app = app();
    let agent = named(&mut app, "Ada", (Face::new(Vec2::X), LookWhereYouGo::default()));
    let mut panel = Panel::about(app, agent);
    panel.frame();
    panel.click("Remove Face");
    assert!(panel.get::<AngularVelocity>(agent).is_some());
    panel.click("Remove LookWhereYouGo");
    assert!(panel.get::<AngularVelocity>(agent).is_none());
}

#[test]
fn behaviour_of_a_game_can_be_added_and_edited() {
    let mut app = app();
    app.add_steering_behavior::<Orbit>();
    let agent = named(&mut app, "Moon", Orbit::default());
    let other = named(&mut app, "Rock", Seek::new(Vec2::X));
    let mut panel = Panel::about(app, agent);
    panel.frame();
    panel.click("Orbit on");
    assert!(!panel.get::<Orbit>(agent).unwrap().blend.enabled);
    panel.click("Show Orbit");
    assert!(panel.has("Orbit.distance"));
    panel.slide("Orbit.distance", 7.5);
    assert_eq!(panel.get::<Orbit>(agent).unwrap().distance, 7.5);
    panel.world().resource_mut::<Inspector>().select(Some(other));
    panel.frame();
    panel.click("+ Add behaviour");
    panel.click("Orbit");
    assert_eq!(panel.get::<Orbit>(other), Some(Orbit::default()));
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

#[test]
fn time_is_paused_stepped_and_resumed() {
    let mut app = app();
    let agent = named(&mut app, "Ada", Seek::new(Vec2::X * 50.0));
    let mut panel = Panel::about(app, agent);
    panel.ticks(5);
    panel.click("Pause");
    assert!(panel.world().resource::<Time<Virtual>>().is_paused());
    panel.ticks(1);
    let tick = |panel: &mut Panel| panel.world().resource::<bevy_steer::SteeringTick>().0;
    let before = tick(&mut panel);
    panel.ticks(10);
    assert_eq!(tick(&mut panel), before);
    panel.click("Step");
    panel.ticks(10);
    assert_eq!(tick(&mut panel), before + 1);
    panel.click("Resume");
    panel.ticks(10);
    assert!(tick(&mut panel) > before + 5);
    panel.slide("Speed of time", 0.5);
    let speed = panel.world().resource::<Time<Virtual>>().relative_speed();
    assert!((speed - 0.5).abs() < 1e-6, "{speed}");
}

/// A panel that shows the switches of the gizmos.
fn gizmos_panel() -> Panel {
    let mut app = app();
    let mut store = GizmoConfigStore::default();
    store.insert(GizmoConfig::default(), SteeringGizmos::default());
    app.insert_resource(store);
    let mut panel = Panel::new(app);
    panel.frame();
    panel.click("Gizmos");
    panel
}

#[test]
fn gizmos_have_switches() {
    let mut panel = gizmos_panel();
    for switch in ["Gizmo velocity", "Gizmo body", "Gizmo targets", "Gizmo Seek"] {
        panel.click(switch);
    }
    panel.click("for the selected one");
    let gizmos = panel.world().resource::<GizmoConfigStore>().config::<SteeringGizmos>().1.clone();
    assert!(gizmos.velocity.is_none() && gizmos.body.is_some() && gizmos.force.is_some());
    assert_eq!((gizmos.targets, gizmos.ranges), (Paint::Off, Paint::Own));
    assert_eq!(gizmos.behaviors.get("Seek"), Some(&None));
    assert_eq!(gizmos.shown, Shown::Marked);
    panel.click("Gizmos drawn");
    assert!(!panel.world().resource::<GizmoConfigStore>().config::<SteeringGizmos>().0.enabled);
}

#[test]
fn forces_are_listed_by_behaviour() {
    let mut app = app();
    let both = (Seek::new(Vec2::X * 50.0), Wander::default());
    let agent = named(&mut app, "Ada", both);
    let mut panel = Panel::about(app, agent);
    panel.frame();
    panel.ticks(3);
    panel.frame();
    for name in ["Seek", "Wander", "total"] {
        assert!(panel.has(name), "{name}");
    }
}

#[test]
fn each_of_several_behaviours_has_its_own_row() {
    let mut app = app();
    let [near, far] = [3.0, 30.0].map(|x| Evade::new(Vec2::X * x));
    let both = (Several::new([near, far.with_weight(2.0)]), Evade::new(Vec2::Y));
    let agent = named(&mut app, "Ada", both.clone());
    let other = named(&mut app, "Bob", Several::new([near]));
    let mut panel = Panel::about(app, agent);
    panel.frame();
    panel.ticks(3);
    panel.frame();
    let rows = ["Evade", "Evade 1", "Evade 2"].map(|name| {
        // What it contributed, and its card.
        assert!(panel.has(name), "{name}");
        panel.has(&format!("{name} on"))
    });
    assert_eq!(rows, [true; 3]);
    let places = panel.get::<SteeringTrace>(agent).unwrap();
    let places: Vec<_> = places.iter().map(|one| one.place).collect();
    assert_eq!(places, [None, Some(0), Some(1)]);
    assert!(!panel.has("Evade 3 on"));

    panel.click("Evade 2 on");
    let on = |panel: &mut Panel| {
        let all = panel.get::<Several<Evade>>(agent).unwrap();
        all.iter().map(Evade::is_enabled).collect::<Vec<_>>()
    };
    assert_eq!(on(&mut panel), [true, false]);
    assert!(panel.get::<Evade>(agent).unwrap().is_enabled());
    panel.click("Show Evade 2");
    panel.slide("Evade 2.weight", 0.5);
    panel.slide("Evade 2.max_prediction", 2.5);
    let [first, second] = panel.get::<Several<Evade>>(agent).unwrap().0[..] else { panic!("two") };
    assert_eq!((second.blend.weight, second.max_prediction), (0.5, 2.5));
    assert_eq!((first.blend.weight, first.max_prediction), (1.0, 5.0));

    // All agents: those that have less than two keep what they have.
    panel.world().resource_mut::<Inspector>().scope = Scope::All;
    panel.slide("Evade 2.weight", 4.0);
    panel.click("Show Evade 1");
    panel.slide("Evade 1.weight", 3.0);
    assert_eq!(panel.get::<Several<Evade>>(other).unwrap()[0].blend.weight, 3.0);

    panel.world().resource_mut::<Inspector>().scope = Scope::One;
    panel.click("Remove Evade 1");
    assert_eq!(panel.get::<Several<Evade>>(agent).unwrap().len(), 1);
    panel.click("Remove Evade 1");
    assert!(panel.get::<Several<Evade>>(agent).is_none() && panel.get::<Evade>(agent).is_some());
}

#[test]
fn agent_selected_while_paused_shows_its_last_tick() {
    let mut app = app();
    let agent = named(&mut app, "Ada", Seek::new(Vec2::X * 50.0));
    let mut panel = Panel::new(app);
    panel.ticks(3);
    panel.world().resource_mut::<Time<Virtual>>().pause();
    panel.ticks(3);
    panel.world().resource_mut::<Inspector>().select(Some(agent));
    panel.frame();
    let force = panel.get::<SteeringForce>(agent).unwrap().linear;
    let trace = panel.get::<SteeringTrace>(agent).unwrap();
    let parts: Vec3 = trace.iter().map(|one| one.passed).sum();
    assert!(force.length() > 0.0 && parts.distance(force) < 1e-4, "{parts} of {force}");
    assert!(panel.has("Seek") && !panel.has("Shown from the next tick on."));
    // Of an agent that came while time stood still there is no last tick.
    let late = named(panel.harness.state_mut(), "Late", Seek::new(Vec2::X));
    panel.world().resource_mut::<Inspector>().select(Some(late));
    panel.frame();
    assert!(panel.has("Shown from the next tick on."));
}

#[test]
fn large_worlds_and_gizmos_for_all_trace_the_selected_agent_only() {
    let traced = |panel: &mut Panel| {
        panel.frame();
        let world = panel.world();
        world.query_filtered::<(), With<SteeringTrace>>().iter(world).count()
    };
    let mut app = app();
    let agent = named(&mut app, "Ada", Seek::new(Vec2::X));
    app.world_mut().spawn_batch((0..9).map(|_| Vehicle::default())).for_each(drop);
    let mut panel = Panel::about(app, agent);
    assert_eq!(traced(&mut panel), 10);
    let mut store = GizmoConfigStore::default();
    store.insert(GizmoConfig::default(), SteeringGizmos::default());
    panel.world().insert_resource(store);
    assert_eq!(traced(&mut panel), 1);
    panel.world().remove_resource::<GizmoConfigStore>();
    panel.world().spawn_batch((0..3000).map(|_| Vehicle::default())).for_each(drop);
    assert_eq!(traced(&mut panel), 1);
    assert!(panel.get::<SteeringTrace>(agent).is_some());
}

#[test]
fn parts_that_are_switched_on_get_colours_of_their_own() {
    let mut panel = gizmos_panel();
    for part in ["force", "velocity", "force", "velocity", "heading", "body", "obstacles", "walls"]
    {
        panel.click(&format!("Gizmo {part}"));
    }
    let gizmos = panel.world().resource::<GizmoConfigStore>().config::<SteeringGizmos>().1;
    let standard = SteeringGizmos::default();
    assert_eq!((gizmos.force, gizmos.velocity), (standard.force, standard.velocity));
    let SteeringGizmos { force, velocity, heading, body, obstacles, walls, .. } = *gizmos;
    let colors = [force, velocity, heading, body, obstacles, walls];
    for (i, color) in colors.iter().enumerate() {
        assert!(color.is_some() && !colors[..i].contains(color), "part {i} has {color:?}");
    }
}

#[test]
fn search_does_not_widen_a_panel_that_fits_its_contents() {
    #[derive(Resource)]
    struct Width(f32);
    let mut app = app();
    named(&mut app, "Ada", Seek::new(Vec2::X));
    app.insert_resource(Width(0.0));
    let harness = Harness::builder().with_size(egui::vec2(1280.0, 720.0)).build_ui_state(
        |ui, app: &mut App| {
            let side = egui::Panel::right("side").default_size(340.0).max_size(768.0);
            let side = side.show(ui, |ui| inspector_ui(ui, app.world_mut()));
            app.insert_resource(Width(side.response.rect.width()));
        },
        app,
    );
    let mut panel = Panel { harness };
    panel.harness.run_steps(10);
    let before = panel.world().resource::<Width>().0;
    panel.type_into("Search agents", "a long name that no agent has");
    panel.harness.run_steps(60);
    let after = panel.world().resource::<Width>().0;
    assert_eq!(before, after);
}

#[test]
fn despawned_agent_is_deselected() {
    let mut app = app();
    let agent = named(&mut app, "Ada", Seek::new(Vec2::X));
    let mut panel = Panel::about(app, agent);
    panel.frame();
    panel.world().despawn(agent);
    panel.harness.run_steps(2);
    assert_eq!(panel.selected(), None);
    let agent = panel.world().spawn((Vehicle::default(), Wander::default())).id();
    panel.world().resource_mut::<Inspector>().select(Some(agent));
    panel.frame();
    panel.world().entity_mut(agent).remove::<Vehicle>();
    panel.harness.run_steps(2);
    assert_eq!(panel.selected(), None);
    assert!(panel.get::<SteeringTrace>(agent).is_none());
}

#[test]
fn closed_panel_removes_its_marks() {
    let mut app = app();
    let agent = named(&mut app, "Ada", Seek::new(Vec2::X));
    app.world_mut().resource_mut::<Inspector>().select(Some(agent));
    app.update();
    assert!(app.world().get::<SteeringTrace>(agent).is_some());
    app.world_mut().resource_mut::<Inspector>().is_open = false;
    app.update();
    assert!(app.world().get::<SteeringTrace>(agent).is_none());
    assert_eq!(app.world().resource::<Inspector>().selected, Some(agent));
}
