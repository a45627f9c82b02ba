//! A builder sets what its name says and leaves the rest as it was.

use bevy::prelude::*;
use bevy_steer::{Path, SteeringSettings, prelude::*};

#[test]
fn vehicle_builders_set_one_field() {
    let vehicle = Vehicle::new(8.0);
    assert_eq!(vehicle.with_mass(3.0), Vehicle { mass: 3.0, ..vehicle });
    assert_eq!(vehicle.with_max_force(7.0), Vehicle { max_force: 7.0, ..vehicle });
    assert_eq!(vehicle.with_radius(2.0), Vehicle { radius: 2.0, ..vehicle });
    assert_eq!(vehicle.with_response(0.4), Vehicle { response: 0.4, ..vehicle });
    assert_eq!(vehicle.with_max_speed(6.0), Vehicle { max_speed: 6.0, ..vehicle });
    assert_eq!(vehicle.max_acceleration(), 32.0);
    assert_eq!(vehicle.with_mass(4.0).max_acceleration(), 8.0);
}

#[test]
fn builders_of_behaviors_towards_a_target() {
    let arrive = Arrive::new(Vec2::X);
    let profile = ArriveProfile::SlowRadius(4.0);
    assert_eq!(arrive.with_profile(profile), Arrive { profile, ..arrive });
    assert_eq!(arrive.with_stop_radius(2.0), Arrive { stop_radius: Length::Units(2.0), ..arrive });

    let offset = OffsetPursue::new(Vec2::X, Vec3::Y);
    assert_eq!(offset.with_profile(profile), OffsetPursue { profile, ..offset });

    let pursue = Pursue::new(Vec2::X);
    let prediction = Prediction::OwnSpeed;
    assert_eq!(pursue.with_prediction(prediction), Pursue { prediction, ..pursue });
    assert_eq!(pursue.with_max_look_ahead(2.0), Pursue { max_look_ahead: 2.0, ..pursue });

    let wander = Wander::default;
    assert_eq!(wander().with_distance(9.0), Wander { distance: 9.0, ..wander() });
    assert_eq!(wander().with_radius(9.0), Wander { radius: 9.0, ..wander() });
    assert_eq!(wander().with_rate(9.0), Wander { rate: 9.0, ..wander() });

    let follow = || PathFollow::new(Path::new([Vec2::ZERO, Vec2::X]));
    let style = PathStyle::Waypoints { radius: Length::Units(3.0) };
    assert_eq!(follow().by_waypoints(3.0), PathFollow { style, ..follow() });
    let style = PathStyle::Corridor { radius: Length::Units(3.0), look_ahead: 0.2 };
    assert_eq!(follow().along_corridor(3.0, 0.2), PathFollow { style, ..follow() });
    assert_eq!(follow().with_style(style), PathFollow { style, ..follow() });
    let end = PathEnd::PingPong;
    assert_eq!(follow().with_end(end), PathFollow { end, ..follow() });
}

#[test]
fn builders_of_behaviors_away_from_things() {
    let flee = Flee::new(Vec2::X);
    assert_eq!(flee.within(6.0), Flee { panic_distance: Some(6.0), ..flee });

    let evade = Evade::new(Vec2::X);
    assert_eq!(evade.within(6.0), Evade { panic_distance: Some(6.0), ..evade });
    let prediction = Prediction::Distance;
    assert_eq!(evade.with_prediction(prediction), Evade { prediction, ..evade });
    assert_eq!(evade.with_max_look_ahead(2.0), Evade { max_look_ahead: 2.0, ..evade });

    let avoid = AvoidObstacles::default();
    assert_eq!(avoid.with_look_ahead(4.0), AvoidObstacles { look_ahead: 4.0, ..avoid });
    let far = Some(9.0);
    assert_eq!(
        avoid.with_look_ahead_distance(far),
        AvoidObstacles { look_ahead_distance: far, ..avoid }
    );
    assert_eq!(avoid.with_margin(4.0), AvoidObstacles { margin: 4.0, ..avoid });
    assert_eq!(avoid.with_brake(0.9), AvoidObstacles { brake: 0.9, ..avoid });
    let layers = SteeringLayers::layer(3);
    assert_eq!(avoid.with_layers(layers), AvoidObstacles { layers, ..avoid });
    let stone = Obstacle::sphere(2.0);
    assert_eq!(stone.with_layers(layers), Obstacle { layers, ..stone });
    let wall = Wall::new(Vec2::X, Vec2::Y);
    assert_eq!(wall.with_layers(layers), Wall { layers, ..wall });
    let agents = AvoidAgents::default();
    assert_eq!(agents.with_surfaces(layers), AvoidAgents { surfaces: layers, ..agents });
}

