//! How a game says what is to be rolled back.

use bevy::prelude::*;
use bevy_ggrs::prelude::*;
use bevy_steer::{TargetMemory, Velocity, prelude::*};

use crate::{
    common::at,
    game::{BACK, game},
    synctest,
};

/// Circles whom it was told to, the other way round now and then.
#[derive(Component, Reflect, Clone, Debug, Default)]
#[reflect(Component)]
struct Orbit {
    #[entities]
    target: Target,
    #[entities]
    memory: TargetMemory,
    age: u32,
    blend: Blend,
}

impl SteeringBehavior for Orbit {
    type Param = Targets<'static, 'static>;
    const PRIORITY: Priority = Priority::Normal;

    crate::blend_field!();

    fn steer(&mut self, agent: &Agent, targets: &Targets) -> Steering {
        self.age += 1;
        let Some(seen) = targets.find(agent, &self.target, &mut self.memory) else {
            return Steering::NONE;
        };
        let side = if self.age % 40 < 20 { seen.offset.yx() } else { -seen.offset.yx() };
        Steering::linear(side.extend(0.0) - agent.velocity)
    }
}

fn orbit_game(register: impl FnOnce(&mut App)) -> App {
    let mut app = game(BACK);
    app.add_steering_behavior::<Orbit>().rollback_steering();
    register(&mut app);
    let world = app.world_mut();
    let middle = world.spawn((Vehicle::default(), at(0.0, 0.0))).id();
    let orbit = Orbit { target: middle.into(), ..default() };
    world.spawn((Vehicle::default(), orbit, at(3.0, 0.0)));
    app
}

#[test]
fn a_behaviour_of_the_game_is_rolled_back_once_it_is_registered() {
    let mut registered = orbit_game(|app| _ = app.rollback_steering_behavior::<Orbit>());
    synctest::play(&mut registered, 120).expect("the same in each simulation of a frame");
    let mut forgotten = orbit_game(|_| {});
    synctest::play(&mut forgotten, 120).expect_err("its age should have been missed");
}

#[test]
fn what_the_game_has_registered_itself_and_a_second_call_do_no_harm() {
    let mut app = game(BACK);
    app.rollback_component_with_copy::<Transform>()
        .checksum_component::<Velocity>(|velocity| u64::from(velocity.x.to_bits()))
        .require_rollback::<Vehicle>()
        .rollback_steering()
        .rollback_steering()
        .rollback_steering_behavior::<Wander>();
    app.world_mut().spawn((Vehicle::default(), Wander::default()));
    synctest::play(&mut app, 60).expect("the same in each simulation of a frame");
}

#[test]
#[should_panic(expected = "before anything is spawned")]
fn registering_after_the_first_agent_is_refused() {
    let mut app = game(BACK);
    app.world_mut().spawn(Vehicle::default());
    app.rollback_steering();
}
