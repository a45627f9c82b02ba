//! Which file of a crate needs which other: every path in it that leads into the crate, resolved to
//! the file that defines what it names.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

use crate::tokens::{Token, code_tokens};

/// The files of a crate, by their path below `src`: `neighbors/index.rs`.
pub(crate) struct Crate {
    modules: BTreeMap<Vec<String>, Module>,
    /// The files of macros that are exported, which are at the root whatever file they are in.
    exported_macros: BTreeMap<String, String>,
}

/// A module, in a file of its own or inside another one.
#[derive(Default)]
struct Module {
    file: String,
    items: BTreeSet<String>,
    /// What `use` brings into scope: the name, `*` for everything, and the path.
    uses: Vec<Use>,
    /// Paths in code outside of `use`.
    paths: Vec<Vec<String>>,
}

#[derive(Clone)]
struct Use {
    name: String,
    path: Vec<String>,
    is_public: bool,
}

/// From a file to one that it needs.
pub(crate) type Arrow = (String, String);

impl Crate {
    pub(crate) fn read(src: &Path) -> Self {
        let mut sources = Vec::new();
        collect(src, src, &mut sources);
        Self::parse(sources.iter().map(|(file, source)| (file.as_str(), source.as_str())))
    }

    pub(crate) fn parse<'a>(sources: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        let mut this = Self { modules: BTreeMap::new(), exported_macros: BTreeMap::new() };
        for (file, source) in sources {
            let tokens = code_tokens(source);
            Parser { tokens: &tokens, file, to: &mut this }.module(module_path(file));
        }
        this
    }

    pub(crate) fn files(&self) -> BTreeSet<&str> {
        self.modules.values().map(|module| module.file.as_str()).collect()
    }

    pub(crate) fn arrows(&self) -> BTreeSet<Arrow> {
        let mut arrows = BTreeSet::new();
        for (path, module) in &self.modules {
            let is_facade = module.file.ends_with("mod.rs") || module.file == "lib.rs";
            let uses = module.uses.iter().filter_map(|import| {
                let target = self.absolute(path, &import.path)?;
                // A folder's `mod.rs` that hands on what is in the folder does not need it.
                let hands_on =
                    is_facade && import.is_public && target.starts_with(&folder(path, self));
                (!hands_on).then_some((target, import.name.as_str()))
            });
            let paths =
                module.paths.iter().filter_map(|used| Some((self.absolute(path, used)?, "")));
            for (target, name) in uses.chain(paths) {
                for file in self.resolve(&target, name == "*", &mut Vec::new()) {
                    if file != module.file {
                        arrows.insert((module.file.clone(), file));
                    }
                }
            }
        }
        arrows
    }

    /// A path from the root of the crate, unless it leads into another crate.
    fn absolute(&self, module: &[String], path: &[String]) -> Option<Vec<String>> {
        let mut base = match path.first()?.as_str() {
            "crate" => Vec::new(),
            "self" | "super" => module.to_vec(),
            child => {
                let below: Vec<String> = module.iter().cloned().chain([child.to_owned()]).collect();
                return self
                    .modules
                    .contains_key(&below)
                    .then(|| module.iter().chain(path).cloned().collect());
            }
        };
        for segment in path {
            match segment.as_str() {
                "crate" | "self" => {}
                "super" => _ = base.pop(),
                name => base.push(name.to_owned()),
            }
        }
        Some(base)
    }

    /// The files that define what is at this path; all that is handed on there, if `all`.
    fn resolve(&self, path: &[String], all: bool, seen: &mut Vec<Vec<String>>) -> BTreeSet<String> {
        let mut module: Vec<String> = Vec::new();
        for (at, segment) in path.iter().enumerate() {
            let below: Vec<String> = module.iter().cloned().chain([segment.clone()]).collect();
            if self.modules.contains_key(&below) {
                module = below;
                continue;
            }
            if let Some(found) = self.handed_on(&module, &path[at..], seen) {
                return found;
            }
            if let (true, Some(file)) = (module.is_empty(), self.exported_macros.get(segment)) {
                return BTreeSet::from([file.clone()]);
            }
            return self.file_of(&module);
        }
        if !all {
            return self.file_of(&module);
        }
        let mut files = BTreeSet::new();
        let here = &self.modules[&module];
        for import in here.uses.iter().filter(|import| import.is_public) {
            if let Some(target) = self.absolute(&module, &import.path) {
                files.extend(self.resolve(&target, import.name == "*", seen));
            }
        }
        if !here.items.is_empty() {
            files.insert(here.file.clone());
        }
        files
    }

    /// What a module hands on by the first of these names, if it does.
    fn handed_on(
        &self,
        module: &[String],
        names: &[String],
        seen: &mut Vec<Vec<String>>,
    ) -> Option<BTreeSet<String>> {
        let here = self.modules.get(module)?;
        if here.items.contains(&names[0]) {
            return None;
        }
        let asked: Vec<String> = module.iter().chain(&names[..1]).cloned().collect();
        if seen.contains(&asked) {
            return None;
        }
        seen.push(asked);
        let named = here.uses.iter().find(|import| import.name == names[0]);
        if let Some(import) = named {
            let target = self.absolute(module, &import.path)?;
            let path: Vec<String> = target.into_iter().chain(names[1..].iter().cloned()).collect();
            return Some(self.resolve(&path, false, seen));
        }
        here.uses.iter().filter(|import| import.name == "*").find_map(|import| {
            let target = self.absolute(module, &import.path)?;
            let there = self.modules.get(&target)?;
            if there.items.contains(&names[0]) {
                return Some(BTreeSet::from([there.file.clone()]));
            }
            self.handed_on(&target, names, seen)
        })
    }

    fn file_of(&self, module: &[String]) -> BTreeSet<String> {
        self.modules.get(module).map(|module| module.file.clone()).into_iter().collect()
    }
}

