//! The two rules of imports: they point down, and no folder is in a circle of them.

use std::collections::{BTreeMap, BTreeSet};

use super::imports::{Crate, Import};

/// Folders or files of a crate by layer, the lowest first. A file in none is above all of them.
pub(crate) type Layers = &'static [&'static [&'static str]];

fn layer_of(file: &str, layers: Layers) -> usize {
    let top = file.split('/').next().unwrap_or(file);
    let name = top.strip_suffix(".rs").unwrap_or(top);
    layers.iter().position(|layer| layer.contains(&name)).unwrap_or(layers.len())
}

/// Imports into a higher layer, and folders that the table of layers does not have.
pub(crate) fn against_layers(sources: &Crate, layers: Layers) -> Vec<String> {
    let is_unknown = |file: &&str| layer_of(file, layers) == layers.len() && file.contains('/');
    let unknown = sources.files().into_iter().filter(is_unknown);
    let is_upward = |import: &Import| layer_of(&import.from, layers) < layer_of(&import.to, layers);
    let upward = sources.imports().into_iter().filter(is_upward);
    unknown
        .map(|file| format!("{file} is in a folder without a layer"))
        .chain(upward.map(|Import { from, to }| format!("{from} imports upwards, from {to}")))
        .collect()
}

/// Circles of imports that a folder is part of. Files of one folder may import each other as they
/// like; a folder, and what is beside it, may not.
pub(crate) fn circles(sources: &Crate) -> Vec<String> {
    let imports = sources.imports();
    let mut circles = BTreeSet::new();
    for folder in sources.files().into_iter().flat_map(folders_around) {
        // The folder's files and folders, and what they import from each other.
        let mut beside: BTreeMap<&str, BTreeMap<&str, &Import>> = BTreeMap::new();
        for import in &imports {
            let from = import.from.strip_prefix(folder).map(first_name);
            let to = import.to.strip_prefix(folder).map(first_name);
            if let (Some(from), Some(to)) = (from, to)
                && from != to
            {
                beside.entry(from).or_default().entry(to).or_insert(import);
            }
        }
        for start in beside.keys().filter(|name| name.ends_with('/')) {
            if let Some(circle) = shortest_circle(start, &beside) {
                circles.insert(circle);
            }
        }
    }
    let describe = |circle: BTreeSet<&Import>| {
        let imports = circle.iter().map(|Import { from, to }| format!("{from} → {to}"));
        format!("a circle of folders: {}", imports.collect::<Vec<_>>().join(", "))
    };
    circles.into_iter().map(describe).collect()
}

/// The folders that a file is in, from the root, which is empty: `a/`, `a/b/` of `a/b/c.rs`.
fn folders_around(file: &str) -> impl Iterator<Item = &str> {
    [""].into_iter().chain(file.match_indices('/').map(|(end, _)| &file[..=end]))
}

/// `a/` of `a/b.rs`, or the file.
fn first_name(path: &str) -> &str {
    path.find('/').map_or(path, |end| &path[..=end])
}

/// The imports of a shortest way from a name back to it.
fn shortest_circle<'a>(
    start: &str,
    beside: &BTreeMap<&'a str, BTreeMap<&'a str, &'a Import>>,
) -> Option<BTreeSet<&'a Import>> {
    let mut ways: Vec<(&str, BTreeSet<&Import>)> = vec![(start, BTreeSet::new())];
    let mut seen = BTreeSet::new();
    let mut next = 0;
    while let Some((here, way)) = ways.get(next).cloned() {
        for (&there, &import) in beside.get(here).into_iter().flatten() {
            let way: BTreeSet<&Import> = way.iter().copied().chain([import]).collect();
            if there == start {
                return Some(way);
            }
            if seen.insert(there) {
                ways.push((there, way));
            }
        }
        next += 1;
    }
    None
}

mod tests {
    use super::*;

    const LAYERS: Layers = &[&["low"], &["middle", "beside"], &["high"]];

    fn violations<const N: usize>(sources: [(&str, &str); N]) -> Vec<String> {
        let sources = Crate::parse(sources);
        [against_layers(&sources, LAYERS), circles(&sources)].concat()
    }

