//! Every component can be written in `bsn!` and equals what its constructor makes.

use bevy::{
    ecs::template::{EntityTemplate, Template, template},
    prelude::*,
    scene::ScenePlugin,
};
use bevy_steer::{
    AgentId, AngularVelocity, Feelers, Heading, KeepRotation, Length, ObstacleShape, Path,
    PathStyle, ShowSteeringGizmos, SteeringTrace, TurnLimits, Velocity, prelude::*,
};

fn app() -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, AssetPlugin::default(), ScenePlugin))
        .add_plugins(SteeringPlugin::default());
    app
}

#[track_caller]
fn assert_is<C: Component + PartialEq + core::fmt::Debug>(scene: impl Scene, expected: C) {
    let mut app = app();
    let spawned = app.world_mut().spawn_scene(scene).expect("a scene without assets");
    assert_eq!(spawned.get::<C>(), Some(&expected));
}

#[test]
fn unset_fields_have_their_defaults() {
    assert_is(bsn! { Vehicle { max_speed: 9.0 } }, Vehicle { max_speed: 9.0, ..default() });
    assert_is(bsn! { Vehicle AngularVelocity }, AngularVelocity::default());
    assert_is(bsn! { AvoidObstacles }, AvoidObstacles::default());
    assert_is(bsn! { AvoidWalls }, AvoidWalls::default());
    assert_is(bsn! { AvoidAgents }, AvoidAgents::default());
    assert_is(bsn! { Wander }, Wander::default());
    assert_is(bsn! { LookWhereYouGo }, LookWhereYouGo::default());
}

#[test]
fn bsn_writes_agent_components() {
    let vehicle = Vehicle::new(200.0).with_radius(8.0).with_mass(2.0).with_response(0.2);
    assert_is(
        bsn! {
            Vehicle { mass: 2.0, max_speed: 200.0, max_force: 800.0, radius: 8.0, response: 0.2 }
        },
        vehicle,
    );
    assert_is(bsn! { Vehicle Velocity({Vec3::X}) }, Velocity(Vec3::X));
    assert_is(bsn! { AngularVelocity({Vec3::Z}) }, AngularVelocity(Vec3::Z));
    assert_is(bsn! { Heading({Vec3::Y}) }, Heading(Vec3::Y));
    assert_is(bsn! { KeepRotation }, KeepRotation);
    assert_is(bsn! { SteeringPlane::Xz }, SteeringPlane::Xz);
    assert_is(bsn! { SteeringLayers(6) }, SteeringLayers(6));
    assert_is(bsn! { AgentId(41) }, AgentId(41));
    assert_is(bsn! { ThinkEvery(4) }, ThinkEvery(4));
    assert_is(bsn! { SteeringTrace }, SteeringTrace::default());
    assert_is(bsn! { ShowSteeringGizmos }, ShowSteeringGizmos);
    assert_is(
        bsn! { SteeringForce { linear: {Vec3::X} } },
        SteeringForce { linear: Vec3::X, ..default() },
    );
    assert_is(bsn! { Arbitration::WeightedSum }, Arbitration::WeightedSum);
    assert_is(
        bsn! { Arbitration::FirstActive { epsilon: 0.5 } },
        Arbitration::FirstActive { epsilon: 0.5 },
    );
    assert_is(bsn! { Arbitration::dithered() }, Arbitration::dithered());
    let (min, max) = (Vec2::splat(-5.0), Vec2::splat(5.0));
    assert_is(
        bsn! { Bounds::rect(min, max, BoundsEdge::Wrap) },
        Bounds::rect(min, max, BoundsEdge::Wrap),
    );
}

#[test]
fn bsn_writes_obstacles_and_walls() {
    assert_is(bsn! { Obstacle::sphere(3.0) }, Obstacle::sphere(3.0));
    assert_is(
        bsn! { Obstacle { shape: ObstacleShape::Sphere { radius: 3.0 } } },
        Obstacle::sphere(3.0),
    );
    assert_is(bsn! { Wall { start: {Vec3::X}, end: {Vec3::Y} } }, Wall::new(Vec3::X, Vec3::Y));
}

