//! Repairing whatever these bytes are: what is written opens and verifies, and is not repaired again.
#![no_main]

#[path = "mutate.rs"]
mod mutate;
#[path = "packs.rs"]
mod packs;

use packs::{found, rehash, with_task};
use snpak::{build::Options, edit::repair};
use spelunk_core::{Bytes, Severity};
use std::{io::Cursor, num::NonZeroUsize, sync::Arc};

libfuzzer_sys::fuzz_mutator!(|data: &mut [u8], size: usize, _max: usize, seed: u32| {
    mutate::mutate(1, b"", data, size, seed)
});

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let Some((how, data)) = data.split_first() else { return };
    let mut bytes = data.to_vec();
    if how & 1 == 1 {
        rehash(&mut bytes);
    }
    let one = Options { threads: NonZeroUsize::new(1), ..Options::default() };
    let run = |bytes: &[u8]| {
        let mut out = Cursor::new(Vec::new());
        let source = Arc::new(Bytes::copy_from_slice(bytes));
        let (done, _) = with_task(bytes.len(), |task| repair(source, &mut out, one, task));
        (done, out.into_inner())
    };
    match run(&bytes) {
        (Ok(Some(written)), out) => {
            assert_eq!(written.size, out.len() as u64);
            if let Some(found) = found(&out, Severity::Warning) {
                assert!(found.is_empty(), "{found:?}");
                let (again, _) = run(&out);
                assert!(!matches!(again, Ok(Some(_))), "repaired twice");
            }
        }
        (Ok(None), _) => {
            if let Some(found) = found(&bytes, Severity::Warning) {
                assert!(found.is_empty(), "{found:?}");
            }
        }
        (Err(_), _) => {}
    }
});
