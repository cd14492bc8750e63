//! The verbs of the command, one file for each.

pub mod cat;
pub mod catalog;
pub mod diff;
pub mod door;
pub mod edit;
pub mod explain;
pub mod export;
pub mod extract;
pub mod find;
pub mod import;
pub mod info;
pub mod join;
pub mod lint;
pub mod ls;
pub mod merge;
pub mod overlay;
pub mod pack;
pub mod packs;
pub mod query;
pub mod refs;
pub mod schema;
pub mod setup;
pub mod show;
pub mod tree;
pub mod verify;
pub mod view;
