//! In what assets differ, and packs by that.

use crate::{AssetId, pack::Pack};
use spelunk_core::{Budget, Result};

/// The parts in which two assets differ. Payloads are compared by the hashes of their plain bytes, so how they are packed is no
/// difference.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Differences {
    /// The name.
    pub name: bool,
    /// The variant.
    pub variant: bool,
    /// Id of the loader.
    pub kind: bool,
    /// The type of the main payload.
    pub payload_type: bool,
    /// The version of the payload's own format.
    pub schema_version: bool,
    /// The main payload.
    pub payload: bool,
    /// The bulk payloads: how many there are, what for, or their bytes.
    pub bulk: bool,
    /// The ids that are needed, and how much.
    pub dependencies: bool,
}

impl Differences {
    /// Compares the assets at these positions of two packs. Positions without an asset differ in nothing.
    ///
    /// # Errors
    /// Limits.
    pub fn of([one, other]: [(&Pack, usize); 2], budget: &mut Budget) -> Result<Differences> {
        let entries = (one.0.entry(one.1), other.0.entry(other.1));
        let (Some(a), Some(b)) = entries else { return Ok(Differences::default()) };
        let texts = [one.0.name(a), one.0.variant(a)].into_iter().flatten();
        budget.touch(texts.map(<[u8]>::len).sum::<usize>() as u64)?;
        let bulk = [one.0.bulk(a), other.0.bulk(b)];
        let needs = [one, other].map(|(pack, row)| pack.dependencies(row));
        // Ranges may be shared, so that a small table can have far more than its rows.
        budget.steps(bulk[0].len().saturating_add(needs[0].len()) as u64)?;
        let [bulk, other_bulk] = bulk.map(|all| {
            all.iter().map(|it| (it.semantic, it.sub_index, it.size_uncompressed, it.hash))
        });
        let [needs, other_needs] = needs.map(|all| all.iter().map(|it| (it.asset_id, it.kind)));
        Ok(Differences {
            name: one.0.name(a) != other.0.name(b),
            variant: one.0.variant(a) != other.0.variant(b),
            kind: a.asset_kind != b.asset_kind,
            payload_type: a.cooked_payload_type != b.cooked_payload_type,
            schema_version: a.cooked_schema_version != b.cooked_schema_version,
            payload: a.payload_hash != b.payload_hash
                || a.payload_chunk_size_uncompressed != b.payload_chunk_size_uncompressed,
            bulk: !bulk.eq(other_bulk),
            dependencies: !needs.eq(other_needs),
        })
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        *self == Differences::default()
    }

    /// Returns the differences of the content: all but name and variant.
    #[must_use]
    pub const fn content(self) -> Differences {
        Differences { name: false, variant: false, ..self }
    }

    /// Returns these differences and others.
    #[must_use]
    pub const fn with(self, other: Differences) -> Differences {
        Differences {
            name: self.name || other.name,
            variant: self.variant || other.variant,
            kind: self.kind || other.kind,
            payload_type: self.payload_type || other.payload_type,
            schema_version: self.schema_version || other.schema_version,
            payload: self.payload || other.payload,
            bulk: self.bulk || other.bulk,
            dependencies: self.dependencies || other.dependencies,
        }
    }

    /// The names of what differs.
    pub fn names(&self) -> impl Iterator<Item = &'static str> + use<> {
        let all = [
            (self.name, "name"),
            (self.variant, "variant"),
            (self.kind, "kind"),
            (self.payload_type, "payload_type"),
            (self.schema_version, "schema_version"),
            (self.payload, "payload"),
            (self.bulk, "bulk"),
            (self.dependencies, "dependencies"),
        ];
        all.into_iter().filter(|(differs, _)| *differs).map(|(_, name)| name)
    }
}

/// Changes of the assets from one state of a pack to another, by their ids. Of several with one id the last counts in both.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Changes {
    /// Ids that only the new state has, in its order.
    pub added: Vec<AssetId>,
    /// Ids that only the old state has, in its order.
    pub removed: Vec<AssetId>,
    /// Ids whose assets differ, in the order of the new state, and in what.
    pub changed: Vec<(AssetId, Differences)>,
}

impl Changes {
    /// Compares two packs, or two generations of one, by their tables; no payload is read. What is found stays charged.
    ///
    /// # Errors
    /// Limits.
    pub fn between(old: &Pack, new: &Pack, budget: &mut Budget) -> Result<Changes> {
        let mut changes = Changes::default();
        let id_size = size_of::<AssetId>() as u64;
        for (row, entry) in new.index().entries().iter().enumerate() {
            budget.steps(1)?;
            let id = entry.asset_id;
            if new.is_shadowed(row, budget)? {
                continue;
            }
            let Some(was) = old.by_id(&id.0, budget)? else {
                budget.memory(id_size)?;
                changes.added.push(id.into());
                continue;
            };
            let differences = Differences::of([(old, was), (new, row)], budget)?;
            if !differences.is_empty() {
                budget.memory(id_size.saturating_add(size_of::<Differences>() as u64))?;
                changes.changed.push((id.into(), differences));
            }
        }
        for (row, entry) in old.index().entries().iter().enumerate() {
            budget.steps(1)?;
            let id = entry.asset_id;
            if !old.is_shadowed(row, budget)? && new.by_id(&id.0, budget)?.is_none() {
                budget.memory(id_size)?;
                changes.removed.push(id.into());
            }
        }
        Ok(changes)
    }

    /// Whether nothing changed.
    pub fn is_empty(&self) -> bool {
        *self == Changes::default()
    }
}
