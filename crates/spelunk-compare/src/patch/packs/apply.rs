//! Making the changes of a patch to a pack.

use super::{
    form::{AssetChange, FORMAT, PackPatch, Sort},
    value,
};
use crate::{
    decide::{Deed, Differences, Places, States, Version},
    merge::choose_pack_value as choose,
    patch::{
        Applied, delta,
        form::{bad, conflict, print},
        making::{self, PatchResults, Patched},
    },
};
use serde_json::Value as Json;
use snpak::{
    AssetId, Codec, Pack,
    build::{Asset, Payload},
    compression::Decoder,
    edit::{
        Draft,
        state::{AssetField, AssetState, New, PayloadState, Payloads, Value},
    },
    hash::hash128,
};
use spelunk_core::{Error, Result, Seg, Span, Task, WriteOptions, scalar::Uuid};
use spelunk_open::{Opened, codes, model, skeleton::Origin};
use std::{
    collections::{BTreeMap, BTreeSet, HashSet},
    sync::Arc,
};

/// Makes the changes of a patch to a pack.
///
/// # Errors
/// [`BAD_PATCH`](codes::BAD_PATCH) where the patch contradicts itself; [`OTHER_FORMAT`](codes::OTHER_FORMAT) for a file of
/// another format; reading errors; what a pack cannot hold; limits.
pub fn apply(patch: &PackPatch, origin: &Origin<'_>) -> Result<Applied> {
    let opened = Opened::open(origin.source.clone(), origin.options)?;
    let pack = model::pack(opened.container(), &codes::OTHER_FORMAT);
    let pack = pack.map_err(|error| error.expected(FORMAT))?;
    let found = print(origin)?;
    let same_file = found == patch.old;
    let all = patch.changes.len() as u64;
    let mut applied = Applied {
        opened: Opened::open(origin.source.clone(), origin.options)?,
        options: WriteOptions::default(),
        same_file,
        made: 0,
        made_before: 0,
        conflicts: Vec::new(),
    };
    if same_file {
        let made = delta::made(&patch.to_new, &patch.blocks, &patch.new, origin.source.clone())?;
        applied.opened = Opened::open(Arc::new(made), origin.options)?;
        applied.made = all;
    } else if found == patch.new {
        applied.made_before = all;
    } else {
        let len = origin.source.len().saturating_add(delta::stored(&patch.blocks));
        let mut counts = PatchResults::default();
        let made = Opened::made(len, origin.options, |task| {
            let draft = PackTarget::of(patch, pack, task)?.all(&mut counts, task)?;
            Ok(Box::new(draft.shown(task)?))
        })?;
        return Ok(applied.with(made, counts));
    }
    Ok(applied)
}

/// A field that changes.
struct Edit {
    slot: AssetField,
    old: Option<Value>,
    new: Option<value::Stated>,
}

/// A pack that is changed.
struct PackTarget<'p> {
    patch: &'p PackPatch,
    pack: &'p Pack,
    draft: Draft,
    /// Payloads that the pack has; looked for when one is asked for.
    payloads: Option<Payloads>,
    /// The asset that is changed now, as the patch has it, and as it is in the pack.
    id: AssetId,
    /// Whether the patch has all of it, as it comes or goes.
    is_whole: bool,
    edits: Vec<Edit>,
    there: Option<AssetState>,
    /// Ids of assets that go.
    gone: HashSet<[u8; 16]>,
    added: Vec<Asset>,
}

