//! [`RolledBack`]: what is saved and restored, built with [`visit_state`].

use core::any::type_name;

use bevy::{ecs::component::Mutable, prelude::*};
use bevy_steer::{StateData, StateVisitor, prelude::*, visit_state};

use super::snapshot::{Rollback, Saved, SavedComponents, SavedResource};

/// A type that is saved, and how.
#[derive(Clone, Copy)]
pub(super) struct Kind {
    name: &'static str,
    pub(super) save: fn(&mut World) -> Box<dyn Saved>,
}

/// What is saved and restored. Resources come last: entities that come back change `NextAgentId`.
#[derive(Resource, Default)]
pub struct RolledBack {
    pub(super) components: Vec<Kind>,
    pub(super) resources: Vec<Kind>,
}

impl RolledBack {
    /// Leaves out a type, to see that it is missed.
    pub fn forget(&mut self, name: &str) {
        let count = |kinds: &Self| kinds.components.len() + kinds.resources.len();
        let before = count(self);
        self.components.retain(|kind| kind.name != name);
        self.resources.retain(|kind| kind.name != name);
        assert!(count(self) < before, "`{name}` is not rolled back");
    }
}

/// A type's name without its path and its parameters.
pub fn name_of<T>() -> &'static str {
    let path = type_name::<T>();
    let path = path.split('<').next().unwrap_or(path);
    path.rsplit("::").next().unwrap_or(path)
}

/// Says what is rolled back.
pub trait RollbackAppExt {
    fn roll_back_component<C: Component<Mutability = Mutable> + Clone>(&mut self) -> &mut Self;
    fn roll_back_resource<R: Resource<Mutability = Mutable> + Clone>(&mut self) -> &mut Self;
    /// All that steering keeps, for every entity that takes part in steering.
    fn roll_back_steering(&mut self) -> &mut Self;
}

impl RollbackAppExt for App {
    fn roll_back_component<C: Component<Mutability = Mutable> + Clone>(&mut self) -> &mut Self {
        let kind = Kind { name: name_of::<C>(), save: SavedComponents::<C>::save };
        self.world_mut().resource_mut::<RolledBack>().components.push(kind);
        self
    }

    fn roll_back_resource<R: Resource<Mutability = Mutable> + Clone>(&mut self) -> &mut Self {
        let kind = Kind { name: name_of::<R>(), save: SavedResource::<R>::save };
        self.world_mut().resource_mut::<RolledBack>().resources.push(kind);
        self
    }

    fn roll_back_steering(&mut self) -> &mut Self {
        visit_state(&mut RollBack(self));
        self.register_required_components::<Vehicle, Rollback>()
            .register_required_components::<SteeringLayers, Rollback>()
            .register_required_components::<Obstacle, Rollback>()
            .register_required_components::<Wall, Rollback>();
        self
    }
}

struct RollBack<'a>(&'a mut App);

impl StateVisitor for RollBack<'_> {
    fn component<C: Component<Mutability = Mutable> + StateData>(&mut self) {
        self.0.roll_back_component::<C>();
    }

    fn resource<R: Resource<Mutability = Mutable> + StateData>(&mut self) {
        self.0.roll_back_resource::<R>();
    }
}
