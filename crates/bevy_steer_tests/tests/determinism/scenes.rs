//! Small worlds, each about one thing, that must come out the same whenever and wherever they run.

use std::sync::LazyLock;

use bevy::prelude::*;
use bevy_steer::prelude::*;

use crate::common::{
    fingerprint::{Fingerprint, Fnv, replace_one},
    random_behaviors::{self, mask},
    rng::TestRng,
    worlds::{Motion, Plan},
};

/// How long each runs, at 64 ticks a second.
pub(crate) const TICKS: u64 = 2_000;

pub(crate) struct Scene {
    pub(crate) name: &'static str,
    pub(crate) plan: Plan,
    /// What the world has besides, given its agents.
    dress: fn(&mut World, &[Entity]),
    /// Whether agents go and others come.
    has_traffic: bool,
}

pub(crate) static SCENES: LazyLock<Vec<Scene>> = LazyLock::new(|| {
    let planes = SteeringPlane::ALL.into_iter().cycle();
    let mut scenes: Vec<Scene> = random_behaviors::names()
        .iter()
        .zip(planes)
        .map(|(name, plane)| behavior(name, plane))
        .collect();
    scenes.extend(flocks());
    scenes.extend(edges());
    scenes.extend(arbitrations());
    scenes.extend([thinking(), mixed_planes(), families(), traffic()]);
    scenes
});

/// What each scene comes to, undisturbed.
pub(crate) fn prints() -> &'static [u64] {
    static PRINTS: LazyLock<Vec<u64>> = LazyLock::new(|| SCENES.iter().map(Scene::print).collect());
    &PRINTS
}

impl Scene {
    pub(crate) fn print(&self) -> u64 {
        self.play(TICKS, None, |_| ()).0
    }

    /// Runs the scene with its entities and components in some order, and with whatever `watch`
    /// adds to the app.
    pub(crate) fn play(
        &self,
        ticks: u64,
        order: Option<u64>,
        watch: impl Fn(&mut App),
    ) -> (u64, App) {
        let plan = Plan { order, ..self.plan.clone() };
        let (mut sim, mut agents) = plan.build();
        (self.dress)(sim.app.world_mut(), &agents);
        watch(&mut sim.app);
        let mut print = Fingerprint::new(&mut sim.app);
        let mut rng = TestRng::new(3, 3);
        for tick in 0..ticks {
            if self.has_traffic && tick % 20 == 19 {
                replace_one(&mut sim, &plan, &mut agents, &mut rng, tick);
            }
            sim.tick();
            print.look(sim.app.world_mut());
        }
        (print.finish(), sim.app)
    }
}

/// A world of lures, obstacles and walls, without agents yet.
pub(crate) fn plan(name: &str, reach: f32) -> Plan {
    let mut seed = Fnv::new();
    seed.write(name.as_bytes());
    Plan { reach, ..Plan::new(seed.finish()) }
}

/// Random behaviours for `agents` agents; the more `layers`, the more behaviours.
pub(crate) fn mixed_masks(agents: usize, layers: u32) -> Vec<u64> {
    let mut rng = TestRng::new(8, 8);
    let mut any = || rng.index(1 << random_behaviors::count()) as u64;
    (0..agents).map(|_| (0..layers).fold(0, |mask, _| mask | any())).collect()
}

/// Agents that all have the same behaviours.
fn scene(name: &'static str, agents: usize, behaviors: &[&str]) -> Scene {
    with_masks(name, vec![mask(behaviors); agents])
}

/// Agents that each have half of all behaviours.
fn mixture(name: &'static str, agents: usize) -> Scene {
    with_masks(name, mixed_masks(agents, 1))
}

fn with_masks(name: &'static str, agents: Vec<u64>) -> Scene {
    let plan = Plan { agents, ..plan(name, 14.0) };
    Scene { name, plan, dress: |_, _| (), has_traffic: false }
}

fn on(plane: SteeringPlane, scene: Scene) -> Scene {
    Scene { plan: Plan { plane, ..scene.plan }, ..scene }
}

