//! What `SteeringGizmosPlugin` draws, read from what it hands to Bevy.

use std::time::Duration;

use bevy::{prelude::*, time::TimeUpdateStrategy};
use bevy_steer::{
    BehaviorRegistry, DebugLayer, ObstacleShape, Paint, ShowSteeringGizmos, Shown, SteeringTrace,
    Velocity, prelude::*,
};

use crate::common::{
    at,
    drawing::{self, config, drawn},
    random_behaviors::{self, give_example},
};

/// An app that draws what agents do, but not what is around them, without a window.
fn drawing_app(plane: SteeringPlane) -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, SteeringPlugin::new(Update).with_plane(plane)));
    let step = Duration::from_secs_f64(1.0 / 64.0);
    app.insert_resource(TimeUpdateStrategy::ManualDuration(step));
    drawing::begin(&mut app);
    app.update();
    let mut store = config(&mut app);
    let (_, gizmos) = store.config_mut::<SteeringGizmos>();
    (gizmos.obstacles, gizmos.walls, gizmos.bounds) = (None, None, None);
    app
}

/// Nothing but what behaviours draw.
fn only_behaviors(app: &mut App) {
    let mut store = config(app);
    let (_, gizmos) = store.config_mut::<SteeringGizmos>();
    (gizmos.force, gizmos.velocity, gizmos.limits) = (None, None, Paint::Off);
}

fn places(app: &mut App) -> Vec<Vec3> {
    drawn(app).into_iter().map(|(place, _)| place).collect()
}

/// An agent with something around it, and the target that it may have.
fn spawn_agent(world: &mut World) -> (Entity, Entity) {
    let target = world.spawn((Vehicle::default(), Velocity(Vec3::X), at(4.0, 0.0))).id();
    world.spawn((Obstacle::sphere(1.0), at(3.0, 1.0)));
    world.spawn((Wall::new(Vec2::new(2.0, -9.0), Vec2::new(2.0, 9.0)), at(0.0, 0.0)));
    let agent = world.spawn((Vehicle::default(), Velocity(Vec3::X * 2.0), at(0.0, 0.0)));
    (agent.id(), target)
}

/// An agent with only the behaviour at this place of the built-in ones, where it has something to
/// show.
fn spawn_with(world: &mut World, behavior: usize) -> Entity {
    let (agent, target) = spawn_agent(world);
    give_example(&mut world.entity_mut(agent), behavior as u32, target);
    agent
}

fn names(app: &App) -> Vec<&'static str> {
    app.world().resource::<BehaviorRegistry>().iter().map(|behavior| behavior.name).collect()
}

