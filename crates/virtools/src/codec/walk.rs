//! The fields of values.

mod layout;

use super::{Layout, Pod, Reference, Saved, complete, names::TargetResolver, read, value::is_list};
use crate::{
    chunk::{
        Chunk,
        buffer::{ChunkBuf, Header},
        describe::Identifier,
        old,
        read::ObjRef,
        section::Section,
    },
    file::leaf,
    registered::MANAGER_NAMES,
};
use spelunk_core::{
    Budget, Field, Group, Record, Seg, Shape, Span, Step, Ty, Val, Walk, Walked,
    field::{Described, Role},
};
use zerocopy::IntoBytes;

/// Amount of detail that a [`Walker`] shows.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Detail {
    /// The values. Sections that are not known are walked as the lists of the chunk divide them.
    Values,
    /// Everything of which the chunk can be made again ([`Filler`](super::fill::Filler)), but for what fills dwords
    /// up and for lists that name what they need not.
    Complete,
    /// Every byte of the chunk exactly once.
    Bytes,
}

/// Walks the fields of a value that was read from a chunk, in the order of their bytes, with their places.
pub struct Walker<'w, 'a> {
    walk: &'w mut dyn Walk,
    budget: &'w mut Budget,
    names: &'w dyn TargetResolver,
    chunk: Chunk<'a>,
    header: Header,
    /// The section to walk; the layout is run once for each.
    section: Section,
    /// Whether the layout knows the section.
    known: bool,
    at: usize,
    end: usize,
    detail: Detail,
    /// Open groups that nobody wants to see the inside of.
    over: u32,
}

impl std::fmt::Debug for Walker<'_, '_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut f = f.debug_struct("Walker");
        f.field("at", &self.at).field("end", &self.end).finish_non_exhaustive()
    }
}

static ITEMS: Record =
    Record::group("items", "docs/formats/virtools-classes.md#1-notation", "Values of one type.");
static PADDED: Record = Record::group(
    "padded",
    "docs/formats/virtools-classes.md#1-notation",
    "A length, and what is filled up to whole dwords.",
);
/// Dwords behind what is known of a section.
pub(crate) static REST: Field = Field::new(
    complete::REST,
    Ty::Bytes,
    "Dwords behind what is known of a section. Engines pass over them.",
)
.role(Role::Opaque);
static LISTED_REST: Record = Record::group(
    complete::REST,
    "docs/formats/virtools-classes.md#1-notation",
    "Dwords behind what is known of a section, and what lists tell of them.",
);
static COUNT: Field = Field::new("count", Ty::U32, "How many follow.");
static PADDING: Field =
    Field::new("padding", Ty::Bytes, "Fills the last dword up.").role(Role::Padding);
static NULL: Field = Field::new("size", Ty::U32, "0: a null sub-chunk.").unit("dwords");
static MARKS: Field =
    Field::new("marks", Ty::Bytes, "Fixed dwords that mark references.").role(Role::Understood);
static LENGTH: Field = Field::new("length", Ty::U32, "How many bytes follow.").unit("bytes");
static MANAGER: Field =
    Field::new("manager", Ty::Guid, "The manager whose number it is.").guids(&MANAGER_NAMES);
static NUMBER: Field = Field::new("value", Ty::U32, "The number.");
static MANAGER_INT: Record = Record::group(
    "manager_int",
    "docs/formats/virtools-classes.md#1-notation",
    "A number of a manager.",
);

impl<T: Layout> Saved<T> {
    /// Walks the value, which was read from `chunk`, as fields of the group that is open. It is not changed.
    ///
    /// # Errors
    /// Limits, and what the walker returns.
    pub fn walk(
        &mut self,
        chunk: Chunk<'_>,
        detail: Detail,
        names: &dyn TargetResolver,
        budget: &mut Budget,
        walk: &mut dyn Walk,
    ) -> Walked {
        let mut walker = Walker {
            walk,
            budget,
            names,
            chunk,
            header: self.header,
            section: Section { identifier: 0, index: 0, end: 0 },
            known: false,
            at: 0,
            end: 0,
            detail,
            over: 0,
        };
        walker.whole(self)
    }
}

