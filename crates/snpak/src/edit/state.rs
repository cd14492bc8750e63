//! Stored state of assets, field by field, so that states can be compared, and one changed as another one was.

use super::draft::described;
use crate::{
    build::{
        Asset, Bulk, Need, Payload,
        asset::{PayloadOrigin, StoredChunk},
    },
    compression::Codec,
    index::{BulkEntry, Dependency},
    pack::{Pack, not_found},
    payload::{self, Claim},
};
use spelunk_core::{
    Budget, Error, Result, Task, Val,
    scalar::{Hash128, Uuid},
};
use std::{
    collections::{BTreeMap, HashMap},
    fmt,
};

/// A field of an asset that can change by itself.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum AssetField {
    /// The name.
    Name,
    /// The variant, where there is one.
    Variant,
    /// Id of the loader that the asset is for.
    Kind,
    /// Type of the main payload.
    PayloadType,
    /// Version of the payload's own format.
    SchemaVersion,
    /// Dependencies, all together; nothing where there are none.
    Dependencies,
    /// The main payload.
    Payload,
    /// A bulk payload.
    Bulk {
        /// Purpose of the bulk payload.
        semantic: u32,
        /// Number of the bulk payload within the semantic.
        sub_index: u32,
        /// Number of the bulk payload among those with this semantic and sub-index, from 0 on.
        nth: u32,
    },
}

/// Slots that are no bulk payloads, with their names.
const NAMED: [(AssetField, &str); 7] = [
    (AssetField::Name, "name"),
    (AssetField::Variant, "variant"),
    (AssetField::Kind, "kind"),
    (AssetField::PayloadType, "payload_type"),
    (AssetField::SchemaVersion, "schema_version"),
    (AssetField::Dependencies, "dependencies"),
    (AssetField::Payload, "payload"),
];

impl AssetField {
    /// The slot that prints as this text.
    pub fn parse(text: &str) -> Option<AssetField> {
        if let Some((slot, _)) = NAMED.iter().find(|(_, name)| *name == text) {
            return Some(*slot);
        }
        let (key, nth) = match text.split_once('@') {
            Some((key, nth)) => (key, nth.parse().ok()?),
            None => (text, 0),
        };
        let (semantic, sub_index) = key.strip_prefix('#')?.split_once('/')?;
        Some(AssetField::Bulk {
            semantic: semantic.parse().ok()?,
            sub_index: sub_index.parse().ok()?,
            nth,
        })
    }

    /// Whether an asset may be without it.
    pub const fn is_optional(self) -> bool {
        matches!(self, AssetField::Variant | AssetField::Dependencies | AssetField::Bulk { .. })
    }
}

impl fmt::Display for AssetField {
    /// Writes the name of the slot; `#SEMANTIC/SUB` for a bulk payload, `#SEMANTIC/SUB@N` for a further one with the same
    /// numbers.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AssetField::Bulk { semantic, sub_index, nth: 0 } => {
                write!(f, "#{semantic}/{sub_index}")
            }
            AssetField::Bulk { semantic, sub_index, nth } => {
                write!(f, "#{semantic}/{sub_index}@{nth}")
            }
            slot => {
                let name = NAMED.iter().find(|(named, _)| named == slot).map(|(_, name)| *name);
                f.write_str(name.unwrap_or_default())
            }
        }
    }
}

/// Stored state of a payload, without its bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PayloadState {
    /// XXH3-128 of the plain bytes.
    pub hash: Hash128,
    /// Number of plain bytes.
    pub size: u64,
    /// Codec by which the bytes are packed.
    pub codec: Codec,
}

impl PayloadState {
    /// Returns the stored state of a payload that is packed already.
    pub(crate) const fn of(payload: &Payload) -> Option<PayloadState> {
        match &payload.0 {
            PayloadOrigin::Kept(kept) => Some(PayloadState::kept(kept)),
            PayloadOrigin::Packed(packed) => {
                Some(PayloadState { hash: packed.hash, size: packed.plain, codec: packed.codec })
            }
            PayloadOrigin::New(_) => None,
        }
    }