#[test]
fn every_behavior_draws_in_its_colour_while_enabled() {
    for plane in SteeringPlane::ALL {
        // The first is the wishes of a game.
        for (index, name) in names(&drawing_app(plane)).into_iter().enumerate().skip(1) {
            let mut app = drawing_app(plane);
            only_behaviors(&mut app);
            let agent = spawn_with(app.world_mut(), index - 1);
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
fn pursue_draws_the_present_and_the_predicted_target() {
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
fn force_arrows_are_relative_to_max_force() {
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
fn shown_marked_draws_only_marked_agents() {
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
fn layers_are_painted_separately() {
    let mut app = drawing_app(SteeringPlane::Xy);
    only_behaviors(&mut app);
    let (agent, _) = spawn_agent(app.world_mut());
    app.world_mut().entity_mut(agent).insert(Flock::new(6.0).with_view_angle(4.0));
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
fn drawing_uses_the_transform_of_the_frame() {
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
fn traced_agents_draw_their_accepted_contributions() {
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
fn limits_that_take_something_are_drawn_with_a_line_to_their_source() {
    let mut app = drawing_app(SteeringPlane::Xy);
    config(&mut app).config_mut::<SteeringGizmos>().1.limits = Paint::Color(Color::WHITE);
    let rock = Vec3::new(4.0, 0.0, 0.0);
    app.world_mut().spawn((Obstacle::sphere(1.0), Transform::from_translation(rock)));
    // It wishes nothing itself: the agent runs at the rock and is stopped.
    let avoid = AvoidObstacles::default().with_weight(0.0);
    let vehicle = Vehicle::default();
    let east = app.world_mut().spawn((Transform::default(), Velocity(Vec3::X * 5.0))).id();
    let agent = app.world_mut().spawn((vehicle, MatchVelocity::new(east), avoid)).id();
    let is_white = |color: LinearRgba| color.red == 1.0 && color.green == 1.0 && color.blue == 1.0;
    let white = |app: &mut App| -> Vec<Vec3> {
        let limits = |(place, color)| is_white(color).then_some(place);
        drawn(app).into_iter().filter_map(limits).collect()
    };
    assert_eq!(white(&mut app), []);
    for _ in 0..150 {
        app.update();
    }
    let untraced = white(&mut app);
    let from = app.world().get::<Transform>(agent).unwrap().translation;
    // The edge is across the way to the rock, near the tip of a velocity that is nearly zero.
    let across = |place: &Vec3| (place.x - from.x).abs() < 0.2 && place.y > 0.5 * vehicle.radius;
    assert!(untraced.iter().any(across), "{untraced:?}");
    assert!(!untraced.contains(&rock));
    app.world_mut().entity_mut(agent).insert(SteeringTrace::default());
    assert!(white(&mut app).contains(&rock));
    config(&mut app).config_mut::<SteeringGizmos>().1.limits = Paint::Off;
    assert_eq!(white(&mut app), []);
}

#[test]
fn obstacles_walls_and_bounds_are_drawn_unless_they_are_switched_off() {
    let mut app = drawing_app(SteeringPlane::Xy);
    let world = app.world_mut();
    let edges = Bounds::rect(Vec2::splat(-8.0), Vec2::splat(8.0), BoundsEdge::Wrap);
    world.insert_resource(WorldBounds(edges));
    world.spawn((Wall::new(Vec2::ZERO, Vec2::X * 3.0), at(0.0, 5.0)));
    for shape in [
        Obstacle::sphere(1.0),
        Obstacle::rect(Vec2::ONE),
        Obstacle::capsule(0.5, 2.0),
        Obstacle::new(ObstacleShape::Segment { start: Vec3::ZERO, end: Vec3::X }),
    ] {
        world.spawn((shape, at(-3.0, -3.0)));
    }
    *config(&mut app).config_mut::<SteeringGizmos>().1 = SteeringGizmos::default();
    assert!(places(&mut app).iter().all(|place| place.abs().max_element() <= 8.0));
    let mut count = drawn(&mut app).len();
    for part in 0..3 {
        let mut store = config(&mut app);
        let (_, gizmos) = store.config_mut::<SteeringGizmos>();
        *[&mut gizmos.obstacles, &mut gizmos.walls, &mut gizmos.bounds][part] = None;
        let now = drawn(&mut app).len();
        assert!(now < count, "part {part}: {now} after {count}");
        count = now;
    }
    assert_eq!(drawn(&mut app), []);
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
    fn debug_draw(&self, agent: &Agent, (): &(), draw: &mut DebugDraw) {
        draw.circle(DebugLayer::Path, agent.position, 2.0);
    }
}

#[test]
fn custom_behaviors_draw_regardless_of_registration_order() {
    let mut app = drawing_app(SteeringPlane::Xy);
    app.add_steering_behavior::<Circle>();
    only_behaviors(&mut app);
    app.world_mut().spawn((Vehicle::default(), Circle::default(), at(0.0, 0.0)));
    let rim = places(&mut app);
    assert!(rim.len() > 16);
    assert!(rim.iter().all(|place| (place.length() - 2.0).abs() < 1e-3), "{rim:?}");
}

#[test]
fn drawing_emits_no_events() {
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
fn invalid_input_draws_only_finite_lines() {
    let mut app = drawing_app(SteeringPlane::Free);
    let world = app.world_mut();
    for behavior in 0..random_behaviors::names().len() {
        let agent = spawn_with(world, behavior);
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
