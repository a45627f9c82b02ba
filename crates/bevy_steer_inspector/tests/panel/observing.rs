//! Time, forces and gizmos.

use bevy::{
    gizmos::config::{GizmoConfig, GizmoConfigStore},
    prelude::*,
    time::Virtual,
};
use bevy_steer::{
    HideSteeringTrace, Paint, Shown, SteeringGizmos, SteeringTick, SteeringTrace, prelude::*,
};
use bevy_steer_inspector::{Inspector, pause_time};

use crate::{
    common::{Panel, app},
    panel::named,
};

fn tick(panel: &mut Panel) -> u64 {
    panel.world().resource::<SteeringTick>().0
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
    let before = tick(&mut panel);
    panel.ticks(10);
    assert_eq!(tick(&mut panel), before);
    panel.click("Step");
    panel.ticks(10);
    assert_eq!(tick(&mut panel), before + 1);
    panel.click("Resume");
    panel.ticks(10);
    assert!(tick(&mut panel) > before + 5);
    panel.slide("Time scale", 0.5);
    let speed = panel.world().resource::<Time<Virtual>>().relative_speed();
    assert!((speed - 0.5).abs() < 1e-6, "{speed}");
}

/// A panel that shows the switches of the gizmos.
pub(super) fn gizmos_panel() -> Panel {
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
    panel.click("Selected agent");
    let gizmos = panel.world().resource::<GizmoConfigStore>().config::<SteeringGizmos>().1.clone();
    assert!(gizmos.velocity.is_none() && gizmos.body.is_some() && gizmos.force.is_some());
    assert_eq!((gizmos.targets, gizmos.ranges), (Paint::Off, Paint::Own));
    assert_eq!(gizmos.behaviors.get("Seek"), Some(&None));
    assert_eq!(gizmos.shown, Shown::Marked);
    panel.click("Draw gizmos");
    assert!(!panel.world().resource::<GizmoConfigStore>().config::<SteeringGizmos>().0.enabled);
}