impl<'p> PackTarget<'p> {
    fn of(patch: &'p PackPatch, pack: &'p Pack, task: &mut Task<'_>) -> Result<PackTarget<'p>> {
        Ok(PackTarget {
            patch,
            pack,
            draft: Draft::of_shown(pack, &mut task.budget)?,
            payloads: None,
            id: AssetId([0; 16]),
            is_whole: false,
            edits: Vec::new(),
            there: None,
            gone: HashSet::new(),
            added: Vec::new(),
        })
    }

    /// Makes all changes that fit, and gives the next state.
    fn all(&mut self, counts: &mut PatchResults, task: &mut Task<'_>) -> Result<Draft> {
        let mut seen = HashSet::new();
        for change in &self.patch.changes {
            task.budget.steps(1)?;
            let id = AssetId::parse(&change.asset);
            self.id = id.ok_or_else(|| bad(format!("the id `{}`", change.asset.escape_debug())))?;
            if !seen.insert(self.id) {
                return Err(bad(format!("asset {} twice", self.id)));
            }
            self.edits = edits(change)?;
            self.is_whole = change.change != Sort::Changed;
            let row = self.pack.by_id(&self.id.0, &mut task.budget)?;
            self.there = row.map(|row| AssetState::of(self.pack, row, task)).transpose()?;
            let stated = AssetOrigin::Patch;
            let at = Places {
                base: (change.change != Sort::Added).then_some(stated),
                ours: row.map(AssetOrigin::Row),
                theirs: (change.change != Sort::Removed).then_some(stated),
            };
            let done = making::make(self, at, task)?;
            self.there.take().into_iter().for_each(|state| state.release(&mut task.budget));
            counts.add(done, &change.path.escape_debug().to_string());
        }
        let mut draft = std::mem::take(&mut self.draft);
        if !self.gone.is_empty() {
            // With those of the same id that they hide.
            let rows = self.pack.index().entries().iter().enumerate();
            let rows = rows.filter(|(_, entry)| self.gone.contains(&entry.asset_id.0));
            draft.remove(&rows.map(|(row, _)| row).collect::<BTreeSet<_>>());
        }
        for asset in self.added.drain(..) {
            draft.add(asset)?;
        }
        Ok(draft)
    }

    /// The fields that the patch has of a version of the asset; those of the pack as far as the patch has them.
    fn stated(&self, version: Version) -> BTreeMap<AssetField, Value> {
        let value = |edit: &Edit| match version {
            Version::Base => edit.old.clone(),
            Version::Theirs => edit.new.as_ref().map(|(new, _)| new.clone()),
            Version::Ours => self.there.as_ref()?.slots.get(&edit.slot).cloned(),
        };
        self.edits.iter().filter_map(|edit| Some((edit.slot, value(edit)?))).collect()
    }

    /// Returns the contents that the edits of these slots put there; adds an error for each that is missing.
    fn contents(
        &mut self,
        slots: &[AssetField],
        missing: &mut Vec<Error>,
        task: &mut Task<'_>,
    ) -> Result<Vec<(AssetField, New)>> {
        let mut news = Vec::new();
        let edits = std::mem::take(&mut self.edits);
        for edit in edits.iter().filter(|edit| slots.contains(&edit.slot)) {
            match self.content(edit, task)? {
                Some(new) => news.push((edit.slot, new)),
                None => missing.push(not_there(edit)),
            }
        }
        self.edits = edits;
        Ok(news)
    }

    /// Returns the content that an edit puts into its slot; `None` where the payload is neither in the patch nor in the pack.
    fn content(&mut self, edit: &Edit, task: &mut Task<'_>) -> Result<Option<New>> {
        Ok(match &edit.new {
            None => Some(New::Nothing),
            Some((Value::Payload(stored), Some(block))) => {
                Some(New::Payload(self.unpacked(stored, *block, task)?))
            }
            Some((Value::Payload(stored), None)) => {
                if self.payloads.is_none() {
                    self.payloads = Some(Payloads::of(self.pack, task)?);
                }
                let known = self.payloads.as_ref().map(|all| all.get(self.pack, stored, task));
                known.transpose()?.flatten().map(New::Payload)
            }
            Some((value, _)) => Some(New::Value(value.clone())),
        })
    }

    /// A payload of the patch, which is what it says.
    fn unpacked(&self, stored: &PayloadState, block: u32, task: &mut Task<'_>) -> Result<Payload> {
        let bytes = delta::block(&self.patch.blocks, block)?;
        task.budget.memory(bytes.len() as u64)?;
        let at = Span::file(0, bytes.len() as u64);
        let codec = stored.codec;
        let found = Decoder::with_scratch(task, |decoder, task| {
            let budget = &mut task.budget;
            let plain = decoder.decode(codec.compression, &bytes, stored.size, at, budget)?;
            budget.touch(plain.len() as u64)?;
            Ok::<_, Error>(hash128(plain))
        });
        let found = found.map_err(|error| match error.ends_work() {
            true => error,
            false => bad(format!("block {block}, which does not unpack: {error}")),
        })?;
        if found != stored.hash {
            let text = |hash: u128| format!("XXH3 {hash:032x}");
            return Err(bad(text(found.get())).expected(text(stored.hash.get())));
        }
        Ok(Payload::packed(bytes, codec, stored.size, stored.hash))
    }
}

/// Place of an asset: in the patch, or in the pack.
#[derive(Clone, Copy)]
enum AssetOrigin {
    Patch,
    Row(usize),
}

impl States for PackTarget<'_> {
    type Place = AssetOrigin;
    type Slot = AssetField;

    const UNITES: bool = false;

    fn is_same(
        &mut self,
        (one, _): (Version, AssetOrigin),
        (other, _): (Version, AssetOrigin),
        _: &mut Task<'_>,
    ) -> Result<bool> {
        let (a, b) = (self.stated(one), self.stated(other));
        let is_all = self.there.as_ref().is_none_or(|there| there.slots.len() == a.len());
        Ok((!self.is_whole || is_all) && are_alike(&a, &b, self.is_whole))
    }

    fn differences(
        &mut self,
        _: Places<AssetOrigin>,
        _: bool,
        _: &mut Task<'_>,
    ) -> Result<Differences<AssetField>> {
        let [base, ours, theirs] =
            [Version::Base, Version::Ours, Version::Theirs].map(|version| self.stated(version));
        Ok(Differences::between(&base, &ours, &theirs, choose))
    }
}

