//! The panel does not change the simulation, open or closed.

use bevy::{prelude::*, time::TimeUpdateStrategy};
use bevy_steer::{AgentId, Heading, SteeringTrace, Velocity, prelude::*};
use bevy_steer_inspector::Inspector;

use crate::common::{Panel, app};

const TICKS: usize = 200;

/// An app without the inspector, otherwise like [`app`].
fn plain_app() -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, SteeringPlugin::default()));
    let tick = app.world().resource::<Time<Fixed>>().timestep();
    app.insert_resource(TimeUpdateStrategy::ManualDuration(tick));
    app.update();
    app
}

/// Agents that pursue each other among obstacles, with different sets of behaviours.
fn populate(app: &mut App) -> Vec<Entity> {
    let edges = Bounds::rect(Vec2::splat(-12.0), Vec2::splat(12.0), BoundsEdge::Wrap);
    app.insert_resource(WorldBounds(edges));
    let world = app.world_mut();
    for i in 0..5 {
        let place = Transform::from_xyz(i as f32 * 5.0 - 10.0, (i * i) as f32 - 8.0, 0.0);
        world.spawn((Obstacle::sphere(1.0), place));
    }
    let mut agents: Vec<Entity> = Vec::new();
    for i in 0..24 {
        let place = Transform::from_xyz((i % 6) as f32 * 4.0 - 10.0, (i / 6) as f32 * 5.0, 0.0);
        let mut agent = world.spawn((Vehicle::default(), Wander::default(), place));
        if let Some(&prey) = agents.last() {
            match i % 4 {
                0 => agent.insert((Pursue::new(prey), AvoidObstacles::default())),
                1 => agent.insert((Flock::default(), Evade::new(prey), Arbitration::dithered())),
                2 => agent.insert((Arrive::new(prey), Face::new(prey))),
                _ => agent.insert((AvoidAgents::default(), ThinkEvery(3))),
            };
        }
        agents.push(agent.id());
    }
    agents
}

/// The bits of the state of all agents, ordered by id.
fn state(world: &mut World) -> Vec<(u64, [u32; 10])> {
    let mut agents = world.query::<(&AgentId, &Transform, &Velocity, &Heading)>();
    let mut state: Vec<_> = agents
        .iter(world)
        .map(|(id, transform, velocity, heading)| {
            let mut bits = [0; 10];
            let values = [transform.translation, velocity.0, heading.0].map(|v| v.to_array());
            let values = values.as_flattened().iter().chain([&transform.rotation.w]);
            bits.iter_mut().zip(values).for_each(|(bits, value)| *bits = value.to_bits());
            (id.0, bits)
        })
        .collect();
    state.sort_unstable();
    state
}

fn run(mut app: App) -> Vec<Vec<(u64, [u32; 10])>> {
    populate(&mut app);
    let tick = |_| {
        app.update();
        state(app.world_mut())
    };
    (0..TICKS).map(tick).collect()
}

#[test]
fn panel_does_not_change_the_simulation() {
    let expected = run(plain_app());
    assert_ne!(expected[0], expected[TICKS - 1], "they move");
    assert_eq!(run(app()), expected, "with the panel closed");

    let mut app = app();
    let agents = populate(&mut app);
    let mut panel = Panel::new(app);
    for (tick, expected) in expected.iter().enumerate() {
        let selected = agents[tick / 8 % agents.len()];
        panel.world().resource_mut::<Inspector>().select(Some(selected));
        panel.ticks(1);
        assert_eq!(state(panel.world()), *expected, "tick {tick}");
        panel.harness.run_steps(1);
    }
    let last = panel.selected().expect("an agent is selected");
    assert!(panel.get::<SteeringTrace>(last).is_some_and(|trace| trace.iter().len() > 0));
}
