//! What the README and the documents say of files, versions and commands.

use std::{fs, path::Path};

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

/// The targets of the links and pictures of a document.
fn links(document: &str) -> impl Iterator<Item = &str> {
    let links = document.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    links.filter(|link| !link.contains("://"))
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
        assert!(page == "README.md" || index.contains(&format!("({page})")), "{page}");
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
            assert_eq!(own, fs::read_to_string(root.join(file)).unwrap(), "{name}: {file}");
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
        if !text.contains("DefaultPlugins") && !text.contains("common::run(") {
            continue;
        }
        let title = text.split("bevy_steer: ").nth(1).and_then(|rest| rest.split('"').next());
        let title = title.unwrap_or_else(|| panic!("{} has no title", path.display()));
        assert!(!titles.contains(&title.to_owned()), "{title} is there twice");
        titles.push(title.to_owned());
    }
    assert!(titles.len() >= 20, "{} windows", titles.len());
}
