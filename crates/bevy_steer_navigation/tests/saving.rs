//! What navigation keeps can be found by its name, saved, and restored.

use bevy::{ecs::component::Mutable, prelude::*};
use bevy_steer::{PathFollow, StateData, StateVisitor, Velocity, prelude::*};
use bevy_steer_navigation::{
    FlowFollow, GridFlow, NavigateTo, NavigationSettings, NavigationStatus, ObstacleGrid,
    StandOnMap, visit_navigation_state,
};
use bevy_steer_tests::{Sim, at};

use crate::{flat_world, status};

#[test]
fn all_that_is_kept_is_in_the_type_registry() {
    struct Registered<'a>(&'a App, usize);

    impl Registered<'_> {
        fn check<T: Reflect + TypePath>(
            &mut self,
            is_reflected: fn(&bevy::reflect::TypeRegistration) -> bool,
        ) {
            let registry = self.0.world().resource::<AppTypeRegistry>().read();
            let entry = registry.get(core::any::TypeId::of::<T>());
            assert!(entry.is_some_and(is_reflected), "{}", T::short_type_path());
            self.1 += 1;
        }
    }

    impl StateVisitor for Registered<'_> {
        fn component<C: Component<Mutability = Mutable> + StateData>(&mut self) {
            self.check::<C>(|entry| entry.data::<ReflectComponent>().is_some());
        }
        fn resource<R: Resource<Mutability = Mutable> + StateData>(&mut self) {
            self.check::<R>(|entry| entry.data::<ReflectResource>().is_some());
        }
    }

    let sim = flat_world();
    let mut visitor = Registered(&sim.app, 0);
    visit_navigation_state(&mut visitor);
    assert_eq!(visitor.1, 7);
}

fn written_and_read<T: serde::Serialize + serde::de::DeserializeOwned>(data: &T) -> T {
    serde_json::from_str(&serde_json::to_string(data).expect("written")).expect("read")
}

#[test]
fn a_grid_without_heights_is_read_back() {
    let grid = ObstacleGrid::default();
    assert_eq!(written_and_read(&grid), grid);
}

fn room(sim: &mut Sim) {
    sim.spawn(Wall::new(Vec2::new(20.0, 6.0), Vec2::new(20.0, 30.0)));
    sim.spawn(ObstacleGrid::new(Vec2::ZERO, Vec2::splat(40.0), 0.5));
}

/// A world that goes on from what was written while a plan was being made moves like the first one.
#[test]
fn a_world_that_is_saved_while_planning_goes_on() {
    for seconds in [0.02, 0.05, 1.0, 3.0] {
        let mut first = flat_world();
        room(&mut first);
        let navigate = NavigateTo::new(Vec2::new(30.0, 10.0)).with_replan_every(0.1);
        let agent = first.spawn((Vehicle::new(4.0), navigate, at(10.0, 10.0)));
        first.run(seconds);

        let mut second = flat_world();
        room(&mut second);
        // The map is there, and its first version.
        second.tick();
        let copy = second.spawn((
            *first.get::<Vehicle>(agent),
            written_and_read(first.get::<NavigateTo>(agent)),
            written_and_read(first.get::<PathFollow>(agent)),
            *first.get::<Transform>(agent),
            *first.get::<Velocity>(agent),
            *first.get::<bevy_steer::Heading>(agent),
        ));
        let tick = *first.app.world().resource::<bevy_steer::SteeringTick>();
        second.app.insert_resource(tick);
        assert_eq!(second.get::<NavigateTo>(copy), first.get::<NavigateTo>(agent));
        for _ in 0..12 * 64 {
            first.tick();
            second.tick();
            let [a, b] = [first.position(agent), second.position(copy)];
            assert!(a == b, "{a} {b}, saved after {seconds} s");
        }
        assert_eq!(status(&second, copy), NavigationStatus::Finished);
    }
}

#[test]
fn settings_and_maps_are_written_and_read() {
    let grid = ObstacleGrid::new(Vec2::ZERO, Vec2::ONE, 0.5);
    assert_eq!(
        written_and_read(&grid.clone().between_heights(1.0, 3.0)),
        grid.between_heights(1.0, 3.0)
    );
    let stand = StandOnMap::default().with_offset(2.0);
    assert_eq!(written_and_read(&stand), stand);
    let settings = NavigationSettings::default();
    assert_eq!(written_and_read(&settings), settings);
}

/// Rollback restores components, which counts as a change of them. What is built is built in the
/// same ticks as where nothing was restored.
#[test]
fn a_component_that_is_restored_has_not_changed() {
    let places = |restores: bool| {
        let mut sim = flat_world();
        let goal = sim.spawn(at(30.0, 10.0));
        let grid = ObstacleGrid::new(Vec2::ZERO, Vec2::splat(40.0), 0.5);
        let map = sim.spawn((grid, GridFlow::new(goal)));
        let wall = sim.spawn(Wall::new(Vec2::new(20.0, 6.0), Vec2::new(20.0, 30.0)));
        let agents = [4.0, 12.0, 30.0].map(|y| {
            sim.spawn((Vehicle::new(4.0), FlowFollow::default(), AvoidWalls::default(), at(8.0, y)))
        });
        for tick in 0..4 * 64 {
            sim.tick();
            sim.get_mut::<Transform>(goal).translation.y += 0.1;
            if tick == 37 {
                sim.get_mut::<Wall>(wall).end = Vec2::new(20.0, 38.0).into();
            }
            if restores && tick % 5 == 0 {
                let flow = sim.get::<GridFlow>(map).clone();
                *sim.get_mut::<GridFlow>(map) = flow;
                let grid = sim.get::<ObstacleGrid>(map).clone();
                *sim.get_mut::<ObstacleGrid>(map) = grid;
            }
        }
        agents.map(|agent| sim.position(agent).to_array().map(f32::to_bits))
    };
    assert_eq!(places(true), places(false));
}
