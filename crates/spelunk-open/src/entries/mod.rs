//! Entries of containers of any format: all of them with their fields ([`everything`]), those that globs name ([`select`]), those that
//! are near a path that names none ([`near`]), and files beside them that they name ([`search`]).

pub mod everything;
pub mod near;
pub mod search;
pub mod select;
