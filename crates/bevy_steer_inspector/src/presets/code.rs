//! [`write_code`]: the code that spawns an agent as it is, to paste into a game what was tuned
//! while it ran.

use core::{any::TypeId, fmt::Write};
use std::collections::BTreeSet;

use bevy::{
    prelude::*,
    reflect::{
        PartialReflect, ReflectRef, TypeRegistry, enums::VariantType, std_traits::ReflectDefault,
    },
};
use bevy_steer::{
    AngularLimits, Arbitration, BehaviorRegistry, Bounds, KeepRotation, Path, SkipIntegration,
    SteeringHeight, SteeringLayers, SteeringPlane, ThinkEvery, Vehicle, WhenIdle,
};

use super::preset::PresetError;
use crate::{
    editors::registry::Editors,
    reflection::kinds::{holds_entity, is_glam, is_state},
};

/// In which way an agent is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// A bundle of Rust structs, for `Commands::spawn`.
    Rust,
    /// A scene, for Bevy's macro `bsn!`.
    Bsn,
}

/// Writes the components with which a game spawns an agent: its body, how it decides, and its
/// behaviours. With `only`, that behaviour alone.
///
/// Fields with their default values and runtime state are left out. An entity is written as
/// `Entity::PLACEHOLDER`, and a comment says that the game has to set it.
///
/// # Errors
/// If the entity does not exist, or if a component cannot be read by reflection.
pub fn write_code(
    world: &mut World,
    agent: Entity,
    language: Language,
    only: Option<TypeId>,
) -> Result<String, PresetError> {
    Editors::refresh(world);
    let registry = &world.resource::<Editors>().registry;
    let known = world.get_resource::<BehaviorRegistry>();
    let known = known.ok_or_else(|| PresetError::new("the app has no SteeringPlugin"))?;
    let entity =
        world.get_entity(agent).map_err(|_| PresetError::new("the agent no longer exists"))?;
    let mut writer = Writer { registry, language, names: BTreeSet::new(), has_entity: false };
    let mut lines = Vec::new();
    let mut add = |component: TypeId, name: Option<&str>| {
        if only.is_some_and(|only| only != component) || !entity.contains_type_id(component) {
            return Ok(());
        }
        let reflect = registry.get_type_data::<ReflectComponent>(component);
        let value = reflect.and_then(|reflect| reflect.reflect(entity)).ok_or_else(|| {
            let name = name.unwrap_or("A component");
            PresetError::new(format!("{name} needs #[reflect(Component)] to be written"))
        })?;
        let value = value.as_partial_reflect();
        lines.push(match name {
            Some(name) if is_several(value) => writer.several(value, name)?,
            _ => writer.component(value, name)?,
        });
        Ok(())
    };
    for component in of_the_agent() {
        add(component, None)?;
    }
    for behavior in known.iter() {
        add(behavior.type_id, Some(behavior.name))?;
        add(behavior.several_type_id, Some(behavior.name))?;
    }
    Ok(writer.finish(&lines))
}

/// What a game may set of an agent besides its behaviours.
fn of_the_agent() -> [TypeId; 11] {
    [
        TypeId::of::<Vehicle>(),
        TypeId::of::<AngularLimits>(),
        TypeId::of::<SteeringHeight>(),
        TypeId::of::<SteeringLayers>(),
        TypeId::of::<SteeringPlane>(),
        TypeId::of::<Bounds>(),
        TypeId::of::<ThinkEvery>(),
        TypeId::of::<WhenIdle>(),
        TypeId::of::<KeepRotation>(),
        TypeId::of::<SkipIntegration>(),
        TypeId::of::<Arbitration>(),
    ]
}

struct Writer<'a> {
    registry: &'a TypeRegistry,
    language: Language,
    /// What of `bevy_steer` the code names.
    names: BTreeSet<String>,
    has_entity: bool,
}

