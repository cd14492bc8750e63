//! Fields of an entry, and their values, as `set` takes them.

use super::{
    held::look,
    offers::{Offers, behind},
};
use spelunk::{
    Container, Field, File, Halt, Node, Result, Shape, Span, Step, Task, Val, Walk, Walked,
    core::container::kind,
    core::error::dotted,
    core::text::CodePages,
    core::walk::{Group, Trail, finish},
};

/// The most fields of an entry that are gathered.
const MOST: usize = 500;

/// The most fields of which is found out whether they can be set, and the largest entry of which that is done: it is changed for
/// it, and packed again.
const TRIED: usize = 100;
const LARGEST: u64 = 1 << 20;

/// Offers the fields of the entry that stands before the last slash, but for those that nobody can set.
pub fn offer(file: &File, typed: &str, offers: &mut Offers) {
    let Some((above, field)) = typed.rsplit_once('/') else { return };
    let pages = file.code_pages();
    on_entry(file, above, |container, node, size, task| {
        let mut near = Near { typed: field, trail: Trail::default(), found: Vec::new() };
        finish(container.walk(node, task, &mut near))?;
        let mut found = near.found;
        if size <= LARGEST {
            keep_settable(container, node, &mut found, pages, task)?;
        }
        for FoundField { path, field, now } in found {
            let end = if now.is_some() { "=" } else { "[" };
            offers.open(
                typed,
                &format!("{above}/{path}{end}"),
                field.map_or("", |field| field.doc),
            );
        }
        Ok(())
    });
}

/// Takes out what cannot be set, which a copy of the file tells: each field is set to what it is. Lists go where nothing else stays.
fn keep_settable(
    container: &dyn Container,
    node: Node,
    found: &mut Vec<FoundField>,
    pages: &CodePages,
    task: &mut Task<'_>,
) -> Result<()> {
    let mut fork = container.fork(task)?;
    let Some(edit) = fork.as_mut().and_then(|fork| fork.edit()) else {
        found.clear();
        return Ok(());
    };
    let mut tried = 0_usize;
    found.retain(|FoundField { path, field, now }| {
        let (Some(field), Some(now)) = (field, now) else { return true };
        tried = tried.saturating_add(1);
        let mut values = Offers::default();
        field_values(field, now, "", pages, &mut values);
        let value = values.list.into_iter().next().map(|value| Val::from(value.text));
        let set = |value| edit.set(node, path, value, pages, task).is_ok();
        tried > TRIED || value.is_some_and(set)
    });
    if found.iter().all(|field| field.now.is_none()) {
        found.clear();
    }
    Ok(())
}

/// Offers values for the field that stands before the equals sign.
pub fn offer_values(file: &File, typed: &str, offers: &mut Offers) {
    let Some((path, value)) = typed.split_once('=') else { return };
    let Some((above, field)) = path.rsplit_once('/') else { return };
    let now = file.entry(above).and_then(|entry| entry.value(field));
    drop(file.take_findings());
    if let Ok(now) = now {
        let mut values = Offers::default();
        field_values(now.description(), now.val(), value, file.code_pages(), &mut values);
        let values = values.after(&format!("{path}="));
        for offer in values.list {
            match offer.is_open {
                true => offers.open("", &offer.text, &offer.about),
                false => offers.word("", &offer.text, &offer.about),
            }
        }
    }
}