impl<'a> Walker<'_, 'a> {
    /// Walks the chunk that is set.
    fn whole<T: Layout>(&mut self, saved: &mut Saved<T>) -> Walked {
        let chunk = self.chunk;
        let Saved { value, extras, .. } = saved;
        self.budget.touch(chunk.at.len)?;
        match self.detail {
            _ if self.over > 0 => {}
            Detail::Bytes => chunk.walk_header(self.walk)?,
            Detail::Complete => complete::header(&self.header, extras.as_deref(), self.walk)?,
            Detail::Values => {}
        }
        for (nth, section) in chunk.sections().enumerate() {
            self.budget.steps(1)?;
            (self.section, self.known) = (section, false);
            // Of sections with one identifier the first was read, and of many the first ones.
            let mut before = chunk.sections().take(nth);
            let mut is_first = || !before.any(|other| other.identifier == section.identifier);
            if nth < read::MOST_SECTIONS && is_first() {
                value.layout(self)?;
            }
            if !self.known {
                self.unknown(&section)?;
            }
        }
        match self.detail {
            Detail::Bytes if self.over == 0 => chunk.walk_behind(self.walk),
            _ => Ok(()),
        }
    }

    /// Walks a sub-chunk, which is behind here afterwards.
    fn inner<T: Layout>(&mut self, chunk: Chunk<'a>, saved: &mut Saved<T>) -> Walked {
        let outer = (self.chunk, self.header, self.section, self.known, self.at, self.end);
        (self.chunk, self.header) = (chunk, saved.header);
        self.whole(saved)?;
        (self.chunk, self.header, self.section, self.known, self.at, self.end) = outer;
        Ok(())
    }

    /// Walks what follows the known fields of the section.
    fn rest(&mut self) -> Walked {
        let (start, end) = (self.at, self.end);
        let words = self.chunk.data.get(start..end).unwrap_or_default();
        if words.is_empty() {
            return Ok(());
        }
        let at = self.pass(words.len());
        if self.detail == Detail::Complete && self.over == 0 {
            let content = ChunkBuf::copy_part(&self.chunk, start..end, self.budget)?;
            if content.ids.is_some() || content.chunks.is_some() || content.managers.is_some() {
                let group = Group::record(REST.name, &LISTED_REST, Some(at));
                return self.walk.group(&group, |walk| complete::content(&content, walk));
            }
        }
        self.emit(&REST, at, Val::Bytes(words.as_bytes().into()))
    }

    fn unknown(&mut self, section: &Section) -> Walked {
        if self.over > 0 {
            return Ok(());
        }
        let len = section.end.saturating_sub(section.index);
        let at = self.chunk.data_at(section.index, len);
        let key = format!("{:#x}", section.identifier);
        let (chunk, budget, detail) = (self.chunk, &mut *self.budget, self.detail);
        self.walk.group(&Group::keyed(&key, Identifier::RECORD, Some(at)), |walk| match detail {
            Detail::Complete => {
                let content = ChunkBuf::copy_part(&chunk, section.payload(), budget)?;
                complete::content(&content, walk)
            }
            _ => chunk.walk_section(section, budget, walk),
        })
    }

    /// The place of the next `count` dwords, which are behind here afterwards.
    fn pass(&mut self, count: usize) -> Span {
        let at = self.chunk.data_at(self.at, count);
        self.at = self.at.saturating_add(count);
        at
    }

    fn emit(&mut self, field: &'static Field, at: Span, value: Val<'_>) -> Walked {
        if self.over == 0 { self.walk.field(field, Some(at), value) } else { Ok(()) }
    }

    /// Walks the next `count` dwords where every byte is shown.
    fn emit_bytes(&mut self, field: &'static Field, count: usize) -> Walked {
        self.emit_from(Detail::Bytes, field, count)
    }

    /// Walks the next `count` dwords where so much, or more, is shown.
    fn emit_from(&mut self, detail: Detail, field: &'static Field, count: usize) -> Walked {
        let start = self.at;
        let at = self.pass(count);
        if self.detail < detail || count == 0 {
            return Ok(());
        }
        let end = start.saturating_add(count);
        let words = self.chunk.data.get(start..end).unwrap_or_default();
        self.emit(field, at, field.ty.decode(words.as_bytes()))
    }

    /// Opens a group, walks inside, and closes it. What nobody wants to see is gone through all the same, to know
    /// where it ends.
    fn open(&mut self, group: &Group<'_>, inside: impl FnOnce(&mut Self) -> Walked) -> Walked {
        if self.over > 0 {
            return inside(self);
        }
        match self.walk.enter(group)? {
            Step::Over => {
                self.over = self.over.saturating_add(1);
                let walked = inside(self);
                self.over = self.over.saturating_sub(1);
                walked
            }
            Step::Into => {
                inside(self)?;
                self.walk.leave(group.shape)
            }
        }
    }

    /// Walks one value or a list of them, of `field`'s type.
    fn value(
        &mut self,
        field: &'static Field,
        name: Seg<'static>,
        bytes: &[u8],
        at: Span,
    ) -> Walked {
        let Some(item) = is_list(field.ty) else {
            return self.emit(field, at, field.ty.decode(bytes));
        };
        let group = Group { name, record: &ITEMS, at: Some(at), shape: Shape::List };
        self.open(&group, |walker| walker.values(field, item, bytes, at))
    }

    /// Walks values of one type.
    fn values(&mut self, field: &'static Field, item: Ty, bytes: &[u8], at: Span) -> Walked {
        if self.over > 0 {
            return Ok(());
        }
        self.walk.list_values(field, item, bytes, at)
    }

    /// Walks an array that lies at `at`.
    fn items<T: Pod>(&mut self, field: &'static Field, items: &[T], at: Span) -> Walked {
        if self.over > 0 {
            return Ok(());
        }
        let bytes = items.as_bytes();
        let at = Span { len: bytes.len() as u64, ..at };
        match field.ty {
            Ty::Bytes | Ty::Text => leaf(field, at, bytes, self.walk),
            ty => {
                let group = Group::list(field.name, &ITEMS, Some(at));
                self.open(&group, |walker| match is_list(ty) {
                    None => walker.values(field, ty, bytes, at),
                    Some(_) if walker.over > 0 => Ok(()),
                    Some(item) => {
                        if let Step::Over = walker.walk.values(field, item, bytes)? {
                            return Ok(());
                        }
                        let size = size_of::<T>() as u64;
                        let mut at = at.part(0, size);
                        for (index, item) in items.iter().enumerate() {
                            walker.value(field, Seg::Index(index as u64), item.as_bytes(), at)?;
                            at = at.part(size, size);
                        }
                        Ok(())
                    }
                })
            }
        }
    }

    fn padding(&mut self, len: usize, padding: [u8; 3], end: Span) -> Walked {
        let padding = padding.get(..len.wrapping_neg() & 3).unwrap_or_default();
        if self.detail != Detail::Bytes || padding.is_empty() || self.over > 0 {
            return Ok(());
        }
        let start = end.len.saturating_sub(padding.len() as u64);
        leaf(&PADDING, end.part(start, 0), padding, self.walk)
    }

    fn emit_object(&mut self, field: &'static Field, at: Span, stored: u32) -> Walked {
        if self.over > 0 {
            return Ok(());
        }
        let reference = ObjRef::of(stored, self.header.file_mode);
        let value = match (reference, self.detail) {
            (ObjRef::Index(index), Detail::Complete) => Val::Ref(index.into(), None),
            (ObjRef::Null, Detail::Complete) if self.null() == stored => Val::None,
            // An id may be one that the file has no object of.
            (_, Detail::Complete) => match self.names.object(reference) {
                Some((index, target)) => Val::Ref(index, Some(target)),
                None => Val::Word(stored),
            },
            (ObjRef::Null, _) => Val::None,
            (ObjRef::Index(value) | ObjRef::Id(value), _) => match self.names.object(reference) {
                Some((index, target)) => Val::Ref(index, Some(target)),
                None => Val::Ref(value.into(), None),
            },
        };
        self.walk.field(field, Some(at), value)
    }

    /// The usual null reference.
    const fn null(&self) -> u32 {
        Reference::null(self.header.file_mode).value
    }

    /// Whether fixed dwords stand before references.
    const fn is_marked(&self) -> bool {
        self.header.chunk_version() < old::FIRST_WITH_LISTS
    }
}
