//! The calls of the builder and the reader against chunks that the fixtures assemble.

use spelunk_core::{
    Span,
    scalar::Guid,
    zerocopy::{IntoBytes, little_endian::U32},
};
use spelunk_fixtures::chunk::Chunk as Fixture;
use test_support::task::budget;
use virtools::chunk::{
    Chunk, Form,
    buffer::{ChunkBuf, Header},
    build::Builder,
    decoded::Decoded,
    item::MAX_DEPTH,
    read::{ObjRef, Padded, Reader},
    remap::{self, Unmapped},
};

const AT: Span = Span::file(0, 0);
/// Its second half is a number that the tables of the tests would change.
const MANAGER: (u32, u32) = (0x3D24_2466, 1);

fn guid((d1, d2): (u32, u32)) -> Guid {
    Guid { d1: U32::new(d1), d2: U32::new(d2) }
}

fn words(values: &[u32]) -> Vec<U32> {
    values.iter().copied().map(U32::new).collect()
}

/// The chunk versions that each generation has, with the modes that go with them.
fn headers() -> impl Iterator<Item = Header> {
    let raw = (0..=7).map(|version| Header::new(33, 2, version));
    let file = (6..=7).map(|version| Header { file_mode: true, ..Header::new(33, 2, version) });
    raw.chain(file)
}

fn fixture(header: &Header) -> Fixture {
    let fixture = if header.file_mode { Fixture::object(33) } else { Fixture::sub(33) };
    fixture.version(header.chunk_version()).data_version(2)
}

/// Checks a chunk against the assembler, its copy and its decoded form; gives its bytes.
fn same(chunk: &ChunkBuf, fixture: &Fixture) -> Vec<u8> {
    let bytes = fixture.build().bytes;
    assert_eq!(chunk.to_bytes().unwrap(), bytes);
    let view = Chunk::read(&bytes, AT).unwrap();
    assert_eq!(ChunkBuf::copy(&view, &mut budget(1 << 16)).unwrap(), *chunk);
    assert_eq!(Decoded::of(&view, &mut budget(1 << 16)).unwrap().build().unwrap(), *chunk);
    bytes
}

