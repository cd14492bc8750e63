//! The rules about archives, each on an archive that breaks it alone.
#![allow(clippy::indexing_slicing, clippy::arithmetic_side_effects)]

use crate::common::opened;
use spellforce::pak::{
    Members,
    lint::{RULES, Selection, lint},
};
use spelunk_core::{Collect, Task};
use spelunk_fixtures::{
    Fixture,
    pak::{Pak, PakFile},
    samples,
};
use test_support::{findings::codes, task::budget};

fn told(bytes: &[u8], selection: &Selection) -> Vec<&'static str> {
    let (container, _) = opened(bytes);
    let members = container.model::<Members>().expect("an archive");
    let mut sink = Collect::default();
    lint(members.archive(), selection, &mut Task::new(budget(bytes.len()), &mut sink)).unwrap();
    for finding in &sink.findings {
        let rule = RULES.iter().find(|rule| rule.code.id == finding.error.code().id);
        assert!(finding.severity <= rule.expect("a rule").severity);
    }
    let mut codes = codes(&sink);
    codes.dedup();
    codes
}

fn all(bytes: &[u8]) -> Vec<&'static str> {
    told(bytes, &Selection::default())
}

fn with(more: &[PakFile]) -> Fixture {
    let mut pak = samples::pak();
    pak.files.extend_from_slice(more);
    pak.build()
}

#[test]
fn each_rule_finds_what_it_is_for() {
    let sound = samples::pak().build();
    assert!(all(&sound.bytes).is_empty());
    let spoiled = |at: usize, byte: u8| {
        let mut bytes = sound.bytes.clone();
        bytes[at] ^= byte;
        bytes
    };
    assert_eq!(all(&spoiled(30, 1)), ["PK008"], "memory of the packer is in the checksum");
    let first = sound.range_of("names").start + sound.u32_of("entries[0].name_offset") as usize;
    assert_eq!(all(&spoiled(first, 1)), ["PK008", "PK009"]);
    let mut swapped = sound.bytes.clone();
    for byte in 0..16 {
        swapped.swap(92 + byte, 108 + byte);
    }
    assert_eq!(all(&swapped), ["PK008", "PK010"]);
    assert_eq!(all(&spoiled(sound.bytes.len() - 1, 1)), ["PK012"]);
    let mut long = sound.bytes.clone();
    long.extend([0; 100]);
    assert_eq!(all(&long), ["PK023"]);
    long.resize(sound.bytes.len() + 4096, 0);
    assert_eq!(all(&long), ["PK012"]);
    let shouted = PakFile::new(b"texture", b"T\xdcR.TGA", b"x");
    assert_eq!(all(&with(std::slice::from_ref(&shouted)).bytes), ["PK020"]);
    let spoken = PakFile::new(b"texture", b"t\xfcr.tga", b"y");
    assert_eq!(all(&with(&[shouted, spoken]).bytes), ["PK020", "PK021"]);
    // The fixture hashes a separator where there is no directory, so the order is told too.
    let rootless = with(&[PakFile::new(b"", b"readme.txt", b"x")]);
    assert!(all(&rootless.bytes).contains(&"PK022"));
    let aligned = |n: u8| PakFile::new(b"data", &[b'a', b'a' + n], &[n; 4]);
    let aligned = Pak { files: (0..20).map(aligned).collect(), ..Pak::default() };
    assert_eq!(all(&aligned.build().bytes), ["PK024"]);
}

#[test]
fn rules_are_chosen() {
    let mut bytes = with(&[PakFile::new(b"Data", b"A", b"x")]).bytes;
    bytes[30] ^= 1;
    assert_eq!(all(&bytes), ["PK008", "PK020"]);
    let of = |id: &str| RULES.iter().find(|rule| rule.code.id == id).expect("a rule").code;
    let only = Selection { only: vec![of("PK020")], allowed: Vec::new() };
    assert_eq!(told(&bytes, &only), ["PK020"]);
    let allowed = Selection { only: Vec::new(), allowed: vec![of("PK020")] };
    assert_eq!(told(&bytes, &allowed), ["PK008"]);
}
