//! Laws of building, reading and changing chunks, for content and damage of any kind.

use proptest::{collection::vec, option, prelude::*};
use spelunk_core::{
    Result, Span,
    scalar::Guid,
    zerocopy::{IntoBytes, little_endian::U32},
};
use test_support::task::budget;
use virtools::chunk::{
    Chunk,
    buffer::{ChunkBuf, Header},
    build::Builder,
    decoded::Decoded,
    edit::Position,
    prototype::prototype,
    read::{Padded, Reader},
    remap::{self, Unmapped},
    viewer::without_interface,
};

const AT: Span = Span::file(0, 0);
const CLASS: u32 = 45;

/// A call of the builder.
#[derive(Clone, Debug)]
enum Call {
    Byte(u8),
    SignedByte(i8),
    Word(u16),
    Dwords(Vec<u32>),
    Float(f32),
    Guid(u32, u32),
    Text(Option<Vec<u8>>),
    Garbage(Vec<u8>, u8),
    Buffer(Vec<u8>),
    NoSize(Vec<u8>),
    Array(Vec<u16>),
    Object(Option<u32>),
    Objects(Vec<Option<u32>>),
    Manager(u32, u32),
    Managers(u32, Vec<u32>),
    Sub(Option<Script>),
    Subs(Vec<Option<Script>>),
}

/// Sections of a chunk, each with its calls.
type Script = Vec<Vec<Call>>;

fn call() -> impl Strategy<Value = Call> {
    let target = || option::of(1..0x8000_0000_u32);
    prop_oneof![
        any::<u8>().prop_map(Call::Byte),
        any::<i8>().prop_map(Call::SignedByte),
        any::<u16>().prop_map(Call::Word),
        vec(0..9_u32, 0..5).prop_map(Call::Dwords),
        any::<f32>().prop_map(Call::Float),
        any::<(u32, u32)>().prop_map(|(d1, d2)| Call::Guid(d1, d2)),
        option::of(vec(1..=u8::MAX, 0..9)).prop_map(Call::Text),
        (vec(any::<u8>(), 1..9), any::<u8>()).prop_map(|(bytes, pad)| Call::Garbage(bytes, pad)),
        vec(any::<u8>(), 0..9).prop_map(Call::Buffer),
        vec(any::<u8>(), 0..9).prop_map(Call::NoSize),
        vec(any::<u16>(), 0..5).prop_map(Call::Array),
        target().prop_map(Call::Object),
        vec(target(), 0..4).prop_map(Call::Objects),
        any::<(u32, u32)>().prop_map(|(d1, value)| Call::Manager(d1, value)),
        (any::<u32>(), vec(any::<u32>(), 0..4)).prop_map(|(d1, all)| Call::Managers(d1, all)),
    ]
}

fn script() -> impl Strategy<Value = Script> {
    let flat = vec(vec(call(), 0..5), 0..4);
    flat.prop_recursive(3, 24, 3, |inner| {
        let sub = option::of(inner.clone()).prop_map(Call::Sub);
        let subs = vec(option::of(inner), 0..3).prop_map(Call::Subs);
        vec(vec(prop_oneof![3 => call(), 1 => sub, 1 => subs], 0..5), 0..4)
    })
}

fn header() -> impl Strategy<Value = Header> {
    let version = prop_oneof![1 => 0..=6_u8, 1 => Just(7)];
    (version, any::<bool>()).prop_map(|(version, file)| Header {
        file_mode: file && version >= 6,
        ..Header::new(CLASS, 10, version)
    })
}

fn padding(bytes: &[u8], pad: u8) -> Vec<u8> {
    vec![pad; bytes.len().wrapping_neg() & 3]
}

fn guid(d1: u32, d2: u32) -> Guid {
    Guid { d1: U32::new(d1), d2: U32::new(d2) }
}

fn words(values: &[u32]) -> Vec<U32> {
    values.iter().copied().map(U32::new).collect()
}

fn build(header: Header, script: &Script) -> Result<ChunkBuf> {
    let mut b = Builder::new(header);
    for (nth, calls) in script.iter().enumerate() {
        b.identifier(nth as u32)?;
        for call in calls {
            write(&mut b, header, call)?;
        }
    }
    Ok(b.finish())
}

