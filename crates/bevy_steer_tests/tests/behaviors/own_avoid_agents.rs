//! A copy of [`AvoidAgents`] from public items alone moves its agents by the same bits.

use bevy::prelude::*;
use bevy_steer::{
    AvoidAgentsMemory, Avoidance, Claim, Encounter, EncounterRequest, Encounters, Memory,
    NearSurface, NearSurfaces, Pursuit, SolidSurfaces, SurfaceReach, Velocity, prelude::*,
};

use crate::{
    behaviors::{modes, own_arrive::state},
    common::{Sim, at, rng::TestRng, watch},
};

/// What [`AvoidAgents`] is, outside of its crate.
#[derive(Component, Reflect, Clone, Copy, Debug)]
#[reflect(Component, Default)]
struct OwnAvoidAgents {
    layers: SteeringLayers,
    surfaces: SteeringLayers,
    margin: f32,
    look_ahead: f32,
    pushiness: f32,
    avoid_targets: bool,
    blend: Blend,
    memory: Memory<AvoidAgentsMemory>,
}

impl From<AvoidAgents> for OwnAvoidAgents {
    fn from(built_in: AvoidAgents) -> Self {
        let AvoidAgents { layers, surfaces, margin, look_ahead, .. } = built_in;
        let AvoidAgents { pushiness, avoid_targets, blend, memory, .. } = built_in;
        Self { layers, surfaces, margin, look_ahead, pushiness, avoid_targets, blend, memory }
    }
}

impl Default for OwnAvoidAgents {
    fn default() -> Self {
        AvoidAgents::default().into()
    }
}

impl SteeringBehavior for OwnAvoidAgents {
    type Param = (Encounters<'static>, NearSurfaces<'static>);
    const PRIORITY: Priority = Priority::Critical;
    const DRIVES: bool = false;
    const ENCOUNTERS: bool = true;
    const LIMITS: bool = true;
    const SURFACES: bool = true;
    bevy_steer::blend_field!();

    fn encounter_request(&self, agent: &Agent) -> Option<EncounterRequest> {
        let urge = self.memory.place.map_or(0.0, |place| place.urge_to_return(agent));
        let claim = agent.claim(self.memory.desired, self.pushiness + urge);
        let claim = Some(Claim { room: self.room(agent), ..claim });
        Some(EncounterRequest { layers: self.layers, claim, ..self.avoidance(agent).request() })
    }

    fn surface_reach(&self, _: &Agent) -> SurfaceReach {
        SurfaceReach::default().with_layers(self.surfaces).with_solid(SolidSurfaces::All)
    }

    fn steer(&mut self, agent: &Agent, _: &ParamOf<Self>) -> Steering {
        self.memory.notice_move(agent);
        self.memory.place.map_or(Steering::NONE, |place| place.come_back(agent))
    }

    fn limits(
        &mut self,
        agent: &Agent,
        (encounters, surfaces): &ParamOf<Self>,
        limits: &mut VelocityLimits,
    ) {
        self.memory.note_place(agent, limits.stands());
        let place = self.memory.place.as_mut();
        if let Some(limit) = place.and_then(|place| place.limit(agent, encounters)) {
            limits.add(limit);
        }
        let desired = limits.desired();
        self.memory.desired = desired.clamp_length_max(agent.vehicle.max_speed);
        let claim = encounters.claim(agent).unwrap_or_default();
        let avoidance = self.avoidance(agent).with_intent(claim, desired);
        let all: Vec<Encounter> = encounters.of(agent).collect();
        // The built-in behaviour fills eight lanes, and adds one kind of their limits after the
        // other. Their order decides how sums are rounded.
        for eight in all.chunks(8) {
            let avoided = eight.iter().filter_map(|&other| self.regard(agent, encounters, other));
            let found: Vec<_> =
                avoided.map(|(other, is_close)| avoidance.limits(&other, is_close)).collect();
            for kind in 0..2 {
                found.iter().filter_map(|both| both[kind]).for_each(|limit| limits.push(limit));
            }
        }
        if !limits.are_kept() {
            self.keep_off_surfaces(agent, surfaces, limits);
        }
    }
}

impl OwnAvoidAgents {
    fn room(&self, agent: &Agent) -> f32 {
        agent.vehicle.radius * (1.0 + self.margin).max(0.0)
    }

    fn avoidance(&self, agent: &Agent) -> Avoidance {
        Avoidance::new(agent, self.room(agent), self.look_ahead)
    }

    /// How another one counts, and whether the agent comes close to it; `None` if it does not.
    fn regard(
        &self,
        agent: &Agent,
        encounters: &Encounters,
        mut other: Encounter,
    ) -> Option<(Encounter, bool)> {
        let Pursuit { reaches, pursues, is_pursued } = encounters.pursuit(agent, other.entity);
        let is_close = pursues && !self.avoid_targets;
        let is_left_out = if pursues { reaches && is_close } else { is_pursued };
        if is_left_out || !other.layers.overlaps(self.layers) {
            return None;
        }
        if pursues && !is_pursued {
            other.claim = None;
        }
        if let Some(claim) = &mut other.claim
            && (pursues || is_pursued)
        {
            claim.desired = other.velocity.to_array();
        }
        Some((other, is_close))
    }

    fn keep_off_surfaces(
        &self,
        agent: &Agent,
        surfaces: &NearSurfaces,
        limits: &mut VelocityLimits,
    ) {
        let reach = agent.approach_reach();
        for surface in surfaces.of(agent, self.surfaces) {
            let NearSurface { obstacle, distance, normal } = surface;
            if !reach.is_finite() || distance > reach || normal == Vec3::ZERO {
                continue;
            }
            let velocity = agent.plane.flatten(surface.velocity(agent));
            let bound = velocity.dot(normal) - agent.approach_speed(distance);
            let bound = bound.min(agent.velocity.dot(normal).max(0.0));
            limits.add(VelocityLimit::hard(normal, bound).with_source(obstacle.entity));
        }
    }
}

