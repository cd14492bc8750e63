//! The languages of the texts of a GameData.

use crate::{
    codes,
    model::{self, Model},
};
use spellforce::gamedata::{self, GameData, schema::TextRow};
pub use spellforce::gamedata::{Asked, PROFILES, Profile, profile};
use spelunk_core::{Container, Error, Node, Result, Task};

/// The path of the category that holds all texts.
pub const TEXTS: &str = "texts";

/// The tables of a GameData.
///
/// # Errors
/// [`NO_TABLES`](codes::NO_TABLES) for other files.
pub fn gamedata(container: &dyn Container) -> Result<GameData<'_>> {
    Model::of(container).gamedata().ok_or_else(|| model::other(container, &codes::NO_TABLES))
}

/// The slot of a language that is asked for by its number, code or name.
///
/// # Errors
/// [`NO_TABLES`](codes::NO_TABLES); [`NO_LANGUAGE`](codes::NO_LANGUAGE), with those that there are.
pub fn slot(container: &dyn Container, language: &str, task: &mut Task<'_>) -> Result<u8> {
    let languages = gamedata(container)?.languages(&mut task.budget)?;
    languages.slot(language).ok_or_else(|| {
        let known = languages.all().map(|language| match (language.code, language.name) {
            (Some(code), Some(name)) => format!("{} ({code}, {name})", language.slot),
            _ => language.slot.to_string(),
        });
        let known = known.collect::<Vec<_>>().join(", ");
        let found = if language.is_empty() { "none".to_owned() } else { format!("`{language}`") };
        Error::new(&codes::NO_LANGUAGE).expected(known).found(found)
    })
}

/// Whether an entry is a text in the language of this slot.
///
/// # Errors
/// When the texts cannot be read; limits.
pub fn is_in(container: &dyn Container, node: Node, slot: u8, task: &mut Task<'_>) -> Result<bool> {
    let Model::Chunks(chunks) = Model::of(container) else { return Ok(false) };
    let row = chunks.row(node, task)?.filter(|row| row.category().id == gamedata::TEXTS);
    Ok(row.is_some_and(|row| row.number(TextRow::LANGUAGE_ID) == i64::from(slot)))
}
