//! Views of chunks in all of their forms, and what cannot be read.

use super::*;
use list::{ListKind, ListTarget};
use spelunk_fixtures::chunk::Chunk as Sample;
use zerocopy::IntoBytes;

/// The chunk of a record.
pub(super) fn view(bytes: &[u8]) -> Chunk<'_> {
    Chunk::read(bytes, Span::file(0, bytes.len() as u64)).unwrap()
}

fn error(bytes: &[u8]) -> (&'static str, String) {
    let error = Chunk::read(bytes, Span::file(0, bytes.len() as u64)).unwrap_err();
    (error.code().id, error.path())
}

pub(super) const MANAGER: (u32, u32) = (0x466A_0FAC, 0);

/// A chunk of this version with one of everything.
pub(super) fn everything(version: u8) -> Sample {
    let inner = Sample::sub(80).version(version).identifier(0x50).object_ref(Some(7));
    let sub = Sample::sub(81).version(version).identifier(0x51).word(1).sub_chunk(&inner);
    let null = Sample::sub(82).version(version);
    Sample::sub(0x1D5)
        .version(version)
        .data_version(10)
        .identifier(0x40)
        .object_ref(Some(144))
        .word(5)
        .object_sequence(&[Some(1), None, Some(3)])
        .identifier(0x20000)
        .sub_chunk(&sub)
        .null_sub_chunk()
        .sub_chunk_sequence(&[None, Some(inner), Some(null)])
        .manager_int(MANAGER, 3)
        .manager_sequence(MANAGER, &[4, 5])
}

#[test]
fn every_generation_is_read() {
    for (version, form) in [(0, Form::A), (4, Form::A), (5, Form::B), (6, Form::C), (7, Form::C)] {
        let sample = everything(version);
        let bytes = sample.build().bytes;
        let chunk = view(&bytes);
        assert_eq!((chunk.form, chunk.chunk_version(), chunk.data_version()), (form, version, 10));
        let class = if form == Form::C { 0xD5 } else { 0x1D5 };
        assert_eq!(chunk.class_id, class);
        assert!(chunk.data.iter().map(|word| word.get()).eq(sample.words.iter().copied()));
        let managers = if form == Form::A { &[][..] } else { &sample.managers };
        for (list, stored) in [
            (chunk.ids, &sample.ids[..]),
            (chunk.chunks, &sample.chunks),
            (chunk.managers, managers),
        ] {
            let words = list.words().iter().map(|word| word.get().cast_signed());
            assert!(words.eq(stored.iter().copied()));
            assert_eq!(list.is_stored(), !stored.is_empty());
        }
        assert!(chunk.rest.is_empty() && !chunk.file_mode);
        let header = chunk.header();
        assert_eq!(header[..chunk.header_len()].as_bytes(), &bytes[..chunk.header_len() * 4]);
    }
}

#[test]
fn option_bits_tell_file_mode_and_empty_lists() {
    let bytes = [10, 2, 7, OPTION_FILE | OPTION_CHN | 0x80, 0, 0, 0, 0, 0, 0, 0, 0];
    let chunk = view(&bytes);
    assert!(chunk.file_mode && chunk.chunks.is_stored() && !chunk.ids.is_stored());
    assert_eq!((chunk.options(), chunk.chunks.words().len(), chunk.rest.len()), (0x8C, 0, 0));
}

#[test]
fn the_version_of_the_parent_tells_the_form_of_sub_chunks() {
    let inner = Sample::sub(u32::MAX).data_version(3).identifier(0x50).object_ref(Some(7));
    for (version, form) in
        [(0, Form::SubBare), (3, Form::SubBare), (4, Form::SubA), (5, Form::Sub), (7, Form::Sub)]
    {
        let sample = Sample::sub(1).version(version).identifier(0x10).sub_chunk(&inner).word(9);
        let bytes = sample.build().bytes;
        let parent = view(&bytes);
        let (sub, end) = parent.sub_chunk(2).unwrap();
        let sub = sub.unwrap();
        assert_eq!((sub.form, sub.class_id, end), (form, u32::MAX, sample.words.len() - 1));
        assert_eq!(sub.data.len(), 3);
        assert_eq!(sub.at, parent.data_at(2, end - 2));
        let first = sub.ids.entries().next();
        assert_eq!(first, (form != Form::SubBare).then_some(ListTarget::Single(2)));
        let stored = parent.data[2..2 + sub.header_len()].as_bytes();
        assert_eq!(sub.header()[..sub.header_len()].as_bytes(), stored);
        assert_eq!(sub.data_at(0, 1).start, sub.at.start + form.header_len() as u64 * 4);
    }
}

