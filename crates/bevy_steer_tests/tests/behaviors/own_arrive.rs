//! A copy of [`Arrive`] from public items alone moves its agents by the same bits.

use bevy::prelude::*;
use bevy_steer::{
    AngularVelocity, Arrival, ArriveMemory, DebugLayer, Goal, Hold, Length, Memory, ParameterRange,
    Surroundings, Unit, Velocity, WhenNone, builders, prelude::*,
};

use crate::{
    behaviors::modes,
    common::{Seen, Sim, at, rng::TestRng, watch},
};

/// What [`Arrive`] is, outside of its crate.
#[derive(Component, Reflect, Clone, Copy, Debug)]
#[reflect(Component, Default)]
struct OwnArrive {
    #[entities]
    target: Target,
    profile: ArriveProfile,
    stop_radius: Length,
    #[reflect(@Unit::Time, @ParameterRange::up_to(3.0), @WhenNone("as the vehicle responds"))]
    time_to_target: Option<f32>,
    blend: Blend,
    #[entities]
    memory: Memory<ArriveMemory>,
}

impl Default for OwnArrive {
    fn default() -> Self {
        Self {
            target: Target::None,
            profile: ArriveProfile::NORMAL,
            stop_radius: Length::Radii(0.2),
            time_to_target: None,
            blend: Blend::default(),
            memory: default(),
        }
    }
}

impl OwnArrive {
    builders! {
        /// Slowing down like this.
        with_profile(profile: ArriveProfile);
        /// Stopping this near the target.
        with_stop_radius(stop_radius: Length);
        /// Taking on the speed of the profile in this time, in seconds.
        with_time_to_target(time_to_target: Option<f32>);
    }
}

