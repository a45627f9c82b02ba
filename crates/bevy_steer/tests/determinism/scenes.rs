//! Small worlds, each about one thing, that must come out the same whenever and wherever they run.

use std::sync::LazyLock;

use bevy::prelude::*;
use bevy_steer::prelude::*;

use crate::common::{
    dice::Dice,
    fingerprint::{Fingerprint, Fnv, replace_one},
    giver::{NAMES, mask},
    worlds::{BEHAVIORS, Plan},
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
    let mut scenes: Vec<Scene> =
        NAMES.iter().zip(planes).map(|(name, plane)| behavior(name, plane)).collect();
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

    /// Runs the scene with its entities and components in some order, and with whatever `watch` adds to the app.
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
        let mut dice = Dice::new(3, 3);
        for tick in 0..ticks {
            if self.has_traffic && tick % 20 == 19 {
                replace_one(&mut sim, &plan, &mut agents, &mut dice, tick);
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
    Plan {
        seed: seed.finish(),
        plane: SteeringPlane::Xy,
        is_mixed: false,
        agents: Vec::new(),
        things: 10,
        reach,
        worst: 0.0,
        order: None,
    }
}

/// Random behaviours for so many agents; the more `layers`, the more behaviours.
pub(crate) fn mixed_masks(agents: usize, layers: u32) -> Vec<u32> {
    let mut dice = Dice::new(8, 8);
    let mut any = || dice.index(1 << BEHAVIORS) as u32;
    (0..agents).map(|_| (0..layers).fold(0, |mask, _| mask | any())).collect()
}

/// Agents that all have the same behaviours.
fn scene(name: &'static str, agents: usize, behaviors: &[&str]) -> Scene {
    let agents = vec![mask(behaviors); agents];
    let plan = Plan { agents, ..plan(name, 14.0) };
    Scene { name, plan, dress: |_, _| (), has_traffic: false }
}

fn on(plane: SteeringPlane, scene: Scene) -> Scene {
    Scene { plan: Plan { plane, ..scene.plan }, ..scene }
}

/// In a box, so that those who only flee or drift keep meeting each other.
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
    let everybodys_own = |world: &mut World, agents: &[Entity]| {
        let mut dice = Dice::new(6, 6);
        for &agent in agents {
            world.entity_mut(agent).insert(dice.bounds());
        }
    };
    let sociable = ["Pursue", "AvoidAgents", "PathFollow", "Flock", "Wander", "AvoidWalls"];
    [
        Scene { dress: wrap, ..scene("world that wraps", 24, &sociable) },
        Scene { dress: everybodys_own, ..scene("bounds of their own", 24, &sociable) },
    ]
}

fn arbitrations() -> [Scene; 4] {
    fn arbitrate(world: &mut World, agents: &[Entity], arbitration: &Arbitration) {
        for &agent in agents {
            world.entity_mut(agent).insert(arbitration.clone());
        }
    }
    let torn = ["AvoidObstacles", "AvoidAgents", "Evade", "Arrive", "Flock", "Wander", "Face"];
    let scene = |name, dress| Scene { dress, ..scene(name, 20, &torn) };
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
        let mut dice = Dice::new(9, 9);
        for &agent in agents {
            let place = Transform::from_translation(dice.point(9.0)).with_rotation(dice.rotation());
            let obstacle = Obstacle { shape: dice.shape() };
            let child = world.spawn((place, obstacle, ChildOf(parent))).id();
            world.entity_mut(agent).insert((Arrive::new(child), Align::like(child)));
        }
    };
    let behaviors = ["Arrive", "Align", "AvoidObstacles", "AvoidWalls", "AvoidAgents"];
    Scene { dress, ..on(SteeringPlane::Free, scene("families", 12, &behaviors)) }
}

fn traffic() -> Scene {
    Scene { has_traffic: true, ..mixture("traffic", 24) }
}

fn mixture(name: &'static str, agents: usize) -> Scene {
    let scene = scene(name, 0, &[]);
    Scene { plan: Plan { agents: mixed_masks(agents, 2), ..scene.plan }, ..scene }
}
