//! Chunks that are changed, converted and looked into, against chunks that the fixtures assemble.

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
    edit::Position,
    prototype::prototype,
    read::{ObjRef, Padded, Reader},
    remap,
    viewer::without_interface,
};

const AT: Span = Span::file(0, 0);
const MANAGER: (u32, u32) = (0x3D24_2466, 0);

fn guid((d1, d2): (u32, u32)) -> Guid {
    Guid { d1: U32::new(d1), d2: U32::new(d2) }
}

fn words(values: &[u32]) -> Vec<U32> {
    values.iter().copied().map(U32::new).collect()
}

#[test]
fn values_of_parameters() {
    let kind = (0x5A57_16FD, 0x44E2_76D7);
    let parameter = |mode: u32, size: u32, value: u32| {
        let chunk = Fixture::object(45).identifier(0x40).guid(kind);
        chunk.words(&[mode, size, value]).build().bytes
    };
    let change = |bytes: &[u8], kind| {
        let chunk = Chunk::read(bytes, AT).unwrap();
        let map = |value| (value == 4).then_some(7);
        remap::parameter(&chunk, bytes, guid(kind), &map, &mut budget(1 << 16)).unwrap()
    };
    assert_eq!(change(&parameter(1, 4, 4), kind), Some(parameter(1, 4, 7)), "not the size");
    assert_eq!(change(&parameter(1, 4, 4), (1, 1)), None);
    assert_eq!(change(&parameter(2, 4, 4), kind), None);
    assert_eq!(change(&parameter(1, 2, 4), kind), None);
    assert_eq!(change(&parameter(1, 4, 5), kind), None);
}

/// Sections with one of each kind of entry, in any order.
fn section(b: &mut Builder, nth: u32) {
    b.identifier(nth).unwrap();
    payload(b, nth);
}

fn payload(b: &mut Builder, nth: u32) {
    let mut sub = Builder::new(Header::new(80, 0, 7));
    sub.identifier(nth).unwrap();
    b.dwords(&words(&vec![nth; nth as usize])).unwrap();
    b.object(Some(nth)).unwrap().objects(&[Some(nth)]).unwrap();
    b.manager_int(guid(MANAGER), nth).unwrap().manager_ints(guid(MANAGER), &[]).unwrap();
    b.sub_chunk(Some(&sub.finish())).unwrap().sub_chunks([None]).unwrap();
}

fn sections(numbers: &[u32]) -> ChunkBuf {
    let mut b = Builder::new(Header::new(33, 0, 7));
    numbers.iter().for_each(|nth| section(&mut b, *nth));
    b.finish()
}

fn content(nth: u32) -> ChunkBuf {
    let mut b = Builder::new(Header::new(33, 0, 7));
    payload(&mut b, nth);
    b.finish()
}

#[test]
fn sections_come_and_go_as_if_they_had_always_been() {
    for gone in 1..=3 {
        let mut chunk = sections(&[1, 2, 3]);
        assert!(chunk.remove_section(gone).unwrap());
        assert!(!chunk.remove_section(gone).unwrap());
        let left: Vec<_> = (1..=3).filter(|nth| *nth != gone).collect();
        assert_eq!(chunk, sections(&left));
    }
    let mut chunk = sections(&[5]);
    assert!(chunk.remove_section(5).unwrap());
    assert_eq!(chunk, sections(&[]));

    for (position, order) in [
        (Position::First, [9, 1, 2, 3]),
        (Position::Last, [1, 2, 3, 9]),
        (Position::Before(1), [9, 1, 2, 3]),
        (Position::Before(3), [1, 2, 9, 3]),
        (Position::After(1), [1, 9, 2, 3]),
        (Position::After(3), [1, 2, 3, 9]),
    ] {
        let mut chunk = sections(&[1, 2, 3]);
        chunk.insert_section(position, 9, &content(9)).unwrap();
        assert_eq!(chunk, sections(&order));
    }
    let mut chunk = sections(&[]);
    chunk.set_section(4, &content(4)).unwrap();
    assert_eq!(chunk, sections(&[4]));

    for nth in 1..=3_u32 {
        let mut chunk = sections(&[1, 2, 3]);
        chunk.set_section(nth, &content(8)).unwrap();
        let mut expected = Builder::new(Header::new(33, 0, 7));
        for other in 1..=3 {
            expected.identifier(other).unwrap();
            payload(&mut expected, if other == nth { 8 } else { other });
        }
        assert_eq!(chunk, expected.finish());
        chunk.set_section(nth, &Builder::new(Header::new(33, 0, 7)).finish()).unwrap();
        chunk.set_section(nth, &content(nth)).unwrap();
        assert_eq!(chunk, sections(&[1, 2, 3]), "an empty section is filled again");
    }
}

