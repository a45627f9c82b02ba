//! The cards of behaviours.

use bevy::prelude::*;
use bevy_steer::{AngularVelocity, BehaviorRegistry, SteeringTrace, prelude::*};
use bevy_steer_inspector::{Inspector, Scope};

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

/// A row that is too wide would push the buttons at the right out of reach.
#[test]
fn parameters_of_every_behaviour_fit_into_the_panel() {
    let mut app = app();
    let known: Vec<&str> =
        app.world().resource::<BehaviorRegistry>().iter().map(|one| one.name).collect();
    let agents: Vec<Entity> = known.iter().map(|_| named(&mut app, "Agent", ())).collect();
    let mut panel = Panel::new(app);
    for (name, agent) in known.into_iter().zip(agents) {
        if name == "Wish" {
            // Requests of the game, which the panel cannot add.
            continue;
        }
        panel.world().resource_mut::<Inspector>().select(Some(agent));
        panel.frame();
        panel.click("+ Add behaviour");
        panel.click_button(name);
        panel.click(&format!("Show {name}"));
        panel.ticks(2);
        panel.frame();
        let right = panel.right_end();
        assert!(right <= Panel::WIDTH, "{name}: up to {right} of {}", Panel::WIDTH);
    }
}

#[test]
fn the_memory_of_a_behaviour_is_not_among_its_parameters() {
    let mut app = app();
    app.world_mut().spawn((Obstacle::sphere(2.0), Transform::from_xyz(6.0, 0.1, 0.0)));
    let agent = named(&mut app, "Ada", (Seek::new(Vec2::X * 50.0), AvoidObstacles::default()));
    let mut panel = Panel::about(app, agent);
    panel.frame();
    panel.click("Show AvoidObstacles");
    for _ in 0..5 {
        panel.ticks(10);
        panel.frame();
        assert!(!panel.has("passing") && !panel.has("side"));
    }
    panel.click("state");
    assert!(panel.has("passing"));
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