/// The module of the folder that a module's file stands for.
fn folder(module: &[String], of: &Crate) -> Vec<String> {
    module_path(&of.modules[module].file)
}

fn collect(root: &Path, folder: &Path, sources: &mut Vec<(String, String)>) {
    for entry in fs::read_dir(folder).expect("the sources") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            collect(root, &path, sources);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let below = path.strip_prefix(root).expect("below the root");
            let names: Vec<_> = below.iter().map(|name| name.to_string_lossy()).collect();
            sources.push((names.join("/"), fs::read_to_string(&path).expect("a source")));
        }
    }
}

fn module_path(file: &str) -> Vec<String> {
    let path = file.strip_suffix(".rs").unwrap_or(file);
    let path = path.strip_suffix("/mod").unwrap_or(path);
    path.split('/').filter(|name| *name != "lib").map(str::to_owned).collect()
}

struct Parser<'a> {
    tokens: &'a [Token],
    file: &'a str,
    to: &'a mut Crate,
}

impl Parser<'_> {
    fn module(&mut self, path: Vec<String>) {
        let mut modules: Vec<(Vec<String>, usize)> = vec![(path, 0)];
        let (mut depth, mut at) = (0_usize, 0);
        self.here(&modules[0].0);
        while at < self.tokens.len() {
            let here = modules.last().expect("a module").0.clone();
            let next = self.token(at + 1).to_owned();
            match self.token(at) {
                "{" => depth += 1,
                "}" => {
                    if modules.last().is_some_and(|(_, opened)| *opened == depth) && depth > 0 {
                        modules.pop();
                    }
                    depth = depth.saturating_sub(1);
                }
                "use" => {
                    let is_public = self.is_public(at);
                    at = self.use_tree(at + 1, &mut Vec::new(), is_public, &here);
                    continue;
                }
                "mod" if self.token(at + 2) == "{" => {
                    depth += 1;
                    let inner: Vec<String> = here.into_iter().chain([next]).collect();
                    self.here(&inner);
                    modules.push((inner, depth));
                    at += 3;
                    continue;
                }
                "struct" | "enum" | "union" | "trait" | "type" | "fn" | "const" | "static" => {
                    self.here(&here).items.insert(next);
                }
                "macro_rules" => {
                    let name = self.token(at + 2).to_owned();
                    if at >= 4 && self.tokens[at - 2] == "macro_export" {
                        self.to.exported_macros.insert(name.clone(), self.file.to_owned());
                    }
                    self.here(&here).items.insert(name);
                }
                _ if self.is_path_start(at) => {
                    let mut path = vec![self.token(at).to_owned()];
                    at += 1;
                    while self.is_separator(at) && is_identifier(self.token(at + 2)) {
                        path.push(self.token(at + 2).to_owned());
                        at += 3;
                    }
                    self.here(&here).paths.push(path);
                    continue;
                }
                _ => {}
            }
            at += 1;
        }
    }

    fn here(&mut self, path: &[String]) -> &mut Module {
        let module = self.to.modules.entry(path.to_vec()).or_default();
        self.file.clone_into(&mut module.file);
        module
    }

    fn token(&self, at: usize) -> &str {
        self.tokens.get(at).map_or("", String::as_str)
    }

    fn is_separator(&self, at: usize) -> bool {
        self.token(at) == ":" && self.token(at + 1) == ":"
    }

    fn is_path_start(&self, at: usize) -> bool {
        let goes_on = at >= 2 && self.is_separator(at - 2);
        is_identifier(self.token(at)) && self.is_separator(at + 1) && !goes_on
    }

    fn is_public(&self, at: usize) -> bool {
        at > 0 && (self.tokens[at - 1] == "pub" || self.tokens[at - 1] == ")")
    }

    /// Reads what follows `use` or stands in a group of it; gives the place after it.
    fn use_tree(
        &mut self,
        mut at: usize,
        path: &mut Vec<String>,
        is_public: bool,
        module: &[String],
    ) -> usize {
        let depth = path.len();
        loop {
            let token = self.token(at).to_owned();
            if token == "{" {
                at += 1;
                while self.token(at) != "}" && at < self.tokens.len() {
                    at = self.use_tree(at, path, is_public, module);
                    at += usize::from(self.token(at) == ",");
                }
                path.truncate(depth);
                return at + 1;
            }
            at += 1;
            if self.is_separator(at) {
                path.push(token);
                at += 2;
                continue;
            }
            let mut full = path.clone();
            let mut name = token.clone();
            match token.as_str() {
                "*" => {}
                "self" if !path.is_empty() => name = path.last().expect("a segment").clone(),
                _ => full.push(token),
            }
            if self.token(at) == "as" {
                self.token(at + 1).clone_into(&mut name);
                at += 2;
            }
            self.here(module).uses.push(Use { name, path: full, is_public });
            path.truncate(depth);
            return at;
        }
    }
}

fn is_identifier(token: &str) -> bool {
    token.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && token.chars().all(|c| c.is_alphanumeric() || c == '_')
}
