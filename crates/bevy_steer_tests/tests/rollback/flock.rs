//! A flock that two players interfere with.

use bevy::prelude::*;
use bevy_steer::prelude::*;

use crate::{
    common::{
        rng::TestRng,
        rollback::{GameFrame, Rollback, RollbackAppExt},
    },
    rollback::game::{REACH, agents, assert_rolled_back, game, inputs},
};

/// What the flock follows.
#[derive(Component)]
struct Mouse;

fn flock_mate(place: Vec3, mouse: Entity) -> impl Bundle {
    (
        Vehicle::default(),
        Flock::new(4.0),
        Wander::default().with_priority(Priority::Normal),
        Seek::new(mouse).with_weight(0.2),
        Transform::from_translation(place),
    )
}

fn mouse(world: &mut World) -> Entity {
    world.query_filtered::<Entity, With<Mouse>>().single(world).expect("one mouse")
}

/// The players move the mouse, spawn and despawn flock mates, and change how they flock.
fn play_with_flock(world: &mut World) {
    let mouse = mouse(world);
    for input in inputs(world) {
        let mut rng = TestRng::new(input, 1);
        let place = rng.point(REACH) * Vec3::new(1.0, 1.0, 0.0);
        let agents = agents(world);
        let agent = rng.pick(&agents);
        match rng.index(16) {
            0..3 => world.get_mut::<Transform>(mouse).unwrap().translation = place,
            3 => _ = world.spawn(flock_mate(place, mouse)),
            4 if agents.len() > 10 => _ = world.despawn(agent),
            5 => world.get_mut::<Flock>(agent).unwrap().radius = rng.number(1.0..8.0).into(),
            6 => world.get_mut::<Wander>(agent).unwrap().set_enabled(rng.chance(0.5)),
            _ => {}
        }
    }
}

fn flock_game(check_distance: usize) -> App {
    let mut app = game(check_distance);
    app.roll_back_steering().add_systems(GameFrame, play_with_flock.before(RunSteering));
    let world = app.world_mut();
    let mouse = world.spawn((Mouse, Transform::default(), Rollback::default())).id();
    let mut rng = TestRng::new(1, 1);
    for _ in 0..40 {
        let place = rng.point(REACH) * Vec3::new(1.0, 1.0, 0.0);
        world.spawn(flock_mate(place, mouse));
    }
    app
}

#[test]
fn flock_is_rolled_back_while_players_interfere() {
    assert_rolled_back(flock_game);
}
