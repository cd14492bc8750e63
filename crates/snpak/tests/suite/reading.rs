//! Payloads: located, fetched, decoded, in parts and block by block.

use crate::common::{open, open_sound};
use snpak::{
    AssetId, Checks, Compression, FormatLimits, Located, OpenOptions, Pack, codes, stream::BLOCK,
};
use spelunk_core::{Budget, Bytes, Collect, Limits, Result, Source, Task};
use spelunk_fixtures::{
    corpus, samples,
    snpak::{self as made, Asset, Bulk, Codec},
};
use std::{
    ops::Range,
    sync::{Arc, Mutex},
};
use test_support::task::with_task;

/// A source that lends nothing and writes down what is read, as one behind a network.
#[derive(Default)]
struct Remote {
    bytes: Bytes,
    reads: Mutex<Vec<Range<u64>>>,
}

impl Remote {
    fn new(bytes: &[u8]) -> Arc<Remote> {
        Arc::new(Remote { bytes: Bytes::copy_from_slice(bytes), ..Remote::default() })
    }

    /// What was read since the last time.
    fn taken(&self) -> Vec<Range<u64>> {
        std::mem::take(&mut self.reads.lock().expect("no panic"))
    }
}

impl Source for Remote {
    fn len(&self) -> u64 {
        Source::len(&self.bytes)
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<()> {
        let range = offset..offset + buffer.len() as u64;
        self.reads.lock().expect("no panic").push(range);
        self.bytes.read_at(offset, buffer)
    }
}

/// Every chunk of a pack with what its payload is.
fn chunks(pack: &Pack) -> Vec<(Located, Bytes)> {
    let mut all = Vec::new();
    let len = pack.len() as usize;
    for row in 0..pack.index().entries().len() {
        let payload = with_task(len, |task| pack.payload(row, task)).0.expect("a payload");
        all.push((pack.locate(row).expect("a place"), payload));
        for nth in 0..pack.bulk(pack.entry(row).expect("an entry")).len() {
            let payload = with_task(len, |task| pack.bulk_payload(row, nth, task)).0;
            all.push((pack.locate_bulk(row, nth).expect("a place"), payload.expect("a payload")));
        }
    }
    all
}

/// A payload, block by block.
fn streamed(pack: &Pack, located: &Located, task: &mut Task<'_>) -> Result<Vec<u8>> {
    let mut out = Vec::new();
    pack.stream(located, task, &mut |block, _| {
        assert!(!block.is_empty() && block.len() <= BLOCK);
        out.extend_from_slice(block);
        Ok(())
    })?;
    Ok(out)
}

/// Every way to a payload leads to the same bytes, and what it takes is given back.
fn assert_every_way(name: &str, bytes: &[u8]) -> usize {
    let lent = open_sound(bytes);
    let remote = Remote::new(bytes);
    let (read, _) = with_task(bytes.len(), |task| Pack::read_from(remote.clone(), task));
    let read = read.expect(name);
    let mut buffer = Vec::new();
    let all = chunks(&lent);
    for (located, payload) in &all {
        assert_eq!(located.plain_len(), payload.len() as u64);
        let at = located.range();
        let chunk = Bytes::copy_from_slice(&bytes[at.start as usize..at.end as usize]);
        for pack in [&lent, &read] {
            let ((), _) = with_task(bytes.len(), |task| {
                let before = task.budget.left().memory;
                assert_eq!(streamed(pack, located, task).expect(name), *payload, "{name}");
                assert_eq!(task.budget.left().memory, before, "{name}");
                assert_eq!(&pack.load(located, task).expect(name), payload, "{name}");
                assert_eq!(&pack.decode(located, &chunk, task).expect(name), payload, "{name}");
                pack.payload_into(located, &mut buffer, task).expect(name);
                assert_eq!(buffer, *payload, "{name}");
                let half = payload.len() as u64 / 2;
                let part = pack.read_range(located, half / 2..half, task);
                if located.compression() == Compression::NONE {
                    assert_eq!(part.expect(name), payload[half as usize / 2..half as usize]);
                    let past = half..payload.len() as u64 + 1;
                    let error = pack.read_range(located, past, task).unwrap_err();
                    assert_eq!(error.code().id, "SP001");
                } else {
                    assert_eq!(part.unwrap_err().code().id, "SP024", "{name}");
                }
            });
        }
    }
    all.len()
}

#[test]
fn every_way_to_a_payload_leads_to_the_same_bytes() {
    for sample in spelunk_fixtures::samples().into_iter().filter(|is| is.format == "snpak") {
        assert_every_way(sample.name, &sample.fixture.bytes);
    }
    let Some(files) = corpus::files("snpak", &["snpak"]) else { return };
    let chunks: usize = files.iter().map(|file| assert_every_way(&file.name, &file.bytes)).sum();
    assert_eq!(chunks, 196);
}

/// An asset of several blocks in each compression.
fn large() -> made::Pack {
    let mut state = 1_u32;
    let mut noise = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    };
    let data: Vec<u8> = (0..5 * BLOCK / 2).map(|n| if n % 3 == 0 { noise() } else { 7 }).collect();
    let bulk = (0..5).map(|id| Bulk {
        semantic: 1,
        sub_index: id.into(),
        codec: Codec { id, level: 0 },
        data: data.clone(),
    });
    let asset = Asset { bulk: bulk.collect(), ..samples::pack().assets[0].clone() };
    made::Pack { assets: vec![asset], ..samples::pack() }
}

