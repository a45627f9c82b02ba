//! The cards of behaviours.

use bevy::prelude::*;
use bevy_steer::{AngularVelocity, SteeringTrace, prelude::*};
use bevy_steer_inspector::{Inspector, Scope, Sight, click};
use egui_kittest::kittest::Queryable;

use crate::{
    common::{Orbit, Panel, app},
    panel::named,
};

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
fn menu_adds_another_of_a_behaviour_that_the_agent_has() {
    let mut app = app();
    let agent = named(&mut app, "Ada", Seek::new(Vec2::X));
    let mut panel = Panel::about(app, agent);
    panel.frame();
    for count in 1..=2 {
        panel.click("+ Add behaviour");
        panel.click("Seek, another");
        assert_eq!(*panel.get::<Several<Seek>>(agent).unwrap(), vec![Seek::default(); count]);
    }
    assert_eq!(panel.get::<Seek>(agent), Some(Seek::new(Vec2::X)));
    assert!(panel.has("Seek 2 on"));
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
fn an_added_behaviour_is_unfolded_and_in_view() {
    let mut app = app();
    let many = (Flock::default(), Evade::default(), Pursue::default(), AvoidObstacles::default());
    let agent = named(&mut app, "Ada", (many, Wander::default()));
    app.world_mut().resource_mut::<Inspector>().select(Some(agent));
    let mut panel = Panel::of_height(app, 700.0);
    panel.frame();
    for card in ["Evade", "Pursue", "Flock", "Wander", "AvoidObstacles"] {
        panel.harness.get_by_label(&format!("Show {card}")).scroll_to_me();
        panel.harness.run_steps(20);
        panel.click(&format!("Show {card}"));
    }
    let open_menu = |panel: &mut Panel| {
        panel.harness.get_by_label("+ Add behaviour").scroll_to_me();
        panel.harness.run_steps(20);
        panel.click("+ Add behaviour");
    };
    open_menu(&mut panel);
    panel.click("Seek");
    panel.harness.run_steps(40);
    let head = panel.harness.get_by_label("Hide Seek").rect();
    let weight = panel.harness.get_by_label("Seek.weight").rect();
    assert!(head.top() > 0.0 && weight.bottom() < 700.0, "{head} {weight}");
    panel.click("Remove Seek");
    open_menu(&mut panel);
    panel.click("Wander, another");
    panel.harness.run_steps(40);
    assert!(panel.has("Hide Wander 1"));
}

/// The next click does not select, so the line that says so is always in sight.
#[test]
fn what_is_being_picked_is_said_above_what_scrolls() {
    let mut app = app();
    let agent = named(&mut app, "Ada", ());
    app.world_mut().resource_mut::<Inspector>().select(Some(agent));
    let mut panel = Panel::of_height(app, 500.0);
    panel.frame();
    panel.harness.get_by_label("+ Add behaviour").scroll_to_me();
    panel.harness.run_steps(20);
    panel.click("+ Add behaviour");
    panel.click_button("Seek");
    panel.harness.run_steps(40);
    let heading = panel.harness.get_by_label("Deselect").rect();
    let line = panel.harness.get_by_label_contains("to set Seek.target").rect();
    assert!(heading.bottom() < line.top(), "scrolled out of sight: {heading}");
    assert!(line.top() > 0.0 && line.bottom() < 200.0, "{line}");
    panel.click("cancel");
    assert!(panel.world().resource::<Inspector>().pick.is_none());
}

#[test]
fn behaviours_are_added_to_all_agents_and_removed_from_all() {
    let mut app = app();
    let [ada, bob] = ["Ada", "Bob"].map(|name| named(&mut app, name, ()));
    let cid = named(&mut app, "Cid", Wander::default());
    let stone = named(&mut app, "Stone", Obstacle::sphere(1.0));
    let mut panel = Panel::about(app, ada);
    panel.frame();
    panel.click("all agents");
    let wandering = |panel: &mut Panel| {
        [ada, bob, cid, stone].map(|agent| panel.get::<Wander>(agent).is_some())
    };
    panel.click("+ Add behaviour");
    panel.click_button("Wander");
    assert_eq!(wandering(&mut panel), [true, true, true, false]);
    assert!(panel.get::<Several<Wander>>(cid).is_none(), "it has one already");
    panel.click("+ Add behaviour");
    panel.click_button("Wander, another");
    for agent in [ada, bob, cid] {
        assert_eq!(panel.get::<Several<Wander>>(agent).unwrap().len(), 1);
    }
    panel.click("Undo");
    panel.click("Remove Wander");
    assert_eq!(wandering(&mut panel), [false; 4]);
    panel.click("Undo");
    panel.click("Undo");
    assert_eq!(wandering(&mut panel), [false, false, true, false]);
}

/// It does nothing without one; gizmos draw the target.
#[test]
fn an_added_behaviour_asks_for_its_target() {
    let mut app = app();
    let agent = named(&mut app, "Ada", ());
    let mut panel = Panel::about(app, agent);
    panel.frame();
    for (entry, name) in [("Seek", "Seek"), ("Seek, another", "Seek 1")] {
        panel.click("+ Add behaviour");
        panel.click_button(entry);
        let pick = panel.world().resource::<Inspector>().pick.clone().expect("a pick");
        assert_eq!(pick.name, name);
        let down = |at: Vec2| Ray3d::new(at.extend(9.0), Dir3::NEG_Z);
        let sight = Sight { ray: down(Vec2::X), beside: down(Vec2::X * 1.1) };
        click(panel.world(), &sight);
        panel.frame();
    }
    let target = Target::from(Vec3::X);
    assert_eq!(panel.get::<Seek>(agent).unwrap().target, target);
    assert_eq!(panel.get::<Several<Seek>>(agent).unwrap()[0].target, target);
    panel.click("+ Add behaviour");
    panel.click_button("Wander");
    assert!(panel.world().resource::<Inspector>().pick.is_none());
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
    panel.slide("Evade 2.max_look_ahead", 2.5);
    let [first, second] = panel.get::<Several<Evade>>(agent).unwrap().0[..] else { panic!("two") };
    assert_eq!((second.blend.weight, second.max_look_ahead), (0.5, 2.5));
    assert_eq!((first.blend.weight, first.max_look_ahead), (1.0, 5.0));

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
