//! Scenes with hunters: they stay at the group and give up on stragglers.

use bevy::prelude::*;
use bevy_steer::prelude::*;
use bevy_steer_examples::gallery::{
    hunt::Hunt,
    scene::View,
    scenes,
    stage::{ARENA, GROUND, TANK},
};

use super::play::Play;

/// A hunter in a corner is this near to two walls, as a share of half the world's size.
const CORNER: f32 = 0.8;

#[test]
fn hunters_leave_stragglers_and_corners() {
    for (name, wraps) in [("ground", false), ("school", false), ("predator", true)] {
        let view = scenes::find(name).unwrap().view;
        let mut play = Play::new(name);
        let (mut ticks, mut with_company, mut cornered) = (0, 0, 0);
        play.run(5.0);
        play.watch(90.0, |world| {
            ticks += 1;
            let mut hunters = world.query::<(&Hunt, &Pursue, &Transform)>();
            let (hunt, pursue, at) = hunters.single(world).unwrap();
            let (company, hunter) = (hunt.company, at.translation);
            let Target::Entity(victim) = pursue.target else { panic!("{name}: no victim") };
            let victim = world.get::<Transform>(victim).unwrap().translation;
            let mut prey = world.query_filtered::<&Transform, With<Evade>>();
            let near = |at: &&Transform| at.translation.distance(victim) < company;
            with_company += u32::from(prey.iter(world).filter(near).count() > 2);
            let half = match view {
                View::Flat => ARENA.extend(1.0),
                View::Ground => GROUND.extend(1.0).xzy(),
                View::Space => TANK,
            };
            let walls = (hunter.abs() / half).to_array().iter().filter(|x| **x > CORNER).count();
            cornered += u32::from(walls >= 2);
        });
        let [with_company, cornered] = [with_company, cornered].map(|n| n as f32 / ticks as f32);
        assert!(with_company > 0.8, "{name}: its victim has company for {with_company}");
        assert!(wraps || cornered < 0.25, "{name}: in a corner for {cornered} of the time");
    }
}