#[test]
fn primitives() {
    let odd = Padded { bytes: b"ab\0", padding: &[0x6E] };
    for header in headers() {
        let mut b = Builder::new(header);
        b.identifier(0x10).unwrap();
        b.byte(0x80).unwrap().signed_byte(-128).unwrap().word(0xFFFE).unwrap();
        b.int(-2).unwrap().dword(0xFFFF_0001).unwrap().dword_as_words(1, 2).unwrap();
        b.float(1.5).unwrap().guid(guid(MANAGER)).unwrap();
        b.vector2([1.0, 2.0]).unwrap().vector([3.0, 4.0, 5.0]).unwrap();
        b.quaternion([0.5; 4]).unwrap().colour([0.25; 4]).unwrap().matrix([2.0; 16]).unwrap();
        b.identifier(0x20).unwrap();
        b.string(Some(b"")).unwrap().string(Some(b"abc")).unwrap().string(None).unwrap();
        b.padded(odd).unwrap().wide_string(Some(&[0x41, 0x42])).unwrap().wide_string(None).unwrap();
        b.buffer(b"12345").unwrap().null_buffer().unwrap().buffer_no_size(b"12345").unwrap();
        b.padded_no_size(odd).unwrap().array(&[1, 2, 3, 4, 5, 6], 3).unwrap();
        b.array(&[], 0).unwrap().dwords(&words(&[8, 9])).unwrap();

        let expected = fixture(&header)
            .identifier(0x10)
            .words(&[0x80, 0xFFFF_FF80, 0xFFFE, 0xFFFF_FFFE, 0xFFFF_0001, 0x0002_0001])
            .floats(&[1.5])
            .guid(MANAGER)
            .floats(&[1.0, 2.0, 3.0, 4.0, 5.0])
            .floats(&[0.5; 4])
            .floats(&[0.25; 4])
            .floats(&[2.0; 16])
            .identifier(0x20)
            .string(b"")
            .string(b"abc")
            .null_string()
            .string_with_garbage(b"ab")
            .words(&[3, 0x0042_0041, 0, 0])
            .buffer(b"12345")
            .word(0)
            .words(&[0x3433_3231, 0x35, 0x6E00_6261])
            .words(&[6, 3, 0x0403_0201, 0x0605])
            .words(&[0, 0, 8, 9]);
        let bytes = same(&b.finish(), &expected);

        let chunk = Chunk::read(&bytes, AT).unwrap();
        let mut r = Reader::section(chunk, 0x10).unwrap();
        assert_eq!(r.remaining(), 38);
        assert_eq!([r.byte("a").unwrap(), r.byte("a").unwrap()], [0x80, 0x80]);
        assert_eq!((r.word("a").unwrap(), r.int("a").unwrap()), (0xFFFE, -2));
        assert_eq!(r.dword("a").unwrap(), 0xFFFF_0001);
        assert_eq!(r.dword_as_words("a").unwrap(), (1, 2));
        assert_eq!((r.float("a").unwrap(), r.guid("a").unwrap()), (1.5, guid(MANAGER)));
        assert_eq!(r.vector2("a").unwrap(), [1.0, 2.0]);
        assert_eq!(r.vector("a").unwrap(), [3.0, 4.0, 5.0]);
        assert_eq!((r.quaternion("a").unwrap(), r.colour("a").unwrap()), ([0.5; 4], [0.25; 4]));
        assert_eq!(r.matrix("a").unwrap(), [2.0; 16]);
        assert_eq!(r.remaining(), 0, "the next section is not reached");
        let error = r.dword("more").unwrap_err();
        assert_eq!((error.code().id, error.path()), ("VT057", "0x10.more".to_owned()));
        let place = (chunk.header_len() as u64 + 40) * 4;
        assert_eq!(error.place(), Some(Span::file(place, 0)));

        let mut r = Reader::section(chunk, 0x20).unwrap();
        let empty = r.string("a").unwrap();
        assert!(!empty.is_null() && empty.text().is_empty() && empty.bytes == [0]);
        assert_eq!(r.string("a").unwrap().text(), b"abc");
        assert!(r.string("a").unwrap().is_null());
        assert_eq!(r.string("a").unwrap(), odd);
        assert_eq!(r.wide_string("a").unwrap().bytes, b"A\0B\0\0\0");
        assert!(r.wide_string("a").unwrap().is_null());
        assert_eq!(r.buffer("a").unwrap(), Padded { bytes: b"12345", padding: &[0; 3] });
        assert!(r.buffer("a").unwrap().is_null());
        assert_eq!(r.buffer_no_size(5, "a").unwrap().bytes, b"12345");
        assert_eq!(r.buffer_no_size(3, "a").unwrap(), odd);
        let (count, elements) = r.array("a").unwrap();
        assert_eq!((count, elements.bytes), (3, &[1, 2, 3, 4, 5, 6][..]));
        assert_eq!(r.array("a").unwrap().0, 0);
        assert_eq!(r.dwords(2, "a").unwrap(), words(&[8, 9]));
        assert_eq!(r.remaining(), 0);
        assert_eq!(Reader::section(chunk, 0x30).unwrap_err().code().id, "VT056");
    }
}

