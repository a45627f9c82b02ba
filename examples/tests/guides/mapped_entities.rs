use bevy::prelude::*;
use bevy_steer::{Memory, TargetMemory, prelude::*};

#[derive(Component, Reflect, Clone, Debug, Default)]
#[reflect(Component)]
struct Orbit {
    #[entities]
    target: Target,
    #[entities]
    memory: Memory<TargetMemory>,
    blend: Blend,
}

#[test]
fn targets_and_what_is_known_of_them_are_mapped() {
    let [old, new] = [1, 2].map(|i| Entity::from_raw_u32(i).unwrap());
    let mut orbit = Orbit { target: old.into(), ..default() };
    Component::map_entities(&mut orbit, &mut (old, new));
    assert_eq!(orbit.target, new.into());
}
