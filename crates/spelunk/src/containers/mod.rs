//! Containers as wholes: into folders ([`mod@extract`]) and out of folders again ([`mod@pack`]), packs that grow ([`packs`]), and
//! several that a game mounts over each other ([`overlay`], [`sets`], [`archives`]).

pub mod archives;
pub mod extract;
pub mod overlay;
pub mod pack;
pub mod packs;
pub mod sets;
