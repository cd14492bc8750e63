//! Making the changes of a patch to a pack.

use super::{AssetChange, FORMAT, PackPatch, Sort, value};
use crate::patch::{Applied, bad, conflict, delta, make::print};
use serde_json::Value as Json;
use snpak::{
    AssetId, Codec, Pack,
    build::{Asset, Payload},
    compression::Decoder,
    edit::{
        Draft,
        state::{Choice, New, Payloads, Slot, State, Stored, Value, choose},
    },
    hash::hash128,
};
use spelunk_core::{Error, Result, Seg, Span, Task, WriteOptions, scalar::Uuid};
use spelunk_open::{Opened, codes, skeleton::Origin};
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
    let format = opened.container().format();
    let Some(pack) = opened.container().model::<Pack>() else {
        return Err(Error::new(&codes::OTHER_FORMAT).expected(FORMAT).found(format));
    };
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
        let mut target = None;
        applied.opened = Opened::made(len, origin.options, |task| {
            let mut made = Target::of(patch, pack, task)?;
            let draft = made.all(task)?;
            let pack = draft.shown(task)?;
            target = Some((made.made, made.made_before, made.conflicts));
            Ok(Box::new(pack))
        })?;
        (applied.made, applied.made_before, applied.conflicts) = target.unwrap_or_default();
    }
    Ok(applied)
}

/// A field that changes.
struct Edit {
    slot: Slot,
    old: Option<Value>,
    new: Option<value::Told>,
}

/// What came of a change.
enum Done {
    Now,
    Before,
    Conflicts(Vec<Error>),
}

/// A pack that is changed.
struct Target<'p> {
    patch: &'p PackPatch,
    pack: &'p Pack,
    draft: Draft,
    /// Payloads that the pack has; looked for when one is asked for.
    payloads: Option<Payloads>,
    /// Ids of assets that go.
    gone: HashSet<[u8; 16]>,
    added: Vec<Asset>,
    made: u64,
    made_before: u64,
    conflicts: Vec<Error>,
}