impl Writer<'_> {
    fn finish(&self, lines: &[String]) -> String {
        let names: Vec<&str> = self.names.iter().map(String::as_str).collect();
        let mut code =
            format!("// use bevy::prelude::*;\n// use bevy_steer::{{{}}};\n", names.join(", "));
        if self.has_entity {
            code += "// Replace Entity::PLACEHOLDER by the entities of your game.\n";
        }
        match self.language {
            Language::Bsn => {
                code += "bsn! {\n";
                lines.iter().for_each(|line| _ = writeln!(code, "    {line}"));
                code += "}\n";
            }
            Language::Rust => {
                // A bundle has at most fifteen parts.
                code += "(\n";
                for part in lines.chunks(12) {
                    code += "    (\n";
                    part.iter().for_each(|line| _ = writeln!(code, "        {line},"));
                    code += "    ),\n";
                }
                code += ")\n";
            }
        }
        code
    }

    /// A component as a part of a bundle or a scene; a behaviour has a name.
    fn component(
        &mut self,
        value: &dyn PartialReflect,
        behavior: Option<&str>,
    ) -> Result<String, PresetError> {
        let name = match behavior {
            Some(name) => self.named(name, value),
            None => self.name_of(value)?,
        };
        if self.language == Language::Rust {
            return self.expression_of(value, &name, behavior.is_some());
        }
        match value.reflect_ref() {
            ReflectRef::Struct(_) => {
                let (fields, _) = self.changed_fields(value)?;
                let fields: Vec<String> = fields
                    .iter()
                    .map(|(field, text)| format!("{field}: {}", in_scene(text.clone())))
                    .collect();
                Ok(if fields.is_empty() {
                    name
                } else {
                    format!("{name} {{ {} }}", fields.join(", "))
                })
            }
            ReflectRef::TupleStruct(fields) => {
                let items: Result<Vec<_>, _> = fields
                    .iter_fields()
                    .map(|field| self.expression(field).map(in_scene))
                    .collect();
                Ok(format!("{name}({})", items?.join(", ")))
            }
            ReflectRef::Enum(_) => self.variant(value, &name, true),
            _ => Err(cannot_write(value)),
        }
    }

    /// Several behaviours of this name.
    fn several(&mut self, value: &dyn PartialReflect, name: &str) -> Result<String, PresetError> {
        let several = self.name_of(value)?;
        let list = value.reflect_ref().as_tuple_struct().ok().and_then(|several| several.field(0));
        let list = list.and_then(|list| list.reflect_ref().as_list().ok());
        let mut items = Vec::new();
        for item in list.ok_or_else(|| cannot_write(value))?.iter() {
            let name = self.named(name, item);
            items.push(self.expression_of(item, &name, true)?);
        }
        let items = items.join(", ");
        Ok(match self.language {
            Language::Rust => format!("{several}::<{name}>(vec![{items}])"),
            Language::Bsn => format!("{several}<{name}>({{vec![{items}]}})"),
        })
    }

    /// Notes a name if it is one of `bevy_steer`.
    fn named(&mut self, name: &str, value: &dyn PartialReflect) -> String {
        let info = value.get_represented_type_info();
        if info.and_then(|info| info.type_path_table().crate_name()) == Some("bevy_steer") {
            self.names.insert(name.split('<').next().unwrap_or(name).to_owned());
        }
        name.to_owned()
    }

    fn name_of(&mut self, value: &dyn PartialReflect) -> Result<String, PresetError> {
        let info = value.get_represented_type_info();
        let name = info.and_then(|info| info.type_path_table().ident());
        let name = name.ok_or_else(|| cannot_write(value))?;
        Ok(self.named(name, value))
    }

    fn expression(&mut self, value: &dyn PartialReflect) -> Result<String, PresetError> {
        if value.try_downcast_ref::<Entity>().is_some() {
            self.has_entity = true;
            return Ok("Entity::PLACEHOLDER".into());
        }
        if let Some(path) = value.try_downcast_ref::<Path>() {
            let points: Result<Vec<_>, _> =
                path.given().iter().map(|point| self.expression(point)).collect();
            return Ok(format!("{}::new([{}])", self.name_of(value)?, points?.join(", ")));
        }
        match value.reflect_ref() {
            ReflectRef::Opaque(_) => plain(value).ok_or_else(|| cannot_write(value)),
            ReflectRef::Tuple(items) => self.list(items.iter_fields(), "(", ",)"),
            ReflectRef::Array(items) => self.list(items.iter(), "[", "]"),
            ReflectRef::List(items) => self.list(items.iter(), "vec![", "]"),
            _ => {
                let name = match value.reflect_ref() {
                    ReflectRef::Enum(variant) if is_option(value) => {
                        return match variant.field_at(0) {
                            Some(inner) => Ok(format!("Some({})", self.expression(inner)?)),
                            None => Ok("None".into()),
                        };
                    }
                    _ => self.name_of(value)?,
                };
                self.expression_of(value, &name, false)
            }
        }
    }

    fn list<'v>(
        &mut self,
        items: impl Iterator<Item = &'v dyn PartialReflect>,
        open: &str,
        close: &str,
    ) -> Result<String, PresetError> {
        let items: Result<Vec<_>, _> = items.map(|item| self.expression(item)).collect();
        Ok(format!("{open}{}{close}", items?.join(", ")))
    }

    /// A struct or enum of this name. A behaviour may have fields that reflection does not know.
    fn expression_of(
        &mut self,
        value: &dyn PartialReflect,
        name: &str,
        is_behavior: bool,
    ) -> Result<String, PresetError> {
        let name = &name.replacen('<', "::<", 1);
        match value.reflect_ref() {
            ReflectRef::Struct(fields) if is_glam(value.get_represented_type_info()) => {
                let new = if name.contains("Quat") { "from_xyzw" } else { "new" };
                self.list(
                    fields.iter_fields().map(|(_, field)| field),
                    &format!("{name}::{new}("),
                    ")",
                )
            }
            ReflectRef::Struct(_) => {
                let (fields, is_all) = self.changed_fields(value)?;
                let mut parts: Vec<String> =
                    fields.iter().map(|(field, text)| format!("{field}: {text}")).collect();
                if fields.is_empty() {
                    return Ok(if is_all { name.to_owned() } else { format!("{name}::default()") });
                }
                if !is_all || is_behavior {
                    parts.push("..default()".into());
                }
                Ok(format!("{name} {{ {} }}", parts.join(", ")))
            }
            ReflectRef::TupleStruct(fields) => {
                self.list(fields.iter_fields(), &format!("{name}("), ")")
            }
            ReflectRef::Enum(_) => self.variant(value, name, false),
            _ => Err(cannot_write(value)),
        }
    }

    /// A variant of an enum of this name, with all of its fields.
    fn variant(
        &mut self,
        value: &dyn PartialReflect,
        name: &str,
        is_in_scene: bool,
    ) -> Result<String, PresetError> {
        let variant = value.reflect_ref().as_enum().map_err(|_| cannot_write(value))?;
        let info = value.get_represented_type_info().and_then(|info| info.as_enum().ok());
        let info = info.and_then(|info| info.variant(variant.variant_name()));
        let known = info.and_then(|info| info.as_struct_variant().ok());
        let head = format!("{name}::{}", variant.variant_name());
        let mut parts = Vec::new();
        for own in variant.iter_fields() {
            let is_state = own
                .name()
                .zip(known)
                .and_then(|(name, known)| known.field(name))
                .is_some_and(is_state);
            let text = match (is_state, is_in_scene) {
                (true, true) => {
                    // A scene does not infer the type.
                    let path = own.value().reflect_short_type_path();
                    let names = path.split(|c: char| !c.is_alphanumeric());
                    self.names.extend(names.filter(|name| !name.is_empty()).map(str::to_owned));
                    format!("{{<{path}>::default()}}")
                }
                (true, false) => "default()".into(),
                (false, true) => in_scene(self.expression(own.value())?),
                (false, false) => self.expression(own.value())?,
            };
            parts.push(own.name().map_or(text.clone(), |name| format!("{name}: {text}")));
        }
        let parts = parts.join(", ");
        Ok(match variant.variant_type() {
            VariantType::Unit => head,
            VariantType::Tuple => format!("{head}({parts})"),
            VariantType::Struct => format!("{head} {{ {parts} }}"),
        })
    }

    /// The parameters of a struct that differ from their defaults, and whether these are all of its
    /// fields.
    fn changed_fields(
        &mut self,
        value: &dyn PartialReflect,
    ) -> Result<(Vec<(&'static str, String)>, bool), PresetError> {
        let info = value.get_represented_type_info().ok_or_else(|| cannot_write(value))?;
        let default = self.registry.get_type_data::<ReflectDefault>(info.type_id());
        let default = default.map(ReflectDefault::default);
        let default = default
            .as_ref()
            .and_then(|default| default.as_partial_reflect().reflect_ref().as_struct().ok());
        let known = info.as_struct().map_err(|_| cannot_write(value))?;
        let fields = value.reflect_ref().as_struct().map_err(|_| cannot_write(value))?;
        let mut changed = Vec::new();
        for field in known.iter().filter(|field| !is_state(field)) {
            let Some(own) = fields.field(field.name()) else { continue };
            let usual = default.and_then(|default| default.field(field.name()));
            // Entities differ even where they look the same.
            let is_usual = usual.is_some_and(|usual| own.reflect_partial_eq(usual) == Some(true));
            if !is_usual || holds_entity(own) {
                changed.push((field.name(), self.expression(own)?));
            }
        }
        let is_all = changed.len() == known.field_len();
        Ok((changed, is_all))
    }
}

