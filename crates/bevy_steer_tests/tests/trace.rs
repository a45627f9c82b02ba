//! What `SteeringTrace` tells of an agent adds up to what the agent does.

use bevy::prelude::*;
use bevy_steer::{
    BehaviorRegistry, Contribution, SteeringTrace, TracedLimit, VelocityLimits, prelude::*,
};
use proptest::prelude::*;

use crate::common::{
    Sim, at,
    hostile::bits,
    rng::cases,
    worlds::{Plan, plans},
};

/// Agents with all sorts of behaviours among obstacles and each other, all traced.
fn traced(plan: &Plan, mode: &Arbitration) -> (Sim, Vec<Entity>) {
    let (mut sim, agents) = plan.build();
    for &agent in &agents {
        let trace = SteeringTrace::default();
        sim.app.world_mut().entity_mut(agent).insert((mode.clone(), trace));
    }
    (sim, agents)
}

fn modes() -> [Arbitration; 4] {
    [
        Arbitration::Prioritized,
        Arbitration::WeightedSum,
        Arbitration::FirstActive { epsilon: 0.2 },
        Arbitration::dithered(),
    ]
}

proptest! {
    #![proptest_config(cases(48))]

    #[test]
    fn contributions_add_up_to_the_force(plan in plans(16), mode in 0_usize..4) {
        let (mut sim, agents) = traced(&plan, &modes()[mode]);
        for _ in 0..12 {
            sim.tick();
            for &agent in &agents {
                let force = sim.get::<SteeringForce>(agent).linear;
                let trace = sim.get::<SteeringTrace>(agent);
                let passed: Vec3 = trace.iter().map(|part| part.passed).sum();
                let sum = trace.idle() + passed + trace.limited();
                // Rounding is in proportion to what was added.
                let size: f32 = trace.iter().map(|part| part.passed.length()).sum();
                let size = size + trace.idle().length() + trace.limited().length();
                prop_assert!(
                    (sum - force).length() <= 1e-4 * (size + force.length()),
                    "{sum} is not {force}: {trace:?}"
                );
                let max_force = sim.get::<Vehicle>(agent).max_force;
                prop_assert!(force.length() <= max_force * 1.0001);
            }
        }
    }

    #[test]
    fn tracing_changes_nothing(plan in plans(16), mode in 0_usize..4) {
        let run = |is_traced: bool| {
            let (mut sim, agents) = traced(&plan, &modes()[mode]);
            for &agent in agents.iter().filter(|_| !is_traced) {
                sim.app.world_mut().entity_mut(agent).remove::<SteeringTrace>();
            }
            sim.run(1.0);
            agents.iter().map(|&agent| bits(sim.position(agent))).collect::<Vec<_>>()
        };
        prop_assert_eq!(run(true), run(false));
    }
}

fn parts(sim: &Sim, agent: Entity) -> Vec<(&'static str, Contribution)> {
    let registry = sim.app.world().resource::<BehaviorRegistry>();
    let trace = sim.get::<SteeringTrace>(agent);
    trace.iter().map(|part| (registry.get(part.behavior).expect("known").name, *part)).collect()
}

/// Mass 2 and a response of half a second: a change of one unit a second takes a force of four.
fn heavy(max_force: f32) -> Vehicle {
    Vehicle { mass: 2.0, max_speed: 10.0, max_force, radius: 0.5, response: 0.5 }
}

#[test]
fn a_trace_has_wanted_and_granted_parts() {
    let mut sim = Sim::new();
    let flee = Flee::new(Vec2::new(-5.0, 0.0)).with_weight(0.5);
    let seek = Seek::new(Vec2::new(0.0, 9.0));
    let agent = sim.spawn((heavy(30.0), flee, seek, SteeringTrace::default()));
    sim.tick();
    let [(first, fleeing), (second, seeking)] = parts(&sim, agent)[..] else { panic!("two parts") };
    assert_eq!((first, second), ("Flee", "Seek"));
    assert_eq!((fleeing.priority, seeking.priority), (Priority::High, Priority::Normal));
    // Full speed from standing, half as important: 10 · 0.5 · 4.
    assert_eq!((fleeing.correction, fleeing.weight), (Vec3::X * 10.0, 0.5));
    assert_eq!((fleeing.asked, fleeing.passed), (Vec3::X * 20.0, Vec3::X * 20.0));
    // Of the 40 that it asks for the 10 are left that the first has not spent.
    assert_eq!(seeking.asked, Vec3::Y * 40.0);
    assert!((seeking.passed - Vec3::Y * 10.0).length() < 1e-4, "{seeking:?}");
}