/// Works on the one entry at a path, if there is one that has fields of its own.
fn on_entry(
    file: &File,
    path: &str,
    work: impl FnOnce(&dyn Container, Node, u64, &mut Task<'_>) -> Result<()>,
) {
    let pages = file.code_pages();
    look(file, |container, task| {
        let found = container.find(path, pages, task)?;
        let [node] = found.as_slice() else { return Ok(()) };
        let (mut has_fields, mut size) = (false, 0);
        finish(container.entry(*node, pages, task, &mut |entry, _| {
            has_fields = ![kind::FOLDER, kind::CLASS].contains(&entry.kind);
            size = entry.size;
            Ok(())
        }))?;
        if has_fields { work(container, *node, size, task) } else { Ok(()) }
    });
}

/// Values that a field can have: names, or the value of now.
fn field_values(field: &Field, now: &Val<'_>, typed: &str, pages: &CodePages, offers: &mut Offers) {
    let is_bool = matches!(now, Val::Bool(_));
    if is_bool {
        ["true", "false"].iter().for_each(|value| offers.word(typed, value, ""));
    }
    for (number, name) in field.values {
        offers.word(typed, &unspaced(name), &number.to_string());
    }
    if field.is_packed() {
        // Names stand behind each other; what is there already is not offered again.
        let (before, last) = match typed.rfind('|') {
            Some(at) => typed.split_at(at.saturating_add(1)),
            None => ("", typed),
        };
        let mut names = Offers::default();
        let has = |name: &str| before.split('|').any(|other| other == name);
        for (_, name) in field.bits.iter().filter(|(mask, _)| *mask != 0) {
            let name = unspaced(name);
            if !has(&name) {
                names.word(last, &name, "");
            }
        }
        for part in field.parts {
            for (_, value) in part.field.values {
                names.word(last, &format!("{}:{}", unspaced(part.field.name), unspaced(value)), "");
            }
        }
        names.after(before).list.iter().for_each(|name| offers.word(typed, &name.text, ""));
    }
    if let Val::Ref(..) = now {
        if let Some(meaning) = field.meaning_in(now, pages) {
            offers.word(typed, &meaning, "as it is");
        }
        offers.word(typed, "none", "");
    }
    if offers.list.is_empty() && !is_bool {
        offers.word(typed, &plain(now, pages), "as it is");
    }
}

/// A value as it is typed.
fn plain(value: &Val<'_>, pages: &CodePages) -> String {
    match value {
        Val::Text(bytes) => pages.show(spelunk::core::text::until_nul(bytes)).into_owned(),
        Val::Str(text) => text.clone().into_owned(),
        value => value.to_string(),
    }
}

/// A name without blanks, which nobody has to quote.
fn unspaced(name: &str) -> String {
    name.replace(' ', "_")
}

/// A field, or a list that somebody may want to go into.
struct FoundField {
    path: String,
    field: Option<&'static Field>,
    now: Option<Val<'static>>,
}

/// Gathers the fields whose paths begin with what is typed.
struct Near<'n> {
    typed: &'n str,
    trail: Trail,
    found: Vec<FoundField>,
}

impl Near<'_> {
    /// Whether a path may begin with what is typed, or the other way round.
    fn is_near(&self, path: &str) -> bool {
        let (path, typed) = (path.to_lowercase(), self.typed.to_lowercase());
        path.starts_with(&typed) || typed.starts_with(&path)
    }

    fn put(&mut self, path: String, field: Option<&'static Field>, now: Option<Val<'static>>) {
        if behind(&path, self.typed).is_some() {
            self.found.push(FoundField { path, field, now });
        }
    }
}

impl Walk for Near<'_> {
    fn enter(&mut self, group: &Group<'_>) -> std::result::Result<Step, Halt> {
        self.trail.enter(group);
        let path = dotted(self.trail.open().map(|(name, _)| name));
        // Lists are gone into when somebody wants to.
        let is_list = matches!(group.shape, Shape::List);
        if is_list && self.typed.len() <= path.len() {
            self.put(path, None, None);
        } else if self.is_near(&path) {
            return Ok(Step::Into);
        }
        self.trail.leave();
        Ok(Step::Over)
    }

    fn field(&mut self, field: &'static Field, _: Option<Span>, value: Val<'_>) -> Walked {
        let path = self.trail.path(field);
        let is_part = path.len() < self.typed.len() && field.is_packed() && self.is_near(&path);
        for part in field.parts_of(&value).filter(|_| is_part) {
            self.put(format!("{path}.{}", unspaced(part.name)), Some(part.field), Some(part.value));
        }
        self.put(path, Some(field), Some(value.into_owned()));
        if self.found.len() < MOST { Ok(()) } else { Err(Halt::Stop) }
    }

    fn leave(&mut self, _: Shape) -> Walked {
        self.trail.leave();
        Ok(())
    }
}
