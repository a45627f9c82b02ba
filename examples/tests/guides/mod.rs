//! The code of the guides in `docs/`: each piece of it is the beginning of a file here, which tests
//! it.

mod arrive;
mod brake;
mod bsn_agent;
mod bsn_pursuit;
mod car;
mod group;
mod hills;
mod input;
mod mapped_entities;
mod rollback;
mod save;
mod storeys;
mod switch;

use std::{fs, path::Path};

/// The Rust code of a guide, without what it is indented by. What is not compiled is not among it.
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
    for guide in ["networking.md", "recipes.md", "saving.md"] {
        let guide = fs::read_to_string(root.join("../docs").join(guide)).unwrap();
        for piece in code(&guide) {
            let is_tested = files.iter().any(|file| file.starts_with(&piece));
            assert!(is_tested, "no file begins with:\n{piece}");
            pieces += 1;
        }
    }
    assert_eq!(pieces, files.len());
}