    const fn kept(kept: &StoredChunk) -> PayloadState {
        PayloadState { hash: kept.hash, size: kept.plain, codec: kept.codec }
    }

    /// Whether both are the same plain bytes, however they are packed.
    pub fn is_alike(&self, other: &PayloadState) -> bool {
        self.hash == other.hash && self.size == other.size
    }
}

/// Content of a slot.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Value {
    /// A string.
    Text(Vec<u8>),
    /// An id.
    Uuid(Uuid),
    /// A number.
    Number(u32),
    /// Dependencies, in their order.
    Needs(Vec<Need>),
    /// A payload.
    Payload(PayloadState),
}

impl Value {
    /// The memory that a copy of it takes besides itself.
    pub fn size(&self) -> u64 {
        let need =
            |need: &Need| need.name.as_ref().map_or(0, Vec::len).saturating_add(size_of::<Need>());
        let bytes = match self {
            Value::Text(text) => text.len(),
            Value::Needs(needs) => needs.iter().map(need).fold(0, usize::saturating_add),
            Value::Uuid(_) | Value::Number(_) | Value::Payload(_) => 0,
        };
        bytes as u64
    }

    /// Whether the slot is one for values of this sort.
    pub const fn fits(&self, slot: AssetField) -> bool {
        matches!(
            (slot, self),
            (AssetField::Name | AssetField::Variant, Value::Text(_))
                | (AssetField::Kind | AssetField::PayloadType, Value::Uuid(_))
                | (AssetField::SchemaVersion, Value::Number(_))
                | (AssetField::Dependencies, Value::Needs(_))
                | (AssetField::Payload | AssetField::Bulk { .. }, Value::Payload(_))
        )
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Text(text) => write!(f, "\"{}\"", text.escape_ascii()),
            Value::Uuid(id) => Val::Uuid(id.0).fmt(f),
            Value::Number(number) => number.fmt(f),
            Value::Needs(needs) if needs.len() == 1 => f.write_str("1 dependency"),
            Value::Needs(needs) => write!(f, "{} dependencies", needs.len()),
            Value::Payload(PayloadState { hash, size, codec }) => {
                write!(f, "{size} bytes, {codec}, hash {:032x}", hash.get())
            }
        }
    }
}

/// An asset field by field.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct AssetState {
    /// Contents of the slots.
    pub slots: BTreeMap<AssetField, Value>,
    /// Bulk payloads of the asset, in their order.
    pub bulk: Vec<AssetField>,
    /// The memory that is charged for it.
    held: u64,
}

impl AssetState {
    /// Returns the stored state of the asset at this position. It stays charged until it is [let go](AssetState::release).
    ///
    /// # Errors
    /// [`NOT_FOUND`](spelunk_core::codes::NOT_FOUND); [`BULK_RANGE`](crate::codes::BULK_RANGE); limits.
    pub fn of(pack: &Pack, row: usize, task: &mut Task<'_>) -> Result<AssetState> {
        let before = task.budget.left().memory;
        let state = AssetState::of_asset(described(pack, row, true, &mut task.budget)?);
        Ok(AssetState { held: before.saturating_sub(task.budget.left().memory), ..state })
    }

    /// Lets go of it.
    pub fn release(self, budget: &mut Budget) {
        budget.release(self.held);
    }

    /// Returns the state of an asset that is to be stored and whose payloads are packed; others are left out.
    fn of_asset(asset: Asset) -> AssetState {
        let bulk = bulk_slots(&asset.bulk);
        let variant = asset.variant.filter(|variant| !variant.is_empty());
        let mut slots = BTreeMap::from([
            (AssetField::Name, Value::Text(asset.name)),
            (AssetField::Kind, Value::Uuid(asset.kind)),
            (AssetField::PayloadType, Value::Uuid(asset.payload_type)),
            (AssetField::SchemaVersion, Value::Number(asset.schema_version)),
        ]);
        slots.extend(variant.map(|variant| (AssetField::Variant, Value::Text(variant))));
        if !asset.dependencies.is_empty() {
            slots.insert(AssetField::Dependencies, Value::Needs(asset.dependencies));
        }
        slots.extend(
            PayloadState::of(&asset.payload)
                .map(|main| (AssetField::Payload, Value::Payload(main))),
        );
        for (slot, bulk) in bulk.iter().zip(&asset.bulk) {
            slots.extend(PayloadState::of(&bulk.payload).map(|main| (*slot, Value::Payload(main))));
        }
        AssetState { slots, bulk, held: 0 }
    }
}

