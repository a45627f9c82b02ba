//! [`ValueWriter`]: values as code.

use std::collections::BTreeSet;

use bevy::{
    prelude::*,
    reflect::{
        NamedField, PartialReflect, ReflectRef, TypeInfo, TypeRegistry, enums::VariantType,
        std_traits::ReflectDefault,
    },
};
use bevy_steer::Path;

use super::{
    code::Language,
    imports::Imports,
    literals::{Number, literal},
};
use crate::reflection::kinds::{holds_entity, is_glam, is_set_by_others, is_state};

/// What a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// A component, or a value in one.
    Value,
    /// A behaviour, which may have fields that reflection does not know.
    Behavior,
    /// A behaviour of which another component sets what it is directed at.
    Directed,
}

/// Writes values as code, and notes what the code needs.
pub(super) struct ValueWriter<'a> {
    pub(super) registry: &'a TypeRegistry,
    pub(super) language: Language,
    pub(super) imports: Imports,
    /// Whether the code has an entity, which the game has to set.
    pub(super) has_entity: bool,
    /// What is said of fields that cannot be written.
    pub(super) notes: BTreeSet<String>,
}

/// A function that writes a value, if it can be written.
type WriteValue<'a> = fn(&mut ValueWriter<'a>, &dyn PartialReflect) -> Option<String>;

impl<'a> ValueWriter<'a> {
    pub(super) fn new(registry: &'a TypeRegistry, language: Language) -> Self {
        let (imports, notes) = (Imports::default(), BTreeSet::new());
        Self { registry, language, imports, has_entity: false, notes }
    }

    /// A component as a part of a bundle or a scene.
    pub(super) fn part(
        &mut self,
        value: &dyn PartialReflect,
        name: &str,
        role: Role,
    ) -> Option<String> {
        if self.language == Language::Rust {
            return self.expression_of(value, name, role);
        }
        match value.reflect_ref() {
            ReflectRef::Struct(_) => {
                let (fields, _) = self.fields(value, name, role, Self::in_scene)?;
                Some(if fields.is_empty() {
                    name.to_owned()
                } else {
                    format!("{name} {{ {} }}", fields.join(", "))
                })
            }
            ReflectRef::TupleStruct(fields) => {
                let items = fields.iter_fields().map(|field| self.in_scene(field));
                Some(format!("{name}({})", items.collect::<Option<Vec<_>>>()?.join(", ")))
            }
            ReflectRef::Enum(_) => self.variant(value, name, Self::in_scene),
            _ => None,
        }
    }

    /// The name of the type of a value.
    pub(super) fn name_of(&mut self, value: &dyn PartialReflect) -> Option<String> {
        let info = value.get_represented_type_info()?;
        Some(self.imports.add_type(info.type_path_table().path()))
    }

    fn expression(&mut self, value: &dyn PartialReflect) -> Option<String> {
        if value.try_downcast_ref::<Entity>().is_some() {
            self.has_entity = true;
            return Some("Entity::PLACEHOLDER".into());
        }
        if let Some(path) = value.try_downcast_ref::<Path>() {
            let points = path.given().iter().map(PartialReflect::as_partial_reflect);
            let open = format!("{}::new([", self.name_of(value)?);
            return self.list(points, &open, "])");
        }
        let info = value.get_represented_type_info();
        match value.reflect_ref() {
            ReflectRef::Opaque(_) => literal(value),
            ReflectRef::Tuple(items) => {
                let close = if items.field_len() == 1 { ",)" } else { ")" };
                self.list(items.iter_fields(), "(", close)
            }
            ReflectRef::Array(items) => self.list(items.iter(), "[", "]"),
            ReflectRef::List(items) => self.list(items.iter(), "vec![", "]"),
            ReflectRef::Enum(variant) if is_option(info) => match variant.field_at(0) {
                Some(inner) => Some(format!("Some({})", self.expression(inner)?)),
                None => Some("None".into()),
            },
            ReflectRef::TupleStruct(fields) if is_direction(info) => {
                let open = format!("{}::new_unchecked(", self.name_of(value)?);
                self.list(fields.iter_fields(), &open, ")")
            }
            ReflectRef::Struct(_) | ReflectRef::TupleStruct(_) | ReflectRef::Enum(_) => {
                let name = self.name_of(value)?;
                self.expression_of(value, &name, Role::Value)
            }
            _ => None,
        }
    }

