//! One number for all that a world has done, so that two runs can be compared to the bit.

use core::hash::{Hash, Hasher};
use std::hash::DefaultHasher;

use bevy::prelude::*;
use bevy_steer::prelude::*;

use super::{
    dice::Dice,
    hostile::bits,
    worlds::{Motion, Plan},
};

/// What observers were told, in order: of whom by its number, and what.
#[derive(Resource, Default)]
struct Told(Vec<(u64, String)>);

fn listen(app: &mut App) {
    fn tell<E: EntityEvent>(
        what: impl Fn(&E) -> String + Send + Sync + 'static,
    ) -> impl FnMut(On<E>, Query<&AgentNumber>, ResMut<Told>) + Send + Sync + 'static {
        move |event: On<E>, numbers: Query<&AgentNumber>, mut told: ResMut<Told>| {
            let number = numbers.get(event.event_target()).map_or(u64::MAX, |number| number.0);
            told.0.push((number, what(event.event())));
        }
    }
    app.init_resource::<Told>();
    app.add_observer(tell(|_: &Arrived| "arrived".into()));
    app.add_observer(tell(|reached: &WaypointReached| format!("reached {}", reached.index)));
    app.add_observer(tell(|_: &PathFinished| "finished".into()));
    app.add_observer(tell(|_: &TargetLost| "lost".into()));
}

/// Runs a world for some ticks, in which agents and things go and agents come.
///
/// What goes and comes is the same whatever the entities are called.
pub fn run(plan: &Plan, seed: u64, ticks: u64) -> u64 {
    let (mut sim, mut agents) = plan.build();
    listen(&mut sim.app);
    sim.app.world_mut().resource_mut::<SteeringSettings>().seed = seed;
    let mut dice = Dice::new(3, 3);
    for tick in 0..ticks {
        if tick % 5 == 4 && agents.len() > 2 {
            let gone = agents.remove(dice.index(agents.len()));
            sim.app.world_mut().despawn(gone);
            let world = sim.app.world_mut();
            let comer = plan.spawn_agent(world, 3_000_000 + tick, &Motion::NONE);
            let company = (Wander::default(), Flock::default(), AvoidAgents::default());
            world.entity_mut(comer).insert(company);
            agents.push(comer);
        }
        sim.tick();
    }
    of(sim.app.world_mut())
}

/// Of all agents as they are, and of what [`run`] was told.
pub fn of(world: &mut World) -> u64 {
    let mut agents: Vec<_> = world
        .query_filtered::<(&AgentNumber, &Transform, &Velocity, &Heading), With<Vehicle>>()
        .iter(world)
        .map(|(number, transform, velocity, heading)| {
            let rotation = transform.rotation.to_array().map(f32::to_bits);
            let [place, speed, ahead] = [transform.translation, velocity.0, heading.0].map(bits);
            (number.0, place, speed, ahead, rotation)
        })
        .collect();
    agents.sort_unstable();
    let mut hasher = DefaultHasher::new();
    agents.hash(&mut hasher);
    world.get_resource::<Told>().map(|told| &told.0).hash(&mut hasher);
    hasher.finish()
}