/// Rows may share long names, bulk entries and dependencies.
fn charge(pack: &Pack, row: usize, task: &mut Task<'_>) -> Result<()> {
    let entry = pack.entry(row).ok_or_else(not_found)?;
    let needs = pack.dependencies(row);
    let names = needs.iter().map(|need| pack.strings().get(need.name_string_id.get()));
    let strings = [pack.name(entry), pack.variant(entry)].into_iter().chain(names);
    let len =
        strings.map(|string| string.map_or(0, <[u8]>::len) as u64).fold(0, u64::saturating_add);
    task.budget.touch(len)?;
    task.budget.steps((pack.bulk(entry).len().saturating_add(needs.len())) as u64)
}

/// The slots of bulk payloads, in their order.
fn bulk_slots(bulk: &[Bulk]) -> Vec<AssetField> {
    let mut counts: BTreeMap<(u32, u32), u32> = BTreeMap::new();
    let slot = |bulk: &Bulk| {
        let (semantic, sub_index) = (bulk.semantic, bulk.sub_index);
        let count = counts.entry((semantic, sub_index)).or_default();
        let nth = *count;
        *count = nth.saturating_add(1);
        AssetField::Bulk { semantic, sub_index, nth }
    };
    bulk.iter().map(slot).collect()
}

/// New content of a slot.
#[derive(Debug)]
pub enum New {
    /// A value that is no payload.
    Value(Value),
    /// A payload.
    Payload(Payload),
    /// Nothing: it is taken out.
    Nothing,
}

impl Asset {
    /// Puts something into slots. Bulk payloads that are new take the place that their numbers have among the others.
    ///
    /// # Errors
    /// [`NO_FIELD`](crate::codes::NO_FIELD) where a slot cannot hold its new content.
    pub fn edit(&mut self, edits: Vec<(AssetField, New)>) -> Result<()> {
        let (mut gone, mut added) = (BTreeMap::new(), BTreeMap::new());
        let known = bulk_slots(&self.bulk);
        for (slot, new) in edits {
            let wrong = || Error::new(&crate::codes::NO_FIELD).found(slot.to_string());
            match (slot, new) {
                (AssetField::Name, New::Value(Value::Text(text))) => self.name = text,
                (AssetField::Variant, New::Value(Value::Text(text))) => self.variant = Some(text),
                (AssetField::Variant, New::Nothing) => self.variant = None,
                (AssetField::Kind, New::Value(Value::Uuid(id))) => self.kind = id,
                (AssetField::PayloadType, New::Value(Value::Uuid(id))) => self.payload_type = id,
                (AssetField::SchemaVersion, New::Value(Value::Number(number))) => {
                    self.schema_version = number;
                }
                (AssetField::Dependencies, New::Value(Value::Needs(needs))) => {
                    self.dependencies = needs
                }
                (AssetField::Dependencies, New::Nothing) => self.dependencies.clear(),
                (AssetField::Payload, New::Payload(payload)) => self.payload = payload,
                (AssetField::Bulk { semantic, sub_index, .. }, New::Payload(payload)) => {
                    let at = known.iter().position(|known| *known == slot);
                    match at.and_then(|at| self.bulk.get_mut(at)) {
                        Some(bulk) => bulk.payload = payload,
                        None => {
                            added.insert(slot, Bulk::new(semantic, sub_index, payload));
                        }
                    }
                }
                (AssetField::Bulk { .. }, New::Nothing) => {
                    let at = known.iter().position(|known| *known == slot).ok_or_else(wrong)?;
                    gone.insert(at, ());
                }
                _ => return Err(wrong()),
            }
        }
        // From the last on, so that the positions of the others stay.
        for at in gone.into_keys().rev() {
            self.bulk.remove(at);
        }
        for bulk in added.into_values() {
            let key = |bulk: &Bulk| (bulk.semantic, bulk.sub_index);
            let behind = self.bulk.iter().position(|other| key(other) > key(&bulk));
            self.bulk.insert(behind.unwrap_or(self.bulk.len()), bulk);
        }
        Ok(())
    }

