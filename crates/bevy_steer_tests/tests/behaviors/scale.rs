//! Defaults fit worlds and bodies of any size: everything scaled moves alike.

use bevy::{prelude::*, reflect::ReflectMut};
use bevy_steer::{BehaviorVisitor, Path, Velocity, prelude::*, visit_built_in_behaviors};

use crate::common::{
    Seen, Sim, at,
    random_behaviors::{count, example, names},
    rng::TestRng,
    watch,
};

/// Gives an agent the behaviour with this index, with default parameters, and a target, path or
/// distance where it has none by default.
struct Give<'a, 'w> {
    index: u32,
    agent: &'a mut EntityWorldMut<'w>,
    target: Entity,
    scale: f32,
}

impl BehaviorVisitor for Give<'_, '_> {
    fn visit<B: SteeringBehavior + Clone + Default>(&mut self) {
        if self.index == 0 {
            let mut behavior: B = example(self.target);
            let ReflectMut::Struct(fields) = behavior.reflect_mut() else { panic!("no struct") };
            for i in 0..fields.field_len() {
                let is_offset = fields.name_at(i) == Some("offset");
                let is_time = fields.name_at(i) == Some("time_to_target");
                let field = fields.field_at_mut(i).expect("a field");
                if let Some(path) = field.try_downcast_mut::<Path>() {
                    *path = Path::new(path.points().iter().map(|&point| point * self.scale));
                } else if let Some(Some(distance)) = field.try_downcast_mut::<Option<f32>>()
                    && !is_time
                {
                    *distance *= self.scale;
                } else if let Some(offset) = field.try_downcast_mut::<Vec3>()
                    && is_offset
                {
                    *offset = Vec3::new(-1.0, 0.5, 0.0) * self.scale;
                }
            }
            self.agent.insert(behavior);
        }
        self.index = self.index.wrapping_sub(1);
    }
}

/// The ticks in which agents reported something, and what.
type Reports = Vec<(usize, String)>;

/// How many agents there are.
const AGENTS: usize = 8;

/// How long agents are watched, in ticks.
const TICKS: usize = 96;

/// Where agents are every quarter of a second, measured in the scale of the world, and what they
/// reported.
fn run(index: u32, seed: u64, scale: f32) -> (Vec<Vec3>, Reports) {
    let mut sim = Sim::new();
    watch(&mut sim.app);
    let mut rng = TestRng::new(seed, 7);
    let mut place =
        |reach: f32| (rng.point(reach) * Vec3::new(1.0, 1.0, 0.0), rng.number(0.5..2.0));
    for _ in 0..4 {
        let (here, size) = place(9.0);
        let here = Transform::from_translation(here * scale);
        sim.spawn((Obstacle::sphere(size * scale), here));
        sim.spawn((Wall::new(Vec3::ZERO, Vec3::new(3.0, size, 0.0) * scale), here));
    }
    let moving = Velocity(Vec3::new(0.6, 0.3, 0.0) * scale);
    let target = sim.spawn((Vehicle::new(scale), moving, at(2.0 * scale, scale)));
    let agents: Vec<Entity> = (0..AGENTS)
        .map(|_| {
            let ((here, _), (velocity, _)) = (place(8.0), place(3.0));
            let transform = Transform::from_translation(here * scale);
            let seek = Seek::new(-here * scale).with_priority(Priority::Low);
            let body = (Vehicle::new(5.0 * scale), Velocity(velocity * scale));
            let mut agent = sim.app.world_mut().spawn((body, transform, seek));
            visit_built_in_behaviors(&mut Give { index, agent: &mut agent, target, scale });
            agent.id()
        })
        .collect();
    let (mut places, mut reports) = (Vec::new(), Vec::new());
    for tick in 1..=TICKS {
        report(&mut sim, tick, &mut reports);
        if tick % 16 == 0 {
            places.extend(agents.iter().map(|&agent| sim.position(agent) / scale));
        }
    }
    (places, reports)
}

/// Runs a tick, and notes what was reported in it.
fn report(sim: &mut Sim, tick: usize, reports: &mut Reports) {
    sim.tick();
    let mut seen = sim.app.world_mut().resource_mut::<Seen>();
    reports.extend(seen.0.drain(..).map(|event| (tick, event)));
}

/// Whether all that is reported in one is in the other too, up to a tick or two, which may be
/// beyond the end.
fn all_in(some: &Reports, others: &Reports, slack: usize) -> bool {
    some.iter().filter(|(tick, _)| tick + slack <= TICKS).all(|(tick, event)| {
        others.iter().any(|(its, other)| event == other && tick.abs_diff(*its) <= slack)
    })
}