/// A value in a scene, where all but numbers and truth values is in braces.
fn in_scene(text: String) -> String {
    let is_number = text.parse::<f64>().is_ok() && !text.starts_with('-');
    if is_number || text.parse::<bool>().is_ok() { text } else { format!("{{{text}}}") }
}

fn is_several(value: &dyn PartialReflect) -> bool {
    matches!(value.reflect_ref(), ReflectRef::TupleStruct(_))
        && value.reflect_short_type_path().starts_with("Several<")
}

fn is_option(value: &dyn PartialReflect) -> bool {
    let info = value.get_represented_type_info();
    info.is_some_and(|info| info.type_path_table().ident() == Some("Option"))
}

/// A number, a truth value or a text.
fn plain(value: &dyn PartialReflect) -> Option<String> {
    macro_rules! plain {
        ($($type:ty),*) => {
            $(if let Some(it) = value.try_downcast_ref::<$type>() { return Some(format!("{it:?}")); })*
        };
    }
    if let Some(&number) = value.try_downcast_ref::<f32>() {
        return Some(match number {
            f32::INFINITY => "f32::INFINITY".into(),
            f32::NEG_INFINITY => "f32::NEG_INFINITY".into(),
            _ if number.is_nan() => "f32::NAN".into(),
            _ => format!("{number:?}"),
        });
    }
    plain!(bool, u8, u16, u32, u64, usize, i8, i16, i32, i64, isize, f64, char);
    let text = value.try_downcast_ref::<String>()?;
    Some(format!("{text:?}.into()"))
}

fn cannot_write(value: &dyn PartialReflect) -> PresetError {
    PresetError::new(format!("{} cannot be written as code", value.reflect_short_type_path()))
}
