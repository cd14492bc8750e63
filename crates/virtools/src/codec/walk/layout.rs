//! Steps of a walk for each part of a layout.

use super::{
    COUNT, Detail, ITEMS, LENGTH, MANAGER, MANAGER_INT, MARKS, NULL, NUMBER, PADDED, Walker,
};
use crate::{
    chunk::{
        buffer::{ChunkBuf, Header},
        describe::Identifier,
        old,
        section::HEADER_LEN,
    },
    codec::{
        Array, Buffer, Codec, Coded, DwordValue, Layout, ManagerInt, ManagerInts, Opaque, Padded,
        Pod, Reference, Saved, Text, complete,
    },
};
use spelunk_core::{Field, Group, Halt, Record, Seg, Span, Ty, Val, field::Described};
use zerocopy::{IntoBytes, little_endian::U32};

impl Codec for Walker<'_, '_> {
    type Stop = Halt;

    fn header(&self) -> &Header {
        &self.header
    }

    fn section<T: Default>(
        &mut self,
        identifier: u32,
        record: &'static Record,
        value: &mut Option<T>,
        mut inside: impl FnMut(&mut Self, &mut T) -> Coded<Self>,
    ) -> Coded<Self> {
        let section = self.section;
        if section.identifier != identifier || self.known {
            return Ok(());
        }
        let Some(value) = value else { return Ok(()) };
        self.known = true;
        let payload = section.payload();
        let len = section.end.saturating_sub(section.index);
        let at = self.chunk.data_at(section.index, len);
        self.open(&Group::record(record.name, record, Some(at)), |walker| {
            (walker.at, walker.end) = (payload.start, payload.end);
            if walker.detail == Detail::Bytes && walker.over == 0 {
                let head = walker.chunk.data.get(section.index..payload.start).unwrap_or_default();
                let at = walker.chunk.data_at(section.index, HEADER_LEN);
                Identifier::RECORD.walk(head.as_bytes(), at, walker.walk)?;
            }
            inside(walker, value)?;
            walker.rest()
        })
    }

    fn group(
        &mut self,
        record: &'static Record,
        mut inside: impl FnMut(&mut Self) -> Coded<Self>,
    ) -> Coded<Self> {
        self.open(&Group::record(record.name, record, None), |walker| inside(walker))
    }

    fn flag(&mut self, identifier: u32, field: &'static Field, value: &mut bool) -> Coded<Self> {
        let section = self.section;
        if section.identifier != identifier || self.known || !*value {
            return Ok(());
        }
        self.known = true;
        let payload = section.payload();
        let at = self.chunk.data_at(section.index, HEADER_LEN);
        let head = self.chunk.data.get(section.index..payload.start).unwrap_or_default();
        let len = section.end.saturating_sub(section.index);
        let all = self.chunk.data_at(section.index, len);
        (self.at, self.end) = (payload.start, payload.end);
        if self.detail == Detail::Bytes {
            return self.open(
                &Group::record(field.name, Identifier::RECORD, Some(all)),
                |walker| {
                    if walker.over == 0 {
                        Identifier::RECORD.walk(head.as_bytes(), at, walker.walk)?;
                    }
                    walker.rest()
                },
            );
        }
        self.emit(field, at, Val::Bool(true))?;
        if payload.is_empty() {
            return Ok(());
        }
        // A flag is no group, so what follows it goes by its identifier.
        let key = format!("{identifier:#x}");
        self.open(&Group::keyed(&key, Identifier::RECORD, Some(all)), |walker| walker.rest())
    }

    fn item<T: DwordValue>(&mut self, field: &'static Field, value: &mut T) -> Coded<Self> {
        let at = self.pass(size_of::<T::Stored>() >> 2);
        let stored = value.stored();
        self.value(field, Seg::Field(field.name), stored.as_bytes(), at)
    }

    fn count(&mut self, field: &'static Field, len: usize) -> Result<usize, Halt> {
        self.emit_from(Detail::Complete, field, 1)?;
        Ok(len)
    }

    fn note(&mut self, field: &'static Field, value: u32) -> Coded<Self> {
        if self.detail == Detail::Complete && self.over == 0 {
            return self.walk.field(field, None, Val::U(value.into()));
        }
        Ok(())
    }

    fn label(&mut self, field: &'static Field, value: u32) -> Coded<Self> {
        if self.detail == Detail::Values && self.over == 0 {
            return self.walk.field(field, None, Val::U(value.into()));
        }
        Ok(())
    }