#[test]
fn an_ignored_tier_contributes_nothing() {
    let mut sim = Sim::new();
    let mode = Arbitration::FirstActive { epsilon: 0.1 };
    let (flee, seek) = (Flee::new(Vec2::new(-5.0, 0.0)), Seek::new(Vec2::new(0.0, 9.0)));
    let agent = sim.spawn((heavy(500.0), flee, seek, mode, SteeringTrace::default()));
    sim.tick();
    let [(_, fleeing), (_, seeking)] = parts(&sim, agent)[..] else { panic!("two parts") };
    assert_eq!(fleeing.passed, Vec3::X * 40.0);
    assert_eq!((seeking.asked, seeking.passed), (Vec3::Y * 40.0, Vec3::ZERO));
}

#[test]
fn turning_is_traced() {
    let mut sim = Sim::new();
    let most_urgent = Face::new(Vec2::new(0.0, 5.0)).with_priority(Priority::High);
    let agent = sim.spawn((
        heavy(30.0),
        most_urgent,
        Align::to_angle(-1.0).with_weight(2.0),
        SteeringTrace::default(),
    ));
    sim.tick();
    let [(_, aligning), (_, facing)] = parts(&sim, agent)[..] else { panic!("two parts") };
    assert!(aligning.angular.is_some_and(|turn| turn.z < 0.0));
    assert_eq!(aligning.angular_passed, Vec3::ZERO);
    assert_eq!(Some(facing.angular_passed), facing.angular);
    let applied = sim.get::<SteeringForce>(agent).angular * 0.5;
    assert!((applied - facing.angular_passed).length() < 1e-5);
}

#[test]
fn a_trace_covers_one_tick() {
    let mut sim = Sim::new();
    let agent = sim.spawn((
        Vehicle::default(),
        Seek::new(Vec2::X * 9.0),
        Wander::default(),
        SteeringTrace::default(),
    ));
    let names = |sim: &Sim| parts(sim, agent).iter().map(|(name, _)| *name).collect::<Vec<_>>();
    sim.tick();
    sim.tick();
    assert_eq!(names(&sim), ["Seek", "Wander"]);
    sim.get_mut::<Seek>(agent).set_enabled(false);
    sim.tick();
    assert_eq!(names(&sim), ["Wander"]);
    sim.get_mut::<Wander>(agent).set_enabled(false);
    sim.tick();
    assert_eq!(names(&sim), [""; 0]);
    sim.get_mut::<Wander>(agent).set_enabled(true);
    sim.get_mut::<Vehicle>(agent).mass = f32::NAN;
    sim.tick();
    assert_eq!(names(&sim), [""; 0]);
}

#[test]
fn the_trace_is_kept_between_turns() {
    let mut sim = Sim::new();
    let seek = Seek::new(Vec2::X * 9.0);
    let agent = sim.spawn((Vehicle::default(), seek, ThinkEvery(4), SteeringTrace::default()));
    sim.run(0.5);
    let before = sim.get::<SteeringTrace>(agent).clone();
    let mut changes = 0;
    for _ in 0..8 {
        let last = sim.get::<SteeringTrace>(agent).clone();
        sim.tick();
        assert_eq!(sim.get::<SteeringTrace>(agent).iter().len(), 1);
        changes += usize::from(*sim.get::<SteeringTrace>(agent) != last);
    }
    assert!(changes <= 2, "{changes} changes in eight ticks, from {before:?}");
}

/// Many behaviours, made by a number.
#[derive(Component, Reflect, Clone, Debug, Default)]
#[reflect(Component, Default)]
struct Push<const N: usize> {
    blend: Blend,
}

impl<const N: usize> SteeringBehavior for Push<N> {
    type Param = ();
    const PRIORITY: Priority = Priority::Normal;
    bevy_steer::blend_field!();
    fn steer(&mut self, _: &Agent, (): &()) -> Steering {
        Steering::linear(Vec3::X)
    }
}

#[test]
fn a_full_trace_counts_the_omitted_contributions() {
    let mut sim = Sim::new();
    let agent = sim.spawn((Vehicle::default(), SteeringTrace::default()));
    macro_rules! push {
        ($($n:literal)+) => {$(
            sim.app.add_steering_behavior::<Push<$n>>();
            sim.app.world_mut().entity_mut(agent).insert(Push::<$n>::default());
        )+};
    }
    push!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26);
    for _ in 0..2 {
        sim.tick();
        let trace = sim.get::<SteeringTrace>(agent);
        assert_eq!((trace.iter().len(), trace.left_out()), (SteeringTrace::CAPACITY, 3));
        assert!(trace.iter().all(|part| part.correction == Vec3::X));
    }
}