#[test]
fn bsn_writes_behaviors_by_field() {
    let goal = Vec2::new(3.0, 4.0);
    assert_is(
        bsn! { Seek { target: {goal}, blend: Blend { weight: 0.5 } } },
        Seek::new(goal).with_weight(0.5),
    );
    let hunter = SteeringLayers::layer(2);
    assert_is(
        bsn! {
            Flee {
                target: Target::Nearest { layers: {hunter}, within: 20.0, switch_ratio: 0.8 },
                panic_distance: {Some(8.0_f32)},
            }
        },
        Flee::new(Target::nearest(hunter, 20.0)).within(8.0),
    );
    assert_is(
        bsn! {
            Arrive {
                target: {goal}, profile: ArriveProfile::SlowRadius(4.0), stop_radius: {Length::Units(0.5)}
            }
        },
        Arrive::new(goal).with_profile(ArriveProfile::SlowRadius(4.0)).with_stop_radius(0.5),
    );
    assert_is(
        bsn! { Pursue { target: {goal}, max_look_ahead: 1.0 } },
        Pursue::new(goal).with_max_look_ahead(1.0),
    );
    assert_is(
        bsn! { Evade { target: {goal}, panic_distance: {Some(9.0_f32)} } },
        Evade::new(goal).within(9.0),
    );
    assert_is(
        bsn! { OffsetPursue { target: {goal}, offset: {Vec3::X} } },
        OffsetPursue::new(goal, Vec3::X),
    );
    let path = Path::new([Vec2::ZERO, goal]);
    assert_is(
        bsn! {
            PathFollow {
                path: {path.clone()},
                style: PathStyle::Corridor { radius: {Length::Units(1.0)}, look_ahead: 0.5 },
                end: PathEnd::PingPong,
            }
        },
        PathFollow::new(path.clone()).along_corridor(1.0, 0.5).with_end(PathEnd::PingPong),
    );
    assert_is(bsn! { MatchVelocity { target: {goal} } }, MatchVelocity::new(goal));
    assert_is(bsn! { Wander { rate: 1.0 } }, Wander { rate: 1.0, ..default() });
    assert_is(
        bsn! { Flock { separation: 1.0, alignment: 2.0, cohesion: 0.5 } },
        Flock { separation: 1.0, alignment: 2.0, cohesion: 0.5, ..Flock::default() },
    );
    assert_is(
        bsn! { AvoidObstacles { look_ahead: 0.5 } },
        AvoidObstacles { look_ahead: 0.5, ..default() },
    );
    assert_is(
        bsn! { AvoidWalls { feelers: Feelers::Single, margin: 2.0 } },
        AvoidWalls { margin: 2.0, ..AvoidWalls::default().with_feelers(Feelers::Single) },
    );
    assert_is(
        bsn! { AvoidAgents { layers: {hunter} } },
        AvoidAgents::default().with_layers(hunter),
    );
    assert_is(bsn! { Align { bearing: Bearing::Angle(1.0) } }, Align::to_angle(1.0));
    assert_is(
        bsn! { Face { target: {goal}, limits: TurnLimits { max_rate: 2.0 } } },
        Face { limits: TurnLimits { max_rate: 2.0, ..default() }, ..Face::new(goal) },
    );
    assert_is(
        bsn! { LookWhereYouGo { blend: Blend { enabled: false } } },
        LookWhereYouGo::default().disabled(),
    );
}

#[test]
fn bsn_writes_behaviors_by_constructor() {
    let goal = Vec2::new(3.0, 4.0);
    assert_is(bsn! { Seek::new(goal) }, Seek::new(goal));
    assert_is(
        bsn! { Seek::new(goal).with_priority(Priority::High) },
        Seek::new(goal).with_priority(Priority::High),
    );
    // Fields are patched after the constructor.
    assert_is(
        bsn! { Pursue::new(goal) Pursue { max_look_ahead: 2.0 } },
        Pursue::new(goal).with_max_look_ahead(2.0),
    );
}

/// A target that is another entity of the scene needs a template.
fn pursue(target: EntityTemplate) -> impl Scene {
    bsn! {
        template(move |context| Ok(Pursue::new(target.build_template(context)?)))
    }
}

#[test]
fn target_can_be_another_entity_of_the_scene() {
    let mut app = app();
    let pair = bsn_list! {
        #Hunter Vehicle @pursue(#Prey)
        --
        #Prey Vehicle Wander
    };
    let spawned = app.world_mut().spawn_scene_list(pair).expect("a scene without assets");
    let pursue = app.world().get::<Pursue>(spawned[0]).expect("the behaviour");
    assert_eq!(pursue.target, Target::Entity(spawned[1]));
}
