//! From what fields are to become to what is stored.

use super::{
    Filler,
    parts::{is_null, misfit, parts, position, refuse},
};
use crate::{
    chunk::{Form, buffer::Header},
    codec::{Array, Layout, Pod, Reference, Saved, tree::Tree, value::is_list},
};
use spelunk_core::{Error, Field, Result, Ty, Val, value::integer};
use std::borrow::Cow;
use zerocopy::{FromBytes, little_endian::U32};

/// Appends the bytes of one value, where `old` are stored now.
fn encode(field: &Field, value: &Val<'_>, old: &[u8], out: &mut Vec<u8>) -> Result<()> {
    field.encode_into(value, old, out).map_err(|error| error.field(field.name))
}

/// The bytes of a packed word with other values of some of its parts.
fn with_parts(field: &Field, parts: &[(Cow<'_, str>, Tree<'_>)], old: &[u8]) -> Result<Vec<u8>> {
    parts.iter().try_fold(old.to_vec(), |word, (name, tree)| match tree {
        Tree::Val(value) => {
            field.encode_part(name, value, &word).map_err(|error| error.field(field.name))
        }
        tree => Err(refuse(field, tree)),
    })
}

impl<'t> Filler<'_, 't> {
    /// The bytes of one value, of its items where it is a list: `old` where only some of them change.
    pub(super) fn bytes(&self, field: &Field, tree: &Tree<'t>, old: &[u8]) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.append(field, tree, old, &mut bytes)?;
        Ok(bytes)
    }

    /// Appends what [`Filler::bytes`] gives. There may be a part of it where it is refused.
    fn append(&self, field: &Field, tree: &Tree<'t>, old: &[u8], out: &mut Vec<u8>) -> Result<()> {
        let wrong = || refuse(field, tree);
        let Some(item) = is_list(field.ty) else {
            match (field.ty, tree) {
                (Ty::Text, Tree::Val(Val::Str(text))) => {
                    let bytes = self.resolve.text(text);
                    out.extend(bytes.ok_or_else(|| {
                        let error = Error::new(&spelunk_core::codes::NOT_ENCODED);
                        error.found(format!("`{text}`")).field(field.name)
                    })?);
                }
                (_, Tree::Val(value)) => encode(field, value, old, out)?,
                (_, Tree::Map(parts)) => out.extend(with_parts(field, parts, old)?),
                _ => return Err(wrong()),
            }
            return Ok(());
        };
        let size = item.size().unwrap_or(1) as usize;
        let item_field = field.item();
        if let Tree::Map(items) = tree {
            let mut bytes = old.to_vec();
            for (step, item) in items {
                let len = old.len().checked_div(size).unwrap_or_default();
                let start = position(step, len)?.saturating_mul(size);
                let slot = bytes.get_mut(start..start.saturating_add(size)).ok_or_else(wrong)?;
                let value = self.bytes(&item_field, item, slot)?;
                slot.copy_from_slice(&value);
            }
            out.extend(bytes);
            return Ok(());
        }
        let start = out.len();
        for item in &*parts(field, tree).ok_or_else(wrong)? {
            let Tree::Val(value) = item else { return Err(wrong()) };
            encode(&item_field, value, &[], out)?;
        }
        if out.len().saturating_sub(start) == old.len() { Ok(()) } else { Err(wrong()) }
    }

    /// The bytes of all values in a tree, of the field's type or that of its items; `old` are stored now.
    pub(super) fn flat(
        &self,
        field: &'static Field,
        tree: &Tree<'t>,
        old: &[u8],
    ) -> Result<Vec<u8>> {
        let wrong = || refuse(field, tree);
        if is_list(field.ty).is_none() && !matches!(tree, Tree::List(_)) {
            return self.bytes(field, tree, old);
        }
        let item_field = field.item();
        let mut bytes = Vec::new();
        for item in &*parts(field, tree).ok_or_else(wrong)? {
            match item {
                Tree::Val(value) => encode(&item_field, value, &[], &mut bytes)?,
                item => bytes.extend(self.flat(field, item, &[])?),
            }
        }
        Ok(bytes)
    }

    /// An array with all, or some, of its items changed.
    pub(super) fn items<T: Pod>(
        &self,
        field: &'static Field,
        tree: &Tree<'t>,
        old: &Array<T>,
    ) -> Result<Array<T>> {
        let wrong = || refuse(field, tree);
        if let Ty::Bytes | Ty::Text = field.ty {
            let bytes = self.bytes(field, tree, &[])?;
            let items = <[T]>::ref_from_bytes(&bytes).map_err(|_| wrong())?;
            return Ok(Array::from(items));
        }
        let mut buffer = Vec::new();
        let mut one = |tree: &Tree<'t>, old: &[u8]| -> Result<T> {
            buffer.clear();
            self.append(field, tree, old, &mut buffer)?;
            T::read_from_bytes(&buffer).map_err(|_| refuse(field, tree))
        };
        let mut new = old.to_vec();
        if let Tree::Map(changes) = tree {
            for (step, change) in changes {
                let index = position(step, new.len())?;
                let Some(slot) = new.get_mut(index) else { continue };
                *slot = one(change, slot.as_bytes())?;
            }
            return Ok(new.into());
        }
        // A flat list of numbers is cut into items.
        let flat = parts(field, tree).ok_or_else(wrong)?;
        let len = match field.ty {
            Ty::Array(_, count) if !matches!(flat.first(), Some(Tree::List(_))) => count as usize,
            _ => 1,
        };
        let zero = vec![0; size_of::<T>()];
        new.clear();
        for items in flat.chunks(len.max(1)) {
            new.push(match items {
                [item] => one(item, &zero)?,
                items => one(&Tree::List(items.to_vec()), &zero)?,
            });
        }
        Ok(new.into())
    }

    /// Head of a new sub-chunk, before its data.
    pub(super) fn sub_header(&self) -> Header {
        let [data_version, _, chunk_version, _] = self.header.versions.to_le_bytes();
        let header = Header::new(0, data_version, chunk_version);
        Header { form: Form::of_parent(chunk_version), ..header }
    }

    /// Changes a sub-chunk; makes one where it was null, and null of one that is to be null.
    pub(super) fn fill_sub_chunk<T: Layout>(
        &self,
        tree: Tree<'t>,
        value: &mut Option<Box<Saved<T>>>,
    ) -> Result<()> {
        if is_null(&tree) {
            *value = None;
            return Ok(());
        }
        let new = || Box::new(Saved::new(self.sub_header(), T::default()));
        value.get_or_insert_with(new).fill(tree, self.resolve)
    }

    pub(super) fn reference(&self, field: &'static Field, tree: &Tree<'t>) -> Result<u32> {
        let file_mode = self.header.file_mode;
        let found = match tree {
            Tree::Val(Val::None) => Some(Reference::null(file_mode).value),
            Tree::Val(Val::Word(stored)) => Some(*stored),
            Tree::Val(Val::Ref(number, _) | Val::U(number)) if file_mode => {
                u32::try_from(*number).ok()
            }
            Tree::Val(Val::Ref(number, _) | Val::U(number)) => {
                self.resolve.object(&format!("#{number}"), file_mode)
            }
            // As it is stored.
            Tree::Val(Val::Str(text)) if text.starts_with("0x") => {
                integer(text).and_then(|stored| u32::try_from(stored).ok())
            }
            Tree::Val(Val::Str(text)) => match text.trim() {
                "none" | "null" | "-" => Some(Reference::null(file_mode).value),
                text => self.resolve.object(text, file_mode),
            },
            _ => None,
        };
        found.ok_or_else(|| misfit(field.name, "an object, as #17 or CLASS/NAME, or none", tree))
    }

    /// Changes which manager it is.
    pub(super) fn manager(&mut self, manager: &mut [u32; 2]) -> Result<()> {
        static MANAGER: Field = Field::new("manager", Ty::Guid, "The manager.")
            .guids(&crate::registered::MANAGER_NAMES);
        let Some(tree) = self.take(MANAGER.name) else { return Ok(()) };
        let bytes = self.bytes(&MANAGER, &tree, &[])?;
        let guid = <[U32; 2]>::read_from_bytes(&bytes).map_err(|_| refuse(&MANAGER, &tree))?;
        *manager = guid.map(|word| word.get());
        Ok(())
    }

    pub(super) fn manager_value(
        &self,
        name: &'static str,
        manager: [u32; 2],
        tree: &Tree<'t>,
    ) -> Result<u32> {
        let number = match tree {
            Tree::Val(Val::U(number) | Val::Ref(number, _)) => u32::try_from(*number).ok(),
            Tree::Val(Val::Str(text)) => match text.trim().parse() {
                Ok(number) => Some(number),
                Err(_) => self.resolve.manager_int(manager, text.trim()),
            },
            _ => None,
        };
        number.ok_or_else(|| misfit(name, "a number of the manager, or its name", tree))
    }
}
