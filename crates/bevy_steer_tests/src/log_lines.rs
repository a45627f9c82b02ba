//! Catches what the crate logs, apart for each test.

use core::cell::RefCell;
use std::sync::Once;

use log::{LevelFilter, Log, Metadata, Record};

thread_local! {
    static LINES: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

/// Tests run on threads of their own, and small worlds steer on the thread that ticks them.
struct ByThread;

impl Log for ByThread {
    fn enabled(&self, _: &Metadata) -> bool {
        true
    }

    fn log(&self, record: &Record) {
        if record.target().starts_with("bevy_steer") {
            LINES.with_borrow_mut(|lines| {
                lines.push(format!("{} {}", record.level(), record.args()));
            });
        }
    }

    fn flush(&self) {}
}

/// Begins to listen.
pub fn catch() {
    static INSTALL: Once = Once::new();
    INSTALL.call_once(|| {
        log::set_logger(&ByThread).expect("no other logger");
        log::set_max_level(LevelFilter::Trace);
    });
    LINES.take();
}

/// What this crate has logged on this thread since.
pub fn caught() -> Vec<String> {
    LINES.with_borrow(Clone::clone)
}
