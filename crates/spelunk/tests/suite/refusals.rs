//! Files that are none of ours, cut short, or of a kind that is not read: each is refused with a reason.

use spelunk::{Bytes, Opened, Options};
use std::sync::Arc;

fn refusal(bytes: &[u8]) -> Option<spelunk::Error> {
    Opened::open(Arc::new(Bytes::copy_from_slice(bytes)), &Options::default()).err()
}

/// What each file has to be answered with: the code that refuses it, or one of the findings once it is opened.
const ANSWERS: &[(&str, &str)] = &[
    ("empty.nmo", "SP031"),
    ("one-byte.snpak", "SP030"),
    ("zeros.cff", "SP030"),
    ("text.cmo", "SP030"),
    ("picture.nmo", "SP030"),
    ("archive.pak", "SP030"),
    ("quake.pak", "SP030"),
    ("other.dat", "SP030"),
    ("short-part0.nmo", "VT002"),
    ("short-part1.nmo", "VT002"),
    ("short-header1.nmo", "VT007"),
    ("short-data.nmo", "VT008"),
    ("other-engine.nmo", "SP030"),
    ("four-bytes.nmo", "VT001"),
    ("version10.nmo", "VT003"),
    ("checksum.nmo", "VT005"),
    ("mode-bit.nmo", "VT020"),
    ("stub-count.cmo", "VT030"),
    ("object-count.cmo", "VT010"),
    ("name-size.cmo", "VT012"),
    ("chunk-size.cmo", "VT021"),
    ("chunk-past-end.cmo", "VT052"),
    ("chunk-loop.cmo", "VT042"),
    ("sub-chunk-size.cmo", "VT044"),
    ("list-offset.cmo", "VT043"),
    ("bomb.nmo", "SP004"),
    ("short-table7.nmo", "VT010"),
    ("name-size7.nmo", "VT012"),
    ("chunk-size6.nmo", "VT021"),
    ("stream-size3.nmo", "SP003"),
    ("odd-size3.nmo", "VT023"),
    ("checksum5.nmo", "VT005"),
    ("count4.nmo", "VT021"),
    ("count5.nmo", "VT021"),
    ("short-part5.nmo", "VT002"),
    ("short-header.snpak", "SP001"),
    ("short-file.snpak", "SN007"),
    ("big-endian.snpak", "SN005"),
    ("version2.snpak", "SN002"),
    ("header184.snpak", "SN003"),
    ("index-offset.snpak", "SN009"),
    ("index-magic.snpak", "SN020"),
    ("entry-count.snpak", "SN023"),
    ("payload.snpak", "SN054"),
    ("chain-loop.snpak", "SN031"),
    ("short-header.cff", "SP001"),
    ("short-chunk.cff", "SP001"),
    ("magic-2003.cff", "CF002"),
    ("magic-spec.cff", "CF003"),
    ("negative.cff", "CF005"),
    ("past-end.cff", "CF006"),
    ("flag2.cff", "CF008"),
    ("inflates-short.cff", "SP003"),
    ("not-zlib.cff", "SP003"),
    ("remainder.cff", "CF011"),
    ("polygon.cff", "CF011"),
    ("version5.pak", "PK002"),
    ("short-header.pak", "SP001"),
    ("entry-count.pak", "PK004"),
    ("entry-offset.pak", "PK007"),
    ("name-offset.pak", "PK006"),
    ("short.dat", "PD005"),
    ("string.dat", "SP030"),
    ("negative.dat", "SP030"),
];

/// The code that refuses a file, or the codes of all findings.
fn answers(bytes: &[u8]) -> Vec<&'static str> {
    match Opened::open(Arc::new(Bytes::copy_from_slice(bytes)), &Options::default()) {
        Err(error) => vec![error.code().id],
        Ok(mut opened) => {
            let fatal = opened.run(|container, task| container.verify(task)).err();
            let findings = opened.findings().findings.iter().map(|finding| &finding.error);
            findings.chain(&fatal).map(|error| error.code().id).collect()
        }
    }
}

#[test]
fn look_alikes_and_wrecks_are_answered_with_the_right_code() {
    let mut known = ANSWERS.to_vec();
    for malformed in spelunk_fixtures::malformed() {
        let answers = answers(&malformed.bytes);
        let position = known.iter().position(|(name, _)| *name == malformed.name);
        let (_, code) = known.remove(position.unwrap_or_else(|| {
            panic!("{} ({}) is answered with {answers:?}: right?", malformed.name, malformed.why)
        }));
        let right = if code.is_empty() { answers.is_empty() } else { answers.contains(&code) };
        assert!(right, "{} ({}): {answers:?} without {code}", malformed.name, malformed.why);
    }
    assert_eq!(known, [], "answers to files that are not made any more");
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
