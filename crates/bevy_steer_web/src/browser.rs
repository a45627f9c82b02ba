//! The examples in the page of a browser.

use bevy::prelude::*;
use web_sys::window;

use crate::{request::Request, run::run};

/// Runs what the address asks for. The page shows a report or an error in its element `#text`.
pub(crate) fn start() {
    let search = window().and_then(|window| window.location().search().ok());
    let request = Request::of_query(&search.unwrap_or_default());
    match run(&request, |app| _ = app.add_systems(Last, leave)) {
        Ok(None) => {}
        Ok(Some(report)) => show(&report, "report"),
        Err(error) => show(&error, "error"),
    }
}

/// Shows a text instead of the canvas.
fn show(text: &str, kind: &str) {
    let document = window().and_then(|window| window.document());
    let Some(element) = document.and_then(|document| document.get_element_by_id("text")) else {
        return;
    };
    element.set_text_content(Some(text));
    element.set_class_name(kind);
}

/// A game that quits goes back to the index.
fn leave(mut exits: MessageReader<AppExit>) {
    if exits.read().next().is_some()
        && let Some(window) = window()
    {
        _ = window.location().set_href("index.html");
    }
}
