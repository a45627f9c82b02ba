//! The neighbour index is built on demand, costs nothing without and little with it.

use bevy::{
    ecs::{entity_disabling::Disabled, system::SystemState},
    prelude::*,
};
use bevy_steer::{NeighborIndex, prelude::*};

use crate::common::{Sim, at, rng::TestRng};

/// How many the index holds after the last tick. Demands it from the next one on.
fn indexed(mut sim: Sim) -> usize {
    let mut state = SystemState::<Neighbors>::new(sim.app.world_mut());
    state.get(sim.app.world()).expect("the index").len()
}

fn seekers(sim: &mut Sim, target: impl Fn(usize) -> Target) {
    for i in 0..20 {
        sim.spawn((Vehicle::default(), Seek::new(target(i)), at(i as f32, 0.0)));
    }
}

/// How many have found a target.
fn with_target(sim: &mut Sim) -> usize {
    let world = sim.app.world_mut();
    let mut seekers = world.query::<&Seek>();
    seekers.iter(world).filter(|seek| seek.memory.current.is_some()).count()
}

#[test]
fn the_index_is_not_built_without_demand() {
    let mut sim = Sim::new();
    seekers(&mut sim, |_| Target::from(Vec3::ONE));
    sim.tick();
    sim.tick();
    assert_eq!(indexed(sim), 0);
}

#[test]
fn a_nearest_target_is_found_in_its_first_tick() {
    let mut sim = Sim::new();
    seekers(&mut sim, |_| Target::nearest(SteeringLayers::ALL, 100.0));
    sim.tick();
    assert_eq!(with_target(&mut sim), 20);
    assert_eq!(indexed(sim), 20);
}

#[test]
fn a_nearest_target_of_what_becomes_an_agent_later_is_found() {
    let nearest = Target::nearest(SteeringLayers::ALL, 100.0);
    let late: [fn(&mut EntityWorldMut); 2] =
        [|thing| _ = thing.insert(Vehicle::default()), |agent| _ = agent.remove::<Disabled>()];
    for (i, come) in late.into_iter().enumerate() {
        let mut sim = Sim::new();
        sim.spawn((Vehicle::default(), at(5.0, 0.0)));
        let thing = sim.spawn((Seek::new(nearest), at(0.0, 0.0)));
        if i == 1 {
            sim.app.world_mut().entity_mut(thing).insert((Vehicle::default(), Disabled));
        }
        (0..3).for_each(|_| sim.tick());
        come(&mut sim.app.world_mut().entity_mut(thing));
        sim.tick();
        assert_eq!(with_target(&mut sim), 1, "way {i}");
    }
}

#[test]
fn a_target_set_in_decide_is_found_in_the_same_tick() {
    let mut sim = Sim::new();
    seekers(&mut sim, |_| Target::from(Vec3::ONE));
    sim.tick();
    let choose = |mut seekers: Query<&mut Seek>| {
        seekers
            .iter_mut()
            .for_each(|mut seek| seek.target = Target::nearest(SteeringLayers::ALL, 9.0));
    };
    sim.app.add_systems(SteeringSchedule, choose.in_set(SteeringSystems::Decide));
    sim.tick();
    assert_eq!(with_target(&mut sim), 20);
}

#[test]
fn a_querying_system_is_answered_in_its_first_tick() {
    #[derive(Resource, Default)]
    struct Answers(Vec<usize>);
    let mut sim = Sim::new();
    seekers(&mut sim, |_| Target::from(Vec3::ONE));
    let ask = |neighbors: Neighbors, mut answers: ResMut<Answers>| {
        answers.0.push(neighbors.within(Vec2::new(5.0, 0.0), 2.5).count());
    };
    sim.app
        .init_resource::<Answers>()
        .add_systems(SteeringSchedule, ask.in_set(SteeringSystems::Decide));
    sim.tick();
    assert_eq!(sim.app.world().resource::<Answers>().0, [5]);
}

#[test]
fn flock_and_avoid_agents_demand_the_index() {
    fn indexed_with(behavior: impl Bundle) -> usize {
        let mut sim = Sim::new();
        sim.spawn((Vehicle::default(), behavior, at(0.0, 0.0)));
        sim.tick();
        indexed(sim)
    }
    assert_eq!(indexed_with(AvoidAgents::default()), 1);
    assert_eq!(indexed_with(Several::new([AvoidAgents::default()])), 1);
    assert_eq!(indexed_with(Flock::default()), 1);
    assert_eq!(indexed_with(Several::new([Flock::default()])), 1);
}

