//! It does not matter in which order entities were spawned and components inserted.

use bevy::prelude::*;
use bevy_steer::prelude::*;
use proptest::prelude::*;

use crate::{
    common::{
        Sim, at, fingerprint,
        hostile::bits,
        rng::{TestRng, cases},
        worlds::{Plan, plans},
    },
    determinism::scenes::{self, SCENES, TICKS},
};

#[test]
fn scenes_do_not_depend_on_spawn_order() {
    for (scene, print) in SCENES.iter().zip(scenes::prints()) {
        let (shuffled, _) = scene.play(TICKS, Some(7), |_| ());
        assert_eq!(shuffled, *print, "{}", scene.name);
    }
}

proptest! {
    #![proptest_config(cases(48))]

    #[test]
    fn random_worlds_do_not_depend_on_spawn_order(plan in plans(40), order in any::<u64>()) {
        let shuffled = Plan { order: Some(order), ..plan.clone() };
        prop_assert_eq!(fingerprint::run(&shuffled, 1, 60), fingerprint::run(&plan, 1, 60));
    }
}

#[test]
fn obstacle_order_does_not_matter() {
    let run = |order: u64| {
        let mut sim = Sim::new();
        let mut rng = TestRng::new(4, 4);
        // A heap: the agent is inside of several at once, and feels surfaces equally far away.
        let mut heap: Vec<(Obstacle, Transform)> = (0..12)
            .map(|i| {
                let size = Vec3::splat(2.0 + (i % 3) as f32);
                let shape =
                    if i % 2 == 0 { Obstacle::sphere(size.x) } else { Obstacle::cuboid(size) };
                let place = Transform::from_translation(rng.point(2.0).round());
                (shape, place.with_rotation(Quat::from_rotation_z(rng.number(0.0..3.0))))
            })
            .collect();
        TestRng::new(order, 0).shuffle(&mut heap);
        sim.app.world_mut().spawn_batch(heap);
        let walls = AvoidWalls::default();
        let agent = sim.spawn((Vehicle::default(), AvoidObstacles::default(), walls, at(0.3, 0.1)));
        let mut way = Vec::new();
        sim.run_with(0.5, |world| {
            way.push(bits(world.get::<Transform>(agent).unwrap().translation));
        });
        way
    };
    let first = run(0);
    assert!(first.first() != first.last(), "it moves");
    for order in 1..20 {
        assert_eq!(run(order), first, "order {order}");
    }
}