    /// Orders the bulk payloads as these are; others go behind them.
    pub fn order_bulk(&mut self, order: &[AssetField]) {
        let place: BTreeMap<&AssetField, usize> =
            order.iter().rev().zip((0..order.len()).rev()).collect();
        let slots = bulk_slots(&self.bulk);
        let mut keyed: Vec<(usize, Bulk)> = slots
            .iter()
            .map(|slot| place.get(slot).copied().unwrap_or(usize::MAX))
            .zip(std::mem::take(&mut self.bulk))
            .collect();
        keyed.sort_by_key(|(place, _)| *place);
        self.bulk = keyed.into_iter().map(|(_, bulk)| bulk).collect();
    }
}

impl Pack {
    /// A payload, of the asset or of the bulk chunk at position `bulk`, as it is stored, for another pack. It is decoded and
    /// checked.
    ///
    /// # Errors
    /// Those of [`Pack::payload`].
    pub fn packed(&self, row: usize, bulk: Option<usize>, task: &mut Task<'_>) -> Result<Payload> {
        let entry = self.entry(row).ok_or_else(not_found)?;
        let (claim, kept) = match bulk {
            None => (Claim::of_entry(entry, row), StoredChunk::of_entry(entry)),
            Some(nth) => {
                let own = self.bulk(entry).get(nth).ok_or_else(not_found)?;
                let bulk_row = self.bulk_rows(entry).start.saturating_add(nth);
                (Claim::of_bulk(own, Some(entry), bulk_row), StoredChunk::of_bulk(own, entry))
            }
        };
        self.packed_as(&claim, &kept, task)
    }

    fn packed_as(&self, claim: &Claim, kept: &StoredChunk, task: &mut Task<'_>) -> Result<Payload> {
        let chunk = self.chunk(claim.offset, task).map_err(|error| claim.locate(error))?;
        claim.check(&chunk)?;
        let checked = crate::compression::Decoder::with_scratch(task, |decoder, task| {
            payload::check(self.source(), &chunk, decoder, task)
        });
        checked.map_err(|error| claim.locate(error))?;
        let at = chunk.payload_at();
        let stored = self.source().read(at.start..at.end(), &mut task.budget)?;
        Ok(Payload::packed(stored, kept.codec, kept.plain, kept.hash))
    }

    /// The payload in a slot of an asset whose state is known, as [`Pack::packed`] gives it.
    ///
    /// # Errors
    /// Those of [`Pack::payload`].
    pub fn packed_in(
        &self,
        row: usize,
        state: &AssetState,
        slot: AssetField,
        task: &mut Task<'_>,
    ) -> Result<Payload> {
        match slot {
            AssetField::Payload => self.packed(row, None, task),
            slot => {
                let nth = state.bulk.iter().position(|known| *known == slot);
                self.packed(row, Some(nth.ok_or_else(not_found)?), task)
            }
        }
    }

    /// The asset at this position with all of its payloads, for another pack.
    ///
    /// # Errors
    /// Those of [`Pack::payload`].
    pub fn carried(&self, row: usize, task: &mut Task<'_>) -> Result<Asset> {
        let mut asset = described(self, row, true, &mut task.budget)?;
        asset.payload = self.packed(row, None, task)?;
        for (nth, bulk) in asset.bulk.iter_mut().enumerate() {
            bulk.payload = self.packed(row, Some(nth), task)?;
        }
        Ok(asset)
    }

