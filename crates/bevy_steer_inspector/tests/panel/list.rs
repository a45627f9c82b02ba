//! The list of agents, and what is selected.

use bevy::prelude::*;
use bevy_egui::egui;
use bevy_steer::{ShowSteeringGizmos, SteeringTrace, prelude::*};
use bevy_steer_inspector::{Inspector, Sight, click, inspector_ui};
use egui_kittest::{Harness, kittest::Queryable};

use crate::{
    common::{Panel, app},
    panel::named,
};

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
    assert!(panel.has("No matching agents."));
}

#[test]
fn obstacles_are_listed_on_demand() {
    let mut app = app();
    named(&mut app, "Hunter 2", Seek::new(Vec2::X));
    let mut panel = Panel::new(app);
    panel.frame();
    assert!(!panel.has("List obstacles"));
    panel.world().spawn((Name::new("Stone 5"), Vehicle::default(), Obstacle::sphere(1.0)));
    panel.frame();
    panel.frame();
    assert!(panel.has("Hunter 2  #0") && !panel.has("Stone 5  #1"));
    panel.type_into("Search agents", "stone");
    assert!(panel.has("No matching agents."));
    panel.click("List obstacles");
    assert!(panel.has("Stone 5  #1"));
}

#[test]
fn list_scrolls_to_the_agent_that_was_clicked_in_the_world() {
    let mut app = app();
    for i in 0..60_u8 {
        let place = Transform::from_xyz(f32::from(i) * 10.0, 0.0, 0.0);
        let agent = named(&mut app, "Ada", ());
        app.world_mut().entity_mut(agent).insert(place);
    }
    let mut panel = Panel::new(app);
    panel.frame();
    assert!(!panel.has("Ada  #49"));
    let down = |x: f32| Ray3d::new(Vec3::new(x, 0.0, 9.0), Dir3::NEG_Z);
    click(panel.world(), &Sight { ray: down(500.0), beside: down(501.0) });
    panel.frame();
    assert!(panel.has("Ada  #49") && panel.has("Ada  #51"));
    // A click in the list does not scroll it.
    let top = |panel: &Panel| panel.harness.get_by_label("Ada  #49").rect().top();
    let before = top(&panel);
    panel.click("Ada  #52");
    assert_eq!(top(&panel), before);
}

#[test]
fn list_keeps_its_height_under_a_search() {
    let mut app = app();
    for _ in 0..20 {
        named(&mut app, "Ada", ());
    }
    let mut panel = Panel::new(app);
    panel.frame();
    let below = |panel: &Panel| panel.harness.get_by_label("Gizmos").rect().top();
    let before = below(&panel);
    for (text, found) in [("#1", 11), ("9", 1), ("x", 0)] {
        panel.type_into("Search agents", text);
        let rows = panel.harness.query_all_by_label_contains("Ada  #").count();
        assert!(rows >= found.min(7) && (rows <= found), "{text}: {rows} rows");
        assert_eq!(below(&panel), before, "{text}");
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
