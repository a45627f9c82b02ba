//! The documents for contributors name only files that exist.

use std::fs;

use super::crates;

/// The Rust files in backticks. Their paths begin at the root of the repository or at
/// `crates/bevy_steer/src/`.
fn named_files(document: &str) -> impl Iterator<Item = &str> {
    let quoted = document.split('`').skip(1).step_by(2);
    let files = quoted.filter(|word| word.ends_with(".rs") && !word.contains(['*', '<', ' ']));
    // That of any folder.
    files.filter(|&word| word != "mod.rs")
}

#[test]
fn documents_name_files_that_exist() {
    let root = crates().join("..");
    let sources = crates().join("bevy_steer/src");
    for document in ["CONTRIBUTING.md", "docs/architecture.md"] {
        // The published package has no documents.
        let Ok(text) = fs::read_to_string(root.join(document)) else { continue };
        assert!(named_files(&text).count() > 3, "{document} was not understood");
        let is_missing = |file: &&str| !root.join(file).exists() && !sources.join(file).exists();
        let missing: Vec<&str> = named_files(&text).filter(is_missing).collect();
        assert!(missing.is_empty(), "{document} names {missing:?}");
    }
}
