//! Paths of entries: first what stands at the top of a file, then what lies below.

use super::{
    held::look,
    offers::{Offers, behind},
};
use spelunk::{
    Container, Entry, File, Halt, Node, Of, Result, Task,
    core::container::kind,
    core::text::{CodePages, until_nul},
    core::walk::finish,
    tables::rows,
};

/// What becomes of a path that leads to an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// It is the word.
    Path,
    /// It is a glob, in which brackets mean something.
    Glob,
    /// A field comes behind it.
    WithField,
}

/// The most entries at the top whose inside is looked for.
const LOOKED_INTO: usize = 200;

/// Offers the entries whose paths begin with what is typed.
pub fn offer(file: &File, typed: &str, form: Form, offers: &mut Offers) {
    let pages = file.code_pages();
    let mut search = Search { pages, typed, form, has_tables: false, is_cut: false, offers };
    if typed.starts_with('#') {
        return look(file, |container, task| search.listing(container, task));
    }
    look(file, |container, task| search.tables(container, task));
    let mut is_by_position = false;
    look(file, |container, task| {
        finish(container.children(Of::Listing, pages, task, &mut |entry, _| {
            is_by_position = entry.path.starts_with('#');
            Err(Halt::Stop)
        }))
    });
    // What is listed by positions has its kinds first; the hierarchy of other files leads to what they list.
    if is_by_position {
        look(file, |container, task| search.listing(container, task));
        look(file, |container, task| search.top(container, task));
    } else {
        look(file, |container, task| search.top(container, task));
        if !typed.is_empty() || search.is_cut || search.offers.list.is_empty() {
            look(file, |container, task| search.listing(container, task));
        }
    }
    look(file, |container, task| search.below(container, task));
    search.offers.without_doubles();
}

/// Offers the kinds of entries that can be added, which are those that are there.
pub fn offer_kinds(file: &File, typed: &str, offers: &mut Offers) {
    let pages = file.code_pages();
    look(file, |container, task| {
        rows::tables(container, task)?
            .iter()
            .for_each(|table| offers.open(typed, &format!("{}/", table.table), ""));
        Ok(())
    });
    look(file, |container, task| {
        finish(container.children(Of::Listing, pages, task, &mut |entry, _| {
            if entry.path.starts_with('#') {
                offers.open(typed, &format!("{}/", entry.kind), "");
            }
            if offers.is_full() { Err(Halt::Stop) } else { Ok(()) }
        }))
    });
    look(file, |container, _| {
        if let Some(included) = container.profile().extraction.included {
            offers.open(typed, &format!("{included}/"), "");
        }
        Ok(())
    });
}

/// Looks for entries.
struct Search<'s> {
    pages: &'s CodePages,
    typed: &'s str,
    form: Form,
    has_tables: bool,
    /// Whether not all that stands at the top was looked at.
    is_cut: bool,
    offers: &'s mut Offers,
}