    #[test]
    fn an_upward_import_is_found() {
        let found = violations([
            ("lib.rs", "mod low; mod high; pub use high::High;"),
            ("low/mod.rs", "pub(crate) mod part;"),
            ("low/part.rs", "use core::fmt; use crate::{high::High, middle};"),
            ("middle.rs", "struct Middle;"),
            ("high.rs", "pub struct High;"),
        ]);
        let expected =
            ["high.rs", "middle.rs"].map(|to| format!("low/part.rs imports upwards, from {to}"));
        assert_eq!(found, expected);
    }

    #[test]
    fn a_path_without_an_import_counts() {
        let code = ["crate::high::high()", "super::high::high()", "own!(crate::high::high)"];
        for code in code {
            let found = violations([
                ("lib.rs", "mod low; mod high;"),
                ("low.rs", &format!("fn low() -> u8 {{ {code} }} // crate::lib")),
                ("high.rs", "pub fn high() -> u8 { 0 }"),
            ]);
            assert_eq!(found, ["low.rs imports upwards, from high.rs"], "{code}");
        }
    }

    #[test]
    fn imports_by_a_re_export_count() {
        let found = violations([
            ("lib.rs", "mod low; mod middle; mod high; pub use high::*;"),
            ("low/mod.rs", "mod part; pub use crate::high::part::High;"),
            ("low/part.rs", "use crate::{exported, High}; macro_rules! a { ($crate::High) => {} }"),
            ("high/mod.rs", "pub mod part;"),
            ("high/part.rs", "pub struct High;"),
            ("middle.rs", "#[macro_export] macro_rules! exported { () => {} }"),
        ]);
        let expected = [
            "low/mod.rs imports upwards, from high/part.rs",
            "low/part.rs imports upwards, from lib.rs",
            "low/part.rs imports upwards, from middle.rs",
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn a_folder_without_a_layer_is_found() {
        let found = violations([("lib.rs", "mod other;"), ("other/mod.rs", "")]);
        assert_eq!(found, ["other/mod.rs is in a folder without a layer"]);
    }

    #[test]
    fn a_circle_of_folders_is_found() {
        let found = violations([
            ("lib.rs", "mod beside; mod middle;"),
            ("beside/mod.rs", "mod one; mod two; pub use two::Two;"),
            ("beside/one.rs", "use crate::middle::Middle; pub struct One;"),
            ("beside/two.rs", "pub struct Two;"),
            ("middle.rs", "pub struct Middle(crate::beside::Two);"),
        ]);
        let expected = "beside/one.rs → middle.rs, middle.rs → beside/mod.rs";
        assert_eq!(found, [format!("a circle of folders: {expected}")]);
    }

    #[test]
    fn a_circle_of_a_folder_and_the_files_beside_it_is_found() {
        let found = violations([
            ("lib.rs", "mod low;"),
            ("low/mod.rs", "mod one; mod two; mod inner; mod third; pub use inner::Inner;"),
            ("low/one.rs", "use super::two::Two; pub struct One;"),
            ("low/two.rs", "pub struct Two; use super::Inner;"),
            ("low/third.rs", "use super::Inner;"),
            ("low/inner/mod.rs", "mod part; pub use part::Inner;"),
            ("low/inner/part.rs", "pub struct Inner(super::super::one::One);"),
        ]);
        let expected = "low/inner/part.rs → low/one.rs, low/mod.rs → low/inner/mod.rs, \
            low/one.rs → low/two.rs, low/two.rs → low/mod.rs";
        assert_eq!(found, [format!("a circle of folders: {expected}")]);
    }

    #[test]
    fn files_of_a_folder_may_import_each_other() {
        let found = violations([
            ("lib.rs", "mod low; pub mod facade { pub use super::low::one::One; }"),
            ("low/mod.rs", "pub mod one; mod two; mod inner; #[cfg(test)] mod tests;"),
            ("low/one.rs", "use super::{two::Two, inner::Inner}; pub struct One;"),
            ("low/two.rs", "pub struct Two(super::one::One); use super::inner;"),
            ("low/inner/mod.rs", "mod a; mod b; pub use a::Inner;"),
            ("low/inner/a.rs", "use super::b::B; pub struct Inner;"),
            (
                "low/inner/b.rs",
                "pub struct B(super::a::Inner); #[cfg(test)] use super::super::one;",
            ),
        ]);
        assert_eq!(found, [""; 0]);
    }
}
