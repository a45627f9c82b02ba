//! Undo, redo and reset.

use bevy::{gizmos::config::GizmoConfigStore, prelude::*};
use bevy_egui::egui::{self, Key, Modifiers, accesskit::Role};
use bevy_steer::{AngularVelocity, Paint, Shown, SteeringGizmos, prelude::*};
use bevy_steer_inspector::{Inspector, Scope, leave_panel};
use egui_kittest::kittest::Queryable;

use crate::{
    common::{Panel, app},
    panel::{named, observing::gizmos_panel},
};

const SHIFT_CTRL: Modifiers = Modifiers::COMMAND.plus(Modifiers::SHIFT);

fn keys(panel: &mut Panel, modifiers: Modifiers, key: Key) {
    panel.harness.key_press_modifiers(modifiers, key);
    panel.harness.run_steps(3);
}

/// A panel about an agent, with the cards of these behaviours unfolded.
fn panel_with(behaviors: impl Bundle, cards: &[&str]) -> (Panel, Entity) {
    let mut app = app();
    let agent = named(&mut app, "Ada", behaviors);
    let mut panel = Panel::about(app, agent);
    panel.frame();
    for card in cards {
        panel.click(&format!("Show {card}"));
    }
    (panel, agent)
}

#[test]
fn parameters_weights_and_switches_are_undone_and_redone() {
    let (mut panel, agent) = panel_with(Flock::default(), &["Flock"]);
    let default = Flock::default();
    panel.slide("Flock.cohesion", 3.0);
    panel.slide("Flock.weight", 2.5);
    panel.click("Flock on");
    let edited = panel.get::<Flock>(agent).unwrap();
    assert!((edited.cohesion, edited.blend.weight, edited.blend.enabled) == (3.0, 2.5, false));
    keys(&mut panel, Modifiers::COMMAND, Key::Z);
    assert!(panel.get::<Flock>(agent).unwrap().blend.enabled);
    keys(&mut panel, Modifiers::COMMAND, Key::Z);
    assert_eq!(panel.get::<Flock>(agent).unwrap().blend, default.blend);
    panel.click("Undo");
    assert_eq!(panel.get::<Flock>(agent), Some(default));
    // There is nothing left to undo.
    keys(&mut panel, Modifiers::COMMAND, Key::Z);
    assert_eq!(panel.get::<Flock>(agent), Some(default));
    panel.click("Redo");
    assert_eq!(panel.get::<Flock>(agent).unwrap().cohesion, 3.0);
    keys(&mut panel, SHIFT_CTRL, Key::Z);
    keys(&mut panel, Modifiers::COMMAND, Key::Y);
    assert_eq!(panel.get::<Flock>(agent), Some(edited));
    // A new edit ends what can be redone.
    panel.click("Undo");
    panel.slide("Flock.cohesion", 1.5);
    panel.click("Redo");
    assert_eq!(panel.get::<Flock>(agent).unwrap().cohesion, 1.5);
}

#[test]
fn one_drag_of_a_slider_is_one_step() {
    let (mut panel, agent) = panel_with(Flock::default(), &["Flock"]);
    let slider = panel.harness.get_by_role_and_label(Role::Slider, "Flock.cohesion").rect();
    let at = |fraction: f32| slider.left_center() + egui::vec2(slider.width() * fraction, 0.0);
    panel.harness.drag_at(at(0.2));
    panel.harness.run_steps(1);
    let mut values = Vec::new();
    for step in 0..6_u8 {
        panel.harness.hover_at(at(0.2 + 0.05 * f32::from(step)));
        panel.harness.run_steps(1);
        values.push(panel.get::<Flock>(agent).unwrap().cohesion);
    }
    panel.harness.drop_at(at(0.45));
    panel.harness.run_steps(2);
    values.dedup();
    assert!(values.len() > 3, "{values:?}");
    keys(&mut panel, Modifiers::COMMAND, Key::Z);
    assert_eq!(panel.get::<Flock>(agent), Some(Flock::default()));
}

#[test]
fn vehicle_layers_and_arbitration_are_undone() {
    const PREY: SteeringLayers = SteeringLayers::layer(2);
    let (mut panel, agent) = panel_with((Seek::new(Vec2::X), PREY), &[]);
    panel.click("Body");
    let before = panel.get::<Vehicle>(agent).unwrap();
    panel.slide("Vehicle.max_speed", 7.0);
    assert_eq!(panel.get::<Vehicle>(agent).unwrap().max_speed, 7.0);
    panel.click("layer 2");
    panel.click("all");
    keys(&mut panel, Modifiers::NONE, Key::Escape);
    assert_eq!(panel.get::<SteeringLayers>(agent), Some(SteeringLayers::ALL));
    panel.click("change");
    assert!(panel.get::<Arbitration>(agent).is_some());
    panel.click("Undo");
    assert!(panel.get::<Arbitration>(agent).is_none());
    panel.click("Undo");
    assert_eq!(panel.get::<SteeringLayers>(agent), Some(PREY));
    panel.click("Undo");
    assert_eq!(panel.get::<Vehicle>(agent), Some(before));
}

