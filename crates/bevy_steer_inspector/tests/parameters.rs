//! Every number of the built-in behaviours says its unit or its range, and what it means if there
//! is none.

use core::any::TypeId;

use bevy::{
    prelude::*,
    reflect::{TypeInfo, attributes::CustomAttributes, enums::VariantInfo},
};
use bevy_steer::{
    BehaviorRegistry, ParameterRange, RuntimeState, Unit, Vehicle, WhenNone, prelude::*,
};

use crate::common::{Panel, app};

fn is_number(field: TypeId) -> bool {
    [TypeId::of::<f32>(), TypeId::of::<Option<f32>>()].contains(&field)
}

fn is_described(field: TypeId, attributes: &CustomAttributes) -> bool {
    let is_measured = attributes.contains::<Unit>() || attributes.contains::<ParameterRange>();
    let is_optional = field == TypeId::of::<Option<f32>>();
    attributes.contains::<RuntimeState>()
        || is_measured && attributes.contains::<WhenNone>() == is_optional
}

/// The numbers without attributes, those of nested types of this crate too.
fn undescribed(info: &TypeInfo, missing: &mut Vec<String>) {
    let owner = info.type_path_table().short_path();
    let mut visit = |name: String, field: TypeId, of_field: Option<&TypeInfo>, attributes| {
        if is_number(field) && !is_described(field, attributes) {
            missing.push(format!("{owner}.{name}"));
        }
        let is_ours = |info: &&TypeInfo| {
            info.type_path_table().crate_name() == Some("bevy_steer")
                && !attributes.contains::<RuntimeState>()
        };
        if let Some(info) = of_field.filter(is_ours) {
            undescribed(info, missing);
        }
    };
    match info {
        TypeInfo::Struct(info) if !info.custom_attributes().contains::<RuntimeState>() => {
            for field in info.iter() {
                let name = field.name().to_owned();
                visit(name, field.type_id(), field.type_info(), field.custom_attributes());
            }
        }
        TypeInfo::Enum(info) => {
            for variant in info.iter() {
                match variant {
                    VariantInfo::Struct(fields) => {
                        for field in fields.iter() {
                            let name = format!("{}.{}", variant.name(), field.name());
                            let attributes = field.custom_attributes();
                            visit(name, field.type_id(), field.type_info(), attributes);
                        }
                    }
                    VariantInfo::Tuple(fields) => {
                        for field in fields.iter() {
                            let name = format!("{}.{}", variant.name(), field.index());
                            let attributes = field.custom_attributes();
                            visit(name, field.type_id(), field.type_info(), attributes);
                        }
                    }
                    VariantInfo::Unit(_) => {}
                }
            }
        }
        _ => {}
    }
}

#[test]
fn numbers_of_built_in_behaviors_are_described() {
    let app = app();
    let types = app.world().resource::<AppTypeRegistry>().read();
    let behaviors = app.world().resource::<BehaviorRegistry>().iter().map(|one| one.type_id);
    let mut missing = Vec::new();
    let mut count = 0;
    for component in behaviors.chain([TypeId::of::<Vehicle>()]) {
        undescribed(types.get_type_info(component).expect("a registered type"), &mut missing);
        count += 1;
    }
    assert!(count > 10, "{count} components");
    assert!(missing.is_empty(), "no Unit, ParameterRange or WhenNone: {missing:?}");
}

#[test]
fn an_optional_number_tells_what_none_means() {
    let mut app = app();
    let behaviors = (Arrive::default(), Flee::default(), AvoidObstacles::default());
    let agent = app.world_mut().spawn((Vehicle::default(), behaviors)).id();
    let mut panel = Panel::about(app, agent);
    panel.frame();
    for (field, meaning) in [
        ("Arrive.time_to_target", "the vehicle's response"),
        ("Flee.panic_distance", "at any distance"),
        ("AvoidObstacles.look_ahead_distance", "by its look-ahead time"),
    ] {
        let show = format!("Show {}", field.split_once('.').unwrap().0);
        panel.click(&show);
        assert!(panel.has(meaning), "{field}");
        panel.hover(&format!("{field} on"));
        assert!(panel.has(&format!("Off: {meaning}")), "{field}");
        panel.click(&format!("{field} on"));
        assert!(!panel.has(meaning), "{field}");
    }
    assert!(panel.get::<Flee>(agent).unwrap().panic_distance.is_some());
}
