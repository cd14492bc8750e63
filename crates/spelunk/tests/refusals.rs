//! Files that are none of ours, cut short, or of a kind that is not read: each is refused with a reason.

mod common;

use spelunk::{Bytes, Opened, Options};
use std::sync::Arc;

fn refusal(bytes: &[u8]) -> Option<spelunk::Error> {
    Opened::open(Arc::new(Bytes::copy_from_slice(bytes)), &Options::default()).err()
}

/// Damage inside chunks: they are opaque bytes in the outer layer, which carries them along.
const OPAQUE: &[&str] =
    &["chunk-past-end.cmo", "chunk-loop.cmo", "sub-chunk-size.cmo", "list-offset.cmo"];

#[test]
fn look_alikes_and_wrecks_are_refused_or_reported() {
    for malformed in spelunk_fixtures::malformed() {
        if OPAQUE.contains(&malformed.name) {
            continue;
        }
        let source = Arc::new(Bytes::from(malformed.bytes));
        match Opened::open(source, &Options::default()) {
            Err(error) => {
                let text = error.to_string();
                assert!(text.ends_with(&format!("[{}]", error.code().id)), "{text}");
                assert!(!error.code().help.is_empty());
            }
            // Readable all the same: then it is said what is wrong.
            Ok(mut opened) => {
                let _ = opened.run(|container, task| container.verify(task));
                assert!(
                    !opened.findings().findings.is_empty(),
                    "{} ({}) opens and nothing is said",
                    malformed.name,
                    malformed.why
                );
            }
        }
    }
}

#[test]
fn reasons_name_what_was_found() {
    let png = refusal(b"\x89PNG\r\n\x1a\n and so on").unwrap();
    assert!(png.to_string().contains("a PNG image"), "{png}");
    assert_eq!(refusal(b"").unwrap().code().id, "SP031");
    let other = refusal(b"NMO1 of another engine").unwrap();
    assert_eq!(other.code().id, "SP030");
    let cut = refusal(b"Nemo Fi\0 and too little").unwrap();
    assert!(cut.to_string().contains("bytes"), "{cut}");
}

#[test]
fn newer_files_are_unsupported_and_not_malformed() {
    let named = |name: &str| {
        let all = spelunk_fixtures::malformed();
        let found = all.into_iter().find(|malformed| malformed.name.contains(name));
        found.unwrap_or_else(|| panic!("no fixture {name}")).bytes
    };
    for name in ["big-endian", "version10"] {
        let error = refusal(&named(name)).unwrap_or_else(|| panic!("{name} opens"));
        assert_eq!(error.code().class, spelunk::Class::Unsupported, "{name}: {error}");
    }
}