/// A behaviour of a game that looks for others.
#[derive(Component, Reflect, Clone, Debug, Default)]
#[reflect(Component, Default)]
struct Count {
    others: usize,
    blend: Blend,
}

impl SteeringBehavior for Count {
    type Param = (STargets, SNeighbors);
    const PRIORITY: Priority = Priority::Low;
    const LIMITS: bool = true;
    bevy_steer::blend_field!();

    fn steer(&mut self, agent: &Agent, (_, neighbors): &ParamOf<Self>) -> Steering {
        self.others = neighbors.within(agent.around(SteeringLayers::ALL), 9.5).count();
        Steering::NONE
    }
}

#[test]
fn a_behavior_with_neighbors_demands_the_index_while_agents_have_it() {
    let with = |behavior: Option<fn(&mut EntityWorldMut)>| {
        let mut sim = Sim::new();
        sim.app.add_steering_behavior::<Count>();
        seekers(&mut sim, |_| Target::from(Vec3::ONE));
        sim.tick();
        if let Some(give) = behavior {
            let agent = sim.spawn((Vehicle::default(), at(0.0, 0.0)));
            let mut agent = sim.app.world_mut().entity_mut(agent);
            give(&mut agent);
            let agent = agent.id();
            sim.tick();
            let agent = sim.app.world().entity(agent);
            let several = agent.get::<Several<Count>>().and_then(|several| several.first());
            let count = agent.get::<Count>().or(several).expect("it was given");
            assert!(count.others >= 9, "{} in its first tick", count.others);
        }
        sim.tick();
        indexed(sim)
    };
    assert_eq!(with(None), 0);
    assert_eq!(with(Some(|agent| _ = agent.insert(Count::default()))), 21);
    assert_eq!(with(Some(|agent| _ = agent.insert(Several::new([Count::default()])))), 21);
}

#[test]
fn a_behavior_with_neighbors_withdraws_no_demand_of_a_system() {
    fn ask(_: Neighbors) {}
    type Step = fn(&mut App);
    let register: Step = |app| _ = app.add_steering_behavior::<Count>();
    let search: Step = |app| _ = app.add_systems(Update, ask);
    let search_in_tick: Step = |app| _ = app.add_systems(SteeringSchedule, ask);
    for steps in [[register, search], [search, register], [search_in_tick, register]] {
        let mut sim = Sim::new();
        steps.into_iter().for_each(|step| step(&mut sim.app));
        seekers(&mut sim, |_| Target::from(Vec3::ONE));
        sim.tick();
        sim.tick();
        assert_eq!(indexed(sim), 20);
    }
}

#[test]
fn the_index_takes_at_most_64_bytes_per_agent() {
    const AGENTS: usize = 100_000;
    let mut sim = Sim::new();
    let mut rng = TestRng::new(1, 1);
    // About 16 mates each.
    let side = (AGENTS as f32 * core::f32::consts::PI / 16.0).sqrt() * 10.0;
    for _ in 0..AGENTS {
        let place = Transform::from_translation(rng.point(side * 0.5).with_z(0.0));
        sim.spawn((Vehicle::default(), Flock::new(10.0), place));
    }
    sim.tick();
    let bytes = sim.ask(NeighborIndex::memory_bytes);
    assert!(bytes <= 64 * AGENTS, "{} bytes an agent", bytes as f32 / AGENTS as f32);
    assert!(bytes > 30 * AGENTS, "it is there at all");
}

/// A behaviour of a game that holds one of this crate, two fields down.
#[derive(Component, Reflect, Clone, Debug, Default)]
#[reflect(Component, Default)]
struct Timid {
    of: (u32, Option<Evade>),
    blend: Blend,
}

impl SteeringBehavior for Timid {
    type Param = <Evade as SteeringBehavior>::Param;
    const PRIORITY: Priority = Priority::High;
    bevy_steer::blend_field!();

    fn steer(&mut self, agent: &Agent, targets: &ParamOf<Self>) -> Steering {
        self.of.1.as_mut().map_or(Steering::NONE, |evade| evade.steer(agent, targets))
    }
}

#[test]
fn a_nearest_target_of_a_behavior_in_another_is_found() {
    for target in [Target::nearest, Target::all].map(|of| of(SteeringLayers::ALL, 9.0)) {
        let mut sim = Sim::new();
        sim.app.add_steering_behavior::<Timid>();
        let timid = Timid { of: (0, Some(Evade::new(target))), ..default() };
        let agent = sim.spawn((Vehicle::default(), timid, at(0.0, 0.0)));
        sim.spawn((Vehicle::default(), at(3.0, 0.0)));
        sim.run(1.0);
        assert!(sim.position(agent).x < -1.0, "{target:?}");
    }
}
