//! What the README and the documents say of files, versions and commands.

use std::{
    fs,
    path::{Path, PathBuf},
};

use crate::guides::documents;

/// The anchors of a document: its headings as GitHub spells them.
fn anchors(document: &str) -> Vec<String> {
    let headings = document.lines().filter_map(|line| line.strip_prefix('#'));
    let spelled = headings.map(|heading| {
        let heading = heading.trim_start_matches('#').trim().to_lowercase();
        let kept = heading.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
        kept.collect::<String>().replace(' ', "-")
    });
    spelled.collect()
}

/// The targets of links and pictures that are written `[words](target)`.
fn inline_links(document: &str) -> impl Iterator<Item = &str> {
    document.split("](").skip(1).filter_map(|rest| rest.split(')').next())
}

/// The labels of links that are written `[words][label]` or `[label]`, and their targets: the lines
/// `[label]: target`.
fn definitions(document: &str) -> impl Iterator<Item = (&str, &str)> {
    document.lines().filter_map(|line| line.strip_prefix('[')?.split_once("]: "))
}

/// The targets of all links and pictures of a document.
fn links(document: &str) -> impl Iterator<Item = &str> {
    let defined = definitions(document).map(|(_, target)| target);
    inline_links(document).chain(defined).filter(|link| !link.contains("://"))
}

#[test]
fn links_lead_to_files_and_headings_that_exist() {
    let mut count = 0;
    for path in documents() {
        let text = fs::read_to_string(&path).unwrap();
        for link in links(&text) {
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target =
                if file.is_empty() { path.clone() } else { path.parent().unwrap().join(file) };
            assert!(target.exists(), "{}: {link}", path.display());
            let is_found = anchor.is_empty()
                || anchors(&fs::read_to_string(&target).unwrap()).iter().any(|one| one == anchor);
            assert!(is_found, "{}: there is no heading {link}", path.display());
            count += 1;
        }
    }
    assert!(count > 60, "{count} links");
}

#[test]
fn labels_are_defined_and_used() {
    for path in documents() {
        let text = fs::read_to_string(&path).unwrap();
        let labels: Vec<&str> = definitions(&text).map(|(label, _)| label).collect();
        for label in &labels {
            // The first use is the definition.
            let uses = text.matches(&format!("[{label}]")).count();
            assert!(uses > 1, "{}: [{label}] is not used", path.display());
        }
        for label in text.split("][").skip(1).filter_map(|rest| rest.split(']').next()) {
            assert!(labels.contains(&label), "{}: [{label}] is not defined", path.display());
        }
    }
}

#[test]
fn each_task_has_its_page_in_the_readme() {
    let readme = include_str!("../../README.md");
    let tasks = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/tasks");
    for page in fs::read_dir(tasks).unwrap() {
        let name = page.unwrap().file_name().display().to_string();
        assert!(readme.contains(&format!("(docs/tasks/{name})")), "{name} is not linked");
    }
}

#[test]
fn each_guide_is_in_the_index() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs");
    let index = include_str!("../../docs/README.md");
    for path in documents() {
        let Ok(page) = path.strip_prefix(&docs) else { continue };
        let page = page.display().to_string().replace('\\', "/");
        let is_linked = definitions(index).any(|(_, target)| target == page);
        assert!(page == "README.md" || is_linked, "{page}");
    }
}

/// The pages of `docs/` that rustdoc does not have: those for contributors, and one of pictures.
const ONLY_IN_THE_REPOSITORY: &[&str] = &["architecture.md", "gallery.md", "testing.md"];

/// What to do where git has made files of the repository's links.
const ON_WINDOWS: &str = "On Windows: `git clone -c core.symlinks=true`, in Developer Mode";