#[test]
fn edits_that_make_no_sense_change_nothing() {
    let mut chunk = sections(&[1, 2]);
    let error = chunk.insert_section(Position::After(7), 3, &content(3)).unwrap_err();
    assert_eq!(error.code().id, "VT056");
    for header in [Header::object(33), Header::new(33, 0, 4), Header::new(33, 0, 3)] {
        let other = Builder::new(header).finish();
        assert_eq!(chunk.set_section(1, &other).unwrap_err().code().id, "VT054");
    }
    let mut wild = content(3);
    wild.ids = Some(words(&[90]));
    assert_eq!(chunk.set_section(1, &wild).unwrap_err().code().id, "VT043");
    wild.ids = None;
    wild.rest = vec![1];
    assert_eq!(chunk.set_section(1, &wild).unwrap_err().code().id, "VT054");
    assert_eq!(chunk, sections(&[1, 2]));
    chunk.data[1] = U32::new(1);
    assert_eq!(chunk.remove_section(1).unwrap_err().code().id, "VT042");
}

#[test]
fn entries_that_point_nowhere_stay() {
    let mut chunk = sections(&[1, 2]);
    let list = chunk.ids.as_mut().unwrap();
    list.extend(words(&[0x7FFF_FFFF, u32::MAX]));
    chunk.remove_section(1).unwrap();
    let mut expected = sections(&[2]);
    expected.ids.as_mut().unwrap().extend(words(&[0x7FFF_FFFF, u32::MAX]));
    assert_eq!(chunk, expected);

    // An entry at the dword behind what goes follows that dword.
    let mut chunk = sections(&[1, 2]);
    let second = chunk.data[1];
    chunk.chunks.as_mut().unwrap().push(second);
    chunk.remove_section(1).unwrap();
    assert_eq!(chunk.chunks.unwrap().last(), Some(&U32::ZERO));
}

#[test]
fn old_records_become_chunks_and_come_back() {
    let mut b = Builder::new(Header::bare(8));
    b.identifier(1).unwrap().object(Some(77)).unwrap();
    let bare = b.finish();
    let bytes = bare.to_bytes().unwrap();
    let data = Fixture::sub(8).identifier(1).words(&[0xE32B_C4C9, 0x1342_12E3, 0xFCBA_E9DC, 77]);
    assert_eq!(bytes, words(&data.words).as_bytes());
    assert_eq!(ChunkBuf::copy(&Chunk::bare(8, &bytes, AT), &mut budget(1 << 16)).unwrap(), bare);
    let chunk = bare.to_form_a().unwrap();
    assert_eq!(chunk.to_bytes().unwrap(), data.version(0).build().bytes);
    let mut reader = Reader::section(chunk.view(AT), 1).unwrap();
    assert_eq!(reader.object("a").unwrap(), ObjRef::Id(77));
    assert_eq!(chunk.to_bare().unwrap(), bare);
    assert_eq!(chunk.to_form_a().unwrap_err().code().id, "VT055");

    let refused = |change: &dyn Fn(&mut ChunkBuf)| {
        let mut chunk = chunk.clone();
        change(&mut chunk);
        assert_eq!(chunk.to_bare().unwrap_err().code().id, "VT055");
    };
    refused(&|chunk| chunk.header.versions = 4 << 16);
    refused(&|chunk| chunk.header.versions = 1);
    refused(&|chunk| chunk.header.extra = 1);
    refused(&|chunk| chunk.ids = Some(words(&[2])));
    refused(&|chunk| chunk.header = Header::new(8, 0, 7));
}

