//! Whatever steering keeps can be found by its name: by inspectors, scenes and saves that know no
//! type of the crate.

use bevy::prelude::*;
use bevy_steer::prelude::*;

use crate::common::sources::{Kind, State, declared};

/// Not to be seen or saved: what an app is made of, and what each tick works out anew.
const NOT_KEPT: [&str; 3] = ["BehaviorRegistry", "ObstacleIndex", "VelocityLimits"];

#[test]
fn every_public_component_and_resource_is_in_the_type_registry() {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, SteeringPlugin::default(), SteeringGizmosPlugin));
    let registry = app.world().resource::<AppTypeRegistry>().read();
    let is_found = |state: &State| {
        registry.iter().any(|entry| {
            let path = entry.type_info().type_path_table();
            path.crate_name() == Some("bevy_steer")
                && path.ident() == Some(&state.name)
                && match state.kind {
                    Kind::Component => entry.data::<ReflectComponent>().is_some(),
                    Kind::Resource => entry.data::<ReflectResource>().is_some(),
                }
        })
    };
    let public: Vec<State> = declared().into_iter().filter(|state| state.is_public).collect();
    let missing: Vec<&str> = public
        .iter()
        .filter(|&state| !is_found(state))
        .map(|state| state.name.as_str())
        .filter(|name| !NOT_KEPT.contains(name))
        .collect();
    assert!(missing.is_empty(), "not registered: {missing:?}");
    assert!(public.len() > 30, "the sources were not understood: {public:?}");
}
