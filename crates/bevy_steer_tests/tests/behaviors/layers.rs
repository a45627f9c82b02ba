//! What avoids and feels looks at layers, and at everything that moves.

use bevy::prelude::*;
use bevy_steer::{Velocity, prelude::*};

use crate::{
    behaviors::wish_in,
    common::{Sim, at, strong},
};

const DOOR: SteeringLayers = SteeringLayers::layer(3);
const WALLS: SteeringLayers = SteeringLayers::layer(4);

/// What an agent at the origin that goes along `x` requests, with something in its way.
fn wish(avoid: impl Bundle, thing: impl Bundle) -> Vec3 {
    wish_in(SteeringPlane::Xy, avoid, thing)
}

#[test]
fn only_obstacles_in_given_layers_are_avoided() {
    let stone = |layers| (Obstacle::sphere(1.0).with_layers(layers), at(4.0, 0.2));
    let avoid = AvoidObstacles::default();
    assert_ne!(wish(avoid, stone(DOOR)), Vec3::ZERO);
    assert_ne!(wish(avoid.with_layers(DOOR), stone(SteeringLayers::ALL)), Vec3::ZERO);
    assert_ne!(wish(avoid.with_layers(DOOR), stone(DOOR)), Vec3::ZERO);
    assert_eq!(wish(avoid.with_layers(WALLS), stone(DOOR)), Vec3::ZERO);
}

#[test]
fn feelers_feel_only_given_layers() {
    let wall = |layers| Wall::new(Vec2::new(2.0, -9.0), Vec2::new(2.0, 9.0)).with_layers(layers);
    let stone = |layers| (Obstacle::sphere(1.0).with_layers(layers), at(2.0, 0.2));
    let beside = |layers| Wall::new(Vec2::new(-9.0, 0.3), Vec2::new(9.0, 0.3)).with_layers(layers);
    let avoid = AvoidWalls::default();
    for (mask, layers, is_felt) in [
        (SteeringLayers::ALL, DOOR, true),
        (DOOR, SteeringLayers::ALL, true),
        (DOOR, DOOR, true),
        (WALLS, DOOR, false),
    ] {
        let avoid = avoid.with_layers(mask);
        assert_eq!(wish(avoid, wall(layers)) != Vec3::ZERO, is_felt, "{mask:?} {layers:?}");
        assert_eq!(wish(avoid, stone(layers)) != Vec3::ZERO, is_felt, "{mask:?} {layers:?}");
        assert_eq!(wish(avoid, beside(layers)) != Vec3::ZERO, is_felt, "{mask:?} {layers:?}");
    }
}

#[test]
fn agents_dodge_into_walls_of_other_layers_only() {
    let dodge = |avoid: AvoidAgents| {
        let mut sim = Sim::new();
        let (way, goal) = (Velocity(Vec3::X * 4.0), Seek::new(Vec2::new(40.0, 0.0)));
        let agent = sim.spawn((Vehicle::default(), avoid, goal, way));
        sim.spawn((Vehicle::default(), at(5.0, 0.6)));
        let wall = Wall::new(Vec2::new(-9.0, -0.7), Vec2::new(9.0, -0.7)).with_layers(DOOR);
        sim.spawn(wall);
        let mut lowest = 0.0_f32;
        sim.run_with(3.0, |world| {
            lowest = lowest.min(world.get::<Transform>(agent).unwrap().translation.y);
        });
        lowest
    };
    let avoid = AvoidAgents::default();
    assert!(dodge(avoid.with_surfaces(WALLS)) < -0.4);
    assert!(dodge(avoid.with_surfaces(DOOR)) > -0.2);
}

#[test]
fn a_moving_thing_without_a_vehicle_is_avoided() {
    let way = || Velocity(Vec3::X * -4.0);
    let avoid = AvoidAgents::default();
    let layers = SteeringLayers::default();
    let player = || (layers, way(), at(5.0, 0.1));
    let from_player = wish(avoid, player());
    // An agent would do a half of it.
    let from_agent = wish(avoid, (strong(5.0), avoid, way(), at(5.0, 0.1)));
    assert!(from_player.length() > 1.3 * from_agent.length(), "{from_player} {from_agent}");
    assert_eq!(wish(avoid.with_layers(DOOR), player()), Vec3::ZERO);
    assert_eq!(wish(avoid, (layers, at(5.0, 0.1))), Vec3::ZERO, "a lure is no body");
}

#[test]
fn agents_get_out_of_the_way_of_a_scripted_player() {
    let mut sim = Sim::new();
    let player = sim.spawn((SteeringLayers::default(), Velocity(Vec3::X * 4.0), at(-12.0, 0.1)));
    let stand = Arrive::new(Vec2::ZERO);
    let agent = sim.spawn((Vehicle::default(), AvoidAgents::default(), stand, at(0.0, 0.0)));
    let mut least = f32::MAX;
    sim.run_with(6.0, |world| {
        let velocity = world.get::<Velocity>(player).unwrap().0;
        world.get_mut::<Transform>(player).unwrap().translation += velocity / 64.0;
        let place = |entity| world.get::<Transform>(entity).unwrap().translation;
        least = least.min(place(player).distance(place(agent)));
    });
    assert!(least > 0.95, "{least}");
}
