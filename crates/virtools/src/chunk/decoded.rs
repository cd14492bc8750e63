//! Chunks taken apart and built again (`docs/formats/virtools.md#123-builder`).

use super::{
    Chunk,
    buffer::{ChunkBuf, Header},
    build::Builder,
    item::{MAX_DEPTH, What},
};
use crate::codes;
use spelunk_core::{Budget, Error, Result, scalar::Guid};
use zerocopy::little_endian::U32;

/// The content of a chunk without anything that follows from it: no sizes, no lists, no links.
#[derive(Clone, PartialEq, Debug)]
pub struct Decoded {
    /// Head of the chunk.
    pub header: Header,
    /// Items of the data, in order.
    pub items: Vec<DecodedItem>,
    /// Bytes behind the lists.
    pub rest: Vec<u8>,
}

/// A part of a chunk, as [`What`] has it.
#[derive(Clone, PartialEq, Debug)]
pub enum DecodedItem {
    /// An identifier.
    Identifier(u32),
    /// Dwords that neither the chain nor the lists explain.
    Words(Vec<U32>),
    /// The raw id of an object, which the IDS list names; real ones may be 0.
    Object(u32),
    /// Raw ids of objects, 0 for none.
    Objects(Vec<u32>),
    /// A sub-chunk.
    SubChunk(Decoded),
    /// Sub-chunks, null ones among them.
    SubChunks(Vec<Option<Decoded>>),
    /// A number of a manager.
    Manager(Guid, u32),
    /// Numbers of a manager.
    Managers(Guid, Vec<U32>),
}

impl Decoded {
    /// Takes a chunk apart. [`Decoded::build`] gives back every dword of it.
    ///
    /// # Errors
    /// [`codes::NOT_REBUILT`] where it would not; [`codes::NESTING`]; limits.
    pub fn of(chunk: &Chunk<'_>, budget: &mut Budget) -> Result<Decoded> {
        let decoded = Decoded::level(chunk, MAX_DEPTH.saturating_add(1), budget)?;
        let before = budget.left().memory;
        let stored = ChunkBuf::copy(chunk, budget)?;
        let copied = before.saturating_sub(budget.left().memory);
        // What is built is as large as what was stored.
        budget.memory(copied)?;
        let same = decoded.build().is_ok_and(|built| built == stored);
        budget.release(copied.saturating_mul(2));
        if same { Ok(decoded) } else { Err(Error::new(&codes::NOT_REBUILT).at(chunk.at)) }
    }

    /// Builds the chunk.
    ///
    /// # Errors
    /// As the calls of [`Builder`].
    pub fn build(&self) -> Result<ChunkBuf> {
        let mut builder = Builder::new(self.header);
        let reference = |id: &u32| Some(*id).filter(|id| *id != 0);
        for item in &self.items {
            match item {
                DecodedItem::Identifier(identifier) => builder.identifier(*identifier)?,
                DecodedItem::Words(words) => builder.dwords(words)?,
                DecodedItem::Object(id) => builder.listed_object(*id)?,
                DecodedItem::Objects(ids) => {
                    builder.objects(&ids.iter().map(reference).collect::<Vec<_>>())?
                }
                DecodedItem::SubChunk(sub) => builder.sub_chunk(Some(&sub.build()?))?,
                DecodedItem::SubChunks(subs) => {
                    let subs = subs.iter().map(|sub| sub.as_ref().map(Decoded::build).transpose());
                    let subs = subs.collect::<Result<Vec<_>>>()?;
                    builder.sub_chunks(subs.iter().map(Option::as_ref))?
                }
                DecodedItem::Manager(guid, value) => builder.manager_int(*guid, *value)?,
                DecodedItem::Managers(guid, values) => builder.manager_ints(*guid, values)?,
            };
        }
        Ok(ChunkBuf { rest: self.rest.clone(), ..builder.finish() })
    }

    fn level(chunk: &Chunk<'_>, depth: usize, budget: &mut Budget) -> Result<Decoded> {
        let Some(depth) = depth.checked_sub(1) else {
            return Err(Error::new(&codes::NESTING).at(chunk.at));
        };
        budget.touch((chunk.data.len() as u64).saturating_mul(4))?;
        let before = budget.left().memory;
        let parts = chunk.items(budget)?;
        let taken = before.saturating_sub(budget.left().memory);
        let mut items = budget.vec(parts.len() as u64)?;
        for part in &parts {
            items.push(match &part.what {
                What::Identifier(identifier) => DecodedItem::Identifier(*identifier),
                What::Words => {
                    let words = chunk.data.get(part.range.clone()).unwrap_or_default();
                    DecodedItem::Words(copy(words, |word| word, budget)?)
                }
                What::Object(id) => DecodedItem::Object(*id),
                What::Objects(ids) => DecodedItem::Objects(copy(ids, U32::get, budget)?),
                What::SubChunk(sub) => DecodedItem::SubChunk(Decoded::level(sub, depth, budget)?),
                What::SubChunks(subs) => {
                    let mut decoded = budget.vec(subs.len().into())?;
                    for sub in subs.clone() {
                        let sub = sub?.map(|sub| Decoded::level(&sub, depth, budget));
                        decoded.push(sub.transpose()?);
                    }
                    DecodedItem::SubChunks(decoded)
                }
                What::Manager(guid, value) => DecodedItem::Manager(*guid, *value),
                What::Managers(guid, values) => {
                    DecodedItem::Managers(*guid, copy(values, |word| word, budget)?)
                }
            });
        }
        budget.release(taken);
        let rest = copy(chunk.rest, |byte| byte, budget)?;
        Ok(Decoded { header: Header::of(chunk), items, rest })
    }
}

fn copy<T: Copy, U>(items: &[T], map: impl Fn(T) -> U, budget: &mut Budget) -> Result<Vec<U>> {
    let mut copy = budget.vec(items.len() as u64)?;
    copy.extend(items.iter().copied().map(map));
    Ok(copy)
}