#[test]
fn every_behavior_works_alike_at_any_scale() {
    // Powers of two, which round alike but for vectors shorter than 1e-6 units, which have no
    // direction at any scale: that shows at the surface of a target. Others do not: that decides
    // where avoiding left or right is a near thing, so one agent in twenty may differ, and what it
    // reports, and grows a little along what agents are pressed against.
    let mut failed = Vec::new();
    let scales =
        [(0.007_812_5, 2e-4, 0, 2), (128.0, 1e-4, 0, 0), (0.01, 0.03, 2, 3), (100.0, 0.03, 2, 3)];
    for (index, name) in (0..count()).zip(names()) {
        let as_it_is: Vec<_> = (0..8).map(|seed| run(index, seed, 1.0)).collect();
        for (scale, limit, slack, allowed) in scales {
            // A crowd that is pressed together is chaotic: any rounding shows.
            let is_power_of_two = f32::to_bits(scale).trailing_zeros() >= 23;
            if *name == "AvoidAgents" && !is_power_of_two {
                continue;
            }
            let (mut off, mut unlike) = (Vec::new(), Vec::new());
            for (seed, (places, seen)) in (0..).zip(&as_it_is) {
                let (others, also_seen) = run(index, seed, scale);
                if !(all_in(seen, &also_seen, slack) && all_in(&also_seen, seen, slack)) {
                    unlike.push(format!("{name} {seed} at scale {scale}: {seen:?} {also_seen:?}"));
                }
                for agent in 0..AGENTS {
                    let of_agent = |i: &usize| i % AGENTS == agent;
                    let gap = |i: usize| places[i].distance(others[i]);
                    let gap = (0..places.len()).filter(of_agent).map(gap).fold(0.0, f32::max);
                    if gap > limit {
                        off.push(gap);
                    }
                }
            }
            if unlike.len() > allowed {
                failed.append(&mut unlike);
            }
            if off.len() > allowed {
                failed.push(format!("{name} at scale {scale}: agents are off by {off:?}"));
            }
        }
    }
    assert!(failed.is_empty(), "{failed:#?}");
}

/// The ticks in which an agent that goes 20 lengths reports something, and where it ends, in the
/// scale of the world.
fn reports(scale: f32, behavior: impl Bundle) -> (Reports, Vec3) {
    let mut sim = Sim::new();
    watch(&mut sim.app);
    let agent = sim.spawn((Vehicle::new(5.0 * scale), behavior));
    let mut reports = Vec::new();
    for tick in 0..64 * 12 {
        report(&mut sim, tick, &mut reports);
    }
    (reports, sim.position(agent) / scale)
}

#[test]
fn small_and_large_agents_finish_paths_and_arrive_like_others() {
    let path = |scale: f32| {
        let points = [[4.0, 0.0], [4.0, 6.0], [-3.0, 6.0]].map(|point| Vec2::from(point) * scale);
        PathFollow::new(Path::new(points))
    };
    let arrive = |scale: f32| Arrive::new(Vec2::new(20.0, 1.0) * scale);
    let (on_path, path_end) = reports(1.0, path(1.0));
    let (arrived, goal) = reports(1.0, arrive(1.0));
    assert_eq!((on_path.len(), arrived.len()), (4, 1));
    assert!(path_end.distance(Vec3::new(-3.0, 6.0, 0.0)) < 0.2 && goal.x > 19.5);
    for scale in [0.01, 100.0, 1e4] {
        for ((found, end), (expected, its_end)) in [
            (reports(scale, path(scale)), (&on_path, path_end)),
            (reports(scale, arrive(scale)), (&arrived, goal)),
        ] {
            assert!(end.distance(its_end) < 1e-3, "at scale {scale}: {end} but {its_end}");
            assert_eq!(found.len(), expected.len(), "at scale {scale}: {found:?}");
            for ((tick, event), (its_tick, its_event)) in found.iter().zip(expected) {
                assert_eq!(event, its_event);
                assert!(tick.abs_diff(*its_tick) <= 1, "at scale {scale}: {event} at {tick}");
            }
        }
    }
}

#[test]
fn an_agent_without_a_radius_arrives_too() {
    let mut sim = Sim::new();
    watch(&mut sim.app);
    let path = PathFollow::new(Path::new([Vec2::X, Vec2::new(5.0, 3.0)]));
    sim.spawn((Vehicle::new(5.0).with_radius(0.0), path));
    sim.spawn((Vehicle::new(5.0).with_radius(0.0), Arrive::new(Vec2::new(6.0, 0.0))));
    let leader = sim.spawn(at(0.0, 9.0));
    sim.spawn((Vehicle::new(5.0).with_radius(0.0), OffsetPursue::new(leader, Vec3::X * 3.0)));
    sim.run(8.0);
    let seen = &sim.app.world().resource::<Seen>().0;
    assert!(seen.iter().any(|event| event.starts_with("PathFinished")), "{seen:?}");
    assert_eq!(seen.iter().filter(|event| event.starts_with("Arrived")).count(), 2, "{seen:?}");
}
