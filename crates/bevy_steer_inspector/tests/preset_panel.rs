//! The panel saves, loads and lists presets, and copies code.

use core::any::TypeId;
use std::{fs, path::PathBuf};

use bevy::prelude::*;
use bevy_egui::egui::Key;
use bevy_steer::prelude::*;
use bevy_steer_inspector::{
    Inspector, Language, PickRequest, Scope, Sight, click, leave_panel, write_code,
};

use crate::common::{Panel, agent, app};

/// An empty folder for one test.
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder for the test");
    folder
}

fn panel_in(name: &str) -> (Panel, Entity, PathBuf) {
    let folder = folder(name);
    let mut app = app();
    app.world_mut().resource_mut::<Inspector>().presets = folder.clone();
    let agent = agent(&mut app, (Seek::new(Vec2::X), Wander { rate: 0.5, ..default() }));
    let mut panel = Panel::about(app, agent);
    panel.frame();
    (panel, agent, folder)
}

#[test]
fn panel_saves_and_loads() {
    let (mut panel, agent, folder) = panel_in("saves_and_loads");
    panel.type_into("Preset name", "mine");
    panel.click("Save preset");
    assert!(folder.join("mine.preset.ron").exists());
    let other = panel.world().spawn((Vehicle::default(), Flock::default())).id();
    panel.world().entity_mut(agent).remove::<Wander>();
    panel.frame();
    panel.click("Load preset");
    assert_eq!(panel.get::<Wander>(agent).unwrap().rate, 0.5);
    assert!(panel.get::<Flock>(other).is_some());
    panel.world().resource_mut::<Inspector>().scope = Scope::All;
    panel.click("Load preset");
    assert_eq!(panel.get::<Wander>(other).unwrap().rate, 0.5);
    assert!(panel.get::<Flock>(other).is_none());
}

#[test]
fn panel_lists_the_files_of_presets() {
    let (mut panel, agent, folder) = panel_in("listed");
    let preset = |rate: f32| format!("(behaviors: {{\"Wander\": (rate: {rate:?})}})");
    fs::write(folder.join("wolf.preset.ron"), preset(2.0)).unwrap();
    fs::write(folder.join("bear.ron"), preset(3.0)).unwrap();
    fs::write(folder.join("scouts.formation.ron"), "Wedge").unwrap();
    for (name, rate) in [("wolf", 2.0), ("bear", 3.0)] {
        panel.click("Preset files");
        assert!(panel.has("wolf") && panel.has("bear"));
        assert!(!panel.labels().iter().any(|label| label.contains("scouts")));
        panel.click_button(name);
        panel.click("Load preset");
        assert_eq!(panel.get::<Wander>(agent).unwrap().rate, rate);
    }
}

#[test]
fn edits_that_presets_leave_out_are_not_saved() {
    let (mut panel, agent, _folder) = panel_in("left_out");
    let other = panel.world().spawn((Vehicle::default(), SteeringLayers::layer(2))).id();
    panel.world().entity_mut(agent).insert(SteeringLayers::layer(2));
    panel.frame();
    panel.click("Body");
    panel.slide("Vehicle.max_speed", 7.0);
    panel.click("layer 2");
    panel.click("all");
    panel.harness.key_press(Key::Escape);
    panel.frame();
    let mut inspector = panel.world().resource_mut::<Inspector>();
    let (name, path) = ("Seek".to_owned(), "target".to_owned());
    inspector.pick = Some(PickRequest { component: TypeId::of::<Seek>(), name, path });
    let down = |x: f32| Ray3d::new(Vec3::new(x, 0.0, 9.0), Dir3::NEG_Z);
    panel.world().entity_mut(other).insert(Transform::from_xyz(20.0, 0.0, 0.0));
    click(panel.world(), &Sight { ray: down(20.0), beside: down(20.1) });
    assert_eq!(panel.get::<Seek>(agent).unwrap().target, Target::Entity(other));
    panel.type_into("Preset name", "mine");
    panel.click("Save preset");
    let message = panel.text_with("Not part of a preset");
    assert!(message.ends_with("SteeringLayers"), "{message}");
    assert!(message.contains("Seek.target") && !message.contains("Vehicle"), "{message}");
    panel.world().resource_mut::<Inspector>().is_open = false;
    assert!(!leave_panel(panel.world()));
    panel.frame();
    assert!(panel.has("2 edits are not saved as a preset. Quit?"));
}

#[test]
fn invalid_file_is_reported_and_changes_nothing() {
    let (mut panel, agent, folder) = panel_in("broken");
    let broken = "(\n  behaviors: {\n    \"Flock\": (),\n    \"Flee\": (panic: 3.0),\n  },\n)";
    fs::write(folder.join("bad.ron"), broken).unwrap();
    panel.type_into("Preset name", "bad");
    panel.click("Load preset");
    let message = panel.text_with("line 4, column");
    assert!(message.contains("panic"), "{message}");
    assert!(panel.get::<Flock>(agent).is_none() && panel.get::<Flee>(agent).is_none());
    assert!(panel.get::<Seek>(agent).is_some() && panel.get::<Wander>(agent).is_some());
}

#[test]
fn panel_copies_code() {
    let (mut panel, agent, _) = panel_in("copies");
    for (button, language) in [("Copy as Rust", Language::Rust), ("Copy as bsn!", Language::Bsn)] {
        let code = write_code(panel.world(), agent, language, None).unwrap();
        assert!(code.contains("Wander { rate: 0.5"), "{code}");
        panel.click(button);
        panel.text_with("Written to the log");
    }
}

#[test]
fn missing_names_and_files_are_reported() {
    let (mut panel, _, _) = panel_in("absent");
    panel.click("Save preset");
    panel.text_with("needs a name");
    panel.type_into("Preset name", "missing");
    panel.click("Load preset");
    panel.text_with("missing.preset.ron");
}

#[test]
fn a_loaded_preset_is_undone_in_one_step() {
    let (mut panel, agent, _folder) = panel_in("undone");
    panel.type_into("Preset name", "mine");
    panel.click("Save preset");
    panel.world().entity_mut(agent).remove::<Wander>().insert(Flock::new(9.0));
    panel.frame();
    panel.click("Load preset");
    assert!(panel.get::<Flock>(agent).is_none() && panel.get::<Wander>(agent).is_some());
    panel.click("Undo");
    assert_eq!(panel.get::<Flock>(agent), Some(Flock::new(9.0)));
    assert!(panel.get::<Wander>(agent).is_none());
    panel.click("Redo");
    assert!(panel.get::<Flock>(agent).is_none());
    assert_eq!(panel.get::<Wander>(agent).unwrap().rate, 0.5);
}
