//! What the crate's sources declare: tests that ask about every component learn of a new one from
//! here.

use std::{fs, path::Path};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Component,
    Resource,
}

/// A component or resource.
#[derive(Clone, Debug)]
pub struct State {
    pub name: String,
    pub kind: Kind,
    pub is_public: bool,
}

/// All components and resources of the crate, also those of its own.
pub fn declared() -> Vec<State> {
    let mut found = Vec::new();
    search(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../bevy_steer/src"), &mut found);
    found
}

fn search(folder: &Path, found: &mut Vec<State>) {
    for entry in fs::read_dir(folder).expect("the sources") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            search(&path, found);
        } else {
            read(&fs::read_to_string(&path).expect("a source"), found);
        }
    }
}

fn read(source: &str, found: &mut Vec<State>) {
    let mut lines = source.lines();
    while let Some(line) = lines.next() {
        // Those of unit tests are indented, those of examples in comments.
        let Some(derives) = line.strip_prefix("#[derive(") else { continue };
        let mut derives = derives.to_owned();
        while !derives.ends_with(")]") {
            derives += lines.next().expect("the end of what is derived");
        }
        let derived = |kind| derives.split([',', ' ', ')']).any(|derived| derived == kind);
        let kind = match (derived("Component"), derived("Resource")) {
            (true, _) => Kind::Component,
            (_, true) => Kind::Resource,
            _ => continue,
        };
        let Some(item) = lines.find(|line| !line.starts_with("#[")) else { continue };
        let mut words = item.split([' ', '<', '(', ';', '{']);
        let name = words.find(|word| *word == "struct" || *word == "enum").and(words.next());
        let name = name.unwrap_or(item).to_owned();
        found.push(State { name, kind, is_public: item.starts_with("pub ") });
    }
}
