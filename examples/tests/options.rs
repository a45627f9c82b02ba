//! Numbers that the command lines of the examples reject.

use bevy_steer_examples::{gallery, hunter_prey, soak, stress};
use clap::Parser;

/// Whether an example has its option with this value.
fn takes<O: Parser>(option: &str, value: &str) -> bool {
    O::try_parse_from(["example", &format!("--{option}={value}")]).is_ok()
}

#[test]
fn numbers_out_of_range_are_rejected() {
    let options: [(fn(&str, &str) -> bool, &str); 7] = [
        (takes::<gallery::options::Options>, "seconds"),
        (takes::<hunter_prey::options::Options>, "seconds"),
        (takes::<stress::options::Options>, "seconds"),
        (takes::<stress::options::Options>, "neighbors"),
        (takes::<soak::options::Options>, "hours"),
        (takes::<soak::options::Options>, "rows-per-hour"),
        (takes::<soak::options::Options>, "births"),
    ];
    for (takes, option) in options {
        assert!(takes(option, "1.5"), "{option}");
        for value in ["0", "-1", "1e-30", "1e30", "1e300", "inf", "NaN", "many"] {
            assert!(!takes(option, value), "{option}={value}");
        }
    }
}
