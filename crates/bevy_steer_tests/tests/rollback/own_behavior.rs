//! A behaviour of the game's own is the game's to roll back.

use bevy::prelude::*;
use bevy_steer::{TargetMemory, prelude::*};

use crate::{
    common::{
        at,
        rollback::{self, RollbackAppExt},
    },
    rollback::game::{BACK, game},
};

/// Circles its target, and changes direction now and then.
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
    type Param = STargets;
    const PRIORITY: Priority = Priority::Normal;

    bevy_steer::blend_field!();

    fn steer(&mut self, agent: &Agent, targets: &Targets) -> Steering {
        self.age += 1;
        let Some(seen) = targets.find(agent, &self.target, &mut self.memory) else {
            return Steering::NONE;
        };
        let side = if self.age % 40 < 20 { seen.offset.yx() } else { -seen.offset.yx() };
        Steering::linear(side.extend(0.0) - agent.velocity)
    }
}

fn orbit_game(roll_back: impl FnOnce(&mut App)) -> App {
    let mut app = game(BACK);
    app.add_steering_behavior::<Orbit>().roll_back_steering();
    roll_back(&mut app);
    let world = app.world_mut();
    let middle = world.spawn((Vehicle::default(), at(0.0, 0.0))).id();
    let orbit = Orbit { target: middle.into(), ..default() };
    world.spawn((Vehicle::default(), orbit, at(3.0, 0.0)));
    app
}

#[test]
fn own_behaviour_is_rolled_back_once_the_game_names_it() {
    let mut named = orbit_game(|app| _ = app.roll_back_component::<Orbit>());
    rollback::play(&mut named, 120).expect("the same in each simulation of a frame");
    let mut forgotten = orbit_game(|_| {});
    rollback::play(&mut forgotten, 120).expect_err("its age should have been missed");
}
