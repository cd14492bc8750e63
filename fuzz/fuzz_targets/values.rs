//! What Virtools objects and managers saved, by the class that the first byte chooses: read, told and written.
#![no_main]

#[path = "chunks.rs"]
mod chunks;

use chunks::{budget, limited};
use spelunk_core::{
    Bytes, Class, Space, Span,
    scalar::Guid,
    walk::{Coverage, Fault, Flat, finish},
    zerocopy::little_endian::U32,
};
use virtools::{
    chunk::{Chunk, Form},
    class::{Value, attribute_manager, behavior_manager, message_manager, time_manager},
    codec::{Saved, read::Reader, walk::Detail},
    codes,
};

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let Some((choice, data)) = data.split_first() else { return };
    let data = if choice & 0x80 == 0 { data.to_vec() } else { mended(data) };
    chunks::each(&data, |chunk, bytes| {
        // A handle to the bytes of the chunk alone, as files have them.
        let bytes = Bytes::copy_from_slice(bytes);
        if chunk.form.is_sub() {
            let _ = read(*choice, *chunk, &bytes);
        } else {
            whole(*choice, again(chunk, &bytes), &bytes);
        }
    });
});

/// An empty value of a class or of a manager.
fn empty(choice: u8) -> Value {
    let managers = [
        attribute_manager::GUID,
        behavior_manager::GUID,
        message_manager::GUID,
        time_manager::GUID,
    ];
    let choice = choice & 0x7F;
    match managers.get(usize::from(choice.wrapping_sub(60))) {
        Some([d1, d2]) => Value::of_manager(Guid { d1: U32::new(*d1), d2: U32::new(*d2) }),
        None => Value::of_class(choice.into()),
    }
}

/// The value, where the chunk has one. Nothing but damage and limits is a reason to have none.
fn read(choice: u8, chunk: Chunk<'_>, bytes: &Bytes) -> Option<Saved<Value>> {
    let mut faults = Vec::new();
    let saved = Reader::read(empty(choice), chunk, bytes, &mut faults, &mut budget(bytes));
    if let Err(error) = &saved {
        let version = error.code().id == codes::CHUNK_VERSION.id;
        let known = matches!(error.code().class, Class::Malformed | Class::Limit);
        assert!(version || known, "{error}");
    }
    saved.ok()
}

/// A chunk of these bytes, in the form of another one.
fn again<'b>(chunk: &Chunk<'_>, bytes: &'b [u8]) -> Chunk<'b> {
    let at = Span::file(0, bytes.len() as u64);
    match chunk.form {
        Form::Bare => Chunk::bare(chunk.class_id, bytes, at),
        _ => Chunk::read(bytes, at).unwrap(),
    }
}

fn whole(choice: u8, chunk: Chunk<'_>, bytes: &Bytes) {
    let Some(mut saved) = read(choice, chunk, bytes) else { return };
    told(&mut saved, chunk);
    // Lists that tell of what is not there, and padding of sub-chunks, may go when it is written: once.
    let Ok(written) = saved.write().and_then(|chunk| chunk.to_bytes()) else { return };
    let written = Bytes::from(written);
    let chunk = again(&chunk, &written);
    let mut saved = read(choice, chunk, &written).expect("what was written is read");
    told(&mut saved, chunk);
    let twice = saved.write().and_then(|chunk| chunk.to_bytes()).expect("it is written again");
    assert!(twice == written, "{twice:02x?} of {:02x?}", &written[..]);
}

/// A walk tells every byte once; one that tells the values alone ends as well.
fn told(saved: &mut Saved<Value>, chunk: Chunk<'_>) {
    let mut coverage = Coverage::default();
    let budget = || budget(&vec![0; chunk.at.len as usize]);
    let walked = saved.walk(chunk, Detail::Bytes, &(), &mut budget(), &mut coverage);
    if limited(finish(walked)).is_some() {
        let faults: Vec<Fault> = coverage.check(Space::FILE, chunk.at.len);
        assert!(faults.is_empty(), "{faults:?}");
    }
    let mut flat = Flat::default();
    limited(finish(saved.walk(chunk, Detail::Values, &(), &mut budget(), &mut flat)));
}

/// The bytes with a chain of identifiers that leads on to the end of the data, and no more data than there are.
fn mended(data: &[u8]) -> Vec<u8> {
    let mut words: Vec<u32> =
        data.as_chunks().0.iter().map(|word| u32::from_le_bytes(*word)).collect();
    if let [versions, size, data @ ..] = words.as_mut_slice() {
        *versions = *versions & 0xFF00_FFFF | 0x0007_0000;
        let len = data.len().min(*size as usize & 0xFF);
        *size = len as u32;
        let mut at = 0;
        while at + 2 <= len {
            let next = data[at + 1] as usize & 0xFF;
            let next = if next >= at + 2 && next + 2 <= len { next } else { 0 };
            data[at + 1] = next as u32;
            if next == 0 {
                break;
            }
            at = next;
        }
    }
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}