#[test]
fn guides_are_pages_of_rustdoc() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let crates = fs::read_dir(root.join("crates")).unwrap();
    let folders: Vec<PathBuf> = crates.map(|entry| entry.unwrap().path().join("guides")).collect();
    let mut count = 0;
    for path in documents().into_iter().filter(|path| path.starts_with(root.join("docs"))) {
        let name = path.file_name().unwrap().display().to_string();
        let with_page: Vec<_> =
            folders.iter().filter(|folder| folder.join(&name).exists()).collect();
        if ONLY_IN_THE_REPOSITORY.contains(&&*name) {
            assert!(with_page.is_empty(), "{name} is in {with_page:?}");
            continue;
        }
        let [folder] = &*with_page else {
            panic!("{name} has to be in the guides of one crate, not in {with_page:?}")
        };
        let page = fs::read_to_string(folder.join(&name)).unwrap();
        let original = fs::read_to_string(&path).unwrap();
        assert_eq!(page, original, "{name} is not a link. {ON_WINDOWS}");
        assert_included(folder, &name);
        let links = fs::read_to_string(folder.join("links.md")).unwrap();
        assert_links_of_rustdoc(&name, &page, &links);
        count += 1;
    }
    assert!(count > 15, "{count} pages");
}

/// A module of the crate has this page, after the targets of its links.
fn assert_included(folder: &Path, name: &str) {
    let source =
        |file: &str| fs::read_to_string(folder.join("../src").join(file)).unwrap_or_default();
    let sources = [source("lib.rs"), source("guides.rs")].concat().replace("#![", "#[");
    let lines =
        ["links.md", name].map(|file| format!("#[doc = include_str!(\"../guides/{file}\")]\n"));
    assert!(sources.contains(&lines.concat()), "no module includes:\n{}", lines.concat());
}

/// Each link of a page that is not to an address has a label with a target in `links.md`, too.
fn assert_links_of_rustdoc(name: &str, page: &str, links: &str) {
    for link in inline_links(page) {
        let needs_label = !link.starts_with('#') && !link.contains("://");
        assert!(!needs_label, "{name}: {link} needs a label");
    }
    for (label, target) in definitions(page).filter(|(_, target)| !target.contains("://")) {
        let found = definitions(links).find(|(one, _)| *one == label);
        let (_, found) = found.unwrap_or_else(|| panic!("{name}: [{label}] is not in links.md"));
        let (_, anchor) = target.split_once('#').unwrap_or_default();
        assert!(found.ends_with(anchor), "{name}: [{label}] leads to {target} and to {found}");
    }
    for (label, _) in definitions(links) {
        // Before another `[` these are the words of a link.
        let is_used = page.split(&format!("[{label}]")).skip(1).any(|rest| !rest.starts_with('['));
        let is_defined = definitions(page).any(|(one, _)| one == label);
        assert!(is_defined || !is_used, "{name}: [{label}] is only in links.md");
    }
}

/// A row of a table of a document.
struct Row<'a> {
    /// The headings of the table.
    headings: Vec<&'a str>,
    cells: Vec<&'a str>,
}

/// The rows of all tables of a document.
fn rows(document: &str) -> Vec<Row<'_>> {
    let mut headings = Vec::new();
    let mut rows = Vec::new();
    for line in document.lines() {
        if !line.starts_with('|') {
            headings.clear();
            continue;
        }
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        if headings.is_empty() {
            headings = cells;
        } else if !cells[0].starts_with("---") {
            rows.push(Row { headings: headings.clone(), cells });
        }
    }
    rows
}

#[test]
fn the_comparison_has_the_measured_figures() {
    let measured = rows(include_str!("../../docs/behaviours.md"));
    let mut count = 0;
    for row in rows(include_str!("../../docs/compared.md")) {
        let is_it = |one: &&Row| one.headings[0] == row.headings[0] && one.cells[0] == row.cells[0];
        let whole = measured.iter().find(is_it);
        let whole = whole.unwrap_or_else(|| panic!("{} has not been measured", row.cells[0]));
        // Some headings are there twice, for steering and for ORCA: the columns have one order.
        let mut columns = whole.headings.iter().zip(&whole.cells);
        for (heading, cell) in row.headings.iter().zip(&row.cells) {
            let column = columns.find(|(one, _)| *one == heading);
            assert_eq!(column.map(|column| column.1), Some(cell), "{}: {heading}", row.cells[0]);
            count += 1;
        }
    }
    assert!(count > 70, "{count} cells");
}

