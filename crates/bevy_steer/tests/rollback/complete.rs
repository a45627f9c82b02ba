//! Nothing is forgotten: neither now, nor when the crate gets another component.

use std::collections::BTreeSet;

use bevy::prelude::*;
use bevy_ggrs::{GgrsComponentSnapshots, GgrsResourceSnapshots};
use bevy_steer::{
    AgentId, AngularVelocity, Heading, KeepRotation, NextAgentId, SteeringSettings, SteeringTick,
    Velocity, prelude::*,
};

use crate::{common::sources::declared, everything::game_of_everything, game::BACK, synctest};

/// Something that is restored: its name, and how to have it forgotten by pretending that the game restores it.
type Restored = (&'static str, fn(&mut App));

fn name_of<T>() -> &'static str {
    let path = core::any::type_name::<T>();
    let path = path.split('<').next().unwrap_or(path);
    path.rsplit("::").next().unwrap_or(path)
}

fn component<C: Component>() -> Restored {
    (name_of::<C>(), |app| _ = app.init_resource::<GgrsComponentSnapshots<C>>())
}

fn resource<R: Resource>() -> Restored {
    (name_of::<R>(), |app| _ = app.init_resource::<GgrsResourceSnapshots<R>>())
}

/// What the simulation depends on.
fn restored() -> Vec<Restored> {
    vec![
        component::<Velocity>(),
        component::<AngularVelocity>(),
        component::<Heading>(),
        component::<SteeringForce>(),
        component::<AgentId>(),
        component::<Vehicle>(),
        component::<SteeringPlane>(),
        component::<SteeringLayers>(),
        component::<Bounds>(),
        component::<KeepRotation>(),
        component::<ThinkEvery>(),
        component::<Arbitration>(),
        component::<Obstacle>(),
        component::<Wall>(),
        component::<Seek>(),
        component::<Flee>(),
        component::<Arrive>(),
        component::<Pursue>(),
        component::<Evade>(),
        component::<OffsetPursue>(),
        component::<PathFollow>(),
        component::<MatchVelocity>(),
        component::<Wander>(),
        component::<Flock>(),
        component::<AvoidObstacles>(),
        component::<AvoidWalls>(),
        component::<AvoidAgents>(),
        component::<Align>(),
        component::<Face>(),
        component::<LookWhereYouGo>(),
        resource::<SteeringSettings>(),
        resource::<SteeringTick>(),
        resource::<WorldBounds>(),
        resource::<NextAgentId>(),
    ]
}

#[test]
fn each_single_thing_that_is_not_restored_is_noticed() {
    let everything = restored().into_iter().chain([component::<Transform>()]);
    let unnoticed: Vec<&str> = everything
        .filter(|(_, forget)| synctest::play(&mut game_of_everything(BACK, forget), 400).is_ok())
        .map(|(name, _)| name)
        .collect();
    assert!(unnoticed.is_empty(), "nobody misses {unnoticed:?}");
}

/// Restored for tools, and to see that the agents of a world are whole when they come back.
const FOR_TOOLS: [&str; 2] = ["SteeringTrace", "ShowSteeringGizmos"];
/// Restored, and named by nobody else: who asks for the index. It has a test above.
const HIDDEN: [&str; 1] = ["Demand"];
/// Computed from the others before it is read, in each tick.
const COMPUTED: [&str; 8] = [
    "AllFlocks",
    "AllTiers",
    "AngularContributions",
    "Contributions",
    "CurrentIndex",
    "Entry",
    "Notices",
    "ObstacleIndex",
];
/// Not of the simulation: what an app is made of, what it has logged, measured and drawn.
const OUTSIDE: [&str; 6] =
    ["BehaviorRegistry", "Drawn", "Offences", "Respawned", "StandingDemand", "Stopwatch"];

#[test]
fn every_component_and_resource_is_known_to_be_restored_or_computed_anew() {
    let restored = restored();
    let known = restored.iter().map(|&(name, _)| name);
    let known = known.chain(FOR_TOOLS).chain(HIDDEN).chain(COMPUTED).chain(OUTSIDE);
    let known: BTreeSet<String> = known.map(str::to_owned).collect();
    let found: BTreeSet<String> = declared().into_iter().map(|state| state.name).collect();
    assert_eq!(found, known, "the crate's components and resources, and those of this test");
}