#[test]
fn forms_refuse_what_they_cannot_hold() {
    let mut chunk = Builder::new(Header::new(1, 0, 7));
    chunk.manager_int(guid(MANAGER), 1).unwrap();
    let chunk = chunk.finish();
    for parent in [3, 4] {
        assert_eq!(chunk.to_sub_chunk(parent).unwrap_err().code().id, "VT055");
    }
    let with = |header: Header| ChunkBuf { header, ..chunk.clone() }.to_bytes();
    assert_eq!(with(Header::new(1, 0, 4)).unwrap_err().code().id, "VT055");
    assert_eq!(with(Header::bare(1)).unwrap_err().code().id, "VT055");
    assert_eq!(with(Header::new(1, 0, 8)).unwrap_err().code().id, "VT055");
    let opaque = ChunkBuf { rest: vec![1; 8], ..ChunkBuf::new(Header::new(0, 0, 8)) };
    assert_eq!(opaque.to_bytes().unwrap(), [0, 0, 8, 0, 1, 1, 1, 1, 1, 1, 1, 1]);
    assert_eq!(opaque.to_sub_chunk(7).unwrap_err().code().id, "VT055");
    assert_eq!(with(Header { versions: 1, ..Header::bare(1) }).unwrap_err().code().id, "VT055");
    let six = Header { form: Form::B, ..Header::new(1, 0, 6) };
    assert_eq!(with(six).unwrap_err().code().id, "VT055");
    let odd = ChunkBuf { rest: vec![1], ..chunk.clone() };
    assert_eq!(odd.to_sub_chunk(7).unwrap_err().code().id, "VT055");
    let mut b = Builder::new(Header::object(1));
    let long = Padded { bytes: b"ab", padding: b"c" };
    assert_eq!(b.padded(long).unwrap_err().code().id, "VT054");
    assert_eq!(b.array(b"abc", 2).unwrap_err().code().id, "VT054");
    assert_eq!(b.array(b"", 2).unwrap_err().code().id, "VT054");
    assert!(b.finish().data.is_empty());
}

#[test]
fn prototypes_in_all_layouts() {
    let kind = (0x1122_3344, 0x5566_7788);
    let of = |fixture: Fixture| {
        let bytes = fixture.build().bytes;
        prototype(&Chunk::read(&bytes, AT).unwrap())
    };
    let new = |flags| Fixture::object(8).identifier(0x20).word(flags).guid(kind);
    assert_eq!(of(new(0x8001)), Some(guid(kind)));
    assert_eq!(of(new(0x0001)), None);
    let old =
        |flags| Fixture::sub(8).version(4).data_version(4).identifier(0x20).guid(kind).word(flags);
    assert_eq!(of(old(0x8000)), Some(guid(kind)));
    assert_eq!(of(old(0x4000)), None);
    assert_eq!(of(Fixture::sub(8).version(4).identifier(0x0004_0000).guid(kind)), Some(guid(kind)));
    assert_eq!(of(Fixture::object(8).identifier(0x20).words(&[0x8000, 1])), None);
    assert_eq!(of(Fixture::object(8).identifier(0x10)), None);
}

#[test]
fn only_interface_data_are_removed() {
    let without = |fixture: &Fixture| {
        let bytes = fixture.build().bytes;
        let chunk =
            without_interface(&Chunk::read(&bytes, AT).unwrap(), &mut budget(1 << 16)).unwrap();
        chunk.map(|chunk| chunk.to_bytes().unwrap())
    };
    let behaviour = || Fixture::object(8).identifier(0x10);
    let rest = Fixture::object(8).identifier(0x20).word(1);
    let end = |fixture: Fixture| fixture.identifier(0x20).word(1);
    let interface = Fixture::sub(u32::MAX).identifier(1).object_ref(Some(9));
    let with = end(behaviour().sub_chunk(&interface));
    assert_eq!(without(&with), Some(rest.build().bytes));
    assert_eq!(without(&end(behaviour().null_sub_chunk())), Some(rest.build().bytes));
    assert_eq!(without(&end(behaviour().sub_chunk(&Fixture::sub(1)))), None);
    assert_eq!(without(&end(behaviour().sub_chunk(&interface).word(1))), None);
    assert_eq!(without(&end(behaviour().word(77))), None);
    assert_eq!(without(&rest), None);
}
