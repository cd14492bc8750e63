//! The tables of Virtools classes: their layouts, run by a codec that takes every way through them and notes what it meets.

use super::page::{Row, cell};
use similar::{Algorithm, DiffTag, capture_diff_slices};
use spelunk::{Field, Record, Ty};
use spelunk_core::{Error, field::Described, scalar::Guid};
use std::{
    any::type_name,
    collections::BTreeSet,
    fmt::{self, Write},
};
use virtools::{
    chunk::buffer::Header,
    class::{
        CLASSES, Class, Value, attribute_manager, behavior_manager, message_manager, time_manager,
    },
    codec::{
        Array, Codec, Coded, DwordValue, Layout, ManagerInt, ManagerInts, Opaque, Padded, Pod,
        Reference, Saved, Text,
    },
};
use zerocopy::little_endian::U32;

/// Sub-chunks inside sub-chunks that are followed.
const DEEPEST: usize = 3;

/// Something that a layout says.
#[derive(Clone, PartialEq)]
struct Event {
    /// How many groups it stands in.
    depth: usize,
    what: What,
}

#[derive(Clone, PartialEq)]
enum What {
    Section(u32, &'static Record),
    Group(&'static Record),
    List(&'static Record),
    Chunk(&'static Record, String),
    Flag(u32, &'static Field),
    Field(&'static Field, String),
    /// What follows is for other values to say.
    Open,
}

/// Takes every way through a layout, but for one: the `skip`th condition does not hold.
struct Teller {
    header: Header,
    events: Vec<Event>,
    depth: usize,
    chunks: usize,
    /// The conditions so far: what they say, and how many events came before them.
    conditions: Vec<(&'static str, usize)>,
    skip: Option<usize>,
}

impl Teller {
    fn tell(value: &mut impl Layout, skip: Option<usize>) -> Teller {
        let mut teller = Teller {
            header: Header::object(0),
            events: Vec::new(),
            depth: 0,
            chunks: 0,
            conditions: Vec::new(),
            skip,
        };
        value.layout(&mut teller).expect("an empty value has a layout");
        teller
    }

    fn note(&mut self, what: What) {
        self.events.push(Event { depth: self.depth, what });
    }

    fn note_field(&mut self, field: &'static Field, ty: impl fmt::Display) -> Coded<Self> {
        self.note(What::Field(field, ty.to_string()));
        Ok(())
    }

    fn inside(&mut self, inside: impl FnOnce(&mut Self) -> Coded<Self>) -> Coded<Self> {
        self.depth += 1;
        if inside(self).is_err() {
            // An empty value has none of the forms that it could have.
            self.note(What::Open);
        }
        self.depth -= 1;
        Ok(())
    }

    fn chunk<T: Layout>(&mut self, record: &'static Record, ty: &str) -> Coded<Self> {
        let name = type_name::<T>();
        let class = format!("CK{}", name.rsplit("::").next().unwrap_or(name));
        if CLASSES.iter().any(|known| known.name == class) {
            self.note(What::Chunk(record, format!("{ty} of a [{class}](#{})", anchor(&class))));
            return Ok(());
        }
        self.note(What::Chunk(record, ty.to_owned()));
        if self.chunks == DEEPEST {
            return Ok(());
        }
        self.chunks += 1;
        let told = self.inside(|teller| T::default().layout(teller));
        self.chunks -= 1;
        told
    }
}

impl Codec for Teller {
    type Stop = Error;

    fn header(&self) -> &Header {
        &self.header
    }

    fn when(&mut self, _: bool, why: &'static str) -> bool {
        let nth = self.conditions.len();
        self.conditions.push((why, self.events.len()));
        self.skip != Some(nth)
    }

    fn section<T: Default>(
        &mut self,
        identifier: u32,
        record: &'static Record,
        _: &mut Option<T>,
        mut inside: impl FnMut(&mut Self, &mut T) -> Coded<Self>,
    ) -> Coded<Self> {
        self.note(What::Section(identifier, record));
        self.inside(|teller| inside(teller, &mut T::default()))
    }

    fn group(
        &mut self,
        record: &'static Record,
        mut inside: impl FnMut(&mut Self) -> Coded<Self>,
    ) -> Coded<Self> {
        self.note(What::Group(record));
        self.inside(|teller| inside(teller))
    }

    fn flag(&mut self, identifier: u32, field: &'static Field, _: &mut bool) -> Coded<Self> {
        self.note(What::Flag(identifier, field));
        Ok(())
    }

    fn item<T: DwordValue>(&mut self, field: &'static Field, _: &mut T) -> Coded<Self> {
        self.note_field(field, shown(field.ty))
    }

    fn count(&mut self, field: &'static Field, len: usize) -> Result<usize, Error> {
        self.note_field(field, shown(field.ty)).map(|()| len)
    }

    fn record<T: Described + Pod>(&mut self, _: &mut T) -> Coded<Self> {
        let slots = &mut T::RECORD.fields.iter();
        slots.try_for_each(|slot| self.note_field(&slot.field, shown(slot.field.ty)))
    }

    fn array<T: Pod>(&mut self, field: &'static Field, _: usize, _: &mut Array<T>) -> Coded<Self> {
        self.note_field(field, format_args!("list of {}", shown(field.ty)))
    }

    fn records<T: Described + Pod>(
        &mut self,
        _: &'static str,
        _: usize,
        _: &mut Array<T>,
    ) -> Coded<Self> {
        self.note(What::List(T::RECORD));
        self.inside(|teller| teller.record(&mut T::new_zeroed()))
    }

    fn padded<T: Pod>(
        &mut self,
        field: &'static Field,
        _: usize,
        _: &mut Padded<T>,
    ) -> Coded<Self> {
        self.note_field(field, format_args!("list of {}, filled up", shown(field.ty)))
    }

    fn buffer<T: Pod>(&mut self, field: &'static Field, _: &mut Padded<T>) -> Coded<Self> {
        self.note_field(field, format_args!("buffer of {}", shown(field.ty)))
    }

    fn text(&mut self, field: &'static Field, _: &mut Text) -> Coded<Self> {
        self.note_field(field, "string")
    }

    fn list<T: Default>(
        &mut self,
        record: &'static Record,
        _: usize,
        _: &mut Vec<T>,
        mut each: impl FnMut(&mut Self, &mut T) -> Coded<Self>,
    ) -> Coded<Self> {
        self.note(What::List(record));
        self.inside(|teller| each(teller, &mut T::default()))
    }

    fn object(&mut self, field: &'static Field, _: &mut Reference) -> Coded<Self> {
        self.note_field(field, "reference")
    }

    fn objects(&mut self, field: &'static Field, _: &mut Array<U32>) -> Coded<Self> {
        self.note_field(field, "count, references")
    }

    fn manager_int(&mut self, field: &'static Field, _: &mut ManagerInt) -> Coded<Self> {
        self.note_field(field, "number of a manager")
    }

    fn manager_ints(&mut self, field: &'static Field, _: &mut ManagerInts) -> Coded<Self> {
        self.note_field(field, "count, numbers of a manager")
    }

    fn sub_chunk<T: Layout>(
        &mut self,
        record: &'static Record,
        _: &mut Option<Box<Saved<T>>>,
    ) -> Coded<Self> {
        self.chunk::<T>(record, "sub-chunk")
    }

    fn sub_chunks<T: Layout>(
        &mut self,
        record: &'static Record,
        _: &mut Vec<Option<Box<Saved<T>>>>,
    ) -> Coded<Self> {
        self.chunk::<T>(record, "count, sub-chunks")
    }

    fn opaque(&mut self, record: &'static Record, _: &mut Option<Opaque>) -> Coded<Self> {
        self.note(What::Chunk(record, "sub-chunk, opaque".to_owned()));
        Ok(())
    }

    fn sized(
        &mut self,
        field: &'static Field,
        _: bool,
        mut inside: impl FnMut(&mut Self) -> Coded<Self>,
    ) -> Coded<Self> {
        self.note_field(field, shown(field.ty))?;
        inside(self)
    }

    fn remaining(&self, len: usize) -> usize {
        len
    }
}

/// What people read of a type: an array with what it is of.
pub fn shown(ty: Ty) -> String {
    match ty {
        Ty::Array(item, count) => format!("{count} × {}", shown(*item)),
        Ty::Rest(item) => format!("{}, up to the end", shown(*item)),
        ty => ty.name().to_owned(),
    }
}

fn anchor(name: &str) -> String {
    name.to_lowercase()
}

/// What a layout says, with the conditions that each part stands under.
fn told(mut make: impl FnMut() -> Value) -> Vec<(Event, Vec<String>)> {
    let all = Teller::tell(&mut make(), None);
    let mut conditions = vec![Vec::new(); all.events.len()];
    // What is missing where one condition does not hold stands under it; what is there instead goes in its place.
    let mut instead = Vec::new();
    for (nth, (why, start)) in all.conditions.iter().enumerate() {
        let other = Teller::tell(&mut make(), Some(nth)).events;
        let above = conditions.get(*start).cloned().unwrap_or_default();
        let (old, new) = (&all.events[*start..], &other[*start..]);
        // Differences are found between numbers: the first place of each event.
        let known: Vec<&Event> = old.iter().chain(new).collect();
        let number = |event: &Event| known.iter().position(|known| *known == event);
        let [left, right] = [old, new].map(|events| events.iter().map(number).collect::<Vec<_>>());
        for change in capture_diff_slices(Algorithm::Myers, &left, &right) {
            let (old_range, new_range) = (change.old_range(), change.new_range());
            if change.tag() == DiffTag::Equal {
                continue;
            }
            for conditions in &mut conditions[*start..][old_range.clone()] {
                conditions.push((*why).to_owned());
            }
            let others = new[new_range].iter().cloned();
            let above = above.iter().cloned().chain([format!("not: {why}")]);
            let above: Vec<String> = above.collect();
            let others: Vec<_> = others.map(|event| (event, above.clone())).collect();
            instead.push((*start + old_range.end, others));
        }
    }
    let mut events: Vec<_> = all.events.into_iter().zip(conditions).collect();
    // From the last place on, so that the others stay what they are.
    instead.sort_by_key(|(place, _)| std::cmp::Reverse(*place));
    for (place, others) in instead {
        events.splice(place..place, others);
    }
    events
}

/// What is written of a class or a manager.
struct Part {
    name: &'static str,
    about: String,
    pages: BTreeSet<&'static str>,
    sections: Vec<String>,
}

/// The text of all classes and managers.
pub fn tables(text: &mut String) {
    let class = |class: &Class| {
        let parent = class.parent.and_then(|id| CLASSES.iter().find(|class| class.id == id));
        let parent = parent.map(|class| format!("[{0}](#{1})", class.name, anchor(class.name)));
        match parent {
            Some(parent) => format!("Class {}, derives from {parent}.", class.id),
            None => format!("Class {}, from which all others derive.", class.id),
        }
    };
    let part = |name, about| Part { name, about, pages: BTreeSet::new(), sections: Vec::new() };
    let mut parts: Vec<Part> = CLASSES.iter().map(|of| part(of.name, class(of))).collect();
    for (nth, class) in CLASSES.iter().enumerate() {
        add(&mut parts, nth, &told(|| Value::of_class(class.id)));
    }
    let managers = [
        ("Attribute manager", attribute_manager::GUID),
        ("Behaviour manager", behavior_manager::GUID),
        ("Message manager", message_manager::GUID),
        ("Time manager", time_manager::GUID),
    ];
    for (name, [d1, d2]) in managers {
        let guid = Guid { d1: d1.into(), d2: d2.into() };
        parts.push(part(name, format!("GUID `{d1:08x}-{d2:08x}`.")));
        let nth = parts.len() - 1;
        add(&mut parts, nth, &told(|| Value::of_manager(guid)));
    }
    for Part { name, about, pages, sections } in parts {
        _ = write!(text, "\n### {name}\n\n{about}");
        for page in pages {
            let page = page.trim_start_matches("docs/");
            _ = write!(text, " More in [{page}](../{page}).");
        }
        if sections.is_empty() {
            text.push_str(" No sections of its own are known.");
        }
        text.push('\n');
        text.push_str(&sections.concat());
    }
}

/// Adds the sections that a layout has to the classes whose pages describe them: nearly all classes have those of their
/// parents too.
fn add(parts: &mut [Part], nth: usize, events: &[(Event, Vec<String>)]) {
    let starts: Vec<usize> =
        (0..events.len()).filter(|&nth| events[nth].0.depth == 0).chain([events.len()]).collect();
    for ends in starts.windows(2) {
        let [(first, conditions), rows @ ..] = &events[ends[0]..ends[1]] else { continue };
        let when = only(conditions);
        let mut section = String::new();
        let mut owner = nth;
        match first.what {
            What::Section(identifier, record) => {
                let (_, place) = record.page.rsplit_once('#').unwrap_or_default();
                if let Some(of) = parts.iter().position(|part| anchor(part.name) == place) {
                    owner = of;
                }
                parts[owner].pages.insert(record.page);
                let about = cell(record.doc);
                _ = writeln!(section, "\n**`{identifier:#x}` {}**{when}: {about}", record.name);
                rows_of(&mut section, rows, conditions);
            }
            What::Flag(identifier, field) => {
                let (name, about) = (field.name, cell(field.doc));
                _ = writeln!(
                    section,
                    "\n**`{identifier:#x}` {name}**{when}, without content: {about}"
                );
            }
            _ => panic!("{}: what no section holds", parts[nth].name),
        }
        if !parts.iter().any(|part| part.sections.contains(&section)) {
            parts[owner].sections.push(section);
        }
    }
}

fn only(conditions: &[String]) -> String {
    if conditions.is_empty() { String::new() } else { format!(", {}", conditions.join(", ")) }
}

/// The table of what a section holds.
fn rows_of(text: &mut String, rows: &[(Event, Vec<String>)], above: &[String]) {
    if rows.is_empty() {
        return;
    }
    text.push_str("\n| field | type | unit | about |\n|---|---|---|---|\n");
    for (event, conditions) in rows {
        let indent = "· ".repeat(event.depth.saturating_sub(1));
        let conditions = conditions.get(above.len()..).unwrap_or_default();
        let when = conditions.iter().map(|why| format!("*{}* ", cell(why))).collect::<String>();
        let (field, row) = match &event.what {
            What::Field(field, ty) => (Some(*field), Row::of(field, ty)),
            What::Flag(_, field) => (Some(*field), Row::of(field, "flag")),
            What::Section(identifier, record) => {
                (None, Row::group(record, &format!("section `{identifier:#x}`")))
            }
            What::Group(record) => (None, Row::group(record, "fields")),
            What::List(record) => (None, Row::group(record, "list")),
            What::Chunk(record, ty) => (None, Row::group(record, ty)),
            What::Open => {
                _ = writeln!(
                    text,
                    "| {indent}… |  |  | What other fields tell decides what is here. |"
                );
                continue;
            }
        };
        let values = field.map(super::page::values).unwrap_or_default();
        _ = writeln!(
            text,
            "| {indent}`{}` | {} | {} | {when}{}{values} |",
            row.name, row.ty, row.unit, row.about
        );
    }
}
