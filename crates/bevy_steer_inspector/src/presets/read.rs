//! Reads a [`Preset`] from RON.

use core::{convert::identity, fmt};

use bevy::{
    prelude::*,
    reflect::{
        PartialReflect, ReflectRef, TypeInfo, TypeRegistration, TypeRegistry,
        serde::{ReflectDeserializerProcessor, TypedReflectDeserializer},
        std_traits::ReflectDefault,
        structs::{DynamicStruct, StructInfo},
    },
};
use bevy_steer::{Arbitration, BehaviorRegistry, Path, RegisteredBehavior, Vehicle};
use serde::de::{self, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};

use super::preset::{Preset, PresetBehavior, PresetError, ron_options};
use crate::{editors::registry::Editors, reflection::kinds::is_glam};

impl Preset {
    /// Reads a preset and checks it: every behaviour is registered, every field exists, no number
    /// is NaN, and nothing is an entity.
    pub fn read(text: &str, world: &mut World) -> Result<Self, PresetError> {
        Editors::refresh(world);
        let registry = &world.resource::<Editors>().registry;
        let Some(known) = world.get_resource::<BehaviorRegistry>() else {
            return Err(PresetError::new(
                "the app has no SteeringPlugin: add it before reading presets",
            ));
        };
        let preset = ron_options().from_str_seed(text, PresetSeed { registry, known });
        let preset = preset.map_err(|error| PresetError {
            at: Some((error.span.start.line, error.span.start.col)),
            message: error.code.to_string(),
        })?;
        let several = preset.several.iter().flat_map(|(_, several)| several);
        for one in preset.behaviors.iter().chain(several) {
            check(one.behavior.name, &*one.given)?;
        }
        if let Some(vehicle) = &preset.vehicle {
            check("vehicle", vehicle)?;
        }
        if let Some(arbitration) = &preset.arbitration {
            check("arbitration", arbitration)?;
        }
        Ok(preset)
    }
}

/// Rejects NaN, and entities, which have no meaning in this run.
fn check(path: &str, value: &dyn PartialReflect) -> Result<(), PresetError> {
    let single = value.try_downcast_ref::<f32>().copied();
    let double = value.try_downcast_ref::<f64>().copied();
    if single.is_some_and(f32::is_nan) || double.is_some_and(f64::is_nan) {
        return Err(PresetError::new(format!("{path} is not a number")));
    }
    if value.try_downcast_ref::<Entity>().is_some() {
        return Err(PresetError::new(format!("{path} is an entity, which a preset cannot hold")));
    }
    // Reflection does not see the points of a path.
    if let Some(line) = value.try_downcast_ref::<Path>() {
        return check_all(path, line.given().iter().map(PartialReflect::as_partial_reflect));
    }
    match value.reflect_ref() {
        ReflectRef::TupleStruct(fields) => check_all(path, fields.iter_fields())?,
        ReflectRef::Tuple(fields) => check_all(path, fields.iter_fields())?,
        ReflectRef::List(items) => check_all(path, items.iter())?,
        ReflectRef::Array(items) => check_all(path, items.iter())?,
        ReflectRef::Struct(fields) => {
            for (name, field) in fields.iter_fields() {
                check(&format!("{path}.{name}"), field)?;
            }
        }
        ReflectRef::Enum(variant) => {
            for field in variant.iter_fields() {
                let name = field.name().map_or(String::new(), |name| format!(".{name}"));
                check(&format!("{path}{name}"), field.value())?;
            }
        }
        _ => {}
    }
    Ok(())
}

/// [`check`] for each of several values.
fn check_all<'v>(
    path: &str,
    values: impl Iterator<Item = &'v dyn PartialReflect>,
) -> Result<(), PresetError> {
    for (i, value) in values.enumerate() {
        check(&format!("{path}[{i}]"), value)?;
    }
    Ok(())
}

const FIELDS: &[&str] = &["vehicle", "arbitration", "behaviors", "several"];