#[test]
fn flock_builders_set_their_fields() {
    let flock = Flock::new(8.0);
    assert_eq!(
        flock,
        Flock { radius: 8.0.into(), separation_radius: 4.0.into(), ..Flock::default() }
    );
    assert_eq!(flock.with_separation_radius(1.0), Flock { separation_radius: 1.0.into(), ..flock });
    assert_eq!(flock.with_view_angle(1.0), Flock { view_angle: 1.0, ..flock });
    assert_eq!(flock.with_max_neighbors(7), Flock { max_neighbors: 7, ..flock });
    let layers = SteeringLayers::layer(4);
    assert_eq!(flock.with_layers(layers), Flock { layers: Some(layers), ..flock });
    assert_eq!(flock.with_cruise(0.3), Flock { cruise: 0.3, ..flock });
    assert_eq!(Cruise::new(0.3), Cruise::default().with_speed(0.3));
    let rules = Flock { separation: 3.0, alignment: 4.0, cohesion: 5.0, ..flock };
    assert_eq!(flock.with_rules(3.0, 4.0, 5.0), rules);
    assert_eq!(flock.with_separation(3.0), Flock { separation: 3.0, ..flock });
    assert_eq!(flock.with_alignment(4.0), Flock { alignment: 4.0, ..flock });
    assert_eq!(flock.with_cohesion(5.0), Flock { cohesion: 5.0, ..flock });
}

#[test]
fn builders_of_turning_behaviors() {
    let limits = TurnLimits { max_rate: 1.0, ..TurnLimits::default() };
    assert_eq!(TurnLimits::default().with_max_rate(1.0), limits);
    assert_eq!(limits.with_max_accel(2.0), TurnLimits { max_accel: 2.0, ..limits });
    assert_eq!(limits.with_stop_angle(0.5), TurnLimits { stop_angle: 0.5, ..limits });
    assert_eq!(limits.with_slow_angle(0.5), TurnLimits { slow_angle: 0.5, ..limits });
    let limited = AngularLimits { max_rate: 1.0, max_accel: 2.0 };
    assert_eq!(AngularLimits::default().with_max_rate(1.0).with_max_accel(2.0), limited);
    let align = Align::to_angle(1.0);
    assert_eq!(align, Align { bearing: Bearing::Angle(1.0), ..Align::default() });
    assert_eq!(align.with_limits(limits), Align { limits, ..align });
    let bearing = Bearing::Direction(Vec2::Y.into());
    assert_eq!(Align::to_direction(Vec2::Y), Align { bearing, ..Align::default() });
    let bearing = Bearing::Like(Entity::PLACEHOLDER);
    assert_eq!(Align::like(Entity::PLACEHOLDER), Align { bearing, ..Align::default() });

    let face = Face::new(Vec2::X);
    assert_eq!(face.with_limits(limits), Face { limits, ..face });
    let look = LookWhereYouGo::default();
    assert_eq!(look.with_limits(limits), LookWhereYouGo { limits, ..look });
}

#[test]
fn blend_builders_set_one_field() {
    let seek = Seek::new(Vec2::X);
    let blended = |blend| Seek { blend, ..seek };
    let blend = Blend::default();
    assert_eq!(seek.with_weight(3.0), blended(Blend { weight: 3.0, ..blend }));
    let priority = Some(Priority::High);
    assert_eq!(seek.with_priority(Priority::High), blended(Blend { priority, ..blend }));
    assert_eq!(seek.disabled(), blended(Blend { enabled: false, ..blend }));
    let mut seek_again = seek.disabled();
    seek_again.set_enabled(true);
    assert_eq!(seek_again, seek);
}

