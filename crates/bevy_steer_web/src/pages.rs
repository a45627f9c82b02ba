//! [`Page`]: what the index of the pages shows of each.
#![cfg_attr(target_family = "wasm", allow(dead_code, reason = "the index is made beforehand"))]

use bevy_steer_examples::gallery::scenes::SCENES;
use serde::Serialize;

use crate::small::SMALL_EXAMPLES;

/// A page that shows an example.
#[derive(Serialize, Clone, Debug)]
pub(crate) struct Page {
    /// The heading of the index that it is below.
    group: &'static str,
    /// Its name.
    name: &'static str,
    /// The name of its picture, without `.png`.
    picture: String,
    /// The query of its address.
    query: String,
    /// What is seen there.
    text: String,
}

/// The pages, in the order of the index.
fn pages() -> Vec<Page> {
    let shows = [
        (
            "hunter_prey",
            "Hunters chase prey until their stamina runs out. The prey swim in schools and follow \
             the mouse: lead them round the stones.",
        ),
        (
            "stress",
            "A crowd with any number of agents, and what it costs. The left button attracts, the \
             right one scares, + and - double and halve.",
        ),
    ];
    let shows = shows.into_iter().map(|(name, text)| Page {
        group: "Games",
        name,
        picture: name.to_owned(),
        query: format!("example={name}"),
        text: text.to_owned(),
    });
    let scenes = SCENES.iter().map(|scene| Page {
        group: "Gallery",
        name: scene.name,
        picture: scene.name.to_owned(),
        query: format!("example=gallery&scene={}", scene.name),
        text: scene.caption.to_owned(),
    });
    let small = SMALL_EXAMPLES.iter().map(|example| Page {
        group: match example.package {
            "bevy_steer" => "Small examples",
            _ => "Formations and navigation",
        },
        name: example.name,
        picture: format!("example-{}", example.name),
        query: format!("example={}", example.name),
        text: example.summary(),
    });
    shows.chain(scenes).chain(small).collect()
}

/// `page/pages.json`.
pub(crate) fn json() -> String {
    serde_json::to_string_pretty(&pages()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::{fs, path::Path};

    use super::*;

    #[test]
    fn the_index_has_every_page() {
        let written = include_str!("../page/pages.json");
        assert_eq!(written.trim_end(), json(), "write it anew: CONTRIBUTING.md");
        let pages = pages();
        let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let packages = ["bevy_steer", "bevy_steer_formations", "bevy_steer_navigation"];
        let folders = packages.map(|package| crates.join(package).join("examples"));
        for file in folders.iter().flat_map(|folder| fs::read_dir(folder).unwrap()) {
            let path = file.unwrap().path();
            let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
            let query = format!("example={name}");
            let has_page = pages.iter().any(|page| page.query == query);
            // The only one without a window.
            assert_eq!(has_page, name != "headless", "{name}");
        }
    }

    #[test]
    fn every_page_has_a_picture_and_a_text() {
        let pictures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/pictures");
        for page in pages() {
            let picture = pictures.join(&page.picture).with_extension("png");
            assert!(picture.is_file(), "{} is missing", picture.display());
            assert!(page.text.len() > 20, "{}: {}", page.name, page.text);
        }
    }
}
