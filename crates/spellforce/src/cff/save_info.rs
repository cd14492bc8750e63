//! A save at a glance: `docs/formats/save.md`.

use super::{chunks::Chunks, detect::Kind};
use crate::{bytes::tolerate, fields::fields, save::FreeGame};
use spelunk_core::{Group, Record, Task, Walk, Walked};

fields! {
    KIND: "kind" Str "What is saved: a `free game`, a `campaign`, or `unknown`.";
    NAME: "name" Str "The name of the game.";
    PATH: "path" Str "A path of the game's own.";
    TIME: "time" I32 "When it was saved, in seconds since 1970." "s";
    SAVED_AT: "saved_at" Str "When it was saved, in UTC.";
    LENGTHS: "lengths_count" Str "What the lengths of name and path were found to count: `characters`, `bytes`, or \
        `either` where both are 0.";
    AVATAR: "avatar" Str "The name of the avatar.";
    LEVEL: "level" U8 "The level of the avatar.";
    ITEMS: "items" U64 "Number of items that the avatar has.";
    NESTED: "nested_files" U64 "Number of chunk files in chunks.";
    KNOWN: "known" Str "How much is known of saves.";
}

static SAVE: Record = Record::group("save", "docs/formats/save.md", "What is saved.");

/// Degree of knowledge of saves, stated wherever a save is described.
const PARTLY: &str = "partly: read in third-party tools, never seen in a real save";

impl Chunks {
    /// Walks what is saved; nothing where the file is no save.
    pub(super) fn walk_save(&self, task: &mut Task<'_>, walk: &mut dyn Walk) -> Walked {
        let Some(nest) = self.nest().filter(|_| self.kind == Kind::Save) else { return Ok(()) };
        let plain = match self.file.with_id(0).first() {
            Some(first) => self.file.plain(*first, &mut task.budget).cloned(),
            None => Ok(Default::default()),
        };
        let plain = match plain {
            Ok(plain) => plain,
            Err(error) => tolerate(error, task).map(|()| Default::default())?,
        };
        let game = FreeGame::read(&plain);
        let nested = nest.files().len();
        walk.group(&Group::record("save", &SAVE, None), |walk| {
            let kind = match &game {
                Some(_) => "free game",
                None if nested > 0 => "campaign",
                None => "unknown",
            };
            walk.field(&KIND, None, kind.into())?;
            if let Some(game) = &game {
                walk.field(&NAME, None, game.name().into())?;
                walk.field(&PATH, None, game.path().into())?;
                walk.field(&TIME, None, game.time().into())?;
                walk.field(&SAVED_AT, None, game.saved_at().into())?;
                walk.field(&LENGTHS, None, game.lengths().name().into())?;
                walk.field(&AVATAR, None, game.avatar().name().into())?;
                walk.field(&LEVEL, None, u64::from(game.avatar().level).into())?;
                walk.field(&ITEMS, None, game.items().len().into())?;
            }
            walk.field(&NESTED, None, nested.into())?;
            walk.field(&KNOWN, None, PARTLY.into())
        })
    }
}
