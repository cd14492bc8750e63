//! Repair of packs: what is sound is kept, what is lost is reported.

use super::{
    Draft,
    fresh::{WrittenPack, empty},
    salvage::{self, SalvagedBlocks},
};
use crate::{
    build::{
        Asset, Bulk, Options,
        asset::{Payload, PayloadOrigin, StoredChunk},
        lay::Row,
        tables::IndexTables,
    },
    chain,
    chunk::{Chunk, KIND_BULK, KIND_MAIN},
    codes,
    compression::Decoder,
    extension::is_surely_extended,
    header::Header,
    index::Index,
    pack::Pack,
    strings::StringTable,
    verify,
};
use bytes::Bytes;
use spelunk_core::{
    Class, Code, Collect, Error, Result, Severity, Source, Space, Span, Task, Val,
    scalar::{U64, Uuid},
};
use std::{
    collections::{BTreeMap, HashMap},
    io::{Seek, Write},
    sync::Arc,
};

/// Puts a pack right and writes it; `None` where nothing is wrong with it, and nothing is written then.
///
/// The state that is written is the current one, with the assets that delta appends hide. Where header or index are
/// damaged it is the newest one whose index and names are whole, wherever it lies. Where no index is left, the chunks
/// make one: names and kinds of assets are lost then, and what their bulk payloads are for; all else is in the chunks.
/// Rows whose chunk is damaged are left out, unless the chunk is found elsewhere.
///
/// What was done is noted ([`codes::MENDED`]); what is lost is an error finding ([`codes::LOST`]).
///
/// # Errors
/// [`codes::NOTHING_LEFT`]; limits; reading and writing errors.
pub fn repair(
    source: Arc<dyn Source>,
    out: &mut (impl Write + Seek),
    options: Options,
    task: &mut Task<'_>,
) -> Result<Option<WrittenPack>> {
    let opened = quiet(task, |task| {
        let pack = Pack::read_from(source.clone(), task)?;
        verify(&pack, task)?;
        Ok(pack)
    });
    let (base, mut work) = match opened {
        (Ok(_), findings) if !has_damage(&findings) => return Ok(None),
        (Ok(pack), findings) => from_opened(pack, &findings, &source, task)?,
        (Err(error), _) if error.code().class == Class::Io => return Err(error),
        // No damage, but an extension, which would be lost.
        (Err(error), _) if error.code() == &codes::HEADER_LONG && is_extended(&*source, task)? => {
            return Err(error);
        }
        (Err(error), _) => {
            mended(task, format!("the pack does not open: {error}"))?;
            let found = salvage::search(&*source, task)?;
            let base = newest(&source, &found, task)?;
            (base, RepairData { found: Some(found) })
        }
    };
    let draft = match base {
        Some(base) => work.draft(Arc::new(base), &source, task)?,
        None => {
            mended(task, "no index is left; one is made of the chunks".to_owned())?;
            of_chunks(&source, work.found.unwrap_or_default(), task)?
        }
    };
    draft.write(out, options, task).map(Some)
}

