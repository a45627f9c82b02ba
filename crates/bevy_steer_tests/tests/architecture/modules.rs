//! Every file of the tests is compiled: one that no `mod` names would be left out without a word.

use std::{fs, path::Path};

use super::crates;

#[test]
fn every_file_of_the_tests_is_a_module() {
    for package in ["bevy_steer_tests", "bevy_steer_inspector", "../examples"] {
        assert_compiled(&crates().join(package).join("tests"), "main.rs");
    }
}

/// `root` is the file with the `mod` lines of a folder.
fn assert_compiled(folder: &Path, root: &str) {
    let modules = fs::read_to_string(folder.join(root)).expect("a file with modules");
    for entry in fs::read_dir(folder).expect("the tests") {
        let path = entry.expect("an entry").path();
        let name = path.file_stem().expect("a name").to_string_lossy();
        let is_folder = path.join("mod.rs").exists();
        let is_source = path.extension().is_some_and(|extension| extension == "rs");
        // `soak` is a program of its own.
        if (is_folder || is_source) && !path.ends_with(root) && name != "soak" {
            assert!(modules.contains(&format!("\nmod {name};\n")), "{}", path.display());
        }
        if is_folder {
            assert_compiled(&path, "mod.rs");
        }
    }
}
