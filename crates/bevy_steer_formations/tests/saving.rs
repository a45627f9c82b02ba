//! What formations keep can be found by its name, saved, and restored.

use bevy::{
    ecs::{component::Mutable, entity::EntityHashMap},
    prelude::*,
};
use bevy_steer::{Heading, StateData, StateVisitor, Velocity, prelude::*};
use bevy_steer_formations::{
    Formation, FormationMembers, FormationSlot, MemberOf, WaitForMembers, visit_formation_state,
};

use crate::{flat_world, leader, members, patterns, said};

#[test]
fn all_that_is_kept_is_in_the_type_registry() {
    struct Registered<'a>(&'a App, usize);

    impl Registered<'_> {
        fn check<T: Reflect + TypePath>(&mut self) {
            let registry = self.0.world().resource::<AppTypeRegistry>().read();
            let entry = registry.get(core::any::TypeId::of::<T>());
            let is_reflected = entry.is_some_and(|it| it.data::<ReflectComponent>().is_some());
            assert!(is_reflected, "{}", T::short_type_path());
            self.1 += 1;
        }
    }

    impl StateVisitor for Registered<'_> {
        fn component<C: Component<Mutability = Mutable> + StateData>(&mut self) {
            self.check::<C>();
        }
        fn resource<R: Resource<Mutability = Mutable> + StateData>(&mut self) {
            panic!("formations have no resources");
        }
    }

    let sim = flat_world();
    let mut visitor = Registered(&sim.app, 0);
    visit_formation_state(&mut visitor);
    visitor.check::<MemberOf>();
    visitor.check::<FormationMembers>();
    assert_eq!(visitor.1, 5);
}

fn written_and_read<T: serde::Serialize + serde::de::DeserializeOwned>(data: &T) -> T {
    serde_json::from_str(&serde_json::to_string(data).expect("written")).expect("read")
}

/// A world that is loaded while members are on their way goes on like the one that was saved.
#[test]
fn a_saved_formation_goes_on() {
    for pattern in patterns() {
        let mut first = flat_world();
        let anchor = leader(&mut first, pattern.clone());
        first.app.world_mut().entity_mut(anchor).insert(Arrive::new(Vec2::new(20.0, 5.0)));
        let all = members(&mut first, anchor, 7, 1);
        first.run(2.0);

        // Other entities than before.
        let mut second = flat_world();
        (0..5).for_each(|_| _ = second.spawn(Transform::default()));
        let mut map = EntityHashMap::default();
        for &old in [anchor].iter().chain(&all) {
            let new = second.spawn((
                *first.get::<Vehicle>(old),
                *first.get::<Transform>(old),
                *first.get::<Velocity>(old),
                *first.get::<Heading>(old),
                *first.get::<bevy_steer::AgentId>(old),
                *first.get::<SteeringForce>(old),
            ));
            map.insert(old, new);
        }
        let copy = map[&anchor];
        second.app.world_mut().entity_mut(copy).insert((
            written_and_read(first.get::<Formation>(anchor)),
            written_and_read(first.get::<WaitForMembers>(anchor)),
            written_and_read(first.get::<Arrive>(anchor)),
        ));
        for old in &all {
            let mut slot = written_and_read(first.get::<FormationSlot>(*old));
            let mut pursue = written_and_read(first.get::<OffsetPursue>(*old));
            let mut of = written_and_read(first.get::<MemberOf>(*old));
            Component::map_entities(&mut slot, &mut map);
            Component::map_entities(&mut pursue, &mut map);
            Component::map_entities(&mut of, &mut map);
            let avoid = *first.get::<AvoidAgents>(*old);
            second.app.world_mut().entity_mut(map[old]).insert((slot, pursue, of, avoid));
        }
        let tick = *first.app.world().resource::<bevy_steer::SteeringTick>();
        second.app.insert_resource(tick);
        for _ in 0..12 * 64 {
            first.tick();
            second.tick();
            for old in [anchor].iter().chain(&all) {
                let [a, b] = [first.position(*old), second.position(map[old])];
                assert!(a == b, "{pattern:?}: {a} {b}");
            }
        }
        assert_eq!([said(&first).0, said(&second).0], [1, 1], "{pattern:?}");
    }
}