#[derive(Clone, Copy)]
struct PresetSeed<'a> {
    registry: &'a TypeRegistry,
    known: &'a BehaviorRegistry,
}

impl<'de> DeserializeSeed<'de> for PresetSeed<'_> {
    type Value = Preset;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Preset, D::Error> {
        deserializer.deserialize_struct("Preset", FIELDS, self)
    }
}

impl<'de> Visitor<'de> for PresetSeed<'_> {
    type Value = Preset;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a preset: (vehicle: (…), behaviors: {…})")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Preset, A::Error> {
        let mut preset = Preset::default();
        let mut has_behaviors = false;
        while let Some(Ident(field)) = map.next_key()? {
            match field.as_str() {
                "vehicle" => preset.vehicle = Some(self.typed::<Vehicle, A>(&mut map)?),
                "arbitration" => preset.arbitration = Some(self.typed::<Arbitration, A>(&mut map)?),
                "behaviors" => {
                    preset.behaviors =
                        map.next_value_seed(NamedSeed { preset: self, seed: identity })?;
                    has_behaviors = true;
                }
                "several" => {
                    preset.several =
                        map.next_value_seed(NamedSeed { preset: self, seed: SeveralSeed })?;
                }
                other => return Err(de::Error::unknown_field(other, FIELDS)),
            }
        }
        if has_behaviors { Ok(preset) } else { Err(de::Error::missing_field("behaviors")) }
    }
}

impl PresetSeed<'_> {
    /// The next value. Fields that the file leaves out get their defaults.
    fn typed<'de, T: Reflect + Default, A: MapAccess<'de>>(
        self,
        map: &mut A,
    ) -> Result<T, A::Error> {
        let Some(registration) = self.registry.get(core::any::TypeId::of::<T>()) else {
            return Err(de::Error::custom("its type is not registered"));
        };
        let given = map.next_value_seed(self.partial(registration, &mut Partial))?;
        let mut complete = T::default();
        complete.try_apply(&*given).map_err(de::Error::custom)?;
        Ok(complete)
    }

    fn partial<'p>(
        self,
        registration: &'p TypeRegistration,
        partial: &'p mut Partial,
    ) -> TypedReflectDeserializer<'p, Partial>
    where
        Self: 'p,
    {
        TypedReflectDeserializer::with_processor(registration, self.registry, partial)
    }
}

/// Reads the values of the map from names to behaviours.
struct NamedSeed<'a, S> {
    preset: PresetSeed<'a>,
    seed: fn(BehaviorSeed<'a>) -> S,
}

impl<'de, S: DeserializeSeed<'de>> DeserializeSeed<'de> for NamedSeed<'_, S> {
    type Value = Vec<S::Value>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de, S: DeserializeSeed<'de>> Visitor<'de> for NamedSeed<'_, S> {
    type Value = Vec<S::Value>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("behaviours by name: {\"Behaviour\": (…), …}")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let Self { preset, seed } = self;
        let (mut names, mut values) = (Vec::new(), Vec::new());
        while let Some(name) = map.next_key::<String>()? {
            let Some(behavior) = preset.known.iter().find(|behavior| behavior.name == name) else {
                return Err(de::Error::custom(format!("no behaviour is registered as {name:?}")));
            };
            if names.contains(&name) {
                return Err(de::Error::custom(format!("{name:?} occurs twice")));
            }
            let seed = seed(BehaviorSeed { preset, behavior: *behavior });
            values.push(map.next_value_seed(seed)?);
            names.push(name);
        }
        Ok(values)
    }
}

/// Reads one behaviour.
#[derive(Clone, Copy)]
struct BehaviorSeed<'a> {
    preset: PresetSeed<'a>,
    behavior: RegisteredBehavior,
}