#[test]
fn a_sub_chunk_is_in_file_mode_only_with_its_parent() {
    for in_file in [false, true] {
        let sub = Sample::object(80).identifier(1);
        let parent = if in_file { Sample::object(2) } else { Sample::sub(2) };
        let bytes = parent.sub_chunk(&sub).build().bytes;
        let sub = view(&bytes).sub_chunk(0).unwrap().0.unwrap();
        assert_eq!((sub.extra, sub.file_mode), (1, in_file));
    }
}

#[test]
fn sizes_of_sub_chunks_are_checked() {
    let sub = Sample::sub(80).words(&[1, 2]).object_ref(Some(3));
    let sample = Sample::object(2).sub_chunk(&sub).null_sub_chunk();
    let words = sample.words.len() as u32;
    for (index, value, path) in [
        (0, words, "size"),
        (0, u32::MAX, "size"),
        (0, 6, "header"),
        (3, 5, "data_size"),
        (3, u32::MAX, "data_size"),
        (5, 2, "ids"),
        (6, 1, "chunks"),
        (7, u32::MAX, "managers"),
    ] {
        let mut damaged = sample.clone();
        damaged.words[index] = value;
        let bytes = damaged.build().bytes;
        let error = view(&bytes).sub_chunk(0).unwrap_err();
        assert_eq!((error.code().id, error.path().as_str()), ("VT044", path), "{index}");
    }
    let bytes = sample.build().bytes;
    let (null, end) = view(&bytes).sub_chunk(sample.words.len() - 1).unwrap();
    assert!(null.is_none() && end == sample.words.len());
    assert_eq!(view(&bytes).sub_chunk(end).unwrap_err().code().id, "VT044");
}

#[test]
fn what_is_longer_than_the_chunk_is_an_error() {
    for version in [4, 5, 7] {
        let whole = everything(version).build().bytes;
        assert!(view(&whole).rest.is_empty());
        for len in (0..whole.len()).step_by(4) {
            let (code, _) = error(&whole[..len]);
            let chunk = view(&whole);
            let data_end = chunk.data_at(chunk.data.len(), 0).start as usize;
            let header = chunk.header_len() * 4;
            let expected = match len {
                len if len < header => "VT026",
                len if len < data_end => "VT040",
                _ => "VT041",
            };
            assert_eq!(code, expected, "version {version}, {len} of {} bytes", whole.len());
        }
    }
    assert_eq!(error(&[0, 0, 7]).0, "VT026");
    let no_room = [0, 0, 7, OPTION_MAN, 0, 0, 0, 0];
    assert_eq!(error(&no_room), ("VT041", "managers".into()));
}

#[test]
fn what_is_behind_the_lists_is_kept() {
    for version in [4, 5, 7] {
        let mut bytes = everything(version).build().bytes;
        bytes.extend([1, 2, 3, 4, 5]);
        assert_eq!(view(&bytes).rest, [1, 2, 3, 4, 5]);
    }
}

#[test]
fn a_chunk_of_an_unknown_version_is_opaque() {
    let bytes = [1, 2, 8, 0xFF, 9, 9, 9, 9, 9];
    let chunk = view(&bytes);
    assert!(chunk.is_opaque() && chunk.data.is_empty());
    assert_eq!((chunk.rest, chunk.header_len()), (&bytes[4..], 1));
}

#[test]
fn old_records_are_data_alone() {
    let bytes = [1, 0, 0, 0, 0, 0, 0, 0, 7];
    let chunk = Chunk::bare(33, &bytes, Span::file(100, 9));
    assert_eq!((chunk.form, chunk.class_id, chunk.data.len()), (Form::Bare, 33, 2));
    assert_eq!(chunk.rest, [7]);
    assert_eq!(chunk.data_at(1, 1), Span::file(104, 4));
    assert_eq!(chunk.chunk_version(), 0);
}

/// The fixture names where its lists are.
#[test]
fn lists_lie_where_the_chunk_stores_them() {
    for version in [4, 5, 6, 7] {
        let fixture = everything(version).build();
        let chunk = view(&fixture.bytes);
        for (kind, part) in ListKind::ALL.into_iter().zip(["ids", "chn", "man"]) {
            let words = chunk.list(kind).words();
            if words.is_empty() {
                assert_eq!((version, kind), (4, ListKind::Managers));
                continue;
            }
            let at = chunk.list_at(kind, 0, words.len());
            let range = fixture.range_of(part);
            assert_eq!(at.start..at.end(), range.start as u64..range.end as u64, "{part}");
            assert_eq!(chunk.list_at(kind, 1, 1), at.part(4, 4));
        }
    }
}