#[test]
fn large_payloads_need_little_memory_block_by_block() {
    let file = large().build();
    assert_eq!(assert_every_way("large", &file.bytes), 6);
    let remote = Remote::new(&file.bytes);
    let (pack, _) = with_task(file.bytes.len(), |task| Pack::read_from(remote.clone(), task));
    let pack = pack.expect("a pack");
    for nth in 0..5 {
        let located = pack.locate_bulk(0, nth).expect("a place");
        let mut sizes = Vec::new();
        let mut sink = Collect::default();
        let mut task = Task::new(Budget::new(Limits::for_len(1 << 30)), &mut sink);
        let given = task.budget.left().memory;
        let mut most = 0;
        pack.stream(&located, &mut task, &mut |block, task| {
            sizes.push(block.len());
            most = most.max(given - task.budget.left().memory);
            Ok(())
        })
        .expect("a payload");
        assert_eq!(sizes.iter().sum::<usize>(), 5 * BLOCK / 2);
        match located.compression() {
            Compression::NONE => assert_eq!(most, BLOCK as u64),
            Compression::LZ4 | Compression::LZ4_HC => assert!(most >= 5 * BLOCK as u64 / 2),
            // Twice the window, which is no larger than this content, and the blocks.
            _ => assert!(most <= 9 * BLOCK as u64, "{most}"),
        }
    }
}

#[test]
fn blocks_of_damaged_payloads_end_with_an_error() {
    let large = large().build();
    for (nth, id) in [(0, "chunks[1]"), (1, "chunks[2]"), (2, "chunks[3]")] {
        let mut file = large.clone();
        let at = file.offset_of(&format!("{id}.data")) + 1000;
        file.bytes[at] ^= 0x55;
        let pack = open_sound(&file.bytes);
        let located = pack.locate_bulk(0, nth).expect("a place");
        let (result, _) = with_task(file.bytes.len(), |task| streamed(&pack, &located, task));
        let code = result.unwrap_err().code().id;
        assert!([codes::PAYLOAD_HASH.id, codes::DECODE.id].contains(&code), "{code}");
    }
    // The stored bytes end too early, or the plain ones do.
    for (part, by) in
        [("size_compressed", -9_i64), ("size_uncompressed", -9), ("size_uncompressed", 9)]
    {
        for chunk in 1..=5 {
            let mut file = large.clone();
            let name = format!("chunks[{chunk}].{part}");
            let size = file.u64_of(&name).wrapping_add_signed(by);
            file.poke(&name, &size.to_le_bytes());
            let options = OpenOptions { checks: Checks::IndexOnly, ..OpenOptions::default() };
            let source = Arc::new(Bytes::from(file.bytes.clone()));
            let (pack, _) =
                with_task(file.bytes.len(), |task| Pack::open_with(source, &options, task));
            let pack = pack.expect("a pack");
            let located = pack.locate_bulk(0, chunk - 1).expect("a place");
            let (result, _) = with_task(file.bytes.len(), |task| streamed(&pack, &located, task));
            let code = result.unwrap_err().code().id;
            assert!([codes::PLAIN_SIZE.id, codes::DECODE.id].contains(&code), "{name}: {code}");
        }
    }
}

