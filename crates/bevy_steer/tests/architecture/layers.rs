//! The layers of the sources: imports point down, and no two files need each other.

use std::collections::{BTreeMap, BTreeSet};

use crate::imports::{Arrow, Crate};

/// Folders or files of a crate by layer, the lowest first.
pub(crate) type Layers = &'static [&'static [&'static str]];

/// The layer of a file: that of its folder, or the one above all for those in none.
fn layer_of(file: &str, layers: Layers) -> usize {
    let top = file.split('/').next().unwrap_or(file);
    let name = top.strip_suffix(".rs").unwrap_or(top);
    layers.iter().position(|layer| layer.contains(&name)).unwrap_or(layers.len())
}

/// Imports from a lower layer into a higher one.
pub(crate) fn upward(sources: &Crate, layers: Layers) -> Vec<String> {
    let is_upward = |(from, to): &Arrow| layer_of(from, layers) < layer_of(to, layers);
    let arrows = sources.arrows().into_iter().filter(is_upward);
    arrows
        .map(|(from, to)| format!("{from} imports from {to}, which is in a higher layer"))
        .collect()
}

/// For each group of files that all need each other, a shortest circle among them.
pub(crate) fn circles(sources: &Crate) -> Vec<String> {
    let mut next: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (from, to) in sources.arrows() {
        next.entry(from).or_default().insert(to);
    }
    let mut circles = Vec::new();
    let mut seen = BTreeSet::new();
    for file in sources.files() {
        if seen.contains(file) {
            continue;
        }
        let Some(circle) = shortest_circle(file, &next) else { continue };
        let group: BTreeSet<String> = reached(file, &next)
            .into_iter()
            .filter(|other| reached(other, &next).contains(file))
            .collect();
        let shortest = group.iter().filter_map(|file| shortest_circle(file, &next));
        let circle = shortest.min_by_key(Vec::len).unwrap_or(circle);
        circles.push(format!("{} form a circle of imports", circle.join(" → ")));
        if group.len() > circle.len() {
            let group: Vec<&str> = group.iter().map(String::as_str).collect();
            circles.push(format!("  and all of these need each other: {}", group.join(" ")));
        }
        seen.extend(group);
    }
    circles
}

/// All files that a file needs, directly or not.
fn reached(from: &str, next: &BTreeMap<String, BTreeSet<String>>) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut open = vec![from.to_owned()];
    while let Some(file) = open.pop() {
        for other in next.get(&file).into_iter().flatten() {
            if found.insert(other.clone()) {
                open.push(other.clone());
            }
        }
    }
    found
}

/// The shortest way from a file back to itself, with the file at both ends.
fn shortest_circle(file: &str, next: &BTreeMap<String, BTreeSet<String>>) -> Option<Vec<String>> {
    let mut came_from: BTreeMap<&str, &str> = BTreeMap::new();
    let mut open = vec![file];
    while !open.is_empty() {
        let mut further = Vec::new();
        for here in open {
            for other in next.get(here).into_iter().flatten() {
                if other == file {
                    let mut circle = vec![file.to_owned(), here.to_owned()];
                    while let Some(&before) = came_from.get(circle.last()?.as_str()) {
                        circle.push(before.to_owned());
                    }
                    if circle.last()? != file {
                        circle.push(file.to_owned());
                    }
                    circle.reverse();
                    return Some(circle);
                }
                if !came_from.contains_key(other.as_str()) {
                    came_from.insert(other, here);
                    further.push(other.as_str());
                }
            }
        }
        open = further;
    }
    None
}

mod tests {
    use super::*;

    const LAYERS: Layers = &[&["low"], &["middle", "beside"], &["high"]];

    #[test]
    fn an_upward_import_is_found() {
        let sources = Crate::parse([
            ("lib.rs", "mod low; mod high; pub use high::High;"),
            ("low/mod.rs", "pub(crate) mod part;"),
            ("low/part.rs", "use core::fmt; use crate::{high::High, middle};"),
            ("middle.rs", "struct Middle;"),
            ("high.rs", "use crate::low::part; pub struct High;"),
        ]);
        let found = upward(&sources, LAYERS);
        let expected = ["high.rs", "middle.rs"]
            .map(|to| format!("low/part.rs imports from {to}, which is in a higher layer"));
        assert_eq!(found, expected);
    }

    #[test]
    fn a_path_without_an_import_counts() {
        let sources = Crate::parse([
            ("lib.rs", "mod low; mod high;"),
            ("low.rs", "fn low() -> u8 { crate::high::high() } // crate::lib"),
            ("high.rs", "pub fn high() -> u8 { 0 }"),
        ]);
        assert_eq!(upward(&sources, LAYERS).len(), 1);
    }

    #[test]
    fn imports_through_re_exports_lead_to_the_definition() {
        let sources = Crate::parse([
            ("lib.rs", "mod low; mod high; pub use high::*; pub use low::{self as base, Low};"),
            ("low/mod.rs", "mod part; pub use part::Low;"),
            ("low/part.rs", "pub struct Low; use crate::exported;"),
            ("high/mod.rs", "mod part; pub use self::part::{High as Higher};"),
            ("high/part.rs", "use crate::Low; use crate::base::Low as Again; pub struct High;"),
            ("middle.rs", "use crate::Higher; #[macro_export] macro_rules! exported { () => {} }"),
        ]);
        let arrows = sources.arrows();
        let arrow = |from: &str, to: &str| (from.to_owned(), to.to_owned());
        let expected = [
            arrow("high/part.rs", "low/part.rs"),
            arrow("low/part.rs", "middle.rs"),
            arrow("middle.rs", "high/part.rs"),
        ];
        assert_eq!(arrows, BTreeSet::from(expected));
    }

    #[test]
    fn a_circle_is_found() {
        let sources = Crate::parse([
            ("lib.rs", "mod low; mod middle;"),
            ("low/mod.rs", "mod one; mod two; mod three; mod four;"),
            ("low/one.rs", "use super::two::Two; pub struct One;"),
            ("low/two.rs", "pub struct Two; use crate::low::three::{Three};"),
            ("low/three.rs", "pub struct Three(super::one::One);"),
            ("low/four.rs", "use super::one::One;"),
        ]);
        let found = circles(&sources);
        assert_eq!(found.len(), 1, "{found:?}");
        let order = "low/one.rs → low/two.rs → low/three.rs → low/one.rs form a circle of imports";
        assert_eq!(found[0], order);
        assert_eq!(upward(&sources, LAYERS), Vec::<String>::new());
    }

    #[test]
    fn files_that_only_share_a_third_are_no_circle() {
        let sources = Crate::parse([
            ("lib.rs", "mod low; pub mod inner { pub use super::low::one::One; }"),
            ("low/mod.rs", "pub mod one; mod two; #[cfg(test)] mod tests { use crate::low::two; }"),
            ("low/one.rs", "pub struct One; #[cfg(test)] mod tests { use super::super::two; }"),
            ("low/two.rs", "use crate::inner::One;"),
        ]);
        assert_eq!(circles(&sources), Vec::<String>::new());
    }
}