    fn record<T: Described + Pod>(&mut self, value: &mut T) -> Coded<Self> {
        let at = self.pass(size_of::<T>() >> 2);
        if self.over > 0 {
            return Ok(());
        }
        T::RECORD.walk(value.as_bytes(), at, self.walk)
    }

    fn array<T: Pod>(
        &mut self,
        field: &'static Field,
        _: usize,
        value: &mut Array<T>,
    ) -> Coded<Self> {
        let at = self.pass(size_of_val::<[T]>(value).div_ceil(4));
        self.items(field, value, at)
    }

    fn records<T: Described + Pod>(
        &mut self,
        name: &'static str,
        _: usize,
        value: &mut Array<T>,
    ) -> Coded<Self> {
        let at = self.pass(size_of_val::<[T]>(value).div_ceil(4));
        self.open(&Group::list(name, T::RECORD, Some(at)), |walker| {
            if walker.over > 0 {
                return Ok(());
            }
            walker.walk.list_rows(T::RECORD, value.as_bytes(), at)
        })
    }

    fn padded<T: Pod>(
        &mut self,
        field: &'static Field,
        _: usize,
        value: &mut Padded<T>,
    ) -> Coded<Self> {
        let len = size_of_val::<[T]>(&value.items);
        let at = self.pass(len.div_ceil(4));
        self.items(field, &value.items, at)?;
        self.padding(len, value.padding, at)
    }

    fn buffer<T: Pod>(&mut self, field: &'static Field, value: &mut Padded<T>) -> Coded<Self> {
        let len = size_of_val::<[T]>(&value.items);
        if self.detail != Detail::Bytes {
            self.pass(1);
            return self.padded(field, 0, value);
        }
        let at = self.chunk.data_at(self.at, len.div_ceil(4).saturating_add(1));
        let group = Group::record(field.name, &PADDED, Some(at));
        self.open(&group, |walker| {
            walker.emit_bytes(&LENGTH, 1)?;
            walker.padded(field, 0, value)
        })
    }

    fn typed(&mut self, field: impl Fn() -> &'static Field, value: &mut Buffer) -> Coded<Self> {
        let field = field();
        static OTHER: Field =
            Field::new("value", Ty::Bytes, "Bytes that are no value of the type.");
        let len = value.items.len();
        match field.ty.size().map(|size| size as usize) {
            Some(size) if size == len => {
                let words = len.div_ceil(4);
                let at = self.chunk.data_at(self.at, words.saturating_add(1));
                let view = |walker: &mut Self| {
                    walker.emit_bytes(&LENGTH, 1)?;
                    let all = walker.pass(words);
                    let at = Span { len: len as u64, ..all };
                    walker.value(field, Seg::Field(field.name), &value.items, at)?;
                    walker.padding(len, value.padding, all)
                };
                match self.detail {
                    Detail::Values | Detail::Complete => view(self),
                    Detail::Bytes => self.open(&Group::record(field.name, &PADDED, Some(at)), view),
                }
            }
            Some(size) if len.checked_rem(size) != Some(0) || len == 0 => {
                self.buffer(&OTHER, value)
            }
            _ => self.buffer(field, value),
        }
    }

    fn text(&mut self, field: &'static Field, value: &mut Text) -> Coded<Self> {
        if self.detail != Detail::Bytes && value.is_null() {
            let at = self.pass(1);
            return self.emit(field, at, Val::None);
        }
        self.buffer(field, &mut value.0)
    }

    fn list<T: Default>(
        &mut self,
        record: &'static Record,
        _: usize,
        value: &mut Vec<T>,
        mut each: impl FnMut(&mut Self, &mut T) -> Coded<Self>,
    ) -> Coded<Self> {
        self.open(&Group::list(record.name, record, None), |walker| {
            for (index, item) in value.iter_mut().enumerate() {
                walker.open(&Group::item(index, record, None), |walker| each(walker, item))?;
            }
            Ok(())
        })
    }

    fn object(&mut self, field: &'static Field, value: &mut Reference) -> Coded<Self> {
        if self.is_marked() && value.value != 0 {
            self.emit_bytes(&MARKS, old::OBJECT.len())?;
        }
        let at = self.pass(1);
        self.emit_object(field, at, value.value)
    }