#[test]
fn what_sees_the_blocks_can_end_the_reading() {
    let file = large().build();
    let pack = open_sound(&file.bytes);
    for nth in 0..5 {
        let located = pack.locate_bulk(0, nth).expect("a place");
        let mut seen = 0;
        let (result, _) = with_task(file.bytes.len(), |task| {
            pack.stream(&located, task, &mut |_, _| {
                seen += 1;
                Err(spelunk_core::Error::io(std::io::ErrorKind::StorageFull.into()))
            })
        });
        assert_eq!((result.unwrap_err().code().id, seen), ("SP020", 1));
    }
}

#[test]
fn one_asset_costs_header_tables_and_its_chunk() {
    let file = samples::pack().build();
    let remote = Remote::new(&file.bytes);
    let (pack, _) = with_task(file.bytes.len(), |task| Pack::read_from(remote.clone(), task));
    let pack = pack.expect("a pack");
    let range = |part: &str, len: u64| {
        let start = file.offset_of(part) as u64;
        start..start + len
    };
    let strings = range("strings[0]", pack.strings().at().len);
    let index = range("index[0]", pack.index().at().len);
    assert_eq!(remote.taken(), [0..180, strings, index]);
    let inside = |reads: Vec<Range<u64>>, located: &Located| {
        let at = located.range();
        assert!(!reads.is_empty());
        assert!(reads.iter().all(|read| at.start <= read.start && read.end <= at.end), "{reads:?}");
        assert_eq!(reads.iter().map(|read| read.end - read.start).sum::<u64>(), at.end - at.start);
    };
    let ((), _) = with_task(file.bytes.len(), |task| {
        let row = pack.by_name(b"levels/forest", &mut task.budget).expect("enough memory")[0];
        let located = pack.locate(row).expect("a place");
        assert!(remote.taken().is_empty(), "finding and locating read nothing");
        pack.payload(row, task).expect("a payload");
        inside(remote.taken(), &located);
        let mut buffer = Vec::new();
        pack.payload_into(&located, &mut buffer, task).expect("a payload");
        inside(remote.taken(), &located);
        // Bytes that the caller fetched are not read again.
        let at = located.range();
        let chunk = Bytes::copy_from_slice(&file.bytes[at.start as usize..at.end as usize]);
        assert_eq!(pack.decode(&located, &chunk, task).expect("a payload"), buffer);
        assert!(remote.taken().is_empty());
        let short = chunk.slice(..chunk.len() - 1);
        assert_eq!(pack.decode(&located, &short, task).unwrap_err().code().id, "SP001");
    });
}

#[test]
fn stored_payloads_are_lent_and_ranges_read_no_more() {
    let file = samples::pack().build();
    let remote = Remote::new(&file.bytes);
    let (pack, _) = with_task(file.bytes.len(), |task| Pack::read_from(remote.clone(), task));
    let pack = pack.expect("a pack");
    let located = pack.locate_bulk(0, 0).expect("a place");
    assert_eq!(located.compression(), Compression::NONE);
    remote.taken();
    let (part, _) = with_task(file.bytes.len(), |task| pack.read_range(&located, 5..9, task));
    assert_eq!(part.expect("a range").len(), 4);
    let start = located.range().start;
    assert_eq!(remote.taken(), [start..start + 80, start + 85..start + 89]);

    let source = Bytes::from(file.bytes.clone());
    let range = source.as_ptr_range();
    let (pack, _) =
        with_task(file.bytes.len(), |task| Pack::read_from(Arc::new(source.clone()), task));
    let (payload, _) =
        with_task(file.bytes.len(), |task| pack.expect("a pack").load(&located, task));
    assert!(range.contains(&payload.expect("a payload").as_ptr()));
}

