//! `Several`: more than one behaviour of a kind on an agent.

use core::any::TypeId;

use bevy::{ecs::component::Mutable, prelude::*, reflect::GetPath};
use bevy_steer::{
    AngularVelocity, BehaviorVisitor, StateData, StateVisitor, SteeringTrace, prelude::*,
    visit_built_in_behaviors, visit_state,
};

use crate::common::{
    Seen, Sim, at,
    random_behaviors::{count, example},
    strong, watch,
};

#[test]
fn two_seeks_are_weighted_and_switched_by_themselves() {
    let mut sim = Sim::without_motion();
    let seeks = [
        Seek::new(Vec2::X * 9.0),
        Seek::new(Vec2::Y * 9.0).with_weight(0.5),
        Seek::new(Vec2::NEG_X).disabled(),
    ];
    let agent = sim.spawn((strong(4.0), Several::new(seeks), SteeringTrace::default()));
    sim.tick();
    assert_eq!(sim.wish(agent), Vec3::new(4.0, 2.0, 0.0));
    let trace = sim.get::<SteeringTrace>(agent);
    let parts: Vec<_> = trace.iter().map(|part| (part.place, part.correction)).collect();
    assert_eq!(parts, [(Some(0), Vec3::X * 4.0), (Some(1), Vec3::Y * 4.0)]);
    // Beside one of the usual kind, which comes first.
    sim.app.world_mut().entity_mut(agent).insert(Seek::new(Vec2::NEG_X));
    sim.tick();
    assert_eq!(sim.wish(agent), Vec3::new(0.0, 2.0, 0.0));
    assert_eq!(sim.get::<SteeringTrace>(agent).iter().next().unwrap().place, None);
}

/// Compares each behaviour with one that is the only one of several.
struct Compare(usize);

impl BehaviorVisitor for Compare {
    fn visit<B: SteeringBehavior + StateData + Default>(&mut self) {
        let forces = [false, true].map(|is_several| {
            let mut sim = Sim::new();
            let velocity = bevy_steer::Velocity(Vec3::new(0.5, 1.0, 0.0));
            let target = sim.spawn((Vehicle::default(), velocity, at(3.0, 2.0)));
            sim.spawn((Obstacle::sphere(1.0), at(2.5, 0.5)));
            let behavior = example::<B>(target);
            let body = (Vehicle::default(), bevy_steer::Velocity(Vec3::X * 3.0));
            let agent = sim.spawn(body);
            let mut agent = sim.app.world_mut().entity_mut(agent);
            if is_several {
                agent.insert(Several::new([behavior]));
            } else {
                agent.insert(behavior);
            }
            let agent = agent.id();
            sim.run(0.1);
            *sim.get::<SteeringForce>(agent)
        });
        let [one, several] = forces;
        let difference =
            (one.linear - several.linear).length() + (one.angular - several.angular).length();
        // The flocks of an agent that has several are not computed in lanes.
        let tolerance = if B::name() == "Flock" { 1e-3 } else { 0.0 };
        assert!(difference <= tolerance, "{}: {one:?} {several:?}", B::name());
        self.0 += usize::from(one != SteeringForce::default());
    }
}

#[test]
fn each_behavior_does_the_same_as_one_of_several() {
    let mut compare = Compare(0);
    visit_built_in_behaviors(&mut compare);
    assert!(compare.0 + 3 >= count() as usize, "only {} do anything", compare.0);
}

#[test]
fn each_of_several_has_its_memory_and_events() {
    let mut sim = Sim::new();
    watch(&mut sim.app);
    let prey = [at(9.0, 0.0), at(0.0, 9.0)].map(|place| sim.spawn(place));
    let pursuits = Several::new(prey.map(Pursue::new));
    let agent = sim.spawn((Vehicle::default(), pursuits));
    sim.tick();
    sim.app.world_mut().despawn(prey[1]);
    sim.tick();
    sim.app.world_mut().despawn(prey[0]);
    sim.run(0.1);
    let lost = [prey[1], prey[0]].map(|prey| format!("TargetLost {prey:?}"));
    assert_eq!(sim.app.world().resource::<Seen>().0, lost);
    let memories: Vec<_> =
        sim.get::<Several<Pursue>>(agent).iter().map(|one| one.memory.lost).collect();
    assert_eq!(memories, prey.map(Some));
}

#[test]
fn several_find_nearest_targets_in_their_first_tick() {
    let mut sim = Sim::without_motion();
    let [wolf, bear] = [1, 2].map(SteeringLayers::layer);
    sim.spawn((wolf, at(3.0, 0.0)));
    sim.spawn((bear, at(0.0, 3.0)));
    let evades = [wolf, bear].map(|layer| Evade::new(Target::nearest(layer, 9.0)));
    let agent = sim.spawn((strong(4.0), Several::new(evades)));
    sim.tick();
    let wish = sim.wish(agent);
    assert!((wish - Vec3::new(-4.0, -4.0, 0.0)).length() < 1e-3, "{wish}");
}

/// A behaviour of a game.
#[derive(Component, Reflect, Default)]
#[reflect(Component)]
#[require(AngularVelocity)]
struct Drift {
    way: Vec3,
    blend: Blend,
}

impl SteeringBehavior for Drift {
    type Param = ();
    const PRIORITY: Priority = Priority::Low;
    bevy_steer::blend_field!();

    fn steer(&mut self, _: &Agent, (): &ParamOf<Self>) -> Steering {
        Steering::linear(self.way)
    }
}

#[test]
fn a_game_has_several_of_its_own_behavior_by_one_registration() {
    let mut sim = Sim::without_motion();
    sim.app.add_steering_behavior::<Drift>();
    let drift = |way| Drift { way, ..default() };
    let agent = sim.spawn((strong(9.0), Several::new([drift(Vec3::X), drift(Vec3::Y * 2.0)])));
    sim.tick();
    assert_eq!(sim.wish(agent), Vec3::new(1.0, 2.0, 0.0));
    // What the behaviour requires comes with it.
    assert!(sim.app.world().get::<AngularVelocity>(agent).is_some());
}

#[test]
fn several_are_found_by_reflection_and_by_the_state_visitor() {
    #[derive(Default)]
    struct Kinds(usize);
    impl StateVisitor for Kinds {
        fn component<C: Component<Mutability = Mutable> + StateData>(&mut self) {
            self.0 += usize::from(C::type_path().contains("Several<"));
        }
        fn resource<R: Resource<Mutability = Mutable> + StateData>(&mut self) {}
    }
    let mut kinds = Kinds::default();
    visit_state(&mut kinds);
    // And the wishes.
    assert_eq!(kinds.0, count() as usize + 1);

    let mut sim = Sim::new();
    let agent = sim.spawn((Vehicle::default(), Several::new([Seek::new(Vec2::X)])));
    let registry = sim.app.world().resource::<AppTypeRegistry>().clone();
    let registry = registry.read();
    let component = registry.get_type_data::<ReflectComponent>(TypeId::of::<Several<Seek>>());
    let component = component.expect("a registered type");
    let mut entity = sim.app.world_mut().entity_mut(agent);
    let mut several = component.reflect_mut(&mut entity).expect("it has some");
    let weight = several.reflect_path_mut(".0[0].blend.weight").expect("a path");
    *weight.try_downcast_mut::<f32>().unwrap() = 3.0;
    assert_eq!(sim.get::<Several<Seek>>(agent)[0].blend.weight, 3.0);
}
