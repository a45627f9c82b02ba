//! [`ask_a_child`]: a test in a process of its own.

use std::process::Command;

/// Runs a test of this program again as a child process, also one that is ignored, with an
/// environment variable. Returns the rest of the line that the child prints after `answer`.
///
/// The task pools are global to a process, so each number of threads needs one.
///
/// # Panics
///
/// If the test fails or prints no answer.
pub fn ask_a_child(test: &str, variable: &str, value: &str, answer: &str) -> String {
    let program = std::env::current_exe().expect("the test's own path");
    let child = Command::new(program)
        .args(["--exact", test, "--nocapture", "--include-ignored"])
        .env(variable, value)
        .output()
        .expect("a child process");
    let said = String::from_utf8_lossy(&child.stdout).into_owned();
    assert!(child.status.success(), "{said}\n{}", String::from_utf8_lossy(&child.stderr));
    let line = said.lines().find_map(|line| line.split_once(answer));
    line.unwrap_or_else(|| panic!("no answer in {said}")).1.to_owned()
}
