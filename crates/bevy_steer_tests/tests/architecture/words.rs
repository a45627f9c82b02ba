//! Documents and doc comments use the words that an engineer would search for.

use std::{fs, path::Path};

use super::crates;

/// Words and phrases that do not occur, and what stands in their place.
const INSTEAD: &[(&str, &str)] = &[
    ("wish", "request, requested velocity"),
    ("wishes", "requests"),
    ("wished", "requested"),
    ("nothing drives", "no behaviour moves"),
    ("is driven", "a behaviour moves it"),
    ("dear", "expensive"),
    ("storey", "floor, height band"),
    ("heap", "pile-up, overlapping agents"),
    ("so many", "the number's name"),
    ("may meet", "may collide with"),
    ("meetings", "encounters"),
    ("in alternation", "interleaved"),
    ("gets on", "makes progress"),
    ("get on", "make progress"),
    ("mostly", "usually"),
    ("in the midst", "during"),
    ("is gone", "despawned"),
    ("at width one", "scalar"),
];

/// The phrases of a text that have another word, with the numbers of their lines. The type `Wish`
/// keeps its name, and so do the lines of code that use it.
fn found(text: &str) -> Vec<String> {
    let mut all = Vec::new();
    for (number, line) in text.lines().enumerate() {
        if line.contains("Wish") || line.contains("wishes") && line.contains(['(', '!']) {
            continue;
        }
        let words: Vec<String> = line
            .split(|c: char| !c.is_alphabetic())
            .filter(|word| !word.is_empty())
            .map(str::to_lowercase)
            .collect();
        let text = format!(" {} ", words.join(" "));
        let of_line = INSTEAD.iter().filter(|(phrase, _)| text.contains(&format!(" {phrase} ")));
        all.extend(
            of_line.map(|(phrase, other)| {
                format!("{}: \"{phrase}\" instead of \"{other}\"", number + 1)
            }),
        );
    }
    all
}

/// Of a Rust file only the doc comments.
fn documentation(file: &Path) -> Option<String> {
    let text = fs::read_to_string(file).ok()?;
    match file.extension()?.to_str()? {
        "md" => Some(text),
        "rs" => {
            let is_doc = |line: &str| {
                let line = line.trim_start();
                line.starts_with("///") || line.starts_with("//!")
            };
            Some(text.lines().map(|line| if is_doc(line) { line } else { "" }.to_owned() + "\n"))
                .map(|lines| lines.collect())
        }
        _ => None,
    }
}

fn search(folder: &Path, problems: &mut Vec<String>, files: &mut usize) {
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            search(&path, problems, files);
        } else if let Some(text) = documentation(&path) {
            *files += 1;
            let of_file = found(&text).into_iter();
            problems.extend(of_file.map(|problem| format!("{}:{problem}", path.display())));
        }
    }
}

#[test]
fn documents_use_plain_words() {
    let (mut problems, mut files) = (Vec::new(), 0);
    let root = crates().join("..");
    for folder in ["docs", "examples", "crates"] {
        search(&root.join(folder), &mut problems, &mut files);
    }
    for document in ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"] {
        let text = fs::read_to_string(root.join(document)).unwrap_or_default();
        let of_file = found(&text).into_iter();
        problems.extend(of_file.map(|problem| format!("{document}:{problem}")));
    }
    assert!(files > 200, "{files} files: the sources were not found");
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn words_are_found_in_whole_phrases() {
    assert_eq!(found("a\nIt is, mostly, so\nmany of a `Wish`").len(), 1);
    assert_eq!(found("Dear reader, that storey is gone.").len(), 3);
    assert!(found("get online in one storeyed house; the wishbone").is_empty());
}