/// Gives an agent the built-in behaviour or the copy.
type Give = fn(&mut EntityWorldMut, AvoidAgents);

fn give_built_in(agent: &mut EntityWorldMut, avoid: AvoidAgents) {
    agent.insert(avoid);
}

fn give_copy(agent: &mut EntityWorldMut, avoid: AvoidAgents) {
    agent.insert(OwnAvoidAgents::from(avoid));
}

/// Half the width of a world.
const HALF: f32 = 8.0;
const SHY: SteeringLayers = SteeringLayers::layer(3);

/// A random crowd, some of which go for each other or stand, and the first of those that stand.
fn world(
    seed: u64,
    plane: SteeringPlane,
    think: u32,
    mode: &Arbitration,
    give: Give,
) -> (Sim, Entity) {
    let mut rng = TestRng::new(seed, 41);
    let mut sim = Sim::with(SteeringPlugin::new(Update).with_plane(plane).with_seed(seed), 60.0);
    sim.app.add_steering_behavior::<OwnAvoidAgents>();
    watch(&mut sim.app);
    let edge = rng.pick(&[BoundsEdge::Wrap, BoundsEdge::Bounce]);
    let half = Vec3::splat(HALF);
    sim.app.insert_resource(WorldBounds(Bounds::cuboid(-half, half, edge)));
    sim.spawn((Obstacle::sphere(1.0), at(3.0, 0.0)));
    let place = |rng: &mut TestRng| Transform::from_translation(plane.flatten(rng.point(HALF)));
    let velocity = |rng: &mut TestRng| Velocity(plane.flatten(rng.point(3.0)));
    // What avoids nobody: a body, and what has none.
    sim.spawn((rng.vehicle(), place(&mut rng), Wander::default()));
    sim.spawn((place(&mut rng), velocity(&mut rng), SteeringLayers::default()));
    let crowd: Vec<Entity> = (0..40)
        .map(|i| {
            // Two begin in the same place.
            let place = if i < 2 { Transform::default() } else { place(&mut rng) };
            let agent = (rng.vehicle(), place, velocity(&mut rng), mode.clone());
            let agent = sim.spawn(agent);
            if rng.chance(0.2) {
                sim.app.world_mut().entity_mut(agent).insert(SHY.or(SteeringLayers::default()));
            }
            agent
        })
        .collect();
    for (i, &agent) in crowd.iter().enumerate() {
        let avoid = AvoidAgents {
            layers: rng.pick(&[SteeringLayers::ALL, SteeringLayers::ALL, SHY]),
            margin: rng.pick(&[0.25, 0.25, 0.0, 1.0, -0.3]),
            look_ahead: rng.pick(&[1.5, 1.5, 0.4, 4.0, 0.0]),
            pushiness: rng.pick(&[0.0, 0.0, 0.5, -0.5]),
            avoid_targets: rng.chance(0.3),
            blend: rng.blend(),
            ..default()
        };
        let (other, point) = (rng.pick(&crowd), plane.flatten(rng.point(HALF)));
        let mut entity = sim.app.world_mut().entity_mut(agent);
        if think > 1 {
            entity.insert(ThinkEvery(think));
        }
        match i % 8 {
            0 => _ = entity.insert(Wander::default()),
            1 => _ = entity.insert(Seek::new(point)),
            2 => _ = entity.insert(Seek::new(other)),
            // Some of them each other.
            3 => _ = entity.insert(Pursue::new(crowd[(i ^ 8) % crowd.len()])),
            4 => _ = entity.insert(Arrive::new(other)),
            5 => _ = entity.insert((Wander::default(), AvoidObstacles::default())),
            6 => _ = entity.insert(OffsetPursue::new(other, point * 0.2)),
            // It stands, and steps aside.
            _ => {}
        }
        give(&mut entity, avoid);
    }
    (sim, crowd[7])
}

#[test]
fn a_copy_of_avoid_agents_moves_agents_by_the_same_bits() {
    let (mut limited, mut aside) = (0, 0);
    for (seed, plane) in (0..).zip(SteeringPlane::ALL.into_iter().cycle().take(12)) {
        let (think, mode) = ([1, 1, 3, 2][seed as usize % 4], &modes()[seed as usize / 3]);
        let [(mut built_in, stands), (mut copy, _)] =
            [give_built_in as Give, give_copy].map(|give| world(seed, plane, think, mode, give));
        for tick in 0..400 {
            if tick == 200 {
                // Where the game puts it is its place.
                for sim in [&mut built_in, &mut copy] {
                    sim.get_mut::<Transform>(stands).translation += plane.forward() * 1.5;
                }
            }
            built_in.tick();
            copy.tick();
            assert_eq!(state(&mut built_in), state(&mut copy), "world {seed}, tick {tick}");
        }
        let world = built_in.app.world_mut();
        let mut all = world.query::<(&VelocityLimits, &AvoidAgents, &Transform)>();
        for (limits, avoid, transform) in all.iter(world) {
            limited += usize::from(limits.permitted().distance(limits.requested()) > 1e-3);
            let place = avoid.memory.place;
            let is_aside = |at: Vec3| at.distance(transform.translation) > 0.01;
            aside += usize::from(place.is_some_and(|place| is_aside(place.position)));
        }
    }
    assert!(limited > 20 && aside > 0, "{limited} limited, {aside} aside in the end");
}