impl<'p> Target<'p> {
    fn of(patch: &'p PackPatch, pack: &'p Pack, task: &mut Task<'_>) -> Result<Target<'p>> {
        Ok(Target {
            patch,
            pack,
            draft: Draft::of_shown(pack, &mut task.budget)?,
            payloads: None,
            gone: HashSet::new(),
            added: Vec::new(),
            made: 0,
            made_before: 0,
            conflicts: Vec::new(),
        })
    }

    /// Makes all changes that fit, and gives the next state.
    fn all(&mut self, task: &mut Task<'_>) -> Result<Draft> {
        let mut seen = HashSet::new();
        for change in &self.patch.changes {
            task.budget.steps(1)?;
            let id = AssetId::parse(&change.asset);
            let id = id.ok_or_else(|| bad(format!("the id `{}`", change.asset.escape_debug())))?;
            if !seen.insert(id) {
                return Err(bad(format!("asset {id} twice")));
            }
            let edits = edits(change)?;
            let row = self.pack.by_id(&id.0, &mut task.budget)?;
            let state = row.map(|row| State::of(self.pack, row, task)).transpose()?;
            let done = match change.change {
                Sort::Added => self.add(id, &edits, state.as_ref(), task)?,
                Sort::Removed => self.remove(id, &edits, state.as_ref()),
                Sort::Changed => self.change(row, &edits, state.as_ref(), task)?,
            };
            state.into_iter().for_each(|state| state.release(&mut task.budget));
            match done {
                Done::Now => self.made = self.made.saturating_add(1),
                Done::Before => self.made_before = self.made_before.saturating_add(1),
                Done::Conflicts(conflicts) => {
                    let name = change.path.escape_debug().to_string();
                    let within = |error: Error| error.within(Seg::Key(name.clone().into()));
                    self.conflicts.extend(conflicts.into_iter().map(within));
                }
            }
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

    fn add(
        &mut self,
        id: AssetId,
        edits: &[Edit],
        there: Option<&State>,
        task: &mut Task<'_>,
    ) -> Result<Done> {
        if let Some(there) = there {
            let wanted = |edit: &Edit| Some((edit.slot, edit.new.as_ref()?.0.clone()));
            let wanted: BTreeMap<Slot, Value> = edits.iter().filter_map(wanted).collect();
            return Ok(match is_same(&wanted, there) {
                true => Done::Before,
                false => Done::Conflicts(vec![conflict("no such asset", "another one of its id")]),
            });
        }
        let (mut news, mut missing) = (Vec::new(), Vec::new());
        for edit in edits {
            match self.content(edit, task)? {
                Some(new) => news.push((edit.slot, new)),
                None => missing.push(not_there(edit)),
            }
        }
        if !missing.is_empty() {
            return Ok(Done::Conflicts(missing));
        }
        let nothing = Payload::packed(Default::default(), Codec::NONE, 0, hash128(&[]));
        let mut asset = Asset::new(Uuid(id.0), Vec::new(), nothing);
        asset.edit(news)?;
        asset.order_bulk(&edits.iter().map(|edit| edit.slot).collect::<Vec<_>>());
        self.added.push(asset);
        Ok(Done::Now)
    }

    fn remove(&mut self, id: AssetId, edits: &[Edit], there: Option<&State>) -> Done {
        let Some(there) = there else { return Done::Before };
        let known = |edit: &Edit| Some((edit.slot, edit.old.clone()?));
        let known: BTreeMap<Slot, Value> = edits.iter().filter_map(known).collect();
        if !is_same(&known, there) {
            return Done::Conflicts(vec![conflict("the asset as it was", "one that was changed")]);
        }
        self.gone.insert(id.0);
        Done::Now
    }

    fn change(
        &mut self,
        row: Option<usize>,
        edits: &[Edit],
        there: Option<&State>,
        task: &mut Task<'_>,
    ) -> Result<Done> {
        let (Some(row), Some(there)) = (row, there) else {
            return Ok(Done::Conflicts(vec![conflict("the asset", "nothing")]));
        };
        let (mut news, mut conflicts) = (Vec::new(), Vec::new());
        for edit in edits {
            let found = there.slots.get(&edit.slot);
            match choose(edit.old.as_ref(), found, edit.new.as_ref().map(|(new, _)| new)) {
                Choice::Ours => {}
                Choice::Theirs => match self.content(edit, task)? {
                    Some(new) => news.push((edit.slot, new)),
                    None => conflicts.push(not_there(edit)),
                },
                Choice::Conflict => {
                    let text = |value: Option<&Value>| {
                        value.map_or_else(|| "nothing".to_owned(), Value::to_string)
                    };
                    let error = conflict(&text(edit.old.as_ref()), &text(found));
                    conflicts.push(error.within(Seg::Key(edit.slot.to_string().into())));
                }
            }
        }
        if !conflicts.is_empty() {
            return Ok(Done::Conflicts(conflicts));
        }
        if news.is_empty() {
            return Ok(Done::Before);
        }
        self.draft.asset_mut(row, &mut task.budget)?.edit(news)?;
        Ok(Done::Now)
    }

    /// What an edit puts into its slot; `None` where the payload is neither in the patch nor in the pack.
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
    fn unpacked(&self, stored: &Stored, block: u32, task: &mut Task<'_>) -> Result<Payload> {
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

/// Whether an asset has these fields and no others; payloads may be packed in other ways.
fn is_same(fields: &BTreeMap<Slot, Value>, there: &State) -> bool {
    let alike = |slot: &Slot, value: &Value| match (there.slots.get(slot), value) {
        (Some(Value::Payload(a)), Value::Payload(b)) => a.is_alike(b),
        (found, value) => found == Some(value),
    };
    fields.len() == there.slots.len() && fields.iter().all(|(slot, value)| alike(slot, value))
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
        let slot = Slot::parse(&field.field).ok_or_else(|| wrong("of nothing"))?;
        if !seen.insert(slot) {
            return Err(wrong("twice"));
        }
        let read = |told: &Option<Json>| told.as_ref().map(|told| value::read(slot, told));
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
    let needed = [Slot::Name, Slot::Kind, Slot::PayloadType, Slot::SchemaVersion, Slot::Payload];
    if change.change == Sort::Added
        && let Some(missing) = needed.iter().find(|slot| !seen.contains(slot))
    {
        return Err(bad(format!("an asset without `{missing}`")));
    }
    Ok(edits)
}
