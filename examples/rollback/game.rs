//! The game: each player leads a school of its own.

use core::f32::consts::TAU;

use bevy::{math::ops, prelude::*};
use bevy_steer::prelude::*;
use bevy_steer_tests::rollback::{GameFrame, PlayerInputs, RollbackAppExt, game_app};

use super::PLAYERS;

/// How many fish a player leads.
const SCHOOL: usize = 30;

/// The fish that a player steers.
#[derive(Component, Clone, Copy, Debug)]
pub struct Leader {
    /// The player.
    pub player: usize,
}

/// A peer's app. All that changes from frame to frame is rolled back.
pub(super) fn app() -> App {
    let mut app = game_app();
    let world = Bounds::rect(Vec2::splat(-30.0), Vec2::splat(30.0), BoundsEdge::Wrap);
    app.add_plugins(SteeringPlugin::new(GameFrame))
        .insert_resource(WorldBounds(world))
        .roll_back_steering()
        .roll_back_component::<Leader>()
        .add_systems(GameFrame, lead.before(RunSteering));
    for player in 0..PLAYERS {
        spawn_school(app.world_mut(), player);
    }
    app
}

fn spawn_school(world: &mut World, player: usize) {
    let start = Vec2::X * (30.0 * player as f32 - 15.0);
    let leader = (Vehicle::new(7.0), Wish::default(), AvoidAgents::default(), Leader { player });
    let leader = world.spawn((leader, Transform::from_translation(start.extend(0.0)))).id();
    for i in 0..SCHOOL {
        let off = Vec2::from_angle(2.4 * i as f32) * (1.5 + 0.2 * i as f32);
        let follows = (Flock::new(4.0), Arrive::new(leader), AvoidAgents::default());
        let place = Transform::from_translation((start + off).extend(0.0));
        world.spawn((Vehicle::default(), follows, place));
    }
}

/// What a player has pressed: a direction, one of sixteen, or nothing.
fn direction(input: u64) -> Vec3 {
    match input % 17 {
        0 => Vec3::ZERO,
        direction => {
            let angle = direction as f32 / 16.0 * TAU;
            Vec3::new(ops::cos(angle), ops::sin(angle), 0.0)
        }
    }
}

/// The leaders go where their players want.
fn lead(inputs: Res<PlayerInputs>, mut leaders: Query<(&Leader, &mut Wish, &Vehicle)>) {
    for (leader, mut wish, vehicle) in &mut leaders {
        let input = inputs.0.get(leader.player).copied().unwrap_or_default();
        *wish = Wish::velocity(direction(input) * vehicle.max_speed);
    }
}
