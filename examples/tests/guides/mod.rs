//! The code of the README and of the guides in `docs/`: each piece of it is the beginning of a file
//! here, which tests it.

mod add_inspector;
mod arrive;
mod bodies;
mod bodies_rapier;
mod brake;
mod bsn_agent;
mod bsn_pursuit;
mod car;
mod decide;
mod fish_tank;
mod flow_field;
mod formations;
mod freeze;
mod group;
mod hills;
mod horde;
mod input;
mod keep_rotation;
mod level_of_detail;
mod mapped_entities;
mod missiles;
mod navigation;
mod navigation_mesh;
mod orders;
mod patrol;
mod pause;
mod points_up;
#[allow(dead_code, reason = "its `main` opens a window")]
mod quick_start;
mod rollback;
mod save;
mod slow_motion;
mod storeys;
mod switch;
mod turning_radius;

use std::{
    fs,
    path::{Path, PathBuf},
};

/// The Rust code of a guide, without what it is indented by.
fn code(guide: &str) -> Vec<String> {
    let mut pieces: Vec<String> = Vec::new();
    let mut indent = None;
    for line in guide.lines() {
        match (indent, line.trim_start()) {
            (None, "```rust") => {
                indent = Some(line.len() - line.trim_start().len());
                pieces.push(String::new());
            }
            (Some(_), "```") => indent = None,
            (Some(indent), _) => {
                let piece = pieces.last_mut().expect("begun with the fence");
                piece.push_str(line.get(indent..).unwrap_or_default());
                piece.push('\n');
            }
            (None, _) => {}
        }
    }
    pieces
}

/// The README, those of the crates, and all documents in `docs/` and its folders.
pub(crate) fn documents() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut found = vec![root.join("README.md"), root.join("CONTRIBUTING.md")];
    let crates = fs::read_dir(root.join("crates")).unwrap();
    let readmes = crates.map(|entry| entry.unwrap().path().join("README.md"));
    found.extend(readmes.filter(|path| path.exists()));
    let mut folders = vec![root.join("docs")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|end| end == "md") {
                found.push(path);
            }
        }
    }
    found
}

#[test]
fn code_of_guides_is_tested_here() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let modules = fs::read_to_string(root.join("tests/guides/mod.rs")).unwrap();
    let mut files = Vec::new();
    for file in fs::read_dir(root.join("tests/guides")).unwrap() {
        let path = file.unwrap().path();
        let name = path.file_stem().unwrap().display().to_string();
        if name != "mod" {
            assert!(modules.contains(&format!("\nmod {name};\n")), "{name} is not compiled");
            files.push(fs::read_to_string(path).unwrap());
        }
    }
    let mut pieces = 0;
    for guide in documents() {
        let text = fs::read_to_string(&guide).unwrap();
        assert!(!text.contains("```rust,"), "{}: code that is not tested", guide.display());
        for piece in code(&text) {
            let is_tested = files.iter().any(|file| file.starts_with(&piece));
            assert!(is_tested, "{}: no file begins with:\n{piece}", guide.display());
            pieces += 1;
        }
    }
    assert_eq!(pieces, files.len());
}