impl<'de> DeserializeSeed<'de> for BehaviorSeed<'_> {
    type Value = PresetBehavior;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        let Self { preset, behavior } = self;
        let registration = preset.registry.get(behavior.type_id);
        let default = registration.and_then(|registration| registration.data::<ReflectDefault>());
        let is_component = |it: &&TypeRegistration| it.contains::<ReflectComponent>();
        let (Some(registration), Some(default)) = (registration.filter(is_component), default)
        else {
            let name = behavior.name;
            return Err(de::Error::custom(format!(
                "{name:?} cannot be created: its type needs #[reflect(Component, Default)]"
            )));
        };
        let given = preset.partial(registration, &mut Partial).deserialize(deserializer)?;
        let mut complete = default.default();
        complete.try_apply(&*given).map_err(de::Error::custom)?;
        Ok(PresetBehavior { behavior, given, complete })
    }
}

/// Reads several behaviours of one kind.
struct SeveralSeed<'a>(BehaviorSeed<'a>);

impl<'de> DeserializeSeed<'de> for SeveralSeed<'_> {
    type Value = (RegisteredBehavior, Vec<PresetBehavior>);

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for SeveralSeed<'_> {
    type Value = (RegisteredBehavior, Vec<PresetBehavior>);

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "several of {}: [(…), …]", self.0.behavior.name)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<Self::Value, A::Error> {
        let mut several = Vec::new();
        while let Some(one) = sequence.next_element_seed(self.0)? {
            several.push(one);
        }
        Ok((self.0.behavior, several))
    }
}

/// Reads structs field by field, because serde accepts only complete ones.
struct Partial;

impl ReflectDeserializerProcessor for Partial {
    fn try_deserialize<'de, D: Deserializer<'de>>(
        &mut self,
        registration: &TypeRegistration,
        registry: &TypeRegistry,
        deserializer: D,
    ) -> Result<Result<Box<dyn PartialReflect>, D>, D::Error> {
        let info = registration.type_info();
        let TypeInfo::Struct(fields) = info else { return Ok(Err(deserializer)) };
        if is_glam(Some(info)) {
            return Ok(Err(deserializer));
        }
        let name = info.type_path_table().ident().unwrap_or_default();
        let visitor = FieldsVisitor { fields, registry };
        let mut given = deserializer.deserialize_struct(name, fields.field_names(), visitor)?;
        given.set_represented_type(Some(info));
        Ok(Ok(Box::new(given)))
    }
}

struct FieldsVisitor<'a> {
    fields: &'static StructInfo,
    registry: &'a TypeRegistry,
}

impl<'de> Visitor<'de> for FieldsVisitor<'_> {
    type Value = DynamicStruct;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the fields of {}", self.fields.type_path_table().short_path())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<DynamicStruct, A::Error> {
        let mut given = DynamicStruct::default();
        while let Some(Ident(name)) = map.next_key()? {
            let Some(field) = self.fields.field(&name) else {
                return Err(de::Error::unknown_field(&name, self.fields.field_names()));
            };
            if given.field(&name).is_some() {
                return Err(de::Error::duplicate_field(field.name()));
            }
            let Some(registration) = self.registry.get(field.type_id()) else {
                let path = field.type_path();
                return Err(de::Error::custom(format!("{name} has the unregistered type {path}")));
            };
            let mut partial = Partial;
            let seed =
                TypedReflectDeserializer::with_processor(registration, self.registry, &mut partial);
            given.insert_boxed(field.name(), map.next_value_seed(seed)?);
        }
        Ok(given)
    }
}

/// The name of a field.
struct Ident(String);

impl<'de> de::Deserialize<'de> for Ident {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct IdentVisitor;

        impl Visitor<'_> for IdentVisitor {
            type Value = Ident;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the name of a field")
            }

            fn visit_str<E: de::Error>(self, name: &str) -> Result<Ident, E> {
                Ok(Ident(name.to_owned()))
            }
        }

        deserializer.deserialize_identifier(IdentVisitor)
    }
}
