//! Plans are spread over ticks.

use bevy::prelude::*;
use bevy_steer::prelude::*;
use bevy_steer_navigation::{
    GridPlanner, NavigateTo, NavigationMap, NavigationPlugin, NavigationStatus, PlanTiming,
};
use bevy_steer_tests::Sim;

use crate::{navigating, status};

/// A world with this many agents, the first of which was spawned last.
fn crowd(plugin: NavigationPlugin, count: usize) -> (Sim, Vec<Entity>) {
    let mut sim = navigating(SteeringPlane::Xy, plugin);
    sim.spawn(NavigationMap::new(GridPlanner::new(Vec2::splat(-50.0), Vec2::splat(50.0), 1.0)));
    let agents = (0..count).map(|i| {
        let id = bevy_steer::AgentId((count - i) as u64);
        sim.spawn((NavigateTo::new(Vec2::X * 40.0), id, Transform::from_xyz(0.0, i as f32, 0.0)))
    });
    let mut agents: Vec<Entity> = agents.collect();
    agents.reverse();
    (sim, agents)
}

#[test]
fn no_more_run_than_may_and_agents_take_turns_by_id() {
    let plugin =
        NavigationPlugin::default().with_max_running(3).with_timing(PlanTiming::AfterTicks(2));
    let (mut sim, agents) = crowd(plugin, 10);
    let following = |sim: &Sim| {
        let follows = |&agent: &Entity| status(sim, agent) == NavigationStatus::Following;
        agents.iter().map(follows).collect::<Vec<bool>>()
    };
    let mut counts = Vec::new();
    for _ in 0..10 {
        sim.tick();
        let now = following(&sim);
        let count = now.iter().filter(|&&follows| follows).count();
        assert!(now[..count].iter().all(|&follows| follows), "in turn: {now:?}");
        let pending =
            agents.iter().filter(|&&agent| sim.get::<NavigateTo>(agent).progress.pending.is_some());
        assert!(pending.count() <= 3);
        counts.push(count);
    }
    assert_eq!(counts, [0, 0, 3, 3, 6, 6, 9, 9, 10, 10]);
}

#[test]
fn those_that_are_ready_early_are_used_early() {
    let plugin =
        NavigationPlugin::default().with_timing(PlanTiming::WhenReady).with_max_running(100);
    let (mut sim, agents) = crowd(plugin, 20);
    let all_follow =
        |sim: &Sim| agents.iter().all(|&it| status(sim, it) == NavigationStatus::Following);
    for _ in 0..500 {
        sim.tick();
        if all_follow(&sim) {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    panic!("no plan was used");
}

#[test]
fn a_plan_for_this_tick_is_made_in_it() {
    let plugin = NavigationPlugin::default().with_timing(PlanTiming::AfterTicks(0));
    let (mut sim, agents) = crowd(plugin, 5);
    sim.tick();
    sim.tick();
    assert!(agents.iter().all(|&agent| status(&sim, agent) == NavigationStatus::Following));
}
