//! Tables of what walks over files meet.

use super::{
    classes::shown,
    page::{cell, values},
};
use spelunk::{Field, Halt, Record, Seg, Shape, Span, Step, Val, Walk, Walked, core::walk::Group};
use std::fmt::Write;

/// Pages that hold the descriptions of a group already, beside the reference.
const ELSEWHERE: &[&str] = &["docs/formats/gamedata.md", "docs/formats/classes/"];

/// One list of fields with dotted names.
#[derive(Default)]
pub struct Flat {
    open: Vec<(String, Shape)>,
    rows: Vec<(String, &'static Field, bool)>,
    /// Where the last field is, behind which new ones go.
    last: usize,
}

impl Flat {
    /// Whether nothing was met.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Writes the table.
    pub fn write(&self, text: &mut String) {
        text.push_str("\n| field | type | unit | about |\n|---|---|---|---|\n");
        for (name, field, is_list) in &self.rows {
            let ty =
                if *is_list { format!("list of {}", shown(field.ty)) } else { shown(field.ty) };
            let (about, values) = (cell(field.doc), values(field));
            _ = writeln!(text, "| `{name}` | {ty} | {} | {about}{values} |", field.unit);
        }
    }
}

/// A step of a path, which stands for all steps like it.
fn step(name: &Seg<'_>) -> String {
    match name {
        Seg::Field(name) => (*name).to_owned(),
        Seg::Index(_) => "[]".to_owned(),
        Seg::Key(_) => "NAME".to_owned(),
    }
}

/// Steps as one path.
fn path<'a>(steps: impl Iterator<Item = &'a str>) -> String {
    let mut path = String::new();
    for step in steps {
        if !path.is_empty() && step != "[]" {
            path.push('.');
        }
        path.push_str(step);
    }
    path
}

impl Walk for Flat {
    fn enter(&mut self, group: &Group<'_>) -> Result<Step, Halt> {
        self.open.push((step(&group.name), group.shape));
        Ok(Step::Into)
    }

    fn field(&mut self, field: &'static Field, _: Option<Span>, _: Val<'_>) -> Walked {
        let shape = self.open.last().map_or(Shape::Record, |(_, shape)| *shape);
        let steps = self.open.iter().map(|(step, _)| step.as_str());
        let name = path(steps.chain((shape == Shape::Record).then_some(field.name)));
        self.last = match self.rows.iter().position(|(known, ..)| *known == name) {
            Some(at) => at + 1,
            None => {
                self.rows.insert(self.last, (name, field, shape == Shape::List));
                self.last + 1
            }
        };
        Ok(())
    }

    fn leave(&mut self, _: Shape) -> Walked {
        self.open.pop();
        Ok(())
    }
}

/// A table for each group of fields.
#[derive(Default)]
pub struct Stored {
    groups: Vec<Seen>,
    /// The open groups: step, number of the table, shape.
    open: Vec<(String, usize, Shape)>,
}

/// What was met of the groups with one description.
struct Seen {
    record: &'static Record,
    shape: Shape,
    /// The first place where it was met.
    path: String,
    rows: Vec<Member>,
    /// Where the last member is, behind which new ones go.
    last: usize,
}