#[test]
fn references() {
    const OBJECT: [u32; 3] = [0xE32B_C4C9, 0x1342_12E3, 0xFCBA_E9DC];
    const ARRAY: [u32; 5] = [0xE192_BD47, 0x1324_6628, 0x13EA_B3CE, 0x7891_AEFC, 0x1398_4562];
    for header in headers() {
        let mut b = Builder::new(header);
        b.identifier(1).unwrap().object(Some(5)).unwrap().object(None).unwrap();
        b.objects(&[]).unwrap().objects(&[Some(6), None]).unwrap();
        let expected = fixture(&header).identifier(1);
        let old = header.chunk_version() < 4;
        let expected = if old {
            let ids = [2, 6, 0];
            expected.words(&OBJECT).word(5).words(&[0, 0]).words(&ARRAY).words(&ids)
        } else {
            let ids = expected.object_ref(Some(5)).object_ref(None);
            ids.object_sequence(&[]).object_sequence(&[Some(6), None])
        };
        let bytes = same(&b.finish(), &expected);
        let chunk = Chunk::read(&bytes, AT).unwrap();
        let some = |value| if header.file_mode { ObjRef::Index(value) } else { ObjRef::Id(value) };
        let mut r = Reader::section(chunk, 1).unwrap();
        assert_eq!((r.object("a").unwrap(), r.object("a").unwrap()), (some(5), ObjRef::Null));
        assert_eq!(r.objects("a").unwrap().len(), 0);
        assert_eq!(r.objects("a").unwrap().collect::<Vec<_>>(), [some(6), ObjRef::Null]);
        assert_eq!(r.remaining(), 0);

        let up = |id: u32| (id == 5).then_some(9);
        let change = |unmapped| {
            let changed =
                remap::objects(&chunk, &bytes, &up, unmapped, &mut budget(1 << 16)).unwrap();
            changed.map(|bytes| Chunk::read(&bytes, AT).unwrap().data.to_vec())
        };
        let changed = |other: u32| {
            let map = |value: u32| match value {
                5 => 9,
                6 => other,
                value => value,
            };
            let data = chunk.data.iter().map(|word| U32::new(map(word.get())));
            (!header.file_mode).then(|| data.collect::<Vec<_>>())
        };
        assert_eq!(change(Unmapped::Keep), changed(6));
        assert_eq!(change(Unmapped::Null), changed(0));
    }
    let mut b = Builder::new(Header::object(1));
    assert_eq!(b.object(Some(u32::MAX)).unwrap_err().code().id, "VT054");
    assert_eq!(b.listed_object(1).unwrap_err().code().id, "VT054");
    let mut b = Builder::new(Header::new(1, 0, 7));
    b.listed_object(0).unwrap().object(None).unwrap();
    assert_eq!(b.finish().ids.unwrap(), words(&[0]));
}

#[test]
fn sub_chunks() {
    for header in headers() {
        let version = header.chunk_version();
        let raw = Header { file_mode: false, ..header };
        let mut inner = Builder::new(raw);
        inner.identifier(7).unwrap().object(Some(300)).unwrap();
        let inner = inner.finish();
        let mut middle = Builder::new(raw);
        middle.identifier(8).unwrap().sub_chunk(Some(&inner)).unwrap();
        let middle = middle.finish();
        let mut b = Builder::new(header);
        b.identifier(9).unwrap().sub_chunk(Some(&middle)).unwrap().sub_chunk(None).unwrap();
        b.sub_chunks([Some(&middle), None, Some(&inner)]).unwrap().sub_chunks([]).unwrap();

        let below_4 = version < 4;
        let start = |id| fixture(&raw).identifier(id);
        let inner = if below_4 {
            start(7).words(&[0xE32B_C4C9, 0x1342_12E3, 0xFCBA_E9DC, 300])
        } else {
            start(7).object_ref(Some(300))
        };
        // Below version 4 no list tells of sub-chunks.
        let middle = if below_4 {
            start(8).words(&inner.as_sub_chunk(version))
        } else {
            start(8).sub_chunk(&inner)
        };
        let expected = fixture(&header).identifier(9);
        let expected = if below_4 {
            let (one, two) = (middle.as_sub_chunk(version), inner.as_sub_chunk(version));
            let sequence = expected.words(&one).words(&[0, 3]).words(&one);
            sequence.word(0).words(&two).word(0)
        } else {
            let one = expected.sub_chunk(&middle).null_sub_chunk();
            let sequence = [Some(middle), None, Some(inner)];
            one.sub_chunk_sequence(&sequence).sub_chunk_sequence(&[])
        };
        let bytes = same(&b.finish(), &expected);

        let chunk = Chunk::read(&bytes, AT).unwrap();
        let mut r = Reader::section(chunk, 9).unwrap();
        let middle = r.sub_chunk("a").unwrap().unwrap();
        assert!(r.sub_chunk("a").unwrap().is_none());
        let all = r.sub_chunks("a").unwrap().collect::<Result<Vec<_>, _>>().unwrap();
        let classes = all.iter().map(|sub| sub.map(|sub| sub.class_id)).collect::<Vec<_>>();
        assert_eq!(classes, [Some(33), None, Some(33)]);
        assert!(r.sub_chunks("a").unwrap().is_empty());
        assert_eq!(r.remaining(), 0);
        let inner = Reader::section(middle, 8).unwrap().sub_chunk("a").unwrap().unwrap();
        let id = Reader::section(inner, 7).unwrap().object("a").unwrap();
        assert_eq!(id, ObjRef::Id(300));

        let up = |id: u32| Some(id + 1);
        let changed =
            remap::objects(&chunk, &bytes, &up, Unmapped::Keep, &mut budget(1 << 16)).unwrap();
        let changed = changed.unwrap();
        let differing = changed.chunks(4).zip(bytes.chunks(4)).filter(|(a, b)| a != b);
        let found: Vec<_> = differing.map(|(new, _)| new[0]).collect();
        assert_eq!(found, [45; 3], "300 is 0x12C, and 301 stands in its three places");
    }
}

