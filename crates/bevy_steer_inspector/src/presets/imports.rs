//! [`Imports`]: the types that code names, for its `use` lines.

use std::collections::{BTreeMap, BTreeSet};

/// The names of types, by the module that code imports them from.
#[derive(Debug, Default)]
pub(super) struct Imports(BTreeMap<String, BTreeSet<String>>);

impl Imports {
    /// Notes the types in a type path. Returns the path without modules: `Several<Seek>`.
    ///
    /// The modules of these crates are private, and their types exported at the root.
    pub(super) fn add_type(&mut self, type_path: &str) -> String {
        self.add(type_path, |module| {
            let root = root(module);
            if root.starts_with("bevy_steer") { root } else { module }
        })
    }

    /// Notes the types in a path that is public as it is. Returns the path without modules.
    pub(super) fn add_public(&mut self, path: &str) -> String {
        self.add(path, |module| module)
    }

    fn add(&mut self, path: &str, exported_in: impl Fn(&str) -> &str) -> String {
        let mut code = String::new();
        for piece in path.split_inclusive(is_between_paths) {
            let one = piece.trim_end_matches(is_between_paths);
            let name = match one.rsplit_once("::") {
                Some((module, name)) => {
                    if !is_in_prelude(root(module)) {
                        let names = self.0.entry(exported_in(module).to_owned()).or_default();
                        names.insert(name.to_owned());
                    }
                    name
                }
                None => one,
            };
            code += name;
            code += &piece[one.len()..];
        }
        code
    }

    /// The `use` lines, as comments.
    pub(super) fn lines(&self) -> impl Iterator<Item = String> {
        self.0.iter().map(|(module, names)| {
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            format!("// use {module}::{{{}}};", names.join(", "))
        })
    }
}

fn is_between_paths(c: char) -> bool {
    !(c.is_alphanumeric() || matches!(c, '_' | ':'))
}

/// The crate of a module.
fn root(module: &str) -> &str {
    module.split("::").next().unwrap_or(module)
}

/// Whether the types of a crate are in Bevy's prelude or in that of Rust, as far as known.
fn is_in_prelude(root: &str) -> bool {
    const ROOTS: [&str; 12] = [
        "alloc",
        "bevy",
        "bevy_asset",
        "bevy_color",
        "bevy_ecs",
        "bevy_math",
        "bevy_mesh",
        "bevy_time",
        "bevy_transform",
        "core",
        "glam",
        "std",
    ];
    ROOTS.contains(&root)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_imported_from_where_they_are_exported() {
        let mut imports = Imports::default();
        let seeks = "bevy_steer::behavior::several::Several<bevy_steer::behaviors::seek::Seek>";
        assert_eq!(imports.add_type(seeks), "Several<Seek>");
        assert_eq!(imports.add_type("hunt::pack::Hunt<hunt::Prey, 3>"), "Hunt<Prey, 3>");
        assert_eq!(imports.add_type("core::option::Option<glam::Vec3>"), "Option<Vec3>");
        assert_eq!(imports.add_type("[f32; 4]"), "[f32; 4]");
        let avoid = "bevy_steer_avian::dim2::AvoidColliders";
        assert_eq!(imports.add_public(avoid), "AvoidColliders");
        let lines: Vec<String> = imports.lines().collect();
        let expected = [
            "// use bevy_steer::{Seek, Several};",
            "// use bevy_steer_avian::dim2::{AvoidColliders};",
            "// use hunt::{Prey};",
            "// use hunt::pack::{Hunt};",
        ];
        assert_eq!(lines, expected);
    }
}