/// Runs `work` with a sink of its own.
fn quiet<T>(
    task: &mut Task<'_>,
    work: impl FnOnce(&mut Task<'_>) -> Result<T>,
) -> (Result<T>, Collect) {
    let mut sink = Collect::default();
    let mut own = Task::new(task.budget.clone(), &mut sink);
    own.is_lenient = task.is_lenient;
    let result = work(&mut own);
    task.budget = own.budget.for_next_operation();
    (result, sink)
}

fn has_damage(findings: &Collect) -> bool {
    let is_damage = |code: &Code| code != &codes::HEADER_LONG;
    findings
        .counts()
        .iter()
        .any(|(code, severity, _)| *severity > Severity::Info && is_damage(code))
}

/// Whether a pack has a header with an extension, and no size that is damaged.
fn is_extended(source: &dyn Source, task: &mut Task<'_>) -> Result<bool> {
    let known = u64::from(crate::header::HEADER_SIZE);
    let head = source.read(0..source.len().min(known), &mut task.budget)?;
    match Header::read(&head, source.len()) {
        Ok(header) => is_surely_extended(&header, source, &mut task.budget),
        Err(_) => Ok(false),
    }
}

fn mended(task: &mut Task<'_>, what: String) -> Result<()> {
    task.note(Error::new(&codes::MENDED).found(what))
}

/// Data that a repair has at hand.
#[derive(Default)]
struct RepairData {
    /// The sound blocks of the file, where it was searched.
    found: Option<SalvagedBlocks>,
}

/// Repairs a pack that opens.
fn from_opened(
    pack: Pack,
    findings: &Collect,
    source: &Arc<dyn Source>,
    task: &mut Task<'_>,
) -> Result<(Option<Pack>, RepairData)> {
    let has = |code: &'static spelunk_core::Code| {
        findings
            .counts()
            .iter()
            .any(|(known, severity, _)| known.id == code.id && *severity > Severity::Info)
    };
    let torn = [&codes::INDEX_HASH, &codes::ENTRIES_HASH, &codes::STRINGS_HASH, &codes::NAME_ID];
    let damaged = [
        &codes::CHUNK_RANGE,
        &codes::CHUNK_MAGIC,
        &codes::CHUNK_VERSION,
        &codes::DECODE,
        &codes::PAYLOAD_HASH,
    ];
    if torn.into_iter().any(has) {
        let found = salvage::search(&**source, task)?;
        let best = newest(source, &found, task)?;
        mended(task, "header, index and strings do not belong together".to_owned())?;
        return Ok((Some(best.unwrap_or(pack)), RepairData { found: Some(found) }));
    }
    let found =
        if damaged.into_iter().any(has) { Some(salvage::search(&**source, task)?) } else { None };
    let made_anew = [
        (&codes::TRAILING, "bytes behind the end are left out"),
        (&codes::NAME_HASH, "hashes of names are made anew"),
        (&codes::VARIANT_HASH, "hashes of variants are made anew"),
        (&codes::CHAIN_HEADER, "the history, which header and index tell differently, is left out"),
    ];
    for (_, what) in made_anew.into_iter().filter(|(code, _)| has(code)) {
        mended(task, what.to_owned())?;
    }
    if has(&codes::HIDDEN_ASSETS) {
        mended(task, "assets that an append hides are shown again".to_owned())?;
        let restored = pack.restored(task)?;
        return Ok((Some(restored), RepairData { found }));
    }
    Ok((Some(pack), RepairData { found }))
}

/// The newest index that is whole, with the string table that its names are in.
fn newest(
    source: &Arc<dyn Source>,
    found: &SalvagedBlocks,
    task: &mut Task<'_>,
) -> Result<Option<Pack>> {
    for index in found.indexes.iter().rev() {
        let before = |table: &&StringTable| table.at().end() <= index.at().start;
        // The one that ends where the index starts comes first, then from the last one to the first.
        let mut tables: Vec<&StringTable> = found.strings.iter().filter(before).collect();
        tables.reverse();
        tables.sort_by_key(|table| table.at().end() != index.at().start);
        for table in tables {
            if chain::entries_match(index, table, task)? {
                mended(
                    task,
                    format!(
                        "the index at {:#x} with {} assets is the newest one that is whole",
                        index.at().start,
                        index.entries().len()
                    ),
                )?;
                let header = header_of(&**source, task)?;
                let (source, table) = (source.clone(), table.clone());
                return Ok(Some(Pack::of_tables(source, header, table, index.clone())));
            }
        }
    }
    Ok(None)
}

