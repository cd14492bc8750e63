//! Files that are begun rather than opened.

use super::{
    Agreed, DATA, File, HEADER1, Store,
    checksum::{Checksum, Recipe},
    header::{Head, Part0, Part1, SIGNATURE, WHOLE_COMPRESSED},
    included::Tail,
    plugins::Plugins,
    table::{Stub, Table},
    write::USUAL_LEVEL,
};
use spelunk_core::{Bytes, Section, Span, scalar::Word};
use std::sync::OnceLock;
use zerocopy::FromZeros;

/// CkVersion of files that Virtools 2.1 writes: 13 February 2002.
const CK_VERSION: u32 = 0x1302_2002;
/// ProductBuild of Virtools 2.1.0.14.
const PRODUCT_BUILD: u32 = 0x0201_000E;

impl File {
    /// A file without objects, in the form in which Virtools 2.1.0.14 writes them: FileVersion 8, both sections packed.
    pub fn new() -> File {
        let mut part0 = Part0::new_zeroed();
        part0.signature.0 = SIGNATURE;
        part0.ck_version = Word::new(CK_VERSION);
        part0.file_version = 8.into();
        part0.write_mode = Word::new(WHOLE_COMPRESSED);
        let mut part1 = Part1::new_zeroed();
        part1.product_build = Word::new(PRODUCT_BUILD);
        let mut table = Table::default();
        table.plugins = Some(Plugins { at: 0, groups: Vec::new() });
        table.stub = Some(Stub { at: 0, count: Some(0), extra: Bytes::new() });
        let nothing = |space| Section::stored(Span::new(space, 0, 0), Bytes::new());
        File {
            head: Head { part0, part1: Some(part1) },
            checksum: Checksum { stored: 0, recipe: Recipe::Full, ok: true },
            header1: nothing(HEADER1),
            table,
            data: nothing(DATA),
            missing: 0,
            tail: Tail { at: Span::file(Head::LEN, 0), included: Vec::new(), rest: Bytes::new() },
            agreed: Agreed::ALL,
            store: Store::Zlib(USUAL_LEVEL),
            records: OnceLock::new(),
            unreadable: OnceLock::new(),
            by_class: OnceLock::new(),
        }
    }
}

impl Default for File {
    fn default() -> File {
        File::new()
    }
}