#[test]
fn adding_and_removing_behaviours_is_undone() {
    let several = Several::new([Pursue::new(Vec2::X), Pursue::new(Vec2::Y)]);
    let (mut panel, agent) = panel_with((Seek::new(Vec2::X), several.clone()), &[]);
    panel.click("+ Add behaviour");
    panel.click("Face");
    assert!(panel.get::<AngularVelocity>(agent).is_some());
    panel.click("Remove Seek");
    panel.click("Remove Pursue 1");
    panel.click("Remove Pursue 1");
    assert!(panel.get::<Several<Pursue>>(agent).is_none() && panel.get::<Seek>(agent).is_none());
    panel.click("Undo");
    panel.click("Undo");
    assert_eq!(panel.get::<Several<Pursue>>(agent), Some(several));
    panel.click("Undo");
    assert_eq!(panel.get::<Seek>(agent), Some(Seek::new(Vec2::X)));
    panel.click("Undo");
    assert!(panel.get::<Face>(agent).is_none() && panel.get::<AngularVelocity>(agent).is_none());
    (0..4).for_each(|_| panel.click("Redo"));
    assert!(panel.get::<Face>(agent).is_some() && panel.get::<Several<Pursue>>(agent).is_none());
}

#[test]
fn undo_keeps_what_the_game_has_changed_since() {
    let (mut panel, agent) = panel_with(Pursue::new(Vec2::X), &["Pursue"]);
    panel.slide("Pursue.max_look_ahead", 2.0);
    panel.world().get_mut::<Pursue>(agent).unwrap().target = Vec2::Y.into();
    panel.click("Undo");
    assert_eq!(panel.get::<Pursue>(agent), Some(Pursue::new(Vec2::Y)));
}

#[test]
fn an_edit_of_all_agents_is_one_step() {
    let (mut panel, agent) = panel_with(Flock::default(), &["Flock"]);
    let other = panel.world().spawn((Vehicle::default(), Flock::new(9.0))).id();
    panel.world().resource_mut::<Inspector>().scope = Scope::All;
    panel.slide("Flock.cohesion", 3.0);
    assert_eq!(panel.get::<Flock>(other).unwrap().cohesion, 3.0);
    panel.click("Undo");
    assert_eq!(panel.get::<Flock>(other), Some(Flock::new(9.0)));
    assert_eq!(panel.get::<Flock>(agent), Some(Flock::default()));
}

#[test]
fn edits_of_agents_that_are_gone_are_skipped() {
    let (mut panel, agent) = panel_with(Flock::default(), &["Flock"]);
    panel.slide("Flock.cohesion", 3.0);
    let late = panel.world().spawn((Vehicle::default(), Seek::new(Vec2::X))).id();
    panel.world().resource_mut::<Inspector>().select(Some(late));
    panel.frame();
    panel.click("Seek on");
    panel.click("Seek on");
    panel.world().despawn(late);
    panel.frame();
    panel.click("Undo");
    let message = panel.text_with("Skipped 2 edits");
    assert!(message.contains("Undone: Flock.cohesion"), "{message}");
    assert_eq!(panel.get::<Flock>(agent), Some(Flock::default()));
    // What was skipped is not redone.
    panel.click("Redo");
    panel.click("Redo");
    assert_eq!(panel.get::<Flock>(agent).unwrap().cohesion, 3.0);
}

#[test]
fn values_that_differ_from_the_default_can_be_reset() {
    let flock = Flock { cohesion: 3.0, ..default() }.with_weight(2.0);
    let (mut panel, agent) = panel_with((flock, Pursue::new(Vec2::X)), &["Flock", "Pursue"]);
    assert!(panel.has("Reset Flock.cohesion") && panel.has("Reset Flock.weight"));
    assert!(!panel.has("Reset Flock.alignment") && !panel.has("Reset Flock.priority"));
    panel.click("Reset Flock.cohesion");
    panel.click("Reset Flock.weight");
    assert_eq!(panel.get::<Flock>(agent), Some(Flock::default()));
    assert!(!panel.has("Reset Flock.cohesion") && !panel.has("Reset Flock.weight"));
    panel.click("Reset Pursue.target");
    assert_eq!(panel.get::<Pursue>(agent).unwrap().target, Target::None);
    panel.click("Undo");
    panel.click("Undo");
    panel.click("Undo");
    assert_eq!(panel.get::<Flock>(agent), Some(flock));
    assert_eq!(panel.get::<Pursue>(agent), Some(Pursue::new(Vec2::X)));
}

