use bevy::prelude::*;
use bevy_steer::{Velocity, prelude::*};

/// Time stands still for an agent while it has this component.
#[derive(Component, Default)]
struct Frozen {
    velocity: Vec3,
}

fn freeze(
    added: On<Add<Frozen>>,
    mut agents: Query<(&mut Frozen, &mut Velocity)>,
    mut commands: Commands,
) {
    if let Ok((mut frozen, mut velocity)) = agents.get_mut(added.entity) {
        // Others see that it stands.
        frozen.velocity = core::mem::take(&mut velocity.0);
        commands.entity(added.entity).insert(SkipIntegration);
    }
}

fn thaw(
    removed: On<Remove<Frozen>>,
    mut agents: Query<(&Frozen, &mut Velocity)>,
    mut commands: Commands,
) {
    if let Ok((frozen, mut velocity)) = agents.get_mut(removed.entity) {
        velocity.0 = frozen.velocity;
        commands.entity(removed.entity).try_remove::<SkipIntegration>();
    }
}

fn plugin(app: &mut App) {
    app.add_plugins(SteeringPlugin::default()).add_observer(freeze).add_observer(thaw);
}

#[test]
fn one_agent_is_frozen_and_thawed() {
    let mut app = bevy_steer_examples::clock::headless_app(None);
    app.add_plugins(plugin);
    let agent = (Vehicle::new(5.0), Seek::new(Vec2::X * 1e4));
    let [frozen, other] =
        [0.0, 10.0].map(|y| app.world_mut().spawn((agent, Transform::from_xyz(0.0, y, 0.0))).id());
    let x = |app: &App, agent| app.world().get::<Transform>(agent).unwrap().translation.x;
    (0..128).for_each(|_| app.update());
    app.world_mut().entity_mut(frozen).insert(Frozen::default());
    let (before, others_before) = (x(&app, frozen), x(&app, other));
    (0..64).for_each(|_| app.update());
    assert_eq!(x(&app, frozen), before);
    assert!(x(&app, other) - others_before > 4.9);
    app.world_mut().entity_mut(frozen).remove::<Frozen>();
    (0..64).for_each(|_| app.update());
    assert!(x(&app, frozen) - before > 4.9, "at the speed that it had");
    app.world_mut().entity_mut(frozen).insert(Frozen::default());
    app.world_mut().entity_mut(frozen).despawn();
    app.update();
}