    fn objects(&mut self, field: &'static Field, value: &mut Array<U32>) -> Coded<Self> {
        if self.is_marked() && !value.is_empty() {
            self.emit_bytes(&MARKS, old::ARRAY.len())?;
        }
        self.emit_bytes(&COUNT, 1)?;
        let all = self.pass(value.len());
        self.open(&Group::list(field.name, &ITEMS, Some(all)), |walker| {
            let mut at = all.part(0, 4);
            for reference in value.iter() {
                walker.emit_object(field, at, reference.get())?;
                at = at.part(4, 4);
            }
            Ok(())
        })
    }

    fn manager_int(&mut self, field: &'static Field, value: &mut ManagerInt) -> Coded<Self> {
        let at = self.pass(3);
        self.open(&Group::record(field.name, &MANAGER_INT, Some(at)), |walker| {
            walker.emit(&MANAGER, at.part(0, 8), Val::Guid(value.manager[0], value.manager[1]))?;
            let meaning = walker.names.manager_int(value.manager, value.value);
            walker.emit(&NUMBER, at.part(8, 4), Val::Ref(value.value.into(), meaning))
        })
    }

    fn manager_ints(&mut self, field: &'static Field, value: &mut ManagerInts) -> Coded<Self> {
        self.emit_bytes(&COUNT, 1)?;
        let at = self.pass(2);
        self.emit(&MANAGER, at, Val::Guid(value.manager[0], value.manager[1]))?;
        let all = self.pass(value.values.len());
        self.open(&Group::list(field.name, &ITEMS, Some(all)), |walker| {
            let mut at = all.part(0, 4);
            for number in value.values.iter() {
                let meaning = walker.names.manager_int(value.manager, number.get());
                walker.emit(field, at, Val::Ref(number.get().into(), meaning))?;
                at = at.part(4, 4);
            }
            Ok(())
        })
    }

    fn sub_chunk<T: Layout>(
        &mut self,
        record: &'static Record,
        value: &mut Option<Box<Saved<T>>>,
    ) -> Coded<Self> {
        let start = self.at;
        let (chunk, end) = self.chunk.sub_chunk(start)?;
        let at = self.pass(end.saturating_sub(start));
        self.open(&Group::record(record.name, record, Some(at)), |walker| {
            match chunk.zip(value.as_deref_mut()) {
                Some((chunk, saved)) => walker.inner(chunk, saved),
                None => walker.emit(&NULL, at, Val::U(0)),
            }
        })
    }

    fn sub_chunks<T: Layout>(
        &mut self,
        record: &'static Record,
        value: &mut Vec<Option<Box<Saved<T>>>>,
    ) -> Coded<Self> {
        self.emit_bytes(&COUNT, 1)?;
        self.open(&Group::list(record.name, record, None), |walker| {
            for (index, value) in value.iter_mut().enumerate() {
                let start = walker.at;
                let (chunk, end) = walker.chunk.sub_chunk(start)?;
                let at = walker.pass(end.saturating_sub(start));
                walker.open(&Group::item(index, record, Some(at)), |walker| {
                    match chunk.zip(value.as_deref_mut()) {
                        Some((chunk, saved)) => walker.inner(chunk, saved),
                        None => walker.emit(&NULL, at, Val::U(0)),
                    }
                })?;
            }
            Ok(())
        })
    }

    fn opaque(&mut self, record: &'static Record, _: &mut Option<Opaque>) -> Coded<Self> {
        let start = self.at;
        let (chunk, end) = self.chunk.sub_chunk(start)?;
        let at = self.pass(end.saturating_sub(start));
        self.open(&Group::record(record.name, record, Some(at)), |walker| match chunk {
            _ if walker.over > 0 => Ok(()),
            Some(chunk) if walker.detail == Detail::Complete => {
                let chunk = ChunkBuf::copy(&chunk, walker.budget)?;
                complete::header(&chunk.header, None, walker.walk)?;
                complete::content(&chunk, walker.walk)
            }
            Some(chunk) => chunk.walk(walker.budget, walker.walk),
            None => walker.emit(&NULL, at, Val::U(0)),
        })
    }

    fn sized(
        &mut self,
        field: &'static Field,
        _: bool,
        mut inside: impl FnMut(&mut Self) -> Coded<Self>,
    ) -> Coded<Self> {
        self.emit_bytes(field, 1)?;
        inside(self)
    }

    fn remaining(&self, len: usize) -> usize {
        len
    }
}
