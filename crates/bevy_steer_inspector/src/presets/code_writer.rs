//! [`CodeWriter`]: the components of an agent as a bundle or as a scene.

use core::fmt::Write;

use bevy::reflect::{PartialReflect, TypeRegistry};
use bevy_steer::RegisteredBehavior;

use super::{
    code::Language,
    value_writer::{Role, ValueWriter},
};

/// Writes the components of an agent one by one.
pub(super) struct CodeWriter<'a> {
    pub(super) values: ValueWriter<'a>,
    lines: Vec<String>,
    /// The components that cannot be written.
    not_written: Vec<String>,
}

impl<'a> CodeWriter<'a> {
    pub(super) fn new(registry: &'a TypeRegistry, language: Language) -> Self {
        let values = ValueWriter::new(registry, language);
        Self { values, lines: Vec::new(), not_written: Vec::new() }
    }

    /// Adds a component that is no behaviour.
    pub(super) fn component(&mut self, value: &dyn PartialReflect) {
        let line =
            self.values.name_of(value).and_then(|name| self.values.part(value, &name, Role::Value));
        self.add(line, value.reflect_short_type_path());
    }

    /// Adds a component with its default value.
    pub(super) fn default_of(&mut self, value: &dyn PartialReflect) {
        let line = self.values.name_of(value).map(|name| match self.values.language {
            Language::Rust => format!("{name}::default()"),
            Language::Bsn => name,
        });
        self.add(line, value.reflect_short_type_path());
    }

    /// Adds a behaviour; one that cannot be read by reflection has no value.
    pub(super) fn behavior(
        &mut self,
        behavior: &RegisteredBehavior,
        value: Option<&dyn PartialReflect>,
        role: Role,
    ) {
        let name = self.name_of_behavior(behavior);
        let line = value.and_then(|value| self.values.part(value, &name, role));
        self.add(line, &name);
    }

    /// Adds several behaviours of one kind.
    pub(super) fn several(
        &mut self,
        behavior: &RegisteredBehavior,
        value: Option<&dyn PartialReflect>,
    ) {
        let name = self.name_of_behavior(behavior);
        let several = self.values.imports.add_public("bevy_steer::Several");
        let list = value
            .and_then(|value| value.reflect_ref().as_tuple_struct().ok()?.field(0))
            .and_then(|list| list.reflect_ref().as_list().ok());
        let items = list.and_then(|list| {
            let items =
                list.iter().map(|item| self.values.expression_of(item, &name, Role::Behavior));
            items.collect::<Option<Vec<_>>>()
        });
        let line = items.map(|items| {
            let items = items.join(", ");
            match self.values.language {
                Language::Rust => format!("{several}::<{name}>(vec![{items}])"),
                Language::Bsn => format!("{several}<{name}>({{vec![{items}]}})"),
            }
        });
        self.add(line, &format!("{several}<{name}>"));
    }

    fn add(&mut self, line: Option<String>, name: &str) {
        match line {
            Some(line) => self.lines.push(line),
            None => self.not_written.push(name.to_owned()),
        }
    }

    /// The code.
    pub(super) fn finish(self) -> String {
        let mut code = "// use bevy::prelude::*;\n".to_owned();
        self.values.imports.lines().for_each(|line| _ = writeln!(code, "{line}"));
        if self.values.has_entity {
            code += "// Replace Entity::PLACEHOLDER by the entities of your game.\n";
        }
        if !self.not_written.is_empty() {
            _ = writeln!(code, "// Not written: {}", self.not_written.join(", "));
        }
        self.values.notes.iter().for_each(|note| _ = writeln!(code, "// {note}"));
        match self.values.language {
            Language::Bsn => {
                code += "bsn! {\n";
                self.lines.iter().for_each(|line| _ = writeln!(code, "    {line}"));
                code += "}\n";
            }
            Language::Rust => {
                // A bundle has at most fifteen parts.
                code += "(\n";
                for part in self.lines.chunks(12) {
                    code += "    (\n";
                    part.iter().for_each(|line| _ = writeln!(code, "        {line},"));
                    code += "    ),\n";
                }
                code += ")\n";
            }
        }
        code
    }

    /// The name of a behaviour.
    fn name_of_behavior(&mut self, behavior: &RegisteredBehavior) -> String {
        let info = self.values.registry.get_type_info(behavior.type_id);
        if info.is_some_and(|info| info.type_path_table().path() == behavior.path) {
            self.values.imports.add_type(behavior.path)
        } else {
            self.values.imports.add_public(behavior.path)
        }
    }
}