#[test]
fn the_registry_finds_behaviors_by_name() {
    let mut sim = Sim::new();
    let agent = sim.spawn((Vehicle::default(), Seek::new(Vec2::X).with_weight(3.0), at(0.0, 0.0)));
    sim.app.world_mut().resource_scope(|world: &mut World, registry: Mut<BehaviorRegistry>| {
        let by_name = |name: &str| {
            *registry.iter().find(|behavior| behavior.name == name).expect("registered")
        };
        let (seek, wander) = (by_name("Seek"), by_name("Wander"));
        assert_eq!((seek.priority, wander.priority), (Priority::Normal, Priority::Low));
        assert!(seek.has(world.entity(agent)) && !wander.has(world.entity(agent)));
        assert_eq!(seek.blend(world.entity(agent)).map(|blend| blend.weight), Some(3.0));
        assert_eq!(wander.blend(world.entity(agent)), None);
        let mut agent = world.entity_mut(agent);
        assert!(seek.edit_blend(&mut agent, |blend| blend.weight = 0.5));
        assert!(!wander.edit_blend(&mut agent, |_| unreachable!("it has none")));
    });
    assert_eq!(sim.get::<Seek>(agent).blend.weight, 0.5);
}

#[test]
fn agents_of_a_crowd_are_traced_and_arbitrated_separately() {
    // All of one kind stand in one table, where most agents are combined eight at a time.
    let (flee, seek) = (Flee::new(Vec2::new(-5.0, 0.0)), Seek::new(Vec2::new(0.0, 9.0)));
    let crowd = |mode: Option<Arbitration>, is_traced: bool| {
        let mut sim = Sim::new();
        let agents: Vec<Entity> = (0..20)
            .map(|_| {
                let agent = sim.spawn((heavy(500.0), flee, seek));
                let mut agent = sim.app.world_mut().entity_mut(agent);
                if let Some(mode) = &mode {
                    agent.insert(mode.clone());
                }
                if is_traced {
                    agent.insert(SteeringTrace::default());
                }
                agent.id()
            })
            .collect();
        sim.tick();
        let forces: Vec<Vec3> =
            agents.iter().map(|&agent| sim.get::<SteeringForce>(agent).linear).collect();
        assert!(forces.iter().all(|force| *force == forces[0]), "{forces:?}");
        if is_traced {
            for &agent in &agents {
                let told: Vec3 = parts(&sim, agent).iter().map(|(_, part)| part.passed).sum();
                assert!((told - forces[0]).length() < 1e-3, "{told} {}", forces[0]);
            }
        }
        forces[0]
    };
    let first_only = Arbitration::FirstActive { epsilon: 0.1 };
    for is_traced in [false, true] {
        assert_eq!(crowd(None, is_traced), Vec3::new(40.0, 40.0, 0.0));
        assert_eq!(crowd(Some(first_only.clone()), is_traced), Vec3::new(40.0, 0.0, 0.0));
    }
}

/// The limits that took something, with the names of the behaviours that gave them.
fn taking(sim: &Sim, agent: Entity) -> Vec<(&'static str, TracedLimit)> {
    let registry = sim.app.world().resource::<BehaviorRegistry>();
    let limits = sim.get::<SteeringTrace>(agent).limits();
    let taking = limits.filter(|limit| limit.taken != Vec3::ZERO);
    taking.map(|limit| (registry.get(limit.behavior).expect("known").name, *limit)).collect()
}

/// A traced agent that requests to go through a wall at x = 5.
fn pressed_at_a_wall(more: impl Bundle) -> (Sim, Entity) {
    let mut sim = Sim::new();
    sim.spawn((Wall::new(Vec2::new(5.0, -50.0), Vec2::new(5.0, 50.0)), at(0.0, 0.0)));
    // It wishes nothing itself, and only limits.
    let avoid = AvoidWalls::default().with_weight(0.0);
    let push = sim.push(Vec3::X * 5.0);
    let agent = sim.spawn((Vehicle::default(), push, avoid, SteeringTrace::default(), more));
    (sim, agent)
}