/// The header that a pack has, if its fields can be read, reaching over the whole file.
fn header_of(source: &dyn Source, task: &mut Task<'_>) -> Result<Header> {
    let head =
        source.read(0..source.len().min(crate::header::HEADER_SIZE.into()), &mut task.budget)?;
    let mut header = match zerocopy::FromBytes::read_from_bytes(&head) {
        Ok(header) if head.starts_with(&crate::header::MAGIC) => header,
        _ => empty(),
    };
    let fresh = empty();
    header.version = fresh.version;
    if !is_extended(source, task)? {
        header.header_size = fresh.header_size;
    }
    header.endian_marker = fresh.endian_marker;
    header.file_size = U64::new(source.len());
    Ok(header)
}

/// Sound chunks, by what they say of themselves: asset, kind, and the hash of their payload.
type SoundChunks = HashMap<(Uuid, u8, u128), Chunk>;

impl RepairData {
    /// The rows of a pack with sound chunks.
    fn draft(
        &mut self,
        base: Arc<Pack>,
        source: &Arc<dyn Source>,
        task: &mut Task<'_>,
    ) -> Result<Draft> {
        let mut chunks = SoundChunks::new();
        for chunk in self.found.iter().flat_map(|found| &found.chunks) {
            let header = &chunk.header;
            chunks.insert((header.asset_id, header.chunk_kind, header.hash.get()), *chunk);
        }
        let mut draft = Draft::of(base.clone(), &mut task.budget)?;
        let before = draft.len();
        draft.collapse();
        let hidden = before.saturating_sub(draft.len());
        if hidden > 0 {
            mended(
                task,
                format!("{hidden} entries that later ones with the same id hide are left out"),
            )?;
        }
        let mut gone = std::collections::BTreeSet::new();
        Decoder::with_scratch(task, |decoder, task| {
            for position in 0..draft.len() {
                let asset = match draft.asset_mut(position, &mut task.budget) {
                    Ok(asset) => asset,
                    Err(error) if error.code().id == codes::BULK_RANGE.id => {
                        lost(task, format!("the bulk payloads of asset {position}: {error}"))?;
                        draft.asset_without_bulk(position, &mut task.budget)?
                    }
                    Err(error) => return Err(error),
                };
                let mut mend = Mend { chunks: &chunks, source, decoder, id: asset.id };
                if let Some(why) = mend.payload(&mut asset.payload, KIND_MAIN, task)? {
                    lost(task, format!("asset {}: {why}", description(asset)))?;
                    gone.insert(position);
                    continue;
                }
                let mut kept = Vec::new();
                for mut bulk in std::mem::take(&mut asset.bulk) {
                    match mend.payload(&mut bulk.payload, KIND_BULK, task)? {
                        None => kept.push(bulk),
                        Some(why) => {
                            let number = format!("#{}/{}", bulk.semantic, bulk.sub_index);
                            lost(
                                task,
                                format!("bulk payload {}{number}: {why}", description(asset)),
                            )?;
                        }
                    }
                }
                asset.bulk = kept;
                if asset.name.is_empty() {
                    asset.name = Val::Uuid(asset.id.0).to_string().into_bytes();
                    mended(
                        task,
                        format!("an asset without a name is called {}", description(asset)),
                    )?;
                }
            }
            Ok(())
        })?;
        draft.remove(&gone);
        Ok(draft)
    }
}

fn lost(task: &mut Task<'_>, what: String) -> Result<()> {
    task.error(Error::new(&codes::LOST).found(what))
}

fn description(asset: &Asset) -> String {
    format!("`{}`", String::from_utf8_lossy(&asset.name))
}

/// The search for the sound chunk of a payload.
struct Mend<'m> {
    chunks: &'m SoundChunks,
    source: &'m Arc<dyn Source>,
    decoder: &'m mut Decoder,
    id: Uuid,
}

