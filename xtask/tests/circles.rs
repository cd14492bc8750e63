//! Files that import each other in a circle are one thing to whoever reads them: only a few may be, each with its reason in
//! `ARCHITECTURE.md`.

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};
use syn::{Item, UseTree};

/// Crates that have circles, with how many; the others have none.
const CIRCLES: &[(&str, usize)] = &[("snpak", 1), ("spelunk-core", 1), ("virtools", 2)];

/// The path of a module, or of something in one.
type Names = Vec<String>;

/// A module that is a file.
#[derive(Default)]
struct Module {
    /// The names that it defines.
    defines: BTreeSet<String>,
    /// The names that it imports, with their paths from the root of the crate.
    imports: BTreeMap<String, Names>,
    /// The modules of which it imports everything.
    globs: Vec<Names>,
    /// The names that it imports to be found here by others, and nothing else.
    passed_on: BTreeSet<String>,
    /// The paths that it uses, from the root of the crate.
    uses: BTreeSet<Names>,
}

/// The modules of a crate, by their paths.
#[derive(Default)]
struct Modules(BTreeMap<Names, Module>);

impl Modules {
    fn read(src: &Path) -> Modules {
        let mut files = Vec::new();
        list(src, &Vec::new(), &mut files);
        let mut modules = Modules::default();
        for (name, _) in &files {
            modules.0.insert(name.clone(), Module::default());
        }
        for (name, path) in &files {
            let text = fs::read_to_string(path).unwrap();
            let file = syn::parse_file(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
            let module = modules.module(name, &file.items);
            modules.0.insert(name.clone(), module);
        }
        modules
    }

    fn module(&self, name: &Names, items: &[Item]) -> Module {
        let mut module = Module::default();
        let mut words = Vec::new();
        for item in items {
            match item {
                Item::Use(of) => {
                    let is_public = !matches!(of.vis, syn::Visibility::Inherited);
                    self.import(name, &of.tree, &mut Vec::new(), is_public, &mut module);
                }
                // Tests may use what they want.
                Item::Mod(of) if of.content.is_some() => {}
                item => {
                    module.defines.extend(defined(item));
                    words.push(item.to_token_stream());
                }
            }
        }
        let mut spoken = BTreeSet::new();
        for words in words {
            self.paths(name, words, &mut module, &mut spoken);
        }
        // What is imported for others alone ties nothing.
        module.passed_on.retain(|name| !spoken.contains(name));
        module
    }

    /// Takes what a `use` imports.
    fn import(
        &self,
        of: &Names,
        tree: &UseTree,
        before: &mut Names,
        is_public: bool,
        to: &mut Module,
    ) {
        match tree {
            UseTree::Path(path) => {
                before.push(path.ident.to_string());
                self.import(of, &path.tree, before, is_public, to);
                before.pop();
            }
            UseTree::Group(group) => {
                for tree in &group.items {
                    self.import(of, tree, before, is_public, to);
                }
            }
            UseTree::Glob(_) => to.globs.extend(self.absolute(of, before)),
            UseTree::Name(_) | UseTree::Rename(_) => {
                let (name, alias) = match tree {
                    UseTree::Rename(tree) => (tree.ident.to_string(), tree.rename.to_string()),
                    UseTree::Name(tree) => (tree.ident.to_string(), tree.ident.to_string()),
                    _ => return,
                };
                let mut path = before.clone();
                let alias = match name.as_str() {
                    "self" => before.last().cloned().unwrap_or_default(),
                    _ => {
                        path.push(name);
                        alias
                    }
                };
                let Some(path) = self.absolute(of, &path) else { return };
                if is_public {
                    to.passed_on.insert(alias.clone());
                }
                to.imports.insert(alias, path);
            }
        }
    }

    /// Takes the paths among tokens, and all words.
    fn paths(
        &self,
        of: &Names,
        tokens: TokenStream,
        to: &mut Module,
        spoken: &mut BTreeSet<String>,
    ) {
        let mut path: Names = Vec::new();
        let mut colons = 0;
        for token in tokens {
            match token {
                TokenTree::Ident(word) => {
                    spoken.insert(word.to_string());
                    if colons < 2 {
                        self.used(of, &mut path, to);
                    }
                    path.push(word.to_string());
                    colons = 0;
                }
                TokenTree::Punct(mark) if mark.as_char() == ':' => colons += 1,
                TokenTree::Group(group) => {
                    self.used(of, &mut path, to);
                    self.paths(of, group.stream(), to, spoken);
                    colons = 0;
                }
                _ => {
                    self.used(of, &mut path, to);
                    colons = 0;
                }
            }
        }
        self.used(of, &mut path, to);
    }

    fn used(&self, of: &Names, path: &mut Names, to: &mut Module) {
        let path = std::mem::take(path);
        let Some(first) = path.first() else { return };
        if let Some(imported) = to.imports.get(first) {
            let mut whole = imported.clone();
            whole.extend(path.into_iter().skip(1));
            to.uses.insert(whole);
        } else if path.len() > 1 {
            to.uses.extend(self.absolute(of, &path));
        }
    }

    /// A path from the root of the crate; `None` where it leads out of it.
    fn absolute(&self, of: &Names, path: &[String]) -> Option<Names> {
        let first = path.first()?;
        let mut base = of.clone();
        let mut rest = path;
        match first.as_str() {
            "crate" => return Some(path[1..].to_vec()),
            "self" => rest = &path[1..],
            "super" => {
                while rest.first().is_some_and(|step| step == "super") {
                    base.pop();
                    rest = &rest[1..];
                }
            }
            _ => {
                base.push(first.clone());
                if !self.0.contains_key(&base) {
                    return None;
                }
                rest = &path[1..];
            }
        }
        base.extend_from_slice(rest);
        Some(base)
    }

    /// The file that defines what is at a path, through all that pass it on; `None` for a module as such.
    fn home(&self, path: &Names, seen: &mut BTreeSet<Names>) -> Option<Names> {
        let module = (0..=path.len()).rev().map(|len| path[..len].to_vec());
        let module = module.into_iter().find(|prefix| self.0.contains_key(prefix))?;
        let rest = &path[module.len()..];
        let name = rest.first()?;
        let of = &self.0[&module];
        if of.defines.contains(name) || !seen.insert(path.clone()) {
            return Some(module);
        }
        let further = |base: &Names, rest: &[String]| [base.as_slice(), rest].concat();
        if let Some(imported) = of.imports.get(name) {
            return self.home(&further(imported, &rest[1..]), seen);
        }
        let homes = of.globs.iter().filter_map(|glob| self.home(&further(glob, rest), seen));
        let defines = |home: &Names| self.0[home].defines.contains(name);
        homes.into_iter().find(defines).or(Some(module))
    }

    /// The files that each file takes something from.
    fn arrows(&self) -> BTreeMap<&Names, BTreeSet<Names>> {
        let of = |(name, module): (&'_ Names, &Module)| {
            let imported = module.imports.iter();
            let imported = imported.filter(|(alias, _)| !module.passed_on.contains(*alias));
            let paths = imported.map(|(_, path)| path).chain(&module.uses);
            let homes = paths.filter_map(|path| self.home(path, &mut BTreeSet::new()));
            homes.filter(|home| home != name).collect()
        };
        self.0.iter().map(|entry| (entry.0, of(entry))).collect()
    }

    /// The files that can be reached from each other.
    fn circles(&self) -> Vec<Vec<Names>> {
        let arrows = self.arrows();
        let reach = |from: &Names| {
            let mut seen = BTreeSet::new();
            let mut next = vec![from.clone()];
            while let Some(at) = next.pop() {
                for to in arrows.get(&at).into_iter().flatten() {
                    if seen.insert(to.clone()) {
                        next.push(to.clone());
                    }
                }
            }
            seen
        };
        let reached: BTreeMap<&Names, BTreeSet<Names>> =
            self.0.keys().map(|name| (name, reach(name))).collect();
        let mut circles = BTreeSet::new();
        for (name, all) in &reached {
            let circle: Vec<Names> =
                all.iter().filter(|other| reached[other].contains(*name)).cloned().collect();
            if circle.len() > 1 {
                circles.insert(circle);
            }
        }
        circles.into_iter().collect()
    }
}

/// The names that an item defines.
fn defined(item: &Item) -> Option<String> {
    Some(match item {
        Item::Const(item) => item.ident.to_string(),
        Item::Enum(item) => item.ident.to_string(),
        Item::Fn(item) => item.sig.ident.to_string(),
        Item::Macro(item) => item.ident.as_ref()?.to_string(),
        Item::Static(item) => item.ident.to_string(),
        Item::Struct(item) => item.ident.to_string(),
        Item::Trait(item) => item.ident.to_string(),
        Item::Type(item) => item.ident.to_string(),
        _ => return None,
    })
}

/// The files of modules below a folder, with the paths of the modules.
fn list(folder: &Path, of: &Names, files: &mut Vec<(Names, std::path::PathBuf)>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let stem = path.file_stem().unwrap().to_string_lossy().into_owned();
        let mut name = of.clone();
        if path.is_dir() {
            name.push(stem);
            list(&path, &name, files);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            match stem.as_str() {
                "lib" | "mod" | "main" => {}
                _ => name.push(stem),
            }
            files.push((name, path));
        }
    }
}

#[test]
fn circles_of_files_are_few_and_explained() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates");
    let mut wrong = Vec::new();
    for entry in fs::read_dir(&crates).unwrap() {
        let name = entry.unwrap().file_name().to_string_lossy().into_owned();
        let known = CIRCLES.iter().find(|(known, _)| *known == name);
        let allowed = known.map_or(0, |(_, allowed)| *allowed);
        let circles = Modules::read(&crates.join(&name).join("src")).circles();
        if circles.len() != allowed {
            let of = |circle: &Vec<Names>| {
                let names = circle.iter().map(|name| name.join("/"));
                names
                    .map(|name| if name.is_empty() { "lib".to_owned() } else { name })
                    .collect::<Vec<_>>()
                    .join(", ")
            };
            let circles: Vec<String> = circles.iter().map(of).collect();
            wrong.push(format!(
                "{name} has {} circles and not {allowed}:\n  {}",
                circles.len(),
                circles.join("\n  ")
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