#[test]
fn one_of_several_can_be_reset() {
    let far = Evade { max_look_ahead: 1.0, ..default() };
    let (mut panel, agent) = panel_with(Several::new([Evade::default(), far]), &["Evade 2"]);
    panel.click("Reset Evade 2.max_look_ahead");
    assert_eq!(*panel.get::<Several<Evade>>(agent).unwrap(), [Evade::default(); 2]);
    panel.click("Undo");
    assert_eq!(panel.get::<Several<Evade>>(agent).unwrap()[1], far);
}

#[test]
fn a_field_of_the_vehicle_can_be_reset() {
    let (mut panel, agent) = panel_with(Flock::default(), &[]);
    panel.world().get_mut::<Vehicle>(agent).unwrap().max_force = 7.0;
    panel.click("Body");
    assert!(!panel.has("Reset Vehicle.mass"));
    panel.click("Reset Vehicle.max_force");
    assert_eq!(panel.get::<Vehicle>(agent), Some(Vehicle::default()));
    panel.click("Undo");
    assert_eq!(panel.get::<Vehicle>(agent).unwrap().max_force, 7.0);
}

/// Whether gizmos are drawn, and their settings.
fn gizmos(panel: &mut Panel) -> (bool, SteeringGizmos) {
    let (config, gizmos) = panel.world().resource::<GizmoConfigStore>().config::<SteeringGizmos>();
    (config.enabled, gizmos.clone())
}

#[test]
fn settings_of_the_gizmos_are_undone_and_redone() {
    let mut panel = gizmos_panel();
    let standard = SteeringGizmos::default();
    for switch in ["Gizmo velocity", "Gizmo targets", "Gizmo Seek", "Selected agent", "Draw gizmos"]
    {
        panel.click(switch);
    }
    let assert_edited = |panel: &mut Panel| {
        let (is_on, gizmos) = gizmos(panel);
        assert!(!is_on && gizmos.velocity.is_none() && gizmos.shown == Shown::Marked);
        assert_eq!((gizmos.targets, gizmos.behaviors.get("Seek")), (Paint::Off, Some(&None)));
    };
    assert_edited(&mut panel);
    keys(&mut panel, Modifiers::COMMAND, Key::Z);
    keys(&mut panel, Modifiers::COMMAND, Key::Z);
    let (is_on, some) = gizmos(&mut panel);
    assert!(is_on && some.shown == standard.shown && some.velocity.is_none());
    // What the game or a key changes in the meantime stays.
    let mut store = panel.world().resource_mut::<GizmoConfigStore>();
    store.config_mut::<SteeringGizmos>().1.ranges = Paint::Off;
    (0..3).for_each(|_| panel.click("Undo"));
    let (_, none) = gizmos(&mut panel);
    assert_eq!((none.velocity, none.targets), (standard.velocity, standard.targets));
    assert!(none.behaviors.is_empty() && none.ranges == Paint::Off);
    (0..5).for_each(|_| panel.click("Redo"));
    assert_edited(&mut panel);
    // Presets do not have them, so that there is nothing to save.
    panel.world().resource_mut::<Inspector>().is_open = false;
    assert!(leave_panel(panel.world()));
}

#[test]
fn the_slider_of_the_gizmos_is_undone() {
    let mut panel = gizmos_panel();
    let before = gizmos(&mut panel).1.reach;
    panel.slide("Gizmo reach", 1.5);
    assert_eq!(gizmos(&mut panel).1.reach, 1.5);
    panel.click("Undo");
    assert_eq!(gizmos(&mut panel).1.reach, before);
}

#[test]
fn settings_of_the_gizmos_can_be_reset() {
    let mut panel = gizmos_panel();
    let standard = gizmos(&mut panel).1;
    panel.slide("Gizmo reach", 1.5);
    for switch in ["Gizmo velocity", "Gizmo targets", "Gizmo Seek"] {
        panel.click(switch);
    }
    assert!(!panel.has("Reset Gizmo bounds") && !panel.has("Reset Gizmo Arrive"));
    let resets = ["Gizmo reach", "Gizmo velocity", "Gizmo targets", "Gizmo Seek"]
        .map(|setting| format!("Reset {setting}"));
    resets.iter().for_each(|reset| panel.click(reset));
    let now = gizmos(&mut panel).1;
    assert_eq!((now.reach, now.velocity), (standard.reach, standard.velocity));
    assert!(now.targets == standard.targets && now.behaviors.is_empty());
    assert!(!resets.iter().any(|reset| panel.has(reset)));
    panel.click("Undo");
    assert_eq!(gizmos(&mut panel).1.behaviors.get("Seek"), Some(&None));
}
