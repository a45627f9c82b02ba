//! How many files know a built-in behaviour.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

use bevy::prelude::*;
use bevy_steer::{BehaviorRegistry, prelude::*};

use super::{code::code, crates};

/// Files of all crates outside of a behaviour's own, its tests, what they use, and examples.
const MOST: usize = 6;

/// A new behaviour costs a line in each file that is counted here: in the sources, and in tests and
/// benchmarks that list the behaviours, which are those that name more than half of them. Other
/// tests use a behaviour as they like.
#[test]
fn a_built_in_behavior_is_named_in_at_most_six_files() {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, SteeringPlugin::default()));
    let behaviors: Vec<&str> =
        app.world().resource::<BehaviorRegistry>().iter().map(|behavior| behavior.name).collect();
    let mut files = BTreeMap::new();
    collect(&crates(), &mut files);
    files.retain(|path, words| {
        let is_source =
            path.split('/').nth(1) == Some("src") && !path.starts_with("bevy_steer_tests");
        let named = behaviors.iter().filter(|&&name| words.contains(name)).count();
        is_source || named > behaviors.len() / 2
    });
    assert!(files.len() > 100, "the sources were not found");
    let too_many: Vec<String> = behaviors
        .iter()
        .map(|&name| (name, naming(name, &files)))
        .filter(|(_, naming)| naming.len() > MOST)
        .map(|(name, naming)| format!("{name} in {}: {}", naming.len(), naming.join(" ")))
        .collect();
    assert!(too_many.is_empty(), "named in too many files:\n{}", too_many.join("\n"));
}

/// The files that name a behaviour and are not about it.
fn naming<'a>(name: &str, files: &'a BTreeMap<String, BTreeSet<String>>) -> Vec<&'a str> {
    let snake = snake_case(name);
    let is_own = |path: &str| {
        path.contains("tests/behaviors/")
            || path.split('/').any(|part| part.strip_suffix(".rs").unwrap_or(part) == snake)
    };
    let naming = files.iter().filter(|(path, words)| words.contains(name) && !is_own(path));
    naming.map(|(path, _)| path.as_str()).collect()
}

/// `LookWhereYouGo` as a file would be named: `look_where_you_go`.
fn snake_case(name: &str) -> String {
    let mut snake = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && !snake.is_empty() {
            snake.push('_');
        }
        snake.extend(letter.to_lowercase());
    }
    snake
}

/// The words of each source outside of comments, also those in strings. Examples are left out.
fn collect(folder: &Path, files: &mut BTreeMap<String, BTreeSet<String>>) {
    for entry in fs::read_dir(folder).expect("the sources") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            if !path.ends_with("examples") && !path.ends_with("target") {
                collect(&path, files);
            }
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let source = fs::read_to_string(&path).expect("a source");
            let words = words(&code(&source).to_string());
            let below = path.strip_prefix(crates()).expect("below the crates");
            files.insert(below.to_string_lossy().replace('\\', "/"), words);
        }
    }
}

/// The words of a source that may be names of this workspace: not `egui::Align`.
fn words(code: &str) -> BTreeSet<String> {
    let words = code.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|w| !w.is_empty());
    let before = [""].into_iter().chain(words.clone());
    let own = words.zip(before).filter(|&(_, before)| before != "egui");
    own.map(|(word, _)| word.to_owned()).collect()
}