#[test]
fn published_crates_have_what_crates_io_and_docs_rs_need() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut count = 0;
    for entry in fs::read_dir(root.join("crates")).unwrap() {
        let folder = entry.unwrap().path();
        let name = folder.file_name().unwrap().display().to_string();
        let manifest = fs::read_to_string(folder.join("Cargo.toml")).unwrap();
        if manifest.contains("\npublish = false\n") {
            continue;
        }
        count += 1;
        let documentation = format!("documentation = \"https://docs.rs/{name}\"");
        let lines = ["repository.workspace = true", &documentation, "all-features = true"];
        for line in lines {
            assert!(manifest.contains(&format!("\n{line}\n")), "{name}: {line}");
        }
        for file in ["LICENSE-APACHE", "LICENSE-MIT"] {
            let own = fs::read_to_string(folder.join(file)).unwrap_or_default();
            let original = fs::read_to_string(root.join(file)).unwrap();
            assert_eq!(own, original, "{name}: {file}. {ON_WINDOWS}");
        }
        let readme = if name == "bevy_steer" { "../../README.md" } else { "README.md" };
        assert!(manifest.contains(&format!("\nreadme = \"{readme}\"\n")), "{name}: {readme}");
        assert!(folder.join(readme).exists(), "{name}: {readme}");
    }
    assert!(count >= 4, "{count} crates");
}

#[test]
fn the_readme_has_the_versions_of_cargo() {
    let (readme, cargo) = (include_str!("../../README.md"), include_str!("../../Cargo.toml"));
    let value = |key: &str| {
        let line = cargo.lines().find(|line| line.starts_with(key)).unwrap();
        line.split('"').nth(1).unwrap()
    };
    let minor = |version: &str| version.rsplit_once('.').unwrap().0.to_owned();
    let [own, bevy, rust] = ["version", "bevy =", "rust-version"].map(value);
    let (own, bevy) = (minor(own), minor(bevy));
    assert!(readme.contains(&format!("\n| {own} | {bevy} | {rust} |\n")), "the table");
    for badge in [format!("badge/Bevy-{bevy}-"), format!("badge/Rust-{rust}-")] {
        assert!(readme.contains(&badge), "{badge}");
    }
    assert!(readme.contains("badge/licence-MIT%20or%20Apache%202.0-"));
    assert_eq!(value("license"), "MIT OR Apache-2.0");
}

#[test]
fn the_readme_mentions_older_compilers_once() {
    let readme = include_str!("../../README.md");
    let commands =
        readme.lines().filter(|line| line.starts_with("cargo") && line.contains("--ignore-rust"));
    // `.ci/run` runs these two.
    assert_eq!(commands.count(), 2);
    assert_eq!(readme.matches("--ignore-rust-version").count(), 3);
}

#[test]
fn every_window_has_a_title() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let crates = fs::read_dir(root.join("../crates")).unwrap();
    let folders =
        crates.filter_map(|entry| fs::read_dir(entry.unwrap().path().join("examples")).ok());
    let small = folders.flatten().map(|entry| entry.unwrap().path()).filter(|path| path.is_file());
    let large = ["gallery", "hunter_prey", "stress"].map(|name| root.join(name).join("window.rs"));
    let mut titles = Vec::new();
    for path in small.chain(large) {
        let text = fs::read_to_string(&path).unwrap();
        if !text.contains("DefaultPlugins") && !text.contains("run_in_window(") {
            continue;
        }
        let title = text.split("bevy_steer: ").nth(1).and_then(|rest| rest.split('"').next());
        let title = title.unwrap_or_else(|| panic!("{} has no title", path.display()));
        assert!(!titles.contains(&title.to_owned()), "{title} is there twice");
        titles.push(title.to_owned());
    }
    assert!(titles.len() >= 20, "{} windows", titles.len());
}
