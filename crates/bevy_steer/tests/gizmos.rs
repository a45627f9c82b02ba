//! What `SteeringGizmosPlugin` draws, read from what it hands to Bevy.
#![cfg(feature = "gizmos")]

mod common;

use std::time::Duration;

use bevy::{prelude::*, time::TimeUpdateStrategy};
use bevy_steer::{
    BehaviorRegistry, DebugLayer, ObstacleShape, Paint, Path, ShowSteeringGizmos, Shown,
    SteeringTrace, Velocity, prelude::*,
};
use common::{
    at,
    drawing::{self, config, drawn},
};

/// An app that draws, without a window.
fn drawing_app(plane: SteeringPlane) -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, SteeringPlugin::new(Update).with_plane(plane)));
    let step = Duration::from_secs_f64(1.0 / 64.0);
    app.insert_resource(TimeUpdateStrategy::ManualDuration(step));
    drawing::begin(&mut app);
    app.update();
    app
}

/// Nothing but what behaviours draw.
fn only_behaviors(app: &mut App) {
    let mut store = config(app);
    let (_, gizmos) = store.config_mut::<SteeringGizmos>();
    (gizmos.force, gizmos.velocity) = (None, None);
}

fn places(app: &mut App) -> Vec<Vec3> {
    drawn(app).into_iter().map(|(place, _)| place).collect()
}

/// An agent with only this behaviour, where it has something to show.
fn spawn_with(world: &mut World, name: &str) -> Entity {
    let prey = world.spawn((Vehicle::default(), Velocity(Vec3::X), at(4.0, 0.0))).id();
    world.spawn((Obstacle::sphere(1.0), at(3.0, 1.0)));
    world.spawn((Wall::new(Vec2::new(2.0, -9.0), Vec2::new(2.0, 9.0)), at(0.0, 0.0)));
    let mut agent = world.spawn((Vehicle::default(), Velocity(Vec3::X * 2.0), at(0.0, 0.0)));
    match name {
        "Seek" => agent.insert(Seek::new(prey)),
        "Flee" => agent.insert(Flee::new(prey).within(9.0)),
        "Arrive" => agent.insert(Arrive::new(Vec2::new(5.0, 5.0))),
        "Pursue" => agent.insert(Pursue::new(prey)),
        "Evade" => agent.insert(Evade::new(prey).within(9.0)),
        "OffsetPursue" => agent.insert(OffsetPursue::new(prey, Vec3::new(-2.0, 1.0, 0.0))),
        "Wander" => agent.insert(Wander::default()),
        "MatchVelocity" => agent.insert(MatchVelocity::new(prey)),
        "AvoidObstacles" => agent.insert(AvoidObstacles::default()),
        "AvoidWalls" => agent.insert(AvoidWalls::default()),
        "AvoidAgents" => agent.insert(AvoidAgents::default()),
        "PathFollow" => agent.insert(PathFollow::new(Path::new([Vec2::X, Vec2::Y, Vec2::ONE]))),
        "Flock" => agent.insert(Flock::new(6.0).with_view_angle(4.0)),
        "Face" => agent.insert(Face::new(prey)),
        "Align" => agent.insert(Align::like(prey)),
        "LookWhereYouGo" => agent.insert(LookWhereYouGo::default()),
        other => panic!("how does one see {other}?"),
    };
    agent.id()
}

fn names(app: &App) -> Vec<&'static str> {
    app.world().resource::<BehaviorRegistry>().iter().map(|behavior| behavior.name).collect()
}

#[test]
fn every_behaviour_draws_itself_in_its_colour_and_nothing_while_it_is_off() {
    for plane in SteeringPlane::ALL {
        for (index, name) in names(&drawing_app(plane)).into_iter().enumerate() {
            let mut app = drawing_app(plane);
            only_behaviors(&mut app);
            let agent = spawn_with(app.world_mut(), name);
            let lines = drawn(&mut app);
            assert!(lines.len() > 1, "{name} draws nothing in {plane:?}");
            let own = LinearRgba::from(SteeringGizmos::default_color(index));
            for (place, color) in lines {
                assert!(place.is_finite(), "{name} in {plane:?}: {place}");
                let hue = [color.red, color.green, color.blue];
                assert_eq!(hue, [own.red, own.green, own.blue], "{name} in {plane:?}");
            }

            let mut store = config(&mut app);
            store.config_mut::<SteeringGizmos>().1.behaviors.insert(name.to_owned(), None);
            assert_eq!(drawn(&mut app), [], "{name} is left out");
            config(&mut app).config_mut::<SteeringGizmos>().1.behaviors.clear();

            app.world_mut().resource_scope(|world: &mut World, registry: Mut<BehaviorRegistry>| {
                let mut agent = world.entity_mut(agent);
                registry.get(index).unwrap().edit_blend(&mut agent, |blend| blend.enabled = false);
            });
            assert_eq!(drawn(&mut app), [], "{name} is switched off");
        }
    }
}

