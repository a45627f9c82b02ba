//! Which file of a crate needs which other: every path that leads into the crate.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

use proc_macro2::{Delimiter, TokenTree};

use super::code::{attribute, code};

/// The segments of a path: `crate`, `neighbors`, `Index`.
type Segments = Vec<String>;

/// The modules of a crate by their path, which is empty for `lib.rs`.
#[derive(Default)]
pub(crate) struct Crate {
    modules: BTreeMap<Segments, Module>,
    /// The files of exported macros, which are at the root whatever file they are in.
    exported_macros: BTreeMap<String, String>,
}

/// A module, in a file of its own or inside another one.
#[derive(Default)]
struct Module {
    /// The path below `src`: `neighbors/index.rs`.
    file: String,
    /// Paths in `use` and elsewhere.
    paths: Vec<Segments>,
}

/// A file that needs another one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Import {
    pub(crate) from: String,
    pub(crate) to: String,
}

impl Crate {
    pub(crate) fn read(src: &Path) -> Self {
        let mut sources = Vec::new();
        collect(src, src, &mut sources);
        Self::parse(sources.iter().map(|(file, source)| (file.as_str(), source.as_str())))
    }

    /// The crate of these files and their sources.
    pub(crate) fn parse<'a>(sources: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        let mut this = Self::default();
        for (file, source) in sources {
            let tokens: Vec<TokenTree> = code(source).into_iter().collect();
            this.add(file, module_path(file), &tokens);
        }
        this
    }

    pub(crate) fn files(&self) -> BTreeSet<&str> {
        self.modules.values().map(|module| module.file.as_str()).collect()
    }

    /// What is imported by a re-export is imported from the file that re-exports it, and that file
    /// imports it in turn.
    pub(crate) fn imports(&self) -> BTreeSet<Import> {
        let mut imports = BTreeSet::new();
        for (module, Module { file, paths }) in &self.modules {
            for to in paths.iter().filter_map(|path| self.file_of(module, path)) {
                if to != file {
                    imports.insert(Import { from: file.clone(), to: to.to_owned() });
                }
            }
        }
        imports
    }

    /// The file that a path in a module leads to, unless that is in another crate.
    fn file_of(&self, module: &[String], path: &[String]) -> Option<&str> {
        let mut target = match path[0].as_str() {
            "crate" => Vec::new(),
            "self" | "super" => module.to_vec(),
            child => {
                let child: Segments = module.iter().cloned().chain([child.to_owned()]).collect();
                self.modules.get(&child)?;
                module.to_vec()
            }
        };
        for segment in path {
            match segment.as_str() {
                "crate" | "self" => {}
                "super" => _ = target.pop(),
                name => target.push(name.to_owned()),
            }
        }
        if let [name] = &*target
            && let Some(file) = self.exported_macros.get(name)
        {
            return Some(file);
        }
        while !self.modules.contains_key(&target) {
            target.pop()?;
        }
        Some(&self.modules[&target].file)
    }

    fn add(&mut self, file: &str, module: Segments, tokens: &[TokenTree]) {
        file.clone_into(&mut self.modules.entry(module.clone()).or_default().file);
        let text = |at: usize| tokens.get(at).map(TokenTree::to_string).unwrap_or_default();
        let mut at = 0;
        while let Some(token) = tokens.get(at) {
            match (token, text(at).as_str()) {
                (_, "mod") if is_block(tokens.get(at + 2)) => {
                    let inner = [module.clone(), vec![text(at + 1)]].concat();
                    self.add(file, inner, &inside(&tokens[at + 2]));
                    at += 2;
                }
                (TokenTree::Group(group), _) => {
                    if attribute(group) == "macro_export" && text(at + 1) == "macro_rules" {
                        self.exported_macros.insert(text(at + 3), file.to_owned());
                    }
                    self.add(file, module.clone(), &inside(token));
                }
                // What an exported macro names as `$crate::Name` is for other crates.
                (_, "$") if text(at + 4).starts_with(char::is_uppercase) => at += 4,
                (TokenTree::Ident(_), _) if text(at + 1) == ":" => {
                    let paths = &mut self.modules.get_mut(&module).expect("added above").paths;
                    at += path_tree(&tokens[at..], &[], paths) - 1;
                }
                _ => {}
            }
            at += 1;
        }
    }
}

/// Reads a path, or all paths of `a::{b, c::d}`. Returns the number of tokens.
fn path_tree(tokens: &[TokenTree], base: &[String], to: &mut Vec<Segments>) -> usize {
    let is = |at: usize, text: &str| tokens.get(at).is_some_and(|token| token.to_string() == text);
    let mut path = base.to_vec();
    let mut at = 0;
    while let Some(TokenTree::Ident(segment)) = tokens.get(at) {
        path.push(segment.to_string());
        at += 1;
        if !(is(at, ":") && is(at + 1, ":")) {
            break;
        }
        at += 2;
        if is_block(tokens.get(at)) {
            let inside = inside(&tokens[at]);
            let trees = inside.split(|token| token.to_string() == ",");
            for tree in trees.filter(|tree| !tree.is_empty()) {
                path_tree(tree, &path, to);
            }
            return at + 1;
        }
    }
    to.push(path);
    at
}

fn is_block(token: Option<&TokenTree>) -> bool {
    matches!(token, Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace)
}

fn inside(token: &TokenTree) -> Vec<TokenTree> {
    match token {
        TokenTree::Group(group) => group.stream().into_iter().collect(),
        _ => Vec::new(),
    }
}

fn collect(root: &Path, folder: &Path, sources: &mut Vec<(String, String)>) {
    for entry in fs::read_dir(folder).expect("the sources") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            collect(root, &path, sources);
        } else if path.extension().is_some_and(|extension| extension == "rs")
            && !path.ends_with("tests.rs")
        {
            let below = path.strip_prefix(root).expect("below the root");
            let names: Vec<_> = below.iter().map(|name| name.to_string_lossy()).collect();
            sources.push((names.join("/"), fs::read_to_string(&path).expect("a source")));
        }
    }
}

/// The module that a file stands for: `neighbors`, `index` of `neighbors/index.rs`.
fn module_path(file: &str) -> Segments {
    let path = file.strip_suffix(".rs").unwrap_or(file);
    let path = path.strip_suffix("/mod").unwrap_or(path);
    path.split('/').filter(|name| *name != "lib").map(str::to_owned).collect()
}