impl Patched for PackTarget<'_> {
    fn add(&mut self, _: AssetOrigin, task: &mut Task<'_>) -> Result<Vec<Error>> {
        let slots: Vec<AssetField> = self.edits.iter().map(|edit| edit.slot).collect();
        let mut missing = Vec::new();
        let news = self.contents(&slots, &mut missing, task)?;
        if !missing.is_empty() {
            return Ok(missing);
        }
        let nothing = Payload::packed(Default::default(), Codec::NONE, 0, hash128(&[]));
        let mut asset = Asset::new(Uuid(self.id.0), Vec::new(), nothing);
        asset.edit(news)?;
        asset.order_bulk(&slots);
        self.added.push(asset);
        Ok(Vec::new())
    }

    fn remove(&mut self, _: AssetOrigin, _: &mut Task<'_>) -> Result<()> {
        self.gone.insert(self.id.0);
        Ok(())
    }

    fn set(
        &mut self,
        at: Places<AssetOrigin>,
        taken: &[AssetField],
        task: &mut Task<'_>,
    ) -> Result<Vec<Error>> {
        let Some(AssetOrigin::Row(row)) = at.ours else { return Ok(Vec::new()) };
        let mut missing = Vec::new();
        let news = self.contents(taken, &mut missing, task)?;
        if missing.is_empty() {
            self.draft.asset_mut(row, &mut task.budget)?.edit(news)?;
        }
        Ok(missing)
    }

    fn field_conflict(
        &mut self,
        _: Places<AssetOrigin>,
        slot: &AssetField,
        _: &mut Task<'_>,
    ) -> Result<Error> {
        let text = |values: BTreeMap<AssetField, Value>| {
            values.get(slot).map_or_else(|| "nothing".to_owned(), Value::to_string)
        };
        let (expected, found) =
            (text(self.stated(Version::Base)), text(self.stated(Version::Ours)));
        Ok(conflict(&expected, &found).within(Seg::Key(slot.to_string().into())))
    }

    fn entry_conflict(&self, ours: Deed, theirs: Deed) -> Error {
        match (ours, theirs) {
            (_, Deed::Added) => conflict("no such asset", "another one of its id"),
            (_, Deed::Removed) => conflict("the asset as it was", "one that was changed"),
            (_, Deed::Changed) => conflict("the asset", "nothing"),
        }
    }
}

/// Whether two versions of an asset are the same. Payloads of what comes or goes may be packed in other ways.
fn are_alike(
    a: &BTreeMap<AssetField, Value>,
    b: &BTreeMap<AssetField, Value>,
    is_whole: bool,
) -> bool {
    let alike = |slot: &AssetField, value: &Value| match (b.get(slot), value) {
        (Some(Value::Payload(other)), Value::Payload(one)) if is_whole => one.is_alike(other),
        (other, value) => other == Some(value),
    };
    a.len() == b.len() && a.iter().all(|(slot, value)| alike(slot, value))
}

fn not_there(edit: &Edit) -> Error {
    let payload = edit.new.as_ref().map(|(value, _)| value.to_string()).unwrap_or_default();
    let error = conflict(&payload, "no such payload, in the patch or in the pack");
    error.within(Seg::Key(edit.slot.to_string().into()))
}

/// The fields that change, checked for what cannot be.
fn edits(change: &AssetChange) -> Result<Vec<Edit>> {
    let mut seen = BTreeSet::new();
    let mut edits = Vec::new();
    for field in &change.fields {
        let wrong = |what: &str| bad(format!("field `{}` {what}", field.field.escape_debug()));
        let slot = AssetField::parse(&field.field).ok_or_else(|| wrong("of nothing"))?;
        if !seen.insert(slot) {
            return Err(wrong("twice"));
        }
        let read = |json: &Option<Json>| json.as_ref().map(|json| value::read(slot, json));
        let (old, new) = (read(&field.old).transpose()?, read(&field.new).transpose()?);
        let stays = old.is_some() && new.is_some();
        let fits = match change.change {
            Sort::Added => old.is_none() && new.is_some(),
            Sort::Removed => old.is_some() && new.is_none(),
            Sort::Changed => stays || (slot.is_optional() && (old.is_some() || new.is_some())),
        };
        if !fits {
            return Err(wrong("that does not fit what becomes of the asset"));
        }
        edits.push(Edit { slot, old: old.map(|(old, _)| old), new });
    }
    let needed = [
        AssetField::Name,
        AssetField::Kind,
        AssetField::PayloadType,
        AssetField::SchemaVersion,
        AssetField::Payload,
    ];
    if change.change == Sort::Added
        && let Some(missing) = needed.iter().find(|slot| !seen.contains(slot))
    {
        return Err(bad(format!("an asset without `{missing}`")));
    }
    Ok(edits)
}
