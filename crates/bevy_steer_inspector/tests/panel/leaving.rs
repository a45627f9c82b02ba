//! The key that leaves the app asks before edits are lost.

use bevy::prelude::*;
use bevy_steer::prelude::*;
use bevy_steer_inspector::{Inspector, leave_panel};

use crate::{
    common::{Panel, app},
    panel::named,
};

fn panel() -> (Panel, Entity) {
    let mut app = app();
    let agent = named(&mut app, "Ada", Flock::default());
    let mut panel = Panel::about(app, agent);
    panel.frame();
    panel.click("Show Flock");
    (panel, agent)
}

fn is_open(panel: &mut Panel) -> bool {
    panel.world().resource::<Inspector>().is_open
}

#[test]
fn without_edits_nothing_is_asked() {
    let (mut panel, _) = panel();
    assert!(!leave_panel(panel.world()) && !is_open(&mut panel));
    assert!(leave_panel(panel.world()));
}

#[test]
fn it_asks_once_before_edits_are_lost() {
    let (mut panel, _) = panel();
    panel.slide("Flock.cohesion", 3.0);
    assert!(!leave_panel(panel.world()) && !is_open(&mut panel), "closing loses nothing");
    assert!(!leave_panel(panel.world()) && is_open(&mut panel));
    panel.frame();
    assert!(panel.has("1 edit is not saved as a preset. Quit?"));
    panel.click("Stay");
    assert!(!panel.has("1 edit is not saved as a preset. Quit?"));
    assert!(!leave_panel(panel.world()) && !leave_panel(panel.world()));
    panel.frame();
    assert!(leave_panel(panel.world()), "asked already");
    panel.click("Quit");
    assert_eq!(panel.harness.state().should_exit(), Some(AppExit::Success));
}

#[test]
fn closing_the_panel_withdraws_the_question() {
    let (mut panel, _) = panel();
    panel.slide("Flock.cohesion", 3.0);
    let _closes_and_asks = [leave_panel(panel.world()), leave_panel(panel.world())];
    panel.frame();
    panel.world().resource_mut::<Inspector>().is_open = false;
    panel.frame();
    assert!(!leave_panel(panel.world()) && is_open(&mut panel), "asks again");
}

#[test]
fn undone_edits_and_those_of_despawned_agents_are_not_lost() {
    let (mut panel, agent) = panel();
    panel.slide("Flock.cohesion", 3.0);
    panel.click("Undo");
    let _closes = leave_panel(panel.world());
    assert!(leave_panel(panel.world()));
    panel.click("Redo");
    assert!(!leave_panel(panel.world()));
    panel.world().despawn(agent);
    panel.world().resource_mut::<Inspector>().is_open = false;
    panel.frame();
    assert!(leave_panel(panel.world()));
}