#[test]
fn numbers_of_managers() {
    for header in headers() {
        let mut b = Builder::new(header);
        b.identifier(1).unwrap();
        if header.chunk_version() < 5 {
            assert_eq!(b.manager_int(guid(MANAGER), 1).unwrap_err().code().id, "VT054");
            assert_eq!(b.manager_ints(guid(MANAGER), &[]).unwrap_err().code().id, "VT054");
            assert_eq!(b.finish().data.len(), 2, "nothing was written");
            continue;
        }
        b.manager_int(guid(MANAGER), 1).unwrap().manager_int(guid((1, 2)), 1).unwrap();
        b.manager_ints(guid(MANAGER), &words(&[2, 0, u32::MAX, 3])).unwrap();
        b.manager_ints(guid(MANAGER), &[]).unwrap();
        let expected = fixture(&header)
            .identifier(1)
            .manager_int(MANAGER, 1)
            .manager_int((1, 2), 1)
            .manager_sequence(MANAGER, &[2, 0, u32::MAX, 3])
            .manager_sequence(MANAGER, &[]);
        let bytes = same(&b.finish(), &expected);
        let chunk = Chunk::read(&bytes, AT).unwrap();
        let numbers = |bytes: &[u8]| {
            let mut r = Reader::section(Chunk::read(bytes, AT).unwrap(), 1).unwrap();
            assert_eq!(r.manager_int("a").unwrap().0, guid(MANAGER));
            let other = r.manager_int("a").unwrap().1;
            let (manager, values) = r.manager_ints("a").unwrap();
            assert_eq!(manager, guid(MANAGER));
            assert!(r.manager_ints("a").unwrap().1.is_empty());
            assert_eq!(r.remaining(), 0);
            (other, values.to_vec())
        };
        assert_eq!(numbers(&bytes), (1, words(&[2, 0, u32::MAX, 3])));
        let table = [10, 11, 12];
        let change = |manager, table| {
            remap::manager_ints(&chunk, &bytes, manager, table, &mut budget(1 << 16)).unwrap()
        };
        let changed = change(guid(MANAGER), &table).unwrap();
        assert_eq!(numbers(&changed), (1, words(&[12, 10, u32::MAX, 3])));
        assert_eq!(change(guid((3, 3)), &table), None);
    }
}