/// Numbers of managers are left out where the chunk cannot have them.
fn has_managers(header: Header) -> bool {
    header.chunk_version() >= 5
}

/// Sub-chunks of the first level keep the mode, those below have raw ids as all real ones do.
fn sub_header(header: Header) -> Header {
    let first = header.class_id == CLASS;
    Header { file_mode: first && header.file_mode, class_id: 0x1234_5678, ..header }
}

fn write(b: &mut Builder, header: Header, call: &Call) -> Result<()> {
    match call {
        Call::Byte(value) => b.byte(*value)?,
        Call::SignedByte(value) => b.signed_byte(*value)?,
        Call::Word(value) => b.word(*value)?,
        Call::Dwords(values) => b.dwords(&words(values))?,
        Call::Float(value) => b.float(*value)?,
        Call::Guid(d1, d2) => b.guid(guid(*d1, *d2))?,
        Call::Text(text) => b.string(text.as_deref())?,
        Call::Garbage(bytes, pad) => b.padded(Padded { bytes, padding: &padding(bytes, *pad) })?,
        Call::Buffer(bytes) => b.buffer(bytes)?,
        Call::NoSize(bytes) => b.buffer_no_size(bytes)?,
        Call::Array(elements) => b.array(elements.as_bytes(), elements.len() as u32)?,
        Call::Object(target) => b.object(*target)?,
        Call::Objects(targets) => b.objects(targets)?,
        Call::Manager(..) | Call::Managers(..) if !has_managers(header) => b,
        Call::Manager(d1, value) => b.manager_int(guid(*d1, 1), *value)?,
        Call::Managers(d1, values) => b.manager_ints(guid(*d1, 1), &words(values))?,
        Call::Sub(sub) => {
            let sub = sub.as_ref().map(|sub| build(sub_header(header), sub)).transpose()?;
            b.sub_chunk(sub.as_ref())?
        }
        Call::Subs(subs) => {
            let subs = subs
                .iter()
                .map(|sub| sub.as_ref().map(|sub| build(sub_header(header), sub)).transpose());
            let subs = subs.collect::<Result<Vec<_>>>()?;
            b.sub_chunks(subs.iter().map(Option::as_ref))?
        }
    };
    Ok(())
}

/// Reads what a script has written.
fn check(chunk: Chunk<'_>, header: Header, script: &Script) -> Result<()> {
    assert_eq!(chunk.sections().count(), script.len());
    for (nth, calls) in script.iter().enumerate() {
        let mut r = Reader::section(chunk, nth as u32)?;
        for call in calls {
            check_call(&mut r, header, call)?;
        }
        assert_eq!(r.remaining(), 0);
    }
    Ok(())
}

fn check_call(r: &mut Reader<'_>, header: Header, call: &Call) -> Result<()> {
    match call {
        Call::Byte(value) => assert_eq!(r.byte("a")?, *value),
        Call::SignedByte(value) => assert_eq!(r.byte("a")?, value.cast_unsigned()),
        Call::Word(value) => assert_eq!(r.word("a")?, *value),
        Call::Dwords(values) => assert_eq!(r.dwords(values.len(), "a")?, words(values)),
        Call::Float(value) => assert_eq!(r.float("a")?.to_bits(), value.to_bits()),
        Call::Guid(d1, d2) => assert_eq!(r.guid("a")?, guid(*d1, *d2)),
        Call::Text(text) => {
            let read = r.string("a")?;
            assert_eq!((!read.is_null()).then(|| read.text().to_vec()), *text);
        }
        Call::Garbage(bytes, pad) => {
            assert_eq!(r.string("a")?, Padded { bytes, padding: &padding(bytes, *pad) });
        }
        Call::Buffer(bytes) => assert_eq!(r.buffer("a")?.bytes, bytes),
        Call::NoSize(bytes) => assert_eq!(r.buffer_no_size(bytes.len(), "a")?.bytes, bytes),
        Call::Array(elements) => {
            let (count, bytes) = r.array("a")?;
            assert_eq!((count as usize, bytes.bytes), (elements.len(), elements.as_bytes()));
        }
        Call::Object(target) => assert_eq!(r.object("a")?.value(), *target),
        Call::Objects(targets) => {
            assert!(r.objects("a")?.map(|object| object.value()).eq(targets.iter().copied()));
        }
        Call::Manager(..) | Call::Managers(..) if !has_managers(header) => {}
        Call::Manager(d1, value) => assert_eq!(r.manager_int("a")?, (guid(*d1, 1), *value)),
        Call::Managers(d1, values) => {
            let (manager, read) = r.manager_ints("a")?;
            assert_eq!((manager, read), (guid(*d1, 1), &words(values)[..]));
        }
        Call::Sub(sub) => {
            let read = r.sub_chunk("a")?;
            assert_eq!(read.is_some(), sub.is_some());
            if let (Some(read), Some(sub)) = (read, sub) {
                check(read, sub_header(header), sub)?;
            }
        }
        Call::Subs(subs) => {
            let read = r.sub_chunks("a")?.collect::<Result<Vec<_>>>()?;
            assert_eq!(read.len(), subs.len());
            for (read, sub) in read.into_iter().zip(subs) {
                assert_eq!(read.is_some(), sub.is_some());
                if let (Some(read), Some(sub)) = (read, sub) {
                    check(read, sub_header(header), sub)?;
                }
            }
        }
    }
    Ok(())
}