#[test]
fn query_builders_set_one_field() {
    let query = NeighborQuery::at(Vec2::X);
    assert_eq!((query.center, query.layers), (Vec2::X.into(), SteeringLayers::ALL));
    assert_eq!((query.plane, query.except), (None, None));
    let layers = SteeringLayers::layer(1).or(SteeringLayers::layer(33));
    assert_eq!(layers, SteeringLayers(2));
    assert_eq!(query.with_layers(layers), NeighborQuery { layers, ..query });
    let plane = Some(SteeringPlane::Free);
    assert_eq!(query.in_plane(SteeringPlane::Free), NeighborQuery { plane, ..query });
    let except = Some(Entity::PLACEHOLDER);
    assert_eq!(query.except(Entity::PLACEHOLDER), NeighborQuery { except, ..query });
}

/// Each takes a value, an option, or `None`.
#[test]
fn builders_of_optional_fields_take_values_and_none() {
    let some = Some(2.0);
    let limits = TurnLimits::default().with_time_to_target(2.0);
    assert_eq!(
        (limits.time_to_target, limits.with_time_to_target(None).time_to_target),
        (some, None)
    );
    let arrive = Arrive::default().with_time_to_target(2.0);
    assert_eq!(
        (arrive.time_to_target, arrive.with_time_to_target(None).time_to_target),
        (some, None)
    );
    let matched = MatchVelocity::default().with_time_to_target(some);
    assert_eq!(matched.time_to_target, some);
    let flee = Flee::default().within(2.0);
    assert_eq!((flee.panic_distance, flee.within(None).panic_distance), (some, None));
    let evade = Evade::default().within(some);
    assert_eq!((evade.panic_distance, evade.within(None).panic_distance), (some, None));
    let avoid = AvoidObstacles::default().with_look_ahead_distance(2.0);
    assert_eq!(avoid.look_ahead_distance, some);
    let wall = Wall::default().with_height(2.0);
    assert_eq!((wall.height, wall.with_height(None).height), (some, None));
    let flock = Flock::default().with_layers(SteeringLayers::NONE);
    assert_eq!((flock.layers, flock.with_layers(None).layers), (Some(SteeringLayers::NONE), None));
    let seek = Seek::default().with_priority(Priority::High);
    assert_eq!(
        (seek.blend.priority, seek.with_priority(None).blend.priority),
        (Some(Priority::High), None)
    );
}

#[test]
fn layers_combine_and_overlap() {
    let (one, four) = (SteeringLayers::layer(1), SteeringLayers::layer(4));
    let both = one | four;
    assert_eq!(both, SteeringLayers(0b1_0010));
    assert_eq!(both, one.or(four));
    assert!(both.overlaps(four) && !both.overlaps(SteeringLayers::layer(0)));
    assert!(!SteeringLayers::NONE.overlaps(SteeringLayers::ALL));
    assert_eq!(
        [both & four, both.without(four), !SteeringLayers::ALL],
        [four, one, SteeringLayers::NONE]
    );
    let mut changed = one;
    changed |= four;
    assert_eq!(changed, both);
    changed &= four;
    assert_eq!(changed, four);
}

bevy_steer::steering_layers! {
    /// Names of layers.
    mod layers {
        /// Is chased.
        PREY,
        HUNTER,
        PICKUP,
    }
}

#[test]
fn named_layers_are_apart_from_each_other_and_from_the_default() {
    let named = [layers::PREY, layers::HUNTER, layers::PICKUP];
    assert_eq!(named, [1, 2, 3].map(SteeringLayers::layer));
    assert!(named.iter().all(|one| !one.overlaps(SteeringLayers::default())));
}

#[test]
fn plugin_builders_set_the_settings() {
    let plugin =
        SteeringPlugin::default().with_plane(SteeringPlane::Xz).with_seed(7).without_integration();
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, plugin));
    let expected = SteeringSettings { plane: SteeringPlane::Xz, seed: 7, integrate: false };
    assert_eq!(*app.world().resource::<SteeringSettings>(), expected);
}