#[test]
fn joined_chunks() {
    for header in headers() {
        let listed = header.chunk_version() >= 5;
        let part = |first: u32| {
            let mut b = Builder::new(header);
            b.identifier(first).unwrap().object(Some(4)).unwrap();
            b.identifier(first + 1).unwrap().objects(&[Some(5)]).unwrap();
            if listed {
                b.manager_int(guid(MANAGER), 6).unwrap();
            }
            b
        };
        let mut whole = part(1);
        whole.identifier(8).unwrap().object(Some(4)).unwrap();
        whole.identifier(9).unwrap().objects(&[Some(5)]).unwrap();
        if listed {
            whole.manager_int(guid(MANAGER), 6).unwrap();
        }
        whole.identifier(10).unwrap();
        let mut joined = Builder::new(Header::object(33));
        joined.append(&part(1).finish()).unwrap().append(&part(8).finish()).unwrap();
        joined.append(&Builder::new(header).finish()).unwrap().identifier(10).unwrap();
        assert_eq!(joined.finish().data, whole.clone().finish().data);
        let mut joined = part(1);
        joined.append(&part(8).finish()).unwrap().identifier(10).unwrap();
        assert_eq!(joined.finish(), whole.finish());
    }
    let mut other = Builder::new(Header { file_mode: true, ..Header::new(1, 9, 6) });
    other.identifier(2).unwrap();
    let other = other.finish();
    let mut b = Builder::new(Header::object(33));
    b.identifier(1).unwrap().append(&other).unwrap();
    let header = b.finish().header;
    assert_eq!(header, Header { file_mode: true, ..Header::new(33, 9, 6) });
    let mut raw = Builder::new(Header::new(33, 9, 6));
    raw.append(&other).unwrap();
    assert!(raw.finish().header.file_mode, "an empty chunk takes all over");
    let mut raw = Builder::new(Header::new(33, 9, 6));
    raw.identifier(1).unwrap();
    assert_eq!(raw.append(&other).unwrap_err().code().id, "VT054");
    let mut loose = Builder::new(Header::object(33));
    loose.dword(1).unwrap();
    assert_eq!(loose.append(&other).unwrap_err().code().id, "VT054");
    assert_eq!(loose.identifier(1).unwrap_err().code().id, "VT054");
    let mut damaged = ChunkBuf::new(Header::object(1));
    damaged.data = words(&[1, 1, 0]);
    let error = Builder::new(Header::object(1)).append(&damaged).unwrap_err();
    assert_eq!(error.code().id, "VT042");
}

#[test]
fn a_sub_chunk_that_was_read_keeps_its_header() {
    let mut sub = Builder::new(Header { file_mode: true, ..Header::new(u32::MAX, 3, 6) });
    sub.identifier(1).unwrap();
    let words = sub.clone().finish().to_sub_chunk(7).unwrap();
    let expected = Fixture::object(u32::MAX).version(6).data_version(3).identifier(1);
    let stored: Vec<_> = words.iter().map(|word| word.get()).collect();
    assert_eq!(stored, expected.as_sub_chunk(7));
    let mut b = Builder::new(Header::object(8));
    b.identifier(0x10).unwrap().sub_chunk(Some(&sub.finish())).unwrap();
    let mut parent = b.finish();
    // HasFile is any number, and the versions have high bytes.
    parent.data[6] = U32::new(5);
    parent.data[4] = U32::new(0x0106_0203);
    let sub = Reader::section(parent.view(AT), 0x10).unwrap().sub_chunk("a").unwrap().unwrap();
    assert_eq!((sub.form, sub.file_mode, sub.extra), (Form::Sub, true, 5));
    let copy = ChunkBuf::copy(&sub, &mut budget(1 << 16)).unwrap();
    assert_eq!(copy.to_sub_chunk(7).unwrap(), parent.data[2..]);
    assert_eq!(copy.to_bytes().unwrap(), parent.data[2..].as_bytes());
    let again = Decoded::of(&parent.view(AT), &mut budget(1 << 16)).unwrap().build().unwrap();
    assert_eq!(again, parent);
}

