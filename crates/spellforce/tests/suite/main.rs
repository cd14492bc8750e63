//! Chunk files, archives and caches of SpellForce: reading, changing, checking.

mod archives;
mod common;
mod corpus;
mod fixtures;
mod gamedata;
mod map2;
mod map2_edits;
mod map_entries;
mod map_rules;
mod map_writing;
mod maps;
mod pak_build;
mod pak_lint;
mod pakdata_lint;
mod saves;
mod spec;
mod spec_edits;
mod spec_examples;
mod spec_tables;
