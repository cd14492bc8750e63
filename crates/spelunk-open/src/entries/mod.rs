//! Entries of containers of any format: all of them with their fields ([`everything`]), those that globs name ([`select`]), and files
//! beside them that they name ([`search`]).

pub mod everything;
pub mod search;
pub mod select;