#[test]
fn sub_chunks_do_not_change_their_mode() {
    let with_file = Builder::new(Header::object(1)).finish();
    let mut stored = with_file.clone();
    stored.header = Header { form: Form::Sub, extra: 1, file_mode: false, ..stored.header };
    let mut file = Builder::new(Header::object(8));
    let mut raw = Builder::new(Header::new(8, 0, 7));
    let mut old = Builder::new(Header::new(8, 0, 3));
    file.sub_chunk(Some(&with_file)).unwrap();
    raw.sub_chunk(Some(&stored)).unwrap();
    for (builder, sub) in [(&mut file, &stored), (&mut raw, &with_file), (&mut old, &with_file)] {
        assert_eq!(builder.sub_chunk(Some(sub)).unwrap_err().code().id, "VT054");
        assert_eq!(builder.sub_chunks([Some(sub)]).unwrap_err().code().id, "VT054");
    }
}

#[test]
fn reads_that_fail_take_nothing() {
    let mut b = Builder::new(Header::new(1, 0, 7));
    b.identifier(1).unwrap().dwords(&words(&[100, 1])).unwrap().identifier(2).unwrap();
    b.dwords(&words(&[0; 200])).unwrap();
    let chunk = b.finish();
    let mut r = Reader::section(chunk.view(AT), 1).unwrap();
    assert_eq!(r.buffer("a").unwrap_err().code().id, "VT057");
    assert_eq!(r.array("a").unwrap_err().code().id, "VT057");
    assert_eq!(r.objects("a").unwrap_err().code().id, "VT057");
    assert_eq!(r.manager_int("a").unwrap_err().code().id, "VT057");
    assert_eq!(r.manager_ints("a").unwrap_err().code().id, "VT057");
    assert_eq!(r.sub_chunk("a").unwrap_err().code().id, "VT057");
    assert_eq!(r.sub_chunks("a").unwrap_err().code().id, "VT044");
    assert_eq!(r.wide_string("a").unwrap_err().code().id, "VT057");
    assert_eq!((r.position(), r.remaining()), (2, 2));
    r.dwords(2, "a").unwrap();
    assert_eq!(r.sub_chunks("a").unwrap_err().code().id, "VT057", "the next section has a count");
}

#[test]
fn lists_that_programs_would_not_write_are_not_built_again() {
    for ids in [vec![3, 2], vec![9], vec![u32::MAX], vec![]] {
        let mut chunk = ChunkBuf::new(Header::new(1, 0, 7));
        chunk.data = words(&[1, 0, 5, 5]);
        chunk.ids = Some(words(&ids));
        let error = Decoded::of(&chunk.view(AT), &mut budget(1 << 16)).unwrap_err();
        assert_eq!(error.code().id, "VT058");
        let bytes = chunk.to_bytes().unwrap();
        let copy = ChunkBuf::copy(&Chunk::read(&bytes, AT).unwrap(), &mut budget(1 << 16)).unwrap();
        assert_eq!(copy, chunk);
    }
}

#[test]
fn nesting_has_an_end() {
    let nested = |levels: usize| {
        let mut chunk = Builder::new(Header::new(1, 0, 7));
        chunk.object(Some(1)).unwrap();
        (1..levels).fold(chunk.finish(), |inner, _| {
            let mut outer = Builder::new(Header::new(1, 0, 7));
            outer.sub_chunk(Some(&inner)).unwrap();
            outer.finish()
        })
    };
    // The chunk itself, and as many levels of sub-chunks.
    let deepest = nested(1 + MAX_DEPTH);
    assert_eq!(
        Decoded::of(&deepest.view(AT), &mut budget(1 << 16)).unwrap().build().unwrap(),
        deepest
    );
    assert_eq!(remap::places(&deepest.view(AT), &mut budget(1 << 16)).unwrap().len(), 1);
    let deeper = nested(2 + MAX_DEPTH);
    let error = Decoded::of(&deeper.view(AT), &mut budget(1 << 16)).unwrap_err();
    assert_eq!(error.code().id, "VT045");
    let error = remap::places(&deeper.view(AT), &mut budget(1 << 16)).unwrap_err();
    assert_eq!(error.code().id, "VT045");
}
