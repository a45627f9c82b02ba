//! The hunter/prey game as a networked one: two players interfere, and every frame is rolled back
//! and simulated again.

use std::hash::{DefaultHasher, Hash, Hasher};

use bevy::prelude::*;
use bevy_steer::{AgentId, Velocity, prelude::*};
use bevy_steer_examples::hunter_prey::{
    game::{ARENA, Dice, GamePlugin, Hunter, LURE, Prey, Score, arena},
    options::Options,
    spawn,
};
use bevy_steer_tests::rollback::{self, FRAMES, GameFrame, PLAYERS, PlayerInputs, RollbackAppExt};
use rand::RngExt;
use rand_pcg::Pcg32;

/// The mouse of a player, which prey follow.
#[derive(Component)]
struct Mouse(usize);

/// All agents of a kind, by id.
fn all_with<C: Component>(world: &mut World) -> Vec<Entity> {
    let mut all: Vec<_> = world
        .query_filtered::<(&AgentId, Entity), With<C>>()
        .iter(world)
        .map(|(&id, entity)| (id, entity))
        .collect();
    all.sort_unstable();
    all.into_iter().map(|(_, entity)| entity).collect()
}

/// What the players do: they move their mice, spawn and despawn prey and hunters, and change the
/// edges of the arena and the behaviours of prey.
fn interfere(world: &mut World) {
    let inputs = world.resource::<PlayerInputs>().clone();
    for (player, input) in inputs.0.into_iter().enumerate() {
        let mut dice = Pcg32::new(input, 1);
        let unit = Vec2::new(dice.random(), dice.random()) * 2.0 - 1.0;
        let place = (unit * ARENA).extend(0.0);
        let hunters = all_with::<Hunter>(world);
        let prey = all_with::<Prey>(world);
        let chosen = prey[dice.random_range(0..prey.len())];
        match dice.random_range(0..60) {
            0..20 => {
                let mut mice = world.query::<(&Mouse, &mut Transform)>();
                let own = mice.iter_mut(world).find(|(mouse, _)| mouse.0 == player);
                own.expect("a mouse").1.translation = place;
            }
            20..24 => _ = world.spawn(spawn::prey(place, Vec3::X)),
            24 if hunters.len() < 8 => _ = world.spawn(spawn::hunter(place, Vec3::Y)),
            25..28 if prey.len() > 20 => _ = world.despawn(chosen),
            28 if hunters.len() > 2 => _ = world.despawn(hunters[input as usize % hunters.len()]),
            29 => world.resource_mut::<WorldBounds>().0 = arena(BoundsEdge::Bounce),
            30 => world.resource_mut::<WorldBounds>().0 = arena(BoundsEdge::Wrap),
            31..34 => world.get_mut::<Wander>(chosen).unwrap().rate = 1.0 + unit.x,
            34..37 => _ = world.entity_mut(chosen).insert(Flock::new(60.0)),
            37..40 => _ = world.entity_mut(chosen).remove::<Flock>(),
            40..42 => _ = world.entity_mut(chosen).insert(ThinkEvery(3)),
            _ => {}
        }
    }
}

fn game(check_distance: usize) -> App {
    let mut app = rollback::app(5, check_distance, checksum);
    // Each frame is simulated several times: fewer prey than in the window are enough.
    let options = Options { prey: 40, ..Options::default() };
    app.add_plugins(GamePlugin::new(options).in_schedule(GameFrame))
        .roll_back_steering()
        .roll_back_component::<Hunter>()
        .roll_back_component::<Prey>()
        .roll_back_resource::<Score>()
        .roll_back_resource::<Dice>()
        .add_systems(GameFrame, interfere.before(RunSteering).before(spawn::wall_in));
    for player in 0..PLAYERS {
        app.world_mut().spawn((Mouse(player), LURE, Transform::default()));
    }
    app
}

/// The places of all agents, by id.
fn places(world: &mut World) -> Vec<(u64, [u32; 3])> {
    let mut agents = world.query_filtered::<(&AgentId, &Transform), With<Vehicle>>();
    let mut places: Vec<_> = agents
        .iter(world)
        .map(|(id, transform)| (id.0, transform.translation.to_array().map(f32::to_bits)))
        .collect();
    places.sort_unstable();
    places
}

/// Of where agents are, how they move, how tired hunters are, and of the score.
fn checksum(world: &mut World) -> u64 {
    let mut agents = world.query::<(&AgentId, &Velocity, &Transform, Option<&Hunter>)>();
    let mut motions: Vec<_> = agents
        .iter(world)
        .map(|(id, velocity, transform, hunter)| {
            let vectors = [velocity.to_array(), transform.translation.to_array()].concat();
            let rotation = transform.rotation.to_array();
            let stamina = hunter.map_or(0.0, |hunter| hunter.stamina);
            let numbers = vectors.into_iter().chain(rotation).chain([stamina]);
            (id.0, numbers.map(f32::to_bits).collect::<Vec<u32>>())
        })
        .collect();
    motions.sort_unstable();
    let score = world.resource::<Score>();
    let mut hasher = DefaultHasher::new();
    (motions, score.catches, score.escapes).hash(&mut hasher);
    hasher.finish()
}

#[test]
fn two_players_see_the_same_game() {
    let mut rolled_back = game(6);
    rollback::play(&mut rolled_back, FRAMES).expect("the same in each simulation of a frame");
    let mut straight = game(0);
    rollback::play(&mut straight, FRAMES).expect("nothing to compare");
    let [rolled_back, straight] = [rolled_back.world_mut(), straight.world_mut()];
    assert_eq!(places(rolled_back), places(straight));
    let score = rolled_back.resource::<Score>();
    assert_eq!(score, straight.resource::<Score>());
    assert!(score.catches > 0 && score.escapes > 0, "nothing has happened: {score:?}");
}
