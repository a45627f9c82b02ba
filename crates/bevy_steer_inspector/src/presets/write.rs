//! Writes the behaviours of an agent as RON.

use core::any::TypeId;

use bevy::{
    prelude::*,
    reflect::{
        GetPath, NamedField, PartialReflect, ReflectRef, TypeInfo, TypeRegistry,
        serde::TypedReflectSerializer, structs::Struct,
    },
};
use bevy_steer::{Arbitration, BehaviorRegistry, Vehicle};
use ron::ser::PrettyConfig;
use serde::ser::{Serialize, SerializeMap, SerializeStruct, Serializer};

use super::preset::{PresetError, ron_options};
use crate::{
    change::required::required_by_others,
    editors::registry::Editors,
    reflection::kinds::{holds_entity, is_glam, is_set_by_others, is_state},
};

/// Writes the behaviours, the vehicle and the arbitration of an agent as RON.
///
/// Left out are behaviours that presets do not
/// [hold](bevy_steer::SteeringBehavior::IN_PRESETS), and what a behaviour is directed at where
/// another component of the agent requires it, such as a planner, which says that.
///
/// Fails if the entity does not exist, or if a behaviour is not reflected as a component.
pub fn write(world: &mut World, agent: Entity) -> Result<String, PresetError> {
    Editors::refresh(world);
    let registry = &world.resource::<Editors>().registry;
    let known = world.get_resource::<BehaviorRegistry>();
    let known = known.ok_or_else(|| {
        PresetError::new("the app has no SteeringPlugin: add it before writing presets")
    })?;
    let entity =
        world.get_entity(agent).map_err(|_| PresetError::new("the agent no longer exists"))?;
    let required = required_by_others(world, entity);
    let (mut behaviors, mut several) = (Vec::new(), Vec::new());
    let reflected = |name: &str, component: TypeId| {
        let reflect = registry.get_type_data::<ReflectComponent>(component);
        let value = reflect.and_then(|reflect| reflect.reflect(entity));
        value.ok_or_else(|| {
            PresetError::new(format!(
                "{name} cannot be saved: its type needs #[reflect(Component)]"
            ))
        })
    };
    for behavior in known.iter().filter(|behavior| behavior.in_presets) {
        let name = behavior.name;
        if behavior.has(entity) {
            let value = reflected(name, behavior.type_id)?.as_partial_reflect();
            let is_required = required.contains(&behavior.type_id);
            behaviors.push((name, Value { value, registry, is_required }));
        }
        if entity.contains_type_id(behavior.several_type_id) {
            let list = reflected(name, behavior.several_type_id)?.reflect_path("0");
            let list = list.ok().and_then(|list| list.reflect_ref().as_list().ok());
            let values = list.into_iter().flat_map(|list| list.iter());
            let is_required = required.contains(&behavior.several_type_id);
            let values = values.map(|value| Value { value, registry, is_required });
            several.push((name, values.collect()));
        }
    }
    let value = |value| Value { value, registry, is_required: false };
    let preset = Written {
        vehicle: entity.get::<Vehicle>().map(|vehicle| value(vehicle)),
        arbitration: entity.get::<Arbitration>().map(|arbitration| value(arbitration)),
        behaviors: Named(behaviors),
        several: Named(several),
    };
    let style = PrettyConfig::new().struct_names(false);
    ron_options()
        .to_string_pretty(&preset, style)
        .map_err(|error| PresetError::new(error.to_string()))
}

struct Written<'a> {
    vehicle: Option<Value<'a>>,
    arbitration: Option<Value<'a>>,
    behaviors: Named<Value<'a>>,
    several: Named<Vec<Value<'a>>>,
}

impl Serialize for Written<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Preset", 4)?;
        if let Some(vehicle) = &self.vehicle {
            fields.serialize_field("vehicle", vehicle)?;
        }
        if let Some(arbitration) = &self.arbitration {
            fields.serialize_field("arbitration", arbitration)?;
        }
        fields.serialize_field("behaviors", &self.behaviors)?;
        if !self.several.0.is_empty() {
            fields.serialize_field("several", &self.several)?;
        }
        fields.end()
    }
}

/// Values by the names of behaviours.
struct Named<T>(Vec<(&'static str, T)>);

impl<T: Serialize> Serialize for Named<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, value) in &self.0 {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

/// A value; of a struct, the fields that are neither runtime state nor hold entities.
struct Value<'a> {
    value: &'a dyn PartialReflect,
    registry: &'a TypeRegistry,
    /// Whether it is a behaviour of which another component sets some fields.
    is_required: bool,
}

impl Serialize for Value<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { value, registry, .. } = *self;
        let info = value.get_represented_type_info();
        match (value.reflect_ref(), info) {
            (ReflectRef::Struct(fields), Some(TypeInfo::Struct(_))) if !is_glam(info) => {
                self.fields(fields, info, serializer)
            }
            _ => TypedReflectSerializer::new(value, registry).serialize(serializer),
        }
    }
}

impl Value<'_> {
    fn fields<S: Serializer>(
        &self,
        fields: &dyn Struct,
        info: Option<&'static TypeInfo>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let Some(TypeInfo::Struct(known)) = info else {
            return Err(serde::ser::Error::custom("not a struct"));
        };
        let is_left_out =
            |field: &NamedField| self.is_required && is_set_by_others(field.type_id());
        let values = known.iter().filter_map(|field| Some((field, fields.field(field.name())?)));
        let saved: Vec<_> = values
            .filter(|(field, value)| {
                !is_state(field) && !is_left_out(field) && !holds_entity(*value)
            })
            .collect();
        let name = known.type_path_table().ident().unwrap_or("Fields");
        let mut out = serializer.serialize_struct(name, saved.len())?;
        for (field, value) in saved {
            let value = Value { value, registry: self.registry, is_required: false };
            out.serialize_field(field.name(), &value)?;
        }
        out.end()
    }
}