impl Mend<'_> {
    /// Lets a payload lead to a sound chunk of its asset, or returns why there is none.
    fn payload(
        &mut self,
        payload: &mut Payload,
        kind: u8,
        task: &mut Task<'_>,
    ) -> Result<Option<String>> {
        let PayloadOrigin::Kept(kept) = &mut payload.0 else { return Ok(None) };
        // The one with the hash that the row wants, wherever it is; else the one that is there.
        let wanted = self.chunks.get(&(self.id, kind, kept.hash.get())).copied();
        let there = salvage::sound_chunk(&**self.source, kept.offset, self.decoder, task)?
            .filter(|chunk| chunk.header.asset_id == self.id && chunk.header.chunk_kind == kind);
        let chunk = match (there, wanted) {
            (Some(there), _) if there.header.hash == kept.hash => Some(there),
            (there, wanted) => wanted.or(there),
        };
        let Some(chunk) = chunk else {
            return Ok(Some("no sound chunk of it is left".to_owned()));
        };
        let payload_type = kept.payload_type;
        *kept = StoredChunk { payload_type, ..of_chunk(&chunk) };
        Ok(None)
    }
}

/// Returns what a chunk says of itself.
fn of_chunk(chunk: &Chunk) -> StoredChunk {
    StoredChunk {
        offset: chunk.at.start,
        size: chunk.at.len,
        plain: chunk.header.size_uncompressed.get(),
        codec: chunk.codec(),
        hash: chunk.header.hash,
        owner: chunk.header.asset_id,
        payload_type: chunk.header.payload_type,
    }
}

/// Assets that are made of chunks alone: of each id the last main payload, and the bulk payloads behind it.
fn of_chunks(
    source: &Arc<dyn Source>,
    found: SalvagedBlocks,
    task: &mut Task<'_>,
) -> Result<Draft> {
    let mut assets: BTreeMap<u64, Asset> = BTreeMap::new();
    let mut last: HashMap<Uuid, u64> = HashMap::new();
    let mut orphans = 0_u64;
    for chunk in &found.chunks {
        task.budget.steps(1)?;
        let header = &chunk.header;
        let payload = Payload(PayloadOrigin::Kept(of_chunk(chunk)));
        if header.chunk_kind == KIND_MAIN {
            let name = Val::Uuid(header.asset_id.0).to_string();
            let mut asset = Asset::new(header.asset_id, name, payload);
            asset.payload_type = header.payload_type;
            asset.schema_version = header.schema_version.get();
            if let Some(older) = last.insert(header.asset_id, chunk.at.start) {
                let older = assets.remove(&older);
                // An update without bulk payloads kept the old ones.
                asset.bulk = older.map(|older| older.bulk).unwrap_or_default();
            }
            assets.insert(chunk.at.start, asset);
            continue;
        }
        let asset = last.get(&header.asset_id).and_then(|at| assets.get_mut(at));
        match asset {
            Some(asset) => {
                let position = u32::try_from(asset.bulk.len()).unwrap_or(u32::MAX);
                asset.bulk.push(Bulk::new(0, position, payload));
            }
            None => orphans = orphans.saturating_add(1),
        }
    }
    if orphans > 0 {
        lost(task, format!("{orphans} bulk payloads of assets whose main payload is gone"))?;
    }
    if assets.is_empty() {
        return Err(Error::new(&codes::NOTHING_LEFT));
    }
    lost(
        task,
        format!("names and kinds of {} assets, and what bulk payloads are for", assets.len()),
    )?;
    let header = header_of(&**source, task)?;
    let base = without_assets(source.clone(), header, task)?;
    let rows = assets.into_values().map(|asset| Row::Asset(Box::new(asset)));
    Ok(Draft::of_rows(Arc::new(base), rows.collect()))
}

/// A pack that has bytes and no assets.
fn without_assets(source: Arc<dyn Source>, header: Header, task: &mut Task<'_>) -> Result<Pack> {
    let (blocks, size, _) = IndexTables::default().blocks(None, [0; 24])?;
    let at = Span::new(Space::section("made"), 0, size);
    let index = Index::read(&Bytes::from(blocks.concat()), at, None, task)?;
    Ok(Pack::of_tables(source, header, StringTable::lost(), index))
}