    fn list<'v>(
        &mut self,
        items: impl Iterator<Item = &'v dyn PartialReflect>,
        open: &str,
        close: &str,
    ) -> Option<String> {
        let items: Option<Vec<_>> = items.map(|item| self.expression(item)).collect();
        Some(format!("{open}{}{close}", items?.join(", ")))
    }

    /// A value in a scene: numbers and truth values as they are, all else in braces.
    fn in_scene(&mut self, value: &dyn PartialReflect) -> Option<String> {
        if let Some(number) = Number::of(value) {
            return Some(number.in_scene());
        }
        if value.try_downcast_ref::<bool>().is_some() {
            return literal(value);
        }
        let text = match number_in_option(value) {
            Some(number) => format!("Some({})", number.typed()),
            None => self.expression(value)?,
        };
        Some(format!("{{{text}}}"))
    }

    /// A struct or enum of this name.
    pub(super) fn expression_of(
        &mut self,
        value: &dyn PartialReflect,
        name: &str,
        role: Role,
    ) -> Option<String> {
        let code_name = name.replacen('<', "::<", 1);
        match value.reflect_ref() {
            ReflectRef::Struct(fields) if is_glam(value.get_represented_type_info()) => {
                let new = if name.contains("Quat") { "from_xyzw" } else { "new" };
                let open = format!("{code_name}::{new}(");
                self.list(fields.iter_fields().map(|(_, field)| field), &open, ")")
            }
            ReflectRef::Struct(_) => {
                let (mut fields, is_all) = self.fields(value, name, role, Self::expression)?;
                let is_complete = is_all && role == Role::Value;
                if fields.is_empty() {
                    let default = if is_complete { "" } else { "::default()" };
                    return Some(code_name + default);
                }
                if !is_complete {
                    fields.push("..default()".into());
                }
                Some(format!("{code_name} {{ {} }}", fields.join(", ")))
            }
            ReflectRef::TupleStruct(fields) => {
                self.list(fields.iter_fields(), &format!("{code_name}("), ")")
            }
            ReflectRef::Enum(_) => self.variant(value, &code_name, Self::expression),
            _ => None,
        }
    }

    /// A variant of an enum of this name, with all of its fields.
    fn variant(
        &mut self,
        value: &dyn PartialReflect,
        name: &str,
        write: WriteValue<'a>,
    ) -> Option<String> {
        let variant = value.reflect_ref().as_enum().ok()?;
        let info = value.get_represented_type_info().and_then(|info| info.as_enum().ok());
        let info = info.and_then(|info| info.variant(variant.variant_name()));
        let known = info.and_then(|info| info.as_struct_variant().ok());
        let head = format!("{name}::{}", variant.variant_name());
        let mut parts = Vec::new();
        for own in variant.iter_fields() {
            let known = own.name().zip(known).and_then(|(name, known)| known.field(name));
            let text = if known.is_some_and(is_state) {
                self.default_state(own.value())
            } else {
                write(self, own.value())?
            };
            parts.push(match own.name() {
                Some(name) => format!("{name}: {text}"),
                None => text,
            });
        }
        let parts = parts.join(", ");
        Some(match variant.variant_type() {
            VariantType::Unit => head,
            VariantType::Tuple => format!("{head}({parts})"),
            VariantType::Struct => format!("{head} {{ {parts} }}"),
        })
    }

    /// Runtime state, as it is at the start. A scene does not infer its type.
    fn default_state(&mut self, value: &dyn PartialReflect) -> String {
        match self.language {
            Language::Rust => "default()".into(),
            Language::Bsn => {
                let name = self.imports.add_type(value.reflect_type_path());
                format!("{{<{name}>::default()}}")
            }
        }
    }

    /// The changed fields of a struct of this name, and whether these are all of its fields. Notes
    /// those that cannot be written.
    fn fields(
        &mut self,
        value: &dyn PartialReflect,
        name: &str,
        role: Role,
        write: WriteValue<'a>,
    ) -> Option<(Vec<String>, bool)> {
        let count = value.get_represented_type_info()?.as_struct().ok()?.field_len();
        let mut parts = Vec::new();
        for (field, own) in self.changed(value, role)? {
            let field = field.name();
            match write(self, own) {
                Some(text) => parts.push(format!("{field}: {text}")),
                None => {
                    let of = own.reflect_short_type_path();
                    let note = format!("{name}.{field}: not written, a {of}; set it yourself");
                    self.notes.insert(note);
                }
            }
        }
        let is_all = parts.len() == count;
        Some((parts, is_all))
    }

    /// The parameters of a struct that differ from their defaults.
    pub(super) fn changed<'v>(
        &self,
        value: &'v dyn PartialReflect,
        role: Role,
    ) -> Option<Vec<(&'static NamedField, &'v dyn PartialReflect)>> {
        let info = value.get_represented_type_info()?;
        let default = self.registry.get_type_data::<ReflectDefault>(info.type_id());
        let default = default.map(ReflectDefault::default);
        let default = default
            .as_ref()
            .and_then(|default| default.as_partial_reflect().reflect_ref().as_struct().ok());
        let fields = value.reflect_ref().as_struct().ok()?;
        let is_parameter = |field: &NamedField| {
            !(is_state(field) || role == Role::Directed && is_set_by_others(field.type_id()))
        };
        let known = info.as_struct().ok()?.iter().filter(|field| is_parameter(field));
        let parameters = known.filter_map(move |field| Some((field, fields.field(field.name())?)));
        let is_changed = |(field, own): &(&NamedField, &dyn PartialReflect)| {
            let usual = default.and_then(|default| default.field(field.name()));
            let is_usual = usual.is_some_and(|usual| own.reflect_partial_eq(usual) == Some(true));
            // Entities differ even where they look the same.
            !is_usual || holds_entity(*own)
        };
        Some(parameters.filter(is_changed).collect())
    }
}

fn is_option(info: Option<&TypeInfo>) -> bool {
    info.is_some_and(|info| info.type_path_table().ident() == Some("Option"))
}

/// Whether a type is one of Bevy's directions, which have no public fields.
fn is_direction(info: Option<&TypeInfo>) -> bool {
    let Some(table) = info.map(TypeInfo::type_path_table) else { return false };
    table.crate_name() == Some("bevy_math")
        && matches!(table.ident(), Some("Dir2" | "Dir3" | "Dir3A" | "Dir4"))
}

/// The number in an `Option`.
fn number_in_option(value: &dyn PartialReflect) -> Option<Number> {
    let variant = value.reflect_ref().as_enum().ok()?;
    let inner = variant.field_at(0).filter(|_| is_option(value.get_represented_type_info()))?;
    Number::of(inner)
}