impl SteeringBehavior for OwnArrive {
    type Param = (STargets, Surroundings<'static>);
    const PRIORITY: Priority = Priority::Normal;
    const HAS_GOAL: bool = true;
    bevy_steer::blend_field!();

    fn goal(&self) -> Option<Goal> {
        self.target.entity(&self.memory.target).map(Goal::Accompany)
    }

    fn near_goal(&self) -> Option<Vec3> {
        self.memory.near_goal
    }

    fn steer(&mut self, agent: &Agent, (targets, surroundings): &ParamOf<Self>) -> Steering {
        let Some(view) = targets.find(agent, &self.target, &mut self.memory.target) else {
            return Steering::NONE;
        };
        let stop_radius = agent.reachable(self.stop_radius.in_units(agent.vehicle));
        let target = agent.position + view.offset;
        let contact = agent.to_contact(&view);
        let course = surroundings.course(agent, contact, &mut self.memory.target.detour);
        let to_contact = course.offset;
        let moved = agent.displacement(self.memory.arrived_at, target).length();
        let (velocity, encounters) = (view.velocity, &surroundings.encounters);
        let hold =
            agent.hold_before(&mut self.memory.held, encounters, &course, velocity, stop_radius);
        let arrival = Arrival {
            distance: if hold == Hold::Rests { 0.0 } else { to_contact.length() },
            stop_radius,
            rests: agent.moves_with(view.velocity),
            target_has_moved: moved > stop_radius,
        };
        if agent.report_arrival(&mut self.memory.arrived, arrival) {
            self.memory.arrived_at = target;
        }
        let waits = hold != Hold::Free;
        let is_near = waits || self.memory.arrived || agent.is_near_goal(&course, velocity);
        self.memory.near_goal = is_near.then(|| agent.position + contact);
        if waits {
            return Steering::linear(view.velocity - agent.velocity);
        }
        let (profile, time_to_target) = (self.profile, self.time_to_target);
        Steering::linear(agent.arrive(to_contact, velocity, profile, stop_radius, time_to_target))
    }

    fn debug_draw(&self, agent: &Agent, (targets, _): &ParamOf<Self>, draw: &mut DebugDraw) {
        let Some(view) = targets.last_seen(agent, &self.target, &self.memory.target) else {
            return;
        };
        let stop_radius = agent.reachable(self.stop_radius.in_units(agent.vehicle));
        draw.way(agent, view.offset);
        draw.circle(DebugLayer::Range, agent.position + view.offset, stop_radius);
    }
}

/// Gives an agent the built-in behaviour or the copy.
type Give = fn(&mut EntityWorldMut, Arrive);

fn give_built_in(agent: &mut EntityWorldMut, arrive: Arrive) {
    agent.insert(arrive);
}

fn give_copy(agent: &mut EntityWorldMut, arrive: Arrive) {
    let copy = OwnArrive { target: arrive.target, blend: arrive.blend, ..default() }
        .with_profile(arrive.profile)
        .with_stop_radius(arrive.stop_radius)
        .with_time_to_target(arrive.time_to_target);
    agent.insert(copy);
}

/// A random world in which agents arrive at points, at agents and at each other.
fn world(seed: u64, plane: SteeringPlane, think: u32, mode: &Arbitration, give: Give) -> Sim {
    const QUARRY: SteeringLayers = SteeringLayers::layer(3);
    let mut rng = TestRng::new(seed, 40);
    let mut sim = Sim::with(SteeringPlugin::new(Update).with_plane(plane).with_seed(seed), 60.0);
    sim.app.add_steering_behavior::<OwnArrive>();
    watch(&mut sim.app);
    if rng.chance(0.5) {
        let half = Vec3::splat(20.0);
        sim.app.insert_resource(WorldBounds(Bounds::cuboid(-half, half, BoundsEdge::Wrap)));
    }
    sim.spawn((Obstacle::sphere(1.5), at(4.0, 1.0)));
    let place = |rng: &mut TestRng| Transform::from_translation(plane.flatten(rng.point(18.0)));
    let quarry: Vec<Entity> = (0..4)
        .map(|_| {
            let body = (rng.vehicle(), place(&mut rng), QUARRY.or(SteeringLayers::default()));
            sim.spawn((body, Wander::default()))
        })
        .collect();
    for i in 0..27 {
        let target = match rng.index(6) {
            0 => Target::Entity(rng.pick(&quarry)),
            1 => Target::nearest(QUARRY, rng.number(5.0..30.0)),
            2 => Target::None,
            _ => plane.flatten(rng.point(18.0)).into(),
        };
        let arrive = Arrive {
            profile: rng.profile(),
            stop_radius: rng.pick(&[Length::Radii(0.2), Length::Units(0.7), Length::Units(0.0)]),
            time_to_target: rng.pick(&[None, None, Some(0.0), Some(0.4)]),
            blend: Blend { weight: rng.number(0.3..2.0), ..rng.blend() },
            ..Arrive::new(target)
        };
        let body = (rng.vehicle(), place(&mut rng), mode.clone());
        let agent = sim.spawn((body, Velocity(plane.flatten(rng.point(3.0)))));
        let mut agent = sim.app.world_mut().entity_mut(agent);
        if think > 1 {
            agent.insert(ThinkEvery(think));
        }
        // At most one other behaviour requests something in the tier of `Arrive`: of three, the
        // order of registration would decide how their sum is rounded.
        match i % 5 {
            0 => _ = agent.insert(AvoidAgents::default()),
            1 => _ = agent.insert(AvoidObstacles::default()),
            2 => _ = agent.insert((AngularVelocity::default(), LookWhereYouGo::default())),
            3 => _ = agent.insert(Wander::default()),
            _ => {}
        }
        give(&mut agent, arrive);
    }
    sim
}

/// All that has moved, as bits, in the order of the entities; and what observers were told.
pub(super) fn state(sim: &mut Sim) -> (Vec<[u32; 10]>, Vec<String>) {
    let world = sim.app.world_mut();
    let mut bodies = world.query::<(&Transform, &Velocity)>();
    let bits = bodies.iter(world).map(|(place, velocity)| {
        let [x, y, z] = place.translation.to_array();
        let [a, b, c, d] = place.rotation.to_array();
        let [u, v, w] = velocity.0.to_array();
        [x, y, z, a, b, c, d, u, v, w].map(f32::to_bits)
    });
    let mut bits: Vec<_> = bits.collect();
    // Their archetypes differ.
    bits.sort_unstable();
    (bits, world.resource::<Seen>().0.clone())
}

#[test]
fn a_copy_of_arrive_moves_agents_by_the_same_bits() {
    let mut arrivals = 0;
    for (seed, plane) in (0..).zip(SteeringPlane::ALL.into_iter().cycle().take(12)) {
        let (think, mode) = ([1, 1, 3, 2][seed as usize % 4], &modes()[seed as usize / 3]);
        let [mut built_in, mut copy] =
            [give_built_in as Give, give_copy].map(|give| world(seed, plane, think, mode, give));
        for tick in 0..400 {
            built_in.tick();
            copy.tick();
            assert_eq!(state(&mut built_in), state(&mut copy), "world {seed}, tick {tick}");
        }
        arrivals += built_in.app.world().resource::<Seen>().0.len();
    }
    assert!(arrivals > 50, "{arrivals} arrivals");
}
