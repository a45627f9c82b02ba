use bevy::{ecs::component::Mutable, prelude::*};
use bevy_steer::{StateData, StateVisitor, visit_state};

struct RollBack<'a>(&'a mut App);

impl StateVisitor for RollBack<'_> {
    fn component<C: Component<Mutability = Mutable> + StateData>(&mut self) {
        roll_back_component::<C>(self.0); // the call of your library
    }
    fn resource<R: Resource<Mutability = Mutable> + StateData>(&mut self) {
        roll_back_resource::<R>(self.0);
    }
}

fn roll_back_steering(app: &mut App) {
    visit_state(&mut RollBack(app));
}

/// What a rollback library would know.
#[derive(Resource, Default)]
struct Known(Vec<&'static str>);

fn roll_back_component<C: Component + Clone>(app: &mut App) {
    app.world_mut().get_resource_or_init::<Known>().0.push(core::any::type_name::<C>());
}

fn roll_back_resource<R: Resource + Clone>(app: &mut App) {
    app.world_mut().get_resource_or_init::<Known>().0.push(core::any::type_name::<R>());
}

#[test]
fn a_library_is_told_of_all_state() {
    let mut app = App::new();
    roll_back_steering(&mut app);
    let known = &app.world().resource::<Known>().0;
    for name in ["Velocity", "Wander", "PathFollow", "NextAgentId", "SteeringTick"] {
        assert!(known.iter().any(|known| known.ends_with(name)), "{name}");
    }
}