#[test]
fn buffers_grow_when_they_have_to() {
    let file = samples::pack().build();
    let pack = open_sound(&file.bytes);
    let all = chunks(&pack);
    let longest = all.iter().map(|(_, payload)| payload.len()).max().expect("chunks");
    let mut buffer = Vec::with_capacity(longest);
    let place = buffer.as_ptr();
    let ((), _) = with_task(file.bytes.len(), |task| {
        let before = task.budget.left().memory;
        for (located, payload) in &all {
            pack.payload_into(located, &mut buffer, task).expect("a payload");
            assert_eq!(buffer, *payload);
        }
        assert_eq!(task.budget.left().memory, before, "there was room");
        assert_eq!(buffer.as_ptr(), place);
        let mut small = Vec::new();
        for (located, _) in &all {
            pack.payload_into(located, &mut small, task).expect("a payload");
        }
        assert!(before - task.budget.left().memory <= small.capacity() as u64);
    });
    // What is beyond the limit has no room made for it.
    let (located, _) = all.iter().find(|(_, payload)| payload.len() > 100).expect("a chunk");
    let mut sink = Collect::default();
    let limits = Limits { memory: 10, ..Limits::for_len(0) };
    let mut task = Task::new(Budget::new(limits), &mut sink);
    let mut buffer = b"old".to_vec();
    let error = pack.payload_into(located, &mut buffer, &mut task).unwrap_err();
    assert_eq!((error.code().id, buffer.len()), ("SP010", 0));
}

#[test]
fn memory_of_the_caller_is_as_long_as_the_payload() {
    let file = samples::pack().build();
    let pack = open_sound(&file.bytes);
    for (located, payload) in chunks(&pack) {
        let ((), _) = with_task(file.bytes.len(), |task| {
            let before = task.budget.left().memory;
            let mut memory = vec![0xAB; payload.len() + 8];
            let (plain, behind) = memory.split_at_mut(payload.len());
            pack.payload_to(&located, plain, task).expect("a payload");
            assert_eq!((&*plain, &*behind), (&payload[..], &[0xAB; 8][..]));
            assert_eq!(task.budget.left().memory, before);
            for wrong in [payload.len() + 1, payload.len().wrapping_sub(1)] {
                let Some(short) = memory.get_mut(..wrong) else { continue };
                let error = pack.payload_to(&located, short, task).unwrap_err();
                assert_eq!(error.code().id, "SP010");
            }
        });
    }
}

#[test]
fn rows_that_cannot_be_right_are_not_located() {
    let mut file = samples::pack().build();
    file.poke("index[0].tables.entries[0].chunk_offset", &u64::MAX.to_le_bytes());
    file.poke("index[0].tables.entries[1].chunk_size", &79_u64.to_le_bytes());
    let pack = open(&file.bytes).0.expect("a pack");
    for (row, code) in [(0, codes::CHUNK_RANGE.id), (1, codes::STORED_SIZE.id), (999, "SP022")] {
        assert_eq!(pack.locate(row).unwrap_err().code().id, code);
    }
    assert_eq!(pack.locate_bulk(2, 999).unwrap_err().code().id, "SP022");
}

#[test]
fn assets_are_found_by_variant_kind_and_bulk_number() {
    let pack = open_sound(&samples::pack().build().bytes);
    let (found, _) = with_task(0, |task| {
        let budget = &mut task.budget;
        let mut by = |variant| {
            pack.by_name_and_variant(b"textures/bark", variant, budget).expect("enough memory")
        };
        (by(None), by(Some(&b"mobile"[..])), by(Some(&b"desktop"[..])))
    });
    assert_eq!(found, (vec![0], vec![1], vec![]));
    let kind = |row: usize| pack.entry(row).expect("an entry").asset_kind.0;
    let textures: Vec<usize> = pack.by_kind(kind(0)).collect();
    assert!(textures.starts_with(&[0, 1]) && textures.iter().all(|row| kind(*row) == kind(0)));
    let of_kind = pack.index().entries().iter().filter(|entry| entry.asset_kind.0 == kind(0));
    assert_eq!(textures.len(), of_kind.count());
    for (nth, bulk) in pack.bulk(pack.entry(0).expect("an entry")).iter().enumerate() {
        let (semantic, sub_index) = (bulk.semantic.get(), bulk.sub_index.get());
        assert_eq!(pack.bulk_by(0, semantic, sub_index).collect::<Vec<_>>(), [nth]);
    }
    assert_eq!(pack.bulk_by(0, 9, 9).count() + pack.bulk_by(999, 1, 0).count(), 0);
    let id: AssetId = pack.entry(0).expect("an entry").asset_id.into();
    let text = format!("{{{}}}", id.to_string().to_uppercase());
    assert_eq!(text.parse::<AssetId>().expect("an id"), id);
    assert_eq!(FormatLimits::default(), FormatLimits::CURRENT);
}
