//! With the feature `libm` every platform and instruction set comes to the hashes in `hashes.txt`.
//! `tools/determinism-aarch64` and `tools/determinism-x86-64` run this on others.
//!
//! They change whenever steering does. To change it on purpose, put in what the failing test
//! prints, and run both tools.

use core::fmt::Write;

use crate::determinism::scenes::{self, SCENES};

/// A line for each scene: its hash and its name.
const HASHES: &str = include_str!("hashes.txt");

#[test]
fn hashes_are_the_same_on_every_platform() {
    let mut table = String::new();
    for (scene, print) in SCENES.iter().zip(scenes::prints()) {
        writeln!(table, "{print:016x} {}", scene.name).expect("room");
    }
    let known: Vec<&str> = HASHES.lines().collect();
    let different: Vec<&str> = table.lines().filter(|line| !known.contains(line)).collect();
    assert!(table == HASHES, "{} scenes differ: {different:#?}\n{table}", different.len());
}
