//! Several selected agents, and what is edited of them.

use bevy::{ecs::entity::EntityHashSet, prelude::*};
use bevy_egui::egui::{Modifiers, accesskit::Role};
use bevy_steer::prelude::*;
use bevy_steer_inspector::Inspector;
use egui_kittest::kittest::Queryable;

use crate::{
    common::{Panel, app},
    panel::named,
};

fn click_with(panel: &mut Panel, modifiers: Modifiers, label: &str) {
    // The name of the agent that is shown is also in a heading.
    panel.harness.get_by_role_and_label(Role::Button, label).click_modifiers(modifiers);
    panel.harness.run_steps(4);
}

fn selection(panel: &mut Panel) -> EntityHashSet {
    panel.world().resource::<Inspector>().selection().collect()
}

/// A panel that lists four agents, of which the last does not flock.
fn flock() -> (Panel, [Entity; 4]) {
    let mut app = app();
    let flocking = ["Ada", "Bob", "Cid"].map(|name| named(&mut app, name, Flock::default()));
    let last = named(&mut app, "Dan", Seek::new(Vec2::X));
    let [ada, bob, cid] = flocking;
    let mut panel = Panel::new(app);
    panel.frame();
    (panel, [ada, bob, cid, last])
}

#[test]
fn ctrl_and_shift_select_several() {
    let (mut panel, [ada, bob, cid, dan]) = flock();
    panel.click("Ada  #0");
    click_with(&mut panel, Modifiers::SHIFT, "Cid  #2");
    assert_eq!(selection(&mut panel), EntityHashSet::from_iter([ada, bob, cid]));
    assert_eq!(panel.selected(), Some(ada));
    click_with(&mut panel, Modifiers::COMMAND, "Bob  #1");
    assert_eq!(selection(&mut panel), EntityHashSet::from_iter([ada, cid]));
    click_with(&mut panel, Modifiers::COMMAND, "Dan  #3");
    assert_eq!(selection(&mut panel), EntityHashSet::from_iter([ada, cid, dan]));
    // The panel shows the one that was added last.
    assert_eq!(panel.selected(), Some(dan));
    click_with(&mut panel, Modifiers::CTRL, "Dan  #3");
    assert_eq!(selection(&mut panel), EntityHashSet::from_iter([ada, cid]));
    click_with(&mut panel, Modifiers::NONE, "Bob  #1");
    assert_eq!(selection(&mut panel), EntityHashSet::from_iter([bob]));
    click_with(&mut panel, Modifiers::NONE, "Bob  #1");
    assert_eq!(panel.selected(), None);
}

#[test]
fn an_edit_applies_to_all_selected_agents_that_have_the_component() {
    let (mut panel, [ada, bob, cid, dan]) = flock();
    panel.click("Dan  #3");
    for label in ["Bob  #1", "Ada  #0"] {
        click_with(&mut panel, Modifiers::COMMAND, label);
    }
    assert!(panel.has("3 selected"));
    panel.click("Show Flock");
    panel.slide("Flock.cohesion", 3.0);
    panel.slide("Flock.weight", 2.0);
    let cohesion = |panel: &mut Panel, agent| panel.get::<Flock>(agent).unwrap().cohesion;
    assert_eq!([ada, bob, cid].map(|one| cohesion(&mut panel, one)), [3.0, 3.0, 1.0]);
    assert_eq!(panel.get::<Flock>(bob).unwrap().blend.weight, 2.0);
    // One step for all of them.
    panel.click("Undo");
    panel.click("Undo");
    for agent in [ada, bob] {
        assert_eq!(panel.get::<Flock>(agent), Some(Flock::default()));
    }
    panel.click("+ Add behaviour");
    panel.click_button("Wander");
    let wandering =
        |panel: &mut Panel| [ada, bob, cid, dan].map(|agent| panel.get::<Wander>(agent).is_some());
    assert_eq!(wandering(&mut panel), [true, true, false, true]);
    panel.click("Undo");
    assert_eq!(wandering(&mut panel), [false; 4]);
    panel.click("Remove Flock");
    assert!(panel.get::<Flock>(bob).is_none() && panel.get::<Flock>(cid).is_some());
}

#[test]
fn a_despawned_agent_is_not_selected_any_more() {
    let (mut panel, [ada, bob, cid, _]) = flock();
    panel.click("Ada  #0");
    click_with(&mut panel, Modifiers::SHIFT, "Cid  #2");
    panel.world().despawn(bob);
    panel.frame();
    assert_eq!(selection(&mut panel), EntityHashSet::from_iter([ada, cid]));
    panel.world().despawn(ada);
    panel.frame();
    assert_eq!(panel.selected(), Some(cid));
}
