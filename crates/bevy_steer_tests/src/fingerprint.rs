//! One number for all that a world has done, so that two runs can be compared to the bit.

use bevy::prelude::*;
use bevy_steer::{AgentId, GoalBlocked, Heading, SteeringSettings, Velocity, prelude::*};

use crate::{
    Sim,
    hostile::bits,
    rng::TestRng,
    worlds::{Motion, Plan},
};

/// FNV-1a with 64 bits. Written out, as the standard library does not promise its hashes for the
/// next version, and compilers of other platforms must come to the same numbers.
pub struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Self {
        Self::new()
    }
}

impl Fnv {
    pub const fn new() -> Self {
        Self(0xCBF2_9CE4_8422_2325)
    }

    pub fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3);
        }
    }

    pub fn finish(&self) -> u64 {
        self.0
    }
}

/// The events since the last look, in order: the agent's id and the event.
#[derive(Resource, Default)]
struct Events(Vec<(u64, String)>);

fn listen(app: &mut App) {
    fn tell<E: EntityEvent>(
        what: impl Fn(&E) -> String + Send + Sync + 'static,
    ) -> impl FnMut(On<E>, Query<&AgentId>, ResMut<Events>) + Send + Sync + 'static {
        move |event: On<E>, numbers: Query<&AgentId>, mut told: ResMut<Events>| {
            let number = numbers.get(event.event_target()).map_or(u64::MAX, |number| number.0);
            told.0.push((number, what(event.event())));
        }
    }
    app.init_resource::<Events>();
    app.add_observer(tell(|_: &Arrived| "arrived".into()));
    app.add_observer(tell(|reached: &WaypointReached| format!("reached {}", reached.index)));
    app.add_observer(tell(|_: &PathFinished| "finished".into()));
    app.add_observer(tell(|_: &GoalBlocked| "blocked".into()));
    app.add_observer(tell(|_: &TargetFound| "found".into()));
    app.add_observer(tell(|_: &TargetLost| "lost".into()));
}

type Body = (&'static AgentId, &'static Transform, &'static Velocity, &'static Heading);

/// Looks on while a world runs.
pub struct Fingerprint {
    hash: Fnv,
    bodies: QueryState<Body, With<Vehicle>>,
}

impl Fingerprint {
    pub fn new(app: &mut App) -> Self {
        listen(app);
        Self { hash: Fnv::new(), bodies: app.world_mut().query_filtered() }
    }

    /// Takes in where all agents are, how they move and where they look, in the order of their
    /// numbers, and what has been told.
    pub fn look(&mut self, world: &mut World) {
        let mut bodies: Vec<(u64, [u32; 13])> = self
            .bodies
            .iter(world)
            .map(|(number, transform, velocity, heading)| {
                let vectors = [transform.translation, velocity.0, heading.0].map(bits);
                let mut parts = [0; 13];
                parts[..9].copy_from_slice(vectors.as_flattened());
                parts[9..].copy_from_slice(&transform.rotation.to_array().map(f32::to_bits));
                (number.0, parts)
            })
            .collect();
        bodies.sort_unstable();
        for (number, parts) in bodies {
            self.hash.write(&number.to_le_bytes());
            parts.iter().for_each(|part| self.hash.write(&part.to_le_bytes()));
        }
        let Some(mut told) = world.get_resource_mut::<Events>() else { return };
        for (number, what) in told.0.drain(..) {
            self.hash.write(&number.to_le_bytes());
            self.hash.write(what.as_bytes());
        }
    }

    pub fn finish(&self) -> u64 {
        self.hash.finish()
    }
}

/// Of all agents as they are.
pub fn of(world: &mut World) -> u64 {
    let mut print = Fingerprint { hash: Fnv::new(), bodies: world.query_filtered() };
    print.look(world);
    print.finish()
}

/// Runs a world for some ticks, in which agents go and come.
///
/// Which agents are replaced does not depend on their entities.
pub fn run(plan: &Plan, seed: u64, ticks: u64) -> u64 {
    let (mut sim, mut agents) = plan.build();
    let mut print = Fingerprint::new(&mut sim.app);
    sim.app.world_mut().resource_mut::<SteeringSettings>().seed = seed;
    let mut rng = TestRng::new(3, 3);
    for tick in 0..ticks {
        if tick % 5 == 4 {
            replace_one(&mut sim, plan, &mut agents, &mut rng, tick);
        }
        sim.tick();
    }
    print.look(sim.app.world_mut());
    print.finish()
}

/// Despawns an agent and spawns another one with the behaviours of two of the first agents.
pub fn replace_one(
    sim: &mut Sim,
    plan: &Plan,
    agents: &mut Vec<Entity>,
    rng: &mut TestRng,
    tick: u64,
) {
    let gone = agents.remove(rng.index(agents.len()));
    let world = sim.app.world_mut();
    world.despawn(gone);
    let comer = plan.spawn_agent(world, 3_000_000 + tick, &Motion::NONE);
    let mut entity = world.entity_mut(comer);
    agents.push(comer);
    for _ in 0..2 {
        plan.give_behaviors(&mut entity, rng.index(plan.agents.len()), agents, &Motion::NONE);
    }
}
