//! The hunter/prey game as a networked one: two players interfere, and every frame is rolled back and simulated again.

#[path = "../../crates/bevy_steer/tests/common/synctest.rs"]
mod synctest;

use bevy::prelude::*;
use bevy_ggrs::prelude::*;
use bevy_steer::{AgentId, prelude::*};
use bevy_steer_examples::hunter_prey::{
    game::{ARENA, Dice, GamePlugin, Hunter, LURE, Prey, Score, arena},
    options::Options,
    spawn,
};
use rand::RngExt;
use rand_pcg::Pcg32;
use synctest::{Config, FRAMES, PLAYERS};

/// The mouse of a player, which prey follow.
#[derive(Component)]
struct Mouse(usize);

fn everybody<F: bevy::ecs::query::QueryFilter>(world: &mut World) -> Vec<Entity> {
    let mut all: Vec<_> = world
        .query_filtered::<(&AgentId, Entity), F>()
        .iter(world)
        .map(|(&number, entity)| (number, entity))
        .collect();
    all.sort_unstable();
    all.into_iter().map(|(_, entity)| entity).collect()
}

/// What the players do: they move their mice, bring prey and hunters and take them away, and change the edges of the arena and how
/// somebody behaves.
fn interfere(world: &mut World) {
    let inputs: Vec<u64> =
        world.resource::<PlayerInputs<Config>>().iter().map(|&(input, _)| input).collect();
    for (player, input) in inputs.into_iter().enumerate() {
        let mut dice = Pcg32::new(input, 1);
        let unit = Vec2::new(dice.random(), dice.random()) * 2.0 - 1.0;
        let place = (unit * ARENA).extend(0.0);
        let hunters = everybody::<With<Hunter>>(world);
        let prey = everybody::<With<Prey>>(world);
        let somebody = prey[dice.random_range(0..prey.len())];
        match dice.random_range(0..60) {
            0..20 => {
                let mut mice = world.query::<(&Mouse, &mut Transform)>();
                let own = mice.iter_mut(world).find(|(mouse, _)| mouse.0 == player);
                own.expect("a mouse").1.translation = place;
            }
            20..24 => _ = world.spawn(spawn::prey(place, Vec3::X)),
            24 if hunters.len() < 8 => _ = world.spawn(spawn::hunter(place, Vec3::Y)),
            25..28 if prey.len() > 20 => _ = world.despawn(somebody),
            28 if hunters.len() > 2 => _ = world.despawn(hunters[input as usize % hunters.len()]),
            29 => world.resource_mut::<WorldBounds>().0 = arena(BoundsEdge::Bounce),
            30 => world.resource_mut::<WorldBounds>().0 = arena(BoundsEdge::Wrap),
            31..34 => world.get_mut::<Wander>(somebody).unwrap().rate = 1.0 + unit.x,
            34..37 => _ = world.entity_mut(somebody).insert(Flock::new(60.0)),
            37..40 => _ = world.entity_mut(somebody).remove::<Flock>(),
            40..42 => _ = world.entity_mut(somebody).insert(ThinkEvery(3)),
            _ => {}
        }
    }
}

fn game(check_distance: usize) -> App {
    let mut app = synctest::app(5, check_distance);
    app.add_plugins(GamePlugin::new(Options::default()).in_schedule(GgrsSchedule))
        .rollback_steering()
        .rollback_component_with_clone::<Hunter>()
        .rollback_component_with_clone::<Prey>()
        .rollback_resource_with_clone::<Score>()
        .rollback_resource_with_clone::<Dice>()
        .checksum_component::<Hunter>(|hunter| u64::from(hunter.stamina.to_bits()))
        .checksum_resource::<Score>(|score| {
            u64::from(score.catches) << 32 | u64::from(score.escapes)
        })
        .add_systems(GgrsSchedule, interfere.before(RunSteering).before(spawn::wall_in));
    for player in 0..PLAYERS {
        app.world_mut().spawn((Mouse(player), LURE, Transform::default()));
    }
    app
}

/// Who is where, by number.
fn places(world: &mut World) -> Vec<(u64, [u32; 3])> {
    let mut agents = world.query_filtered::<(&AgentId, &Transform), With<Vehicle>>();
    let mut places: Vec<_> = agents
        .iter(world)
        .map(|(number, at)| (number.0, at.translation.to_array().map(f32::to_bits)))
        .collect();
    places.sort_unstable();
    places
}

#[test]
fn two_players_see_the_same_game() {
    let mut rolled_back = game(6);
    synctest::play(&mut rolled_back, FRAMES).expect("the same in each simulation of a frame");
    let mut straight = game(0);
    synctest::play(&mut straight, FRAMES).expect("nothing to compare");
    let [rolled_back, straight] = [rolled_back.world_mut(), straight.world_mut()];
    assert_eq!(places(rolled_back), places(straight));
    let score = rolled_back.resource::<Score>();
    assert_eq!(score, straight.resource::<Score>());
    assert!(score.catches > 0 && score.escapes > 0, "nothing has happened: {score:?}");
}