#[derive(Clone, Copy, PartialEq)]
enum Member {
    Field(&'static Field, bool),
    /// A group: its name, and the number of its table.
    Group(&'static str, usize),
    /// A part of many that keys name.
    Keyed(usize),
    /// An item of this list.
    Item(usize),
}

impl Seen {
    fn add(&mut self, member: Member) {
        self.last = match self.rows.iter().position(|known| *known == member) {
            Some(at) => at + 1,
            None => {
                self.rows.insert(self.last, member);
                self.last + 1
            }
        };
    }

    /// Whether another page describes what it holds.
    fn is_elsewhere(&self) -> bool {
        ELSEWHERE.iter().any(|page| self.record.page.starts_with(page))
    }
}

impl Stored {
    /// The number of the table of a group.
    fn table(&mut self, group: &Group<'_>, path: String) -> usize {
        let same = |seen: &Seen| *seen.record == *group.record && seen.shape == group.shape;
        self.groups.iter().position(same).unwrap_or_else(|| {
            let (record, shape) = (group.record, group.shape);
            self.groups.push(Seen { record, shape, path, rows: Vec::new(), last: 0 });
            self.groups.len() - 1
        })
    }

    /// Headings of the tables, all different; none of those that have no table.
    fn headings(&self) -> Vec<Option<String>> {
        let mut headings: Vec<Option<String>> = Vec::new();
        for seen in &self.groups {
            let fields = seen.rows.iter().any(|member| !matches!(member, Member::Item(_)));
            let has_table = fields && seen.shape == Shape::Record && !seen.is_elsewhere();
            let heading = has_table.then(|| {
                let plain = |text: &str| text.replace("[]", "").replace('.', " ");
                let known = |name: &String| headings.iter().flatten().any(|known| known == name);
                let names = [seen.record.name.to_owned(), plain(&seen.path)].into_iter();
                let numbered = (2..).map(|nth| format!("{} {nth}", seen.record.name));
                names.chain(numbered).find(|name| !known(name)).expect("there is no end of numbers")
            });
            headings.push(heading);
        }
        headings
    }

    /// What a row says of a group: a link to its table, or what its items are.
    fn kind(&self, nth: usize, headings: &[Option<String>], deep: usize) -> String {
        let Some(seen) = self.groups.get(nth) else { return String::new() };
        if let Some(Some(heading)) = headings.get(nth) {
            let anchor = heading.to_lowercase().replace(' ', "-");
            return format!("[{heading}](#{anchor})");
        }
        if seen.is_elsewhere() {
            let page = seen.record.page.trim_start_matches("docs/");
            return format!("[{}](../{page})", seen.record.name);
        }
        let items: Vec<String> = seen
            .rows
            .iter()
            .map(|member| match member {
                Member::Item(item) | Member::Group(_, item) | Member::Keyed(item) if deep < 4 => {
                    self.kind(*item, headings, deep + 1)
                }
                Member::Field(field, _) => shown(field.ty),
                _ => String::new(),
            })
            .collect();
        match (seen.shape, items.is_empty()) {
            (_, true) => "empty here".to_owned(),
            (Shape::List, _) => format!("list of {}", items.join(" or ")),
            _ => items.join(" or "),
        }
    }

    /// Writes the tables.
    pub fn write(&self, text: &mut String) {
        let headings = self.headings();
        for (seen, heading) in self.groups.iter().zip(&headings) {
            let Some(heading) = heading else { continue };
            let Record { doc, page, size, .. } = seen.record;
            let size = match size {
                0 => String::new(),
                size => format!(" {size} bytes."),
            };
            let page = page.trim_start_matches("docs/");
            _ = write!(
                text,
                "\n### {heading}\n\n{}{size} First met at `{}`; see [{page}](../{page}).\n\n",
                cell(doc),
                seen.path
            );
            self.rows(seen, &headings, text);
        }
    }

    fn rows(&self, seen: &Seen, headings: &[Option<String>], text: &mut String) {
        if !seen.record.fields.is_empty() {
            text.push_str("| offset | field | type | unit | about |\n|---|---|---|---|---|\n");
        } else {
            text.push_str("| field | type | unit | about |\n|---|---|---|---|\n");
        }
        for slot in seen.record.fields {
            let field = &slot.field;
            let (ty, unit, about) = (shown(field.ty), field.unit, cell(field.doc));
            let (offset, values) = (slot.offset, values(field));
            _ = writeln!(text, "| {offset} | `{}` | {ty} | {unit} | {about}{values} |", field.name);
        }
        let of_record = |name: &str| seen.record.fields.iter().any(|slot| slot.field.name == name);
        // Behind the fixed fields, without offsets.
        let before = if seen.record.fields.is_empty() { "" } else { "|  " };
        for member in &seen.rows {
            let row = match *member {
                Member::Field(field, _) if of_record(field.name) => continue,
                Member::Field(field, is_list) => {
                    let ty = shown(field.ty);
                    let ty = if is_list { format!("list of {ty}") } else { ty };
                    let (unit, about, values) = (field.unit, cell(field.doc), values(field));
                    format!("`{}` | {ty} | {unit} | {about}{values}", field.name)
                }
                Member::Group(name, _) if of_record(name) => continue,
                Member::Group(name, nth) => {
                    let about = self.groups.get(nth).map_or("", |seen| seen.record.doc);
                    format!("`{name}` | {} |  | {}", self.kind(nth, headings, 0), cell(about))
                }
                Member::Keyed(nth) | Member::Item(nth) => {
                    let about = self.groups.get(nth).map_or("", |seen| seen.record.doc);
                    format!("*by name* | {} |  | {}", self.kind(nth, headings, 0), cell(about))
                }
            };
            _ = writeln!(text, "{before}| {row} |");
        }
    }
}

impl Walk for Stored {
    fn enter(&mut self, group: &Group<'_>) -> Result<Step, Halt> {
        let steps = self.open.iter().map(|(step, ..)| step.as_str());
        let step = step(&group.name);
        let nth = self.table(group, path(steps.chain([step.as_str()])));
        let member = match group.name {
            Seg::Field(name) => Member::Group(name, nth),
            Seg::Index(_) => Member::Item(nth),
            Seg::Key(_) => Member::Keyed(nth),
        };
        if let Some((_, parent, _)) = self.open.last()
            && let Some(parent) = self.groups.get_mut(*parent)
        {
            parent.add(member);
        }
        if self.groups.get(nth).is_some_and(Seen::is_elsewhere) {
            return Ok(Step::Over);
        }
        self.open.push((step, nth, group.shape));
        Ok(Step::Into)
    }

    fn field(&mut self, field: &'static Field, _: Option<Span>, _: Val<'_>) -> Walked {
        if let Some((_, nth, shape)) = self.open.last()
            && let Some(seen) = self.groups.get_mut(*nth)
        {
            seen.add(Member::Field(field, *shape == Shape::List));
        }
        Ok(())
    }

    fn leave(&mut self, _: Shape) -> Walked {
        self.open.pop();
        Ok(())
    }
}