/// In a box, so that agents that only flee or drift keep meeting each other.
fn behavior(name: &'static str, plane: SteeringPlane) -> Scene {
    let dress = |world: &mut World, _: &[Entity]| {
        let edges = Bounds::cuboid(Vec3::splat(-20.0), Vec3::splat(20.0), BoundsEdge::Bounce);
        world.insert_resource(WorldBounds(edges));
    };
    Scene { dress, ..on(plane, scene(name, 20, &[name])) }
}

fn flocks() -> [Scene; 3] {
    let flocking = ["Flock", "Wander"];
    // As a shoal of one kind is: these are steered in blocks.
    let alike = |world: &mut World, agents: &[Entity]| {
        for &agent in agents {
            let (vehicle, flock) = (Vehicle::default(), Flock::new(5.0));
            world.entity_mut(agent).insert((vehicle, flock, Arbitration::default()));
        }
    };
    [
        on(SteeringPlane::Xy, scene("flock in 2D", 40, &flocking)),
        on(SteeringPlane::Free, scene("flock in 3D", 40, &flocking)),
        Scene { dress: alike, ..scene("flock of a kind", 40, &["Flock", "Wander", "Seek"]) },
    ]
}

fn edges() -> [Scene; 2] {
    let wrap = |world: &mut World, _: &[Entity]| {
        let edges = Bounds::rect(Vec2::new(-9.0, -7.0), Vec2::new(8.0, 10.0), BoundsEdge::Wrap);
        world.insert_resource(WorldBounds(edges));
    };
    let each_its_own = |world: &mut World, agents: &[Entity]| {
        let mut rng = TestRng::new(6, 6);
        for &agent in agents {
            world.entity_mut(agent).insert(rng.bounds());
        }
    };
    [
        Scene { dress: wrap, ..mixture("world that wraps", 24) },
        Scene { dress: each_its_own, ..mixture("bounds of their own", 24) },
    ]
}

fn arbitrations() -> [Scene; 4] {
    fn arbitrate(world: &mut World, agents: &[Entity], arbitration: &Arbitration) {
        for &agent in agents {
            world.entity_mut(agent).insert(arbitration.clone());
        }
    }
    let scene = |name, dress| Scene { dress, ..mixture(name, 20) };
    [
        scene("weighted sum", |world, agents| {
            arbitrate(world, agents, &Arbitration::WeightedSum);
        }),
        scene("prioritized", |world, agents| {
            arbitrate(world, agents, &Arbitration::Prioritized);
        }),
        scene("first active", |world, agents| {
            arbitrate(world, agents, &Arbitration::FirstActive { epsilon: 0.2 });
        }),
        scene("dithered", |world, agents| arbitrate(world, agents, &Arbitration::dithered())),
    ]
}

fn thinking() -> Scene {
    let dress = |world: &mut World, agents: &[Entity]| {
        for (i, &agent) in agents.iter().enumerate() {
            world.entity_mut(agent).insert(ThinkEvery(i as u32 % 7));
        }
    };
    Scene { dress, ..mixture("seldom thinkers", 20) }
}

fn mixed_planes() -> Scene {
    let scene = mixture("all planes", 24);
    Scene { plan: Plan { is_mixed: true, ..scene.plan }, ..scene }
}

/// Targets and obstacles below a parent that is turned and stretched.
fn families() -> Scene {
    let dress = |world: &mut World, agents: &[Entity]| {
        let parent = Transform {
            translation: Vec3::new(1.0, -2.0, 0.5),
            rotation: Quat::from_xyzw(0.2, 0.4, 0.4, 0.8),
            scale: Vec3::new(1.5, 0.6, 1.1),
        };
        let parent = world.spawn(parent).id();
        let mut rng = TestRng::new(9, 9);
        for (i, &agent) in agents.iter().enumerate() {
            let place = Transform::from_translation(rng.point(9.0)).with_rotation(rng.rotation());
            let obstacle = Obstacle::new(rng.shape());
            let child = world.spawn((place, obstacle, ChildOf(parent))).id();
            let plan = Plan { agents: mixed_masks(agents.len(), 1), ..plan("families", 14.0) };
            let mut agent = world.entity_mut(agent);
            plan.give_behaviors(&mut agent, i, &[child], &Motion::NONE);
        }
    };
    Scene { dress, ..on(SteeringPlane::Free, mixture("families", 12)) }
}

fn traffic() -> Scene {
    Scene { has_traffic: true, ..mixture("traffic", 24) }
}