impl Search<'_> {
    /// The tables, by whose names their rows are called.
    fn tables(&mut self, container: &dyn Container, task: &mut Task<'_>) -> Result<()> {
        for table in rows::tables(container, task)? {
            self.has_tables = true;
            self.offers.open(self.typed, &format!("{}/", table.table), table.name);
        }
        Ok(())
    }

    /// What `ls` lists. Entries that it lists by their positions have a path of their kind and their name too.
    fn listing(&mut self, container: &dyn Container, task: &mut Task<'_>) -> Result<()> {
        let is_position = self.typed.starts_with('#');
        let mut named = String::new();
        finish(container.children(Of::Listing, self.pages, task, &mut |entry, _| {
            let name = until_nul(entry.name.unwrap_or_default());
            if entry.path.starts_with('#') && !is_position {
                if !name.is_empty() {
                    named.clear();
                    named.push_str(entry.kind);
                    named.push('/');
                    self.pages.path_step(name, &mut named);
                    self.put(&named, entry.path);
                }
            } else {
                self.put(entry.path, &self.about(entry));
            }
            self.onward()
        }))
    }

    /// What stands at the top, and whether something lies below it.
    fn top(&mut self, container: &dyn Container, task: &mut Task<'_>) -> Result<()> {
        // Where there are tables, their numbers are for those who type them.
        if self.typed.is_empty() && self.has_tables {
            return Ok(());
        }
        let mut top = Vec::new();
        finish(container.children(Of::Root, self.pages, task, &mut |entry, _| {
            let is_near = behind(entry.path, self.typed).is_some()
                || behind(entry.kind, self.typed).is_some();
            if !entry.path.starts_with('#') && is_near {
                top.push((
                    entry.node,
                    entry.path.to_owned(),
                    entry.kind.to_owned(),
                    self.about(entry),
                ));
            }
            if top.len() < LOOKED_INTO { Ok(()) } else { Err(Halt::Stop) }
        }))?;
        self.is_cut = top.len() >= LOOKED_INTO;
        for (node, path, of, about) in top {
            // Lists of maps are called by what they are of.
            let is_number = path.starts_with(|first: char| first.is_ascii_digit());
            let is_called = is_number
                && container.find(&of, self.pages, task).is_ok_and(|found| found == [node]);
            let (path, is_holder) = match is_called {
                true => (of, false),
                false => (path, [kind::FOLDER, kind::CLASS].contains(&of.as_str())),
            };
            if is_holder {
                self.offers.open(self.typed, &format!("{path}/"), &about);
            } else if self.form == Form::WithField && self.has_items(container, node, task) {
                self.offers.open(self.typed, &format!("{path}["), &about);
            } else {
                self.put(&path, &about);
            }
        }
        Ok(())
    }

    /// Whether the entries below another one are called by their positions in it.
    fn has_items(&self, container: &dyn Container, node: Node, task: &mut Task<'_>) -> bool {
        let mut has_items = false;
        let _ = container.children(Of::Node(node), self.pages, task, &mut |entry, _| {
            has_items = entry.path.ends_with(']');
            Err(Halt::Stop)
        });
        has_items
    }

    /// What lies below the entry that the beginning of the word names.
    fn below(&mut self, container: &dyn Container, task: &mut Task<'_>) -> Result<()> {
        let typed = match self.form {
            Form::Glob => meant(self.typed),
            _ => self.typed.to_owned(),
        };
        let cuts = ['/', '[', '#'].map(|sign| typed.rfind(sign));
        for cut in cuts.into_iter().flatten().filter(|cut| *cut > 0) {
            let above = typed.get(..cut).unwrap_or_default();
            let found = container.find(above, self.pages, task).unwrap_or_default();
            let [node] = found.as_slice() else { continue };
            let mut own = String::new();
            finish(container.entry(*node, self.pages, task, &mut |entry, _| {
                own.push_str(entry.path);
                Ok(())
            }))?;
            self.inside(container, *node, [&own, above], task)?;
        }
        Ok(())
    }

    fn inside(
        &mut self,
        container: &dyn Container,
        node: Node,
        [own, above]: [&str; 2],
        task: &mut Task<'_>,
    ) -> Result<()> {
        let mut path = String::new();
        finish(container.children(Of::Node(node), self.pages, task, &mut |entry, _| {
            if let Some(rest) = entry.path.strip_prefix(own) {
                path.clear();
                path.push_str(above);
                path.push_str(rest);
                self.put(&path, &self.about(entry));
            }
            self.onward()
        }))
    }

    /// Kind and name of an entry.
    fn about(&self, entry: &Entry<'_>) -> String {
        let name = match entry.label {
            Some(label) => label.to_owned(),
            None => self.pages.show(until_nul(entry.name.unwrap_or_default())).into_owned(),
        };
        match name.is_empty() || entry.path.ends_with(&name) {
            true => entry.kind.to_owned(),
            false => format!("{} {name}", entry.kind),
        }
    }

    fn put(&mut self, path: &str, about: &str) {
        match self.form {
            Form::Path => self.offers.path(self.typed, path, about),
            Form::Glob => self.offers.path(self.typed, &literal(path), about),
            Form::WithField => self.offers.path(self.typed, &format!("{path}/"), about),
        }
    }

    fn onward(&self) -> std::result::Result<(), Halt> {
        if self.offers.is_full() { Err(Halt::Stop) } else { Ok(()) }
    }
}

/// A path as a glob that matches it alone.
fn literal(path: &str) -> String {
    let mut glob = String::new();
    for letter in path.chars() {
        match letter {
            '[' | '*' | '?' => glob.extend(['[', letter, ']']),
            _ => glob.push(letter),
        }
    }
    glob
}

/// The path that a glob of [`literal`] is for.
fn meant(glob: &str) -> String {
    glob.replace("[[]", "[").replace("[*]", "*").replace("[?]", "?")
}