#[test]
fn a_wall_is_a_hard_limit_that_takes_the_speed() {
    let (mut sim, agent) = pressed_at_a_wall(());
    let max_speed = Vehicle::default().max_speed;
    let mut taken = 0.0;
    for _ in 0..192 {
        sim.tick();
        let all = taking(&sim, agent);
        let limits = sim.get::<VelocityLimits>(agent);
        let change = limits.permitted() - limits.requested();
        let sum: Vec3 = all.iter().map(|(_, limit)| limit.taken).sum();
        assert!(sum.distance(change) < 1e-3 * max_speed, "{sum} of {change}: {all:?}");
        assert_eq!(all.is_empty(), sim.get::<SteeringTrace>(agent).limited() == Vec3::ZERO);
        for (name, limit) in &all {
            assert_eq!((*name, limit.is_hard, limit.place), ("AvoidWalls", true, None));
            assert!(limit.normal.distance(Vec3::NEG_X) < 1e-3, "{limit:?}");
        }
        taken -= sum.x;
    }
    // It took all that the agent had, and what it went on to wish.
    assert!(taken > max_speed && sim.velocity(agent).length() < 0.1, "{taken}");
    assert!(sim.position(agent).x < 5.0);
    sim.get_mut::<AvoidWalls>(agent).set_enabled(false);
    sim.tick();
    let trace = sim.get::<SteeringTrace>(agent);
    assert_eq!((trace.limits().len(), trace.limited()), (0, Vec3::ZERO));
    sim.get_mut::<AvoidWalls>(agent).set_enabled(true);
    sim.tick();
    assert!(!taking(&sim, agent).is_empty());
    sim.get_mut::<Vehicle>(agent).mass = f32::NAN;
    sim.tick();
    assert_eq!(sim.get::<SteeringTrace>(agent).limits().len(), 0);
}

#[test]
fn traced_limits_are_kept_between_turns() {
    let (mut sim, agent) = pressed_at_a_wall(ThinkEvery(4));
    sim.run(2.0);
    let mut changes = 0;
    for _ in 0..8 {
        let last = sim.get::<SteeringTrace>(agent).clone();
        sim.tick();
        assert!(!taking(&sim, agent).is_empty());
        changes += usize::from(*sim.get::<SteeringTrace>(agent) != last);
    }
    assert!(changes <= 2, "{changes}");
}

#[test]
fn two_head_on_name_each_other_as_sources() {
    let mut sim = Sim::new();
    let mut walker = |x: f32| {
        let way = (Seek::new(Vec2::new(-9.0 * x, 0.0)), AvoidAgents::default());
        sim.spawn((Vehicle::default(), way, SteeringTrace::default(), at(x, 0.0)))
    };
    let pair = [walker(-6.0), walker(6.0)];
    let mut ticks = [0, 0];
    for _ in 0..128 {
        sim.tick();
        for i in 0..2 {
            let all = taking(&sim, pair[i]);
            for (name, limit) in &all {
                assert_eq!((*name, limit.source), ("AvoidAgents", Some(pair[1 - i])));
                assert!(!limit.is_hard);
            }
            ticks[i] += usize::from(!all.is_empty());
        }
    }
    assert!(ticks.iter().all(|&ticks| ticks > 5), "{ticks:?}");
}

#[test]
fn a_wall_is_named_as_source() {
    let mut sim = Sim::new();
    let wall = Wall::new(Vec2::new(5.0, -50.0), Vec2::new(5.0, 50.0));
    let wall = sim.spawn((wall, at(0.0, 0.0)));
    let push = (sim.push(Vec3::X * 5.0), AvoidWalls::default());
    let agent = sim.spawn((Vehicle::default(), push, SteeringTrace::default()));
    sim.run(3.0);
    let all = taking(&sim, agent);
    assert!(!all.is_empty() && all.iter().all(|(_, limit)| limit.source == Some(wall)), "{all:?}");
}

#[test]
fn each_of_several_is_named_by_its_limits() {
    let mut sim = Sim::new();
    let wall = Wall::new(Vec2::new(5.0, -50.0), Vec2::new(5.0, 50.0));
    sim.spawn((wall.with_layers(SteeringLayers(2)), at(0.0, 0.0)));
    let avoid = |layers| AvoidWalls::default().with_layers(SteeringLayers(layers)).with_weight(0.0);
    let several = Several::new([avoid(4), avoid(2)]);
    let push = sim.push(Vec3::X * 5.0);
    let agent = sim.spawn((Vehicle::default(), push, several, SteeringTrace::default()));
    sim.run(3.0);
    let all = taking(&sim, agent);
    assert!(!all.is_empty() && all.iter().all(|(_, limit)| limit.place == Some(1)), "{all:?}");
}