/// A chunk of small numbers, which often are sizes, links and indexes that fit.
fn damaged() -> impl Strategy<Value = Vec<u8>> {
    let word = || prop_oneof![6 => 0..24_u32, 1 => Just(u32::MAX), 1 => any::<u32>()];
    let first = (0..9_u8, 0..32_u8).prop_map(|(v, o)| u32::from_le_bytes([10, 8, v, o]));
    let sizes = (0..12_u32, vec(word(), 0..60), vec(any::<u8>(), 0..4));
    (first, sizes).prop_map(|(first, (size, rest, odd))| {
        let mut bytes = words(&[first, size]).as_bytes().to_vec();
        bytes.extend_from_slice(words(&rest).as_bytes());
        bytes.extend(odd);
        bytes
    })
}

/// Everything that takes a chunk which may be damaged.
fn use_all(chunk: &Chunk<'_>, bytes: &[u8]) {
    let copy = ChunkBuf::copy(chunk, &mut budget(1 << 12)).unwrap();
    assert_eq!(copy.to_bytes().unwrap(), bytes);
    if let Ok(decoded) = Decoded::of(chunk, &mut budget(1 << 12)) {
        assert_eq!(decoded.build().unwrap().to_bytes().unwrap(), bytes);
    }
    let mut edited = copy.clone();
    let payload = ChunkBuf { rest: Vec::new(), data: Vec::new(), ..copy.clone() };
    let removed = edited.remove_section(8).is_ok_and(|removed| removed);
    let set = edited.set_section(3, &payload).is_ok();
    let inserted = edited.insert_section(Position::First, 9, &payload).is_ok();
    assert_eq!(edited == copy, !removed && !set && !inserted);
    let _ = Builder::new(Header::object(1)).append(&copy);
    let mut parent = Builder::new(Header::object(1));
    if parent.sub_chunk(Some(&copy)).is_ok() {
        let parent = parent.finish();
        assert!(parent.view(AT).sub_chunk(0).unwrap().0.is_some());
    }
    let _ = prototype(chunk);
    let _ = without_interface(chunk, &mut budget(1 << 12));
    for section in chunk.sections().map(|section| section.identifier) {
        let reader = Reader::section(*chunk, section).unwrap();
        let left = reader.remaining();
        for read in [
            |r: &mut Reader<'_>| r.buffer("a").is_ok(),
            |r: &mut Reader<'_>| r.array("a").is_ok(),
            |r: &mut Reader<'_>| r.objects("a").is_ok(),
            |r: &mut Reader<'_>| r.object("a").is_ok(),
            |r: &mut Reader<'_>| r.sub_chunk("a").is_ok(),
            |r: &mut Reader<'_>| r.sub_chunks("a").is_ok(),
            |r: &mut Reader<'_>| r.manager_ints("a").is_ok(),
        ] {
            let mut r = reader.clone();
            assert_eq!(read(&mut r), r.remaining() < left, "success takes, failure does not");
        }
    }
    let changed = |changed: Result<Option<Vec<u8>>>| {
        if let Ok(Some(changed)) = changed {
            assert!(changed.len() == bytes.len() && changed != bytes);
        }
    };
    let map = |id: u32| id.is_multiple_of(2).then_some(id / 2);
    changed(remap::objects(chunk, bytes, &map, Unmapped::Null, &mut budget(1 << 12)));
    let manager = chunk.managers.entries().find_map(|entry| chunk.manager_ints(entry));
    let manager = manager.map_or(guid(0, 0), |(manager, _)| manager);
    changed(remap::manager_ints(chunk, bytes, manager, &[3, 2, 1], &mut budget(1 << 12)));
    changed(remap::parameter(chunk, bytes, manager, &map, &mut budget(1 << 12)));
}

