//! Nothing is forgotten: neither now, nor when the crate gets another component.

use std::{collections::BTreeSet, fs, path::Path as FilePath};

use bevy::prelude::*;
use bevy_ggrs::{GgrsComponentSnapshots, GgrsResourceSnapshots};
use bevy_steer::{NextAgentNumber, SteeringTick, prelude::*};

use crate::{everything::game_of_everything, game::BACK, synctest};

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
        component::<AgentNumber>(),
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
        resource::<NextAgentNumber>(),
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
const COMPUTED: [&str; 7] = [
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
    let mut found = BTreeSet::new();
    find_derived(&FilePath::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut found);
    assert_eq!(found, known, "the crate's components and resources, and those of this test");
}

/// The names of all components and resources in the sources below a folder.
fn find_derived(folder: &FilePath, found: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).expect("the sources") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            find_derived(&path, found);
            continue;
        }
        let source = fs::read_to_string(&path).expect("a source");
        let mut lines = source.lines();
        while let Some(line) = lines.next() {
            // Those of unit tests are indented, those of examples in comments.
            let Some(derives) = line.strip_prefix("#[derive(") else { continue };
            let is_state = ["Component", "Resource"]
                .iter()
                .any(|&kind| derives.split([',', ' ', ')']).any(|derived| derived == kind));
            let Some(item) = lines.find(|line| !line.starts_with("#[")) else { continue };
            let mut words = item.split([' ', '<', '(', ';', '{']);
            let name = words.find(|word| *word == "struct" || *word == "enum").and(words.next());
            if is_state {
                found.insert(name.unwrap_or(item).to_owned());
            }
        }
    }
}