#[test]
fn parts_that_are_switched_on_get_colours_of_their_own() {
    let mut panel = gizmos_panel();
    for part in ["force", "velocity", "obstacles", "walls"] {
        panel.click(&format!("Gizmo {part}"));
        panel.click(&format!("Gizmo {part}"));
    }
    for part in ["heading", "body"] {
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
fn force_of_an_idle_agent_is_explained() {
    let mut app = app();
    let agent = named(&mut app, "Ada", Seek::new(Vec2::X * 50.0));
    let mut panel = Panel::about(app, agent);
    panel.ticks(30);
    panel.frame();
    assert!(panel.has("Seek") && panel.has("idle: 0.00"));
    panel.world().entity_mut(agent).remove::<Seek>();
    panel.ticks(2);
    panel.frame();
    assert_ne!(panel.get::<SteeringForce>(agent).unwrap().linear, Vec3::ZERO, "it brakes");
    assert!(!panel.has("idle: 0.00") && panel.has("No active behaviours."));
    panel.ticks(120);
    panel.frame();
    assert!(panel.has("idle: 0.00"), "it rests");
}

#[test]
fn agent_selected_while_paused_shows_its_last_tick() {
    let mut app = app();
    let agent = named(&mut app, "Ada", Seek::new(Vec2::X * 50.0));
    let mut panel = Panel::new(app);
    panel.ticks(3);
    panel.world().resource_mut::<Time<Virtual>>().pause();
    panel.ticks(3);
    assert_last_tick_is_shown(&mut panel, agent);
    // Of an agent that came while time stood still there is no last tick.
    let late = named(panel.harness.state_mut(), "Late", Seek::new(Vec2::X));
    panel.world().resource_mut::<Inspector>().select(Some(late));
    panel.frame();
    assert!(panel.has("Waiting for the next tick…"));
}

/// Selects an agent and checks that the panel shows the force that it has.
fn assert_last_tick_is_shown(panel: &mut Panel, agent: Entity) {
    panel.world().resource_mut::<Inspector>().select(Some(agent));
    panel.frame();
    let force = panel.get::<SteeringForce>(agent).unwrap().linear;
    let parts: Vec3 = panel.get::<SteeringTrace>(agent).unwrap().iter().map(|one| one.passed).sum();
    assert!(force.length() > 0.0 && parts.distance(force) < 1e-4, "{parts} of {force}");
    assert!(panel.has("Seek") && !panel.has("Waiting for the next tick…"));
}

fn traced(panel: &mut Panel) -> usize {
    panel.frame();
    let world = panel.world();
    world.query_filtered::<(), With<SteeringTrace>>().iter(world).count()
}

#[test]
fn large_worlds_show_the_last_tick_while_paused() {
    let mut app = app();
    let seekers = |_| (Vehicle::default(), Seek::new(Vec2::X * 50.0));
    let agents: Vec<_> = app.world_mut().spawn_batch((0..2500).map(seekers)).collect();
    app.world_mut().entity_mut(agents[1]).insert(ThinkEvery(4));
    let mut panel = Panel::about(app, agents[0]);
    panel.ticks(5);
    assert_eq!(traced(&mut panel), 1);
    let before = tick(&mut panel);
    panel.click("Pause");
    panel.ticks(10);
    assert!(panel.world().resource::<Time<Virtual>>().is_paused());
    let paused_at = tick(&mut panel);
    // Until the one that thinks seldom has thought.
    assert!((before + 1..=before + 5).contains(&paused_at), "{before} to {paused_at}");
    for agent in [agents[1], agents[2499], agents[0]] {
        assert_last_tick_is_shown(&mut panel, agent);
        assert!(panel.get::<HideSteeringTrace>(agent).is_none());
        let world = panel.world();
        let hidden = world.query_filtered::<(), With<HideSteeringTrace>>().iter(world).count();
        assert_eq!(hidden, agents.len() - 1);
    }
    assert_eq!(tick(&mut panel), paused_at);
    panel.click("Step");
    panel.ticks(3);
    assert_last_tick_is_shown(&mut panel, agents[7]);
    assert_eq!(tick(&mut panel), paused_at + 1);
    panel.click("Resume");
    assert_eq!(traced(&mut panel), 1);
}

#[test]
fn panel_opened_while_paused_shows_the_last_tick() {
    let mut app = app();
    app.world_mut().resource_mut::<Inspector>().is_open = false;
    let agent = named(&mut app, "Ada", Seek::new(Vec2::X * 50.0));
    let mut panel = Panel::new(app);
    panel.ticks(3);
    assert_eq!(traced(&mut panel), 0);
    pause_time(panel.world());
    panel.ticks(3);
    panel.world().resource_mut::<Inspector>().is_open = true;
    assert_last_tick_is_shown(&mut panel, agent);
    panel.world().resource_mut::<Inspector>().is_open = false;
    panel.world().resource_mut::<Time<Virtual>>().unpause();
    assert_eq!(traced(&mut panel), 0);
}

#[test]
fn large_worlds_trace_the_selected_agent_only() {
    let mut app = app();
    let agent = named(&mut app, "Ada", Seek::new(Vec2::X));
    app.world_mut().spawn_batch((0..9).map(|_| Vehicle::default())).for_each(drop);
    let mut panel = Panel::about(app, agent);
    assert_eq!(traced(&mut panel), 10);
    panel.world().spawn_batch((0..3000).map(|_| Vehicle::default())).for_each(drop);
    assert_eq!(traced(&mut panel), 1);
    assert!(panel.get::<SteeringTrace>(agent).is_some());
}

#[test]
fn gizmos_draw_the_trace_of_the_selected_agent_only() {
    let drawn = |panel: &mut Panel| {
        (0..3).for_each(|_| panel.frame());
        let world = panel.world();
        let mut drawn =
            world.query_filtered::<Entity, (With<SteeringTrace>, Without<HideSteeringTrace>)>();
        drawn.iter(world).collect::<Vec<_>>()
    };
    let mut app = app();
    let [ada, bob] = ["Ada", "Bob"].map(|name| named(&mut app, name, Seek::new(Vec2::X)));
    let mut panel = Panel::about(app, ada);
    assert_eq!(drawn(&mut panel), [ada]);
    panel.world().resource_mut::<Inspector>().select(Some(bob));
    assert_eq!(drawn(&mut panel), [bob]);
    panel.world().resource_mut::<Inspector>().select(None);
    assert!(drawn(&mut panel).is_empty());
    // A trace of the game's own is drawn.
    let own = panel.world().spawn((Vehicle::default(), SteeringTrace::default())).id();
    assert_eq!(drawn(&mut panel), [own]);
}