#[test]
fn a_pursuers_target_is_shown_where_it_is_and_where_it_is_expected() {
    let mut app = drawing_app(SteeringPlane::Xy);
    only_behaviors(&mut app);
    let world = app.world_mut();
    let target = world.spawn((Velocity(Vec3::Y * 2.0), at(13.0, 1.0))).id();
    let pursue = Pursue::new(target).with_prediction(Prediction::Distance);
    world.spawn((Vehicle::default(), pursue, at(3.0, 1.0)));
    let places = places(&mut app);
    // It takes two seconds to where the target is, in which the target goes on by four units.
    for expected in [Vec3::new(3.0, 1.0, 0.0), Vec3::new(13.0, 1.0, 0.0), Vec3::new(13.0, 5.0, 0.0)]
    {
        let off = places.iter().map(|place| place.distance(expected)).fold(9.0, f32::min);
        assert!(off < 0.02, "nothing at {expected}: {places:?}");
    }
}

#[test]
fn the_force_is_a_red_arrow_in_proportion_to_what_the_agent_can() {
    let mut app = drawing_app(SteeringPlane::Xy);
    config(&mut app).config_mut::<SteeringGizmos>().1.velocity = None;
    let vehicle = Vehicle::new(8.0).with_max_force(2.0).with_radius(0.1);
    let seek = Seek::new(Vec2::new(3.0, 900.0));
    let agent = app.world_mut().spawn((vehicle, seek, at(3.0, 0.0))).id();
    config(&mut app).config_mut::<SteeringGizmos>().1.set_color::<Seek>(None);
    let lines = drawn(&mut app);
    let from = app.world().get::<Transform>(agent).unwrap().translation;
    assert!(lines.iter().any(|(place, _)| *place == from));
    // A shaft and the two halves of a tip.
    assert_eq!(lines.len(), 6, "{lines:?}");
    // The force is all it has, so the arrow reaches half a second of its top speed.
    let tip = from + Vec3::Y * 4.0;
    assert!(lines.iter().any(|(place, _)| place.distance(tip) < 1e-3), "{lines:?}");
    for (_, color) in lines {
        assert!(color.red > 3.0 * color.green && color.red > 3.0 * color.blue, "{color:?}");
    }
}

#[test]
fn only_marked_agents_are_drawn_if_so_wished() {
    let mut app = drawing_app(SteeringPlane::Xy);
    config(&mut app).config_mut::<SteeringGizmos>().1.shown = Shown::Marked;
    let agent = app.world_mut().spawn((Vehicle::default(), Wander::default(), at(0.0, 0.0))).id();
    assert_eq!(drawn(&mut app), []);
    app.world_mut().entity_mut(agent).insert(ShowSteeringGizmos);
    assert!(drawn(&mut app).len() > 20);
    config(&mut app).config_mut::<SteeringGizmos>().0.enabled = false;
    assert_eq!(drawn(&mut app), []);
}

#[test]
fn parts_are_switched_and_coloured_by_themselves() {
    let mut app = drawing_app(SteeringPlane::Xy);
    only_behaviors(&mut app);
    spawn_with(app.world_mut(), "Flock");
    let all = drawn(&mut app).len();
    config(&mut app).config_mut::<SteeringGizmos>().1.ranges = Paint::Off;
    let without_ranges = drawn(&mut app).len();
    assert!(without_ranges > 2 && without_ranges < all, "{without_ranges} of {all}");
    let mut store = config(&mut app);
    let (_, gizmos) = store.config_mut::<SteeringGizmos>();
    (gizmos.views, gizmos.links) = (Paint::Off, Paint::Color(Color::WHITE));
    let links = drawn(&mut app);
    assert_eq!(links.len(), 2);
    assert!(links.iter().all(|(_, color)| *color == LinearRgba::WHITE));
}

#[test]
fn agents_are_drawn_where_their_transform_is_when_the_frame_is_drawn() {
    let mut app = drawing_app(SteeringPlane::Xy);
    let agent = app.world_mut().spawn((Vehicle::default(), Wander::default())).id();
    // As something would that moves it between its last two places.
    app.add_systems(PostUpdate, move |mut transforms: Query<&mut Transform>| {
        transforms.get_mut(agent).unwrap().translation = Vec3::new(50.0, 7.0, 0.0);
    });
    for place in places(&mut app) {
        assert!(place.distance(Vec3::new(50.0, 7.0, 0.0)) < 10.0, "{place}");
    }
}

