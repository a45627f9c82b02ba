//! No state is left out: neither now, nor when the crate gets another component.

use std::collections::BTreeSet;

use bevy::{ecs::component::Mutable, prelude::*};
use bevy_steer::{StateData, StateVisitor, visit_state};

use crate::{
    common::{
        rollback::{self, FRAMES, RolledBack, name_of},
        sources::declared,
    },
    rollback::{coming_and_going::AGENT_DEMAND, everything::game_of_everything, game::BACK},
};

/// The names of everything that is state, in the order of the visit.
#[derive(Default)]
struct Names {
    components: Vec<&'static str>,
    resources: Vec<&'static str>,
}

impl StateVisitor for Names {
    fn component<C: Component<Mutability = Mutable> + StateData>(&mut self) {
        assert!(self.resources.is_empty(), "components are visited first");
        self.components.push(name_of::<C>());
    }

    fn resource<R: Resource<Mutability = Mutable> + StateData>(&mut self) {
        self.resources.push(name_of::<R>());
    }
}

fn state() -> Vec<&'static str> {
    let mut names = Names::default();
    visit_state(&mut names);
    // One for each behaviour, which counts as one.
    let mut is_first = true;
    names.components.retain(|name| *name != SEVERAL || core::mem::take(&mut is_first));
    [names.components, names.resources].concat()
}

/// Implements `Component` by hand, so that it is not found in the sources.
const SEVERAL: &str = "Several";

/// State on which no result depends: it is for tools.
const FOR_TOOLS: [&str; 3] = ["SteeringTrace", "ShowSteeringGizmos", "HideSteeringTrace"];

#[test]
fn each_state_that_is_not_restored_is_missed() {
    // The demand shows only where an agent is the first to need the index: it has its own test.
    let has_effect = |name: &&str| !FOR_TOOLS.contains(name) && *name != AGENT_DEMAND;
    let goes_unmissed = |name: &&str| {
        let mut game = game_of_everything(BACK);
        game.world_mut().resource_mut::<RolledBack>().forget(name);
        rollback::play(&mut game, FRAMES).is_ok()
    };
    let unmissed: Vec<&str> =
        state().into_iter().filter(has_effect).filter(goes_unmissed).collect();
    assert!(unmissed.is_empty(), "nothing depends on {unmissed:?}");
}

/// Computed from state before it is read, in each tick.
const COMPUTED: [&str; 13] = [
    "AngularContributions",
    "Contributions",
    "CurrentIndex",
    "EncounterLists",
    "EncounterRequests",
    "EventQueue",
    "Goals",
    "IndexSlot",
    "ObstacleIndex",
    "SurfaceLists",
    "SurfaceSlot",
    "TierSums",
    "VelocityLimits",
];
/// Outside of the simulation: what the app consists of, what it has logged, measured and drawn.
const OUTSIDE: [&str; 5] =
    ["BehaviorRegistry", "DebugDrawings", "InvalidInputLog", "NeighborUsers", "Stopwatch"];

#[test]
fn every_component_and_resource_is_state_or_known_not_to_be() {
    let state = state();
    let visited: BTreeSet<&str> = state.iter().copied().collect();
    assert_eq!(visited.len(), state.len(), "each type is visited once: {state:?}");
    let own = state.into_iter().filter(|name| *name != name_of::<Transform>());
    let known = own.chain(FOR_TOOLS).chain(COMPUTED).chain(OUTSIDE);
    let known: BTreeSet<String> = known.map(str::to_owned).collect();
    let found = declared().into_iter().map(|state| state.name);
    let found: BTreeSet<String> = found.chain([SEVERAL.to_owned()]).collect();
    assert_eq!(found, known, "the crate's components and resources, and those of this test");
}