    /// Whether two packs store the same of an asset, wherever that lies.
    ///
    /// # Errors
    /// Limits.
    pub fn stores_same(
        &self,
        row: usize,
        other: (&Pack, usize),
        task: &mut Task<'_>,
    ) -> Result<bool> {
        let (pack, other_row) = other;
        charge(self, row, task)?;
        let Some((a, b)) = self.entry(row).zip(pack.entry(other_row)) else { return Ok(false) };
        let bulk_key = |bulk: &BulkEntry| {
            (bulk.semantic, bulk.sub_index, PayloadState::kept(&StoredChunk::of_bulk(bulk, a)))
        };
        fn need<'p>(of: &'p Pack, need: &Dependency) -> (Uuid, u8, [u8; 3], Option<&'p [u8]>) {
            let name = of.strings().get(need.name_string_id.get());
            (need.asset_id, need.kind, need.reserved, name)
        }
        let (needs, other_needs) = (self.dependencies(row), pack.dependencies(other_row));
        let (bulk, other_bulk) = (self.bulk(a), pack.bulk(b));
        Ok(a.asset_kind == b.asset_kind
            && a.cooked_payload_type == b.cooked_payload_type
            && a.cooked_schema_version == b.cooked_schema_version
            && PayloadState::kept(&StoredChunk::of_entry(a))
                == PayloadState::kept(&StoredChunk::of_entry(b))
            && self.name(a).unwrap_or_default() == pack.name(b).unwrap_or_default()
            && self.variant(a) == pack.variant(b)
            && bulk.iter().map(bulk_key).eq(other_bulk.iter().map(bulk_key))
            && needs.len() == other_needs.len()
            && needs.iter().zip(other_needs).all(|(a, b)| need(self, a) == need(pack, b)))
    }
}

/// All payloads that indexes of a pack name, those of older states too, by what they hold.
#[derive(Debug, Default)]
pub struct Payloads(HashMap<(u128, u64, u8), (Claim, StoredChunk)>);

impl Payloads {
    /// Looks at all indexes of a pack. The table stays charged.
    ///
    /// # Errors
    /// Limits; reading errors.
    pub fn of(pack: &Pack, task: &mut Task<'_>) -> Result<Payloads> {
        let mut known = HashMap::new();
        let older = pack.history(task)?;
        let older = older.revisions.iter().map(|revision| &revision.index);
        for index in std::iter::once(pack.active().0).chain(older) {
            for (row, entry) in index.entries().iter().enumerate() {
                let bulk = index.bulk_range(entry).unwrap_or_default();
                task.budget.steps(1)?;
                task.budget.memory(ROOM.saturating_mul((bulk.len() as u64).saturating_add(1)))?;
                let mut add = |claim: Claim, kept: StoredChunk| {
                    let key = (kept.hash.get(), kept.plain, kept.codec.compression.0);
                    known.entry(key).or_insert((claim, kept));
                };
                add(Claim::of_entry(entry, row), StoredChunk::of_entry(entry));
                for row in bulk {
                    if let Some(bulk) = index.bulk().get(row) {
                        add(
                            Claim::of_bulk(bulk, Some(entry), row),
                            StoredChunk::of_bulk(bulk, entry),
                        );
                    }
                }
            }
        }
        Ok(Payloads(known))
    }

    /// The payload that holds this, as it is stored; `None` where the pack has none. It is decoded and checked.
    ///
    /// # Errors
    /// Those of [`Pack::payload`].
    pub fn get(
        &self,
        pack: &Pack,
        wanted: &PayloadState,
        task: &mut Task<'_>,
    ) -> Result<Option<Payload>> {
        let key = (wanted.hash.get(), wanted.size, wanted.codec.compression.0);
        let Some((claim, kept)) = self.0.get(&key) else { return Ok(None) };
        pack.packed_as(claim, kept, task).map(Some)
    }
}

/// Bytes that a payload takes in a table of them, at the most.
const ROOM: u64 = 2 * size_of::<((u128, u64, u8), (Claim, StoredChunk))>() as u64;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_read_as_they_print() {
        let bulk = |nth| AssetField::Bulk { semantic: 65_537, sub_index: 3, nth };
        for slot in NAMED.iter().map(|(slot, _)| *slot).chain([bulk(0), bulk(2)]) {
            assert_eq!(AssetField::parse(&slot.to_string()), Some(slot));
        }
        assert_eq!(
            [AssetField::parse("#1"), AssetField::parse("size"), AssetField::parse("#1/x")],
            [None; 3]
        );
    }
}