#[test]
fn what_arbitration_let_through_is_drawn_of_traced_agents() {
    let mut app = drawing_app(SteeringPlane::Xy);
    let mut store = config(&mut app);
    let (_, gizmos) = store.config_mut::<SteeringGizmos>();
    (gizmos.force, gizmos.velocity, gizmos.targets) = (None, None, Paint::Off);
    let agent = app.world_mut().spawn((Vehicle::default(), Seek::new(Vec2::X * 50.0))).id();
    assert_eq!(drawn(&mut app), []);
    app.world_mut().entity_mut(agent).insert(SteeringTrace::default());
    assert!(drawn(&mut app).len() >= 4);
}

#[test]
fn the_surroundings_are_drawn_if_they_have_a_colour() {
    let mut app = drawing_app(SteeringPlane::Xy);
    let world = app.world_mut();
    let edges = Bounds::rect(Vec2::splat(-8.0), Vec2::splat(8.0), BoundsEdge::Wrap);
    world.insert_resource(WorldBounds(edges));
    world.spawn((Wall::new(Vec2::ZERO, Vec2::X * 3.0), at(0.0, 5.0)));
    for shape in [
        Obstacle::sphere(1.0),
        Obstacle::rect(Vec2::ONE),
        Obstacle::capsule(0.5, 1.0),
        Obstacle { shape: ObstacleShape::Segment { start: Vec3::ZERO, end: Vec3::X } },
    ] {
        world.spawn((shape, at(-3.0, -3.0)));
    }
    assert_eq!(drawn(&mut app), []);
    let mut count = 0;
    for part in 0..3 {
        let mut store = config(&mut app);
        let (_, gizmos) = store.config_mut::<SteeringGizmos>();
        *[&mut gizmos.obstacles, &mut gizmos.walls, &mut gizmos.bounds][part] = Some(Color::WHITE);
        let now = drawn(&mut app).len();
        assert!(now > count, "part {part}: {now} after {count}");
        count = now;
    }
    assert!(places(&mut app).iter().all(|place| place.abs().max_element() <= 8.0));
}

/// A behaviour that a game brings along.
#[derive(Component, Reflect, Clone, Debug, Default)]
#[reflect(Component, Default)]
struct Circle {
    blend: Blend,
}

impl SteeringBehavior for Circle {
    type Param = ();
    const PRIORITY: Priority = Priority::Normal;
    bevy_steer::blend_field!();
    fn steer(&mut self, _: &Agent, (): &()) -> Steering {
        Steering::NONE
    }
    fn debug_draw(&self, agent: &Agent, (): &(), sketch: &mut DebugDraw) {
        sketch.circle(DebugLayer::Path, agent.position, 2.0);
    }
}

#[test]
fn a_behaviour_of_the_game_draws_itself_whenever_it_was_registered() {
    let mut app = drawing_app(SteeringPlane::Xy);
    app.add_steering_behavior::<Circle>();
    only_behaviors(&mut app);
    app.world_mut().spawn((Vehicle::default(), Circle::default(), at(0.0, 0.0)));
    let rim = places(&mut app);
    assert!(rim.len() > 16);
    assert!(rim.iter().all(|place| (place.length() - 2.0).abs() < 1e-3), "{rim:?}");
}

#[test]
fn drawing_tells_nobody_and_changes_nothing() {
    #[derive(Resource, Default)]
    struct Lost(u32);
    let mut app = drawing_app(SteeringPlane::Xy);
    app.init_resource::<Lost>()
        .add_observer(|_: On<TargetLost>, mut lost: ResMut<Lost>| lost.0 += 1);
    let prey = app.world_mut().spawn((Vehicle::default(), at(3.0, 0.0))).id();
    app.world_mut().spawn((Vehicle::default(), Pursue::new(prey), at(0.0, 0.0)));
    app.update();
    app.world_mut().despawn(prey);
    for _ in 0..5 {
        app.update();
    }
    assert_eq!(app.world().resource::<Lost>().0, 1);
}

#[test]
fn nonsense_draws_nothing_that_is_not_finite() {
    let mut app = drawing_app(SteeringPlane::Free);
    let world = app.world_mut();
    for name in ["Wander", "Flock", "Seek", "AvoidObstacles", "AvoidAgents"] {
        let agent = spawn_with(world, name);
        world.get_mut::<Vehicle>(agent).unwrap().radius = f32::NAN;
    }
    world.spawn((Vehicle::default(), Transform::from_translation(Vec3::NAN), Wander::default()));
    world.spawn((Vehicle::default(), Flock::new(f32::INFINITY)));
    world.spawn((Vehicle::default(), Seek::new(Vec3::INFINITY)));
    world.spawn((Obstacle::sphere(f32::NAN), Transform::default()));
    drawing::show_everything(&mut app);
    for _ in 0..3 {
        assert!(places(&mut app).iter().all(|place| place.is_finite()));
    }
}
