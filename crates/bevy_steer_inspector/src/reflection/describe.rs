//! The meaning and range of every number of `bevy_steer`'s own components.

use core::any::TypeId;

use bevy::reflect::{TypeInfo, TypeRegistry, enums::VariantInfo};
use bevy_inspector_egui::{
    InspectorOptions,
    inspector_options::{ReflectInspectorOptions, Target as Place},
};
use bevy_steer::{
    Arrive, ArriveProfile, AvoidAgents, AvoidObstacles, AvoidWalls, Bearing, Evade, Feelers, Flee,
    Flock, OffsetPursue, PathStyle, Pursue, SteeringGizmos, Target, TurnLimits, Vehicle, Wander,
};

use super::parameter::{Parameter, Unit};

const LENGTH: Parameter = Parameter::fitted(Unit::Length);
const WEIGHT: Parameter = Parameter::up_to(5.0, Unit::None);

/// The weight of a behaviour.
pub(crate) const BLEND_WEIGHT: Parameter = WEIGHT;

pub(super) fn install(registry: &mut TypeRegistry) {
    let up_to = Parameter::up_to;
    let at_most = Parameter::at_most;
    let mut of =
        |type_id: TypeId, fields: &[(&str, Parameter)]| describe(registry, type_id, fields);

    of(
        TypeId::of::<Vehicle>(),
        &[
            ("mass", Parameter::fitted(Unit::Mass)),
            ("max_speed", Parameter::fitted(Unit::Speed)),
            ("max_force", Parameter::fitted(Unit::Force)),
            ("radius", LENGTH),
            ("response", up_to(1.0, Unit::Time)),
        ],
    );
    of(TypeId::of::<SteeringGizmos>(), &[("reach", up_to(2.0, Unit::Time))]);
    of(TypeId::of::<Target>(), &[("Nearest.within", LENGTH)]);
    of(TypeId::of::<Bearing>(), &[("Angle.0", up_to(360.0, Unit::Angle))]);
    of(
        TypeId::of::<TurnLimits>(),
        &[
            ("stop_angle", at_most(180.0, Unit::Angle)),
            ("slow_angle", at_most(180.0, Unit::Angle)),
            ("max_rate", up_to(1440.0, Unit::AngularSpeed)),
            ("max_accel", up_to(3600.0, Unit::AngularAcceleration)),
        ],
    );
    of(
        TypeId::of::<ArriveProfile>(),
        &[("SlowRadius.0", LENGTH), ("Deceleration.0", up_to(3.0, Unit::Time))],
    );
    of(TypeId::of::<Arrive>(), &[("stop_radius", LENGTH)]);
    of(TypeId::of::<Flee>(), &[("panic_distance", LENGTH)]);
    of(TypeId::of::<Pursue>(), &[("max_prediction", up_to(10.0, Unit::Time))]);
    of(
        TypeId::of::<Evade>(),
        &[("panic_distance", LENGTH), ("max_prediction", up_to(10.0, Unit::Time))],
    );
    of(TypeId::of::<OffsetPursue>(), &[("offset", LENGTH)]);
    of(
        TypeId::of::<Wander>(),
        &[
            ("distance", up_to(20.0, Unit::Radii)),
            ("radius", up_to(20.0, Unit::Radii)),
            ("rate", up_to(720.0, Unit::AngularSpread)),
        ],
    );
    of(
        TypeId::of::<AvoidObstacles>(),
        &[
            ("look_ahead", up_to(5.0, Unit::Time)),
            ("margin", up_to(5.0, Unit::Radii)),
            ("brake", at_most(1.0, Unit::None)),
        ],
    );
    of(
        TypeId::of::<AvoidWalls>(),
        &[("look_ahead", up_to(5.0, Unit::Time)), ("distance", up_to(10.0, Unit::Radii))],
    );
    of(
        TypeId::of::<Feelers>(),
        &[
            ("Whiskers.angle", at_most(180.0, Unit::Angle)),
            ("Whiskers.length", up_to(2.0, Unit::None)),
        ],
    );
    of(
        TypeId::of::<AvoidAgents>(),
        &[("radius", up_to(10.0, Unit::Radii)), ("horizon", up_to(5.0, Unit::Time))],
    );
    of(
        TypeId::of::<Flock>(),
        &[
            ("radius", LENGTH),
            ("separation_radius", LENGTH),
            ("view_angle", at_most(360.0, Unit::Angle)),
            ("separation", WEIGHT),
            ("alignment", WEIGHT),
            ("cohesion", WEIGHT),
            ("max_neighbors", up_to(256.0, Unit::None)),
        ],
    );
    of(
        TypeId::of::<PathStyle>(),
        &[
            ("Waypoints.radius", LENGTH),
            ("Corridor.radius", LENGTH),
            ("Corridor.predict", up_to(5.0, Unit::Time)),
        ],
    );
}

/// Puts these meanings on fields (`radius`) or fields of variants (`Corridor.radius`, `SlowRadius.0`) of a type.
fn describe(registry: &mut TypeRegistry, type_id: TypeId, fields: &[(&str, Parameter)]) {
    let Some(registration) = registry.get_mut(type_id) else { return };
    let info = registration.type_info();
    let mut options = match registration.data::<ReflectInspectorOptions>() {
        Some(options) => options.0.clone(),
        None => InspectorOptions::new(),
    };
    for (path, parameter) in fields {
        match place_of(info, path) {
            Some(place) => options.insert(place, *parameter),
            None => debug_assert!(false, "{} has no {path}", info.type_path()),
        }
    }
    registration.insert(ReflectInspectorOptions(options));
}

fn place_of(info: &TypeInfo, path: &str) -> Option<Place> {
    match info {
        TypeInfo::Struct(info) => info.index_of(path).map(Place::Field),
        TypeInfo::Enum(info) => {
            let (variant, field) = path.split_once('.')?;
            let variant_index = info.index_of(variant)?;
            let field_index = match info.variant_at(variant_index)? {
                VariantInfo::Struct(fields) => fields.index_of(field)?,
                VariantInfo::Tuple(_) => field.parse().ok()?,
                VariantInfo::Unit(_) => return None,
            };
            Some(Place::VariantField { variant_index, field_index })
        }
        _ => None,
    }
}