proptest! {
    #[test]
    fn what_is_built_is_read_and_built_again(header in header(), script in script()) {
        let built = build(header, &script).unwrap();
        let bytes = built.to_bytes().unwrap();
        let chunk = Chunk::read(&bytes, AT).unwrap();
        prop_assert_eq!(&ChunkBuf::copy(&chunk, &mut budget(1 << 12)).unwrap(), &built);
        let decoded = Decoded::of(&chunk, &mut budget(1 << 12)).unwrap();
        prop_assert_eq!(&decoded.build().unwrap(), &built);
        check(chunk, header, &script).unwrap();
        use_all(&chunk, &bytes);
    }

    #[test]
    fn a_section_that_goes_and_comes_back_changes_nothing(
        header in header(), script in script(), nth in any::<prop::sample::Index>(),
    ) {
        // Without a section there is nothing to take away.
        let script = if script.is_empty() { vec![Vec::new()] } else { script };
        let nth = nth.index(script.len());
        let whole = build(header, &script).unwrap();
        let mut without = whole.clone();
        prop_assert!(without.remove_section(nth as u32).unwrap());
        let mut payload = Builder::new(header);
        script[nth].iter().for_each(|call| write(&mut payload, header, call).unwrap());
        let payload = payload.finish();
        let position = match nth.checked_sub(1) {
            Some(before) => Position::After(before as u32),
            None => Position::First,
        };
        let mut again = without.clone();
        again.insert_section(position, nth as u32, &payload).unwrap();
        prop_assert_eq!(&again, &whole);
        again.set_section(nth as u32, &payload).unwrap();
        prop_assert_eq!(&again, &whole);
        let at_end = nth + 1 == script.len();
        without.set_section(nth as u32, &payload).unwrap();
        prop_assert!(!at_end || without == whole);
    }

    #[test]
    fn joined_chunks_are_those_of_one_script(header in header(), script in script(), cut in 0..4_usize) {
        let whole = build(header, &script).unwrap();
        let (first, second) = script.split_at(cut.min(script.len()));
        let mut b = Builder::new(header);
        b.append(&build(header, &first.to_vec()).unwrap()).unwrap();
        let mut rest = Builder::new(header);
        for (nth, calls) in second.iter().enumerate() {
            rest.identifier((first.len() + nth) as u32).unwrap();
            calls.iter().for_each(|call| write(&mut rest, header, call).unwrap());
        }
        b.append(&rest.finish()).unwrap();
        prop_assert_eq!(b.finish(), whole);
    }

    #[test]
    fn whatever_can_be_read_is_copied_and_harmless(bytes in damaged()) {
        if let Ok(chunk) = Chunk::read(&bytes, AT) {
            use_all(&chunk, &bytes);
            for index in 0..chunk.data.len() {
                if let Ok((Some(sub), end)) = chunk.sub_chunk(index) {
                    use_all(&sub, chunk.data[index..end].as_bytes());
                }
            }
        }
        use_all(&Chunk::bare(8, &bytes, AT), &bytes);
    }

    #[test]
    fn damage_to_what_was_built_is_harmless(
        header in header(), script in script(),
        hits in vec((any::<prop::sample::Index>(), prop_oneof![0..40_u32, any::<u32>()]), 1..4),
    ) {
        let mut words = build(header, &script).unwrap().to_bytes().unwrap();
        for (at, value) in hits {
            let at = at.index(words.len() / 4) * 4;
            words[at..at + 4].copy_from_slice(&value.to_le_bytes());
        }
        if let Ok(chunk) = Chunk::read(&words, AT) {
            use_all(&chunk, &words);
        }
    }
}
