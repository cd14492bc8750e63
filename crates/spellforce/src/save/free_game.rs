//! Chunk 0 of a free game: `docs/formats/save.md#2-chunk-0-of-a-free-game`.

use super::{
    avatar::{Avatar, walk_avatar},
    items::Item,
    text::{field as text_field, shown},
};
use spelunk_core::{
    Described, Field, Group, Record, Space, Span, Task, Ty, Walk, Walked, cursor::Cursor,
};
use std::time::{Duration, SystemTime};
use zerocopy::FromBytes;

const PAGE: &str = "docs/formats/save.md#2-chunk-0-of-a-free-game";
static ITEMS: Record = Record::group("items", PAGE, "The items that the avatar has.");
static NAME_LENGTH: Field =
    Field::new("name_length", Ty::I32, "Length of the name, in characters or bytes.");
static NAME: Field = text_field("name", "The name of the game.");
static PATH_LENGTH: Field =
    Field::new("path_length", Ty::I32, "Length of the path, in characters or bytes.");
static PATH: Field = text_field("path", "A path of the game's own.");
static TIME: Field =
    Field::new("time", Ty::I32, "When it was saved, in seconds since 1970.").unit("s");

/// Unit in which the lengths of the name and the path count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lengths {
    /// UTF-16 units.
    Characters,
    /// Bytes.
    Bytes,
    /// Either unit: both lengths are 0.
    Either,
}

impl Lengths {
    /// Returns the name of the unit.
    pub const fn name(self) -> &'static str {
        match self {
            Lengths::Characters => "characters",
            Lengths::Bytes => "bytes",
            Lengths::Either => "either",
        }
    }

    const fn unit(self) -> usize {
        match self {
            Lengths::Characters => 2,
            Lengths::Bytes | Lengths::Either => 1,
        }
    }
}

/// Chunk 0 of a free game, read where it lies.
#[derive(Clone, Copy, Debug)]
pub struct FreeGame<'p> {
    lengths: Lengths,
    name: &'p [u8],
    path: &'p [u8],
    time: i32,
    avatar: &'p Avatar,
    avatar_bytes: &'p [u8],
    items: &'p [u8],
    stored_lengths: [i32; 2],
}

impl<'p> FreeGame<'p> {
    /// The least bytes of the chunk: two lengths without texts, the time, the avatar.
    pub const SHORTEST: usize = 12_usize.saturating_add(Avatar::LEN);

    /// Reads the plain data of chunk 0. What its lengths count is not known, so both readings are tried, and the items have
    /// to end with the chunk; `None` where they do by neither, and it is no free game.
    pub fn read(plain: &'p [u8]) -> Option<FreeGame<'p>> {
        let read = |lengths| FreeGame::read_by(plain, lengths);
        read(Lengths::Characters).or_else(|| read(Lengths::Bytes)).map(|game| match game {
            FreeGame { name: [], path: [], .. } => FreeGame { lengths: Lengths::Either, ..game },
            _ => game,
        })
    }

    fn read_by(plain: &'p [u8], lengths: Lengths) -> Option<FreeGame<'p>> {
        let mut cursor = Cursor::new(plain, Space::FILE, 0);
        let mut text = || {
            let stored = cursor.i32("length").ok()?;
            let len = usize::try_from(stored).ok()?.checked_mul(lengths.unit())?;
            Some((stored, cursor.bytes(len, "text").ok()?))
        };
        let ((name_length, name), (path_length, path)) = (text()?, text()?);
        let time = cursor.i32("time").ok()?;
        let avatar_bytes = cursor.bytes(Avatar::LEN, "avatar").ok()?;
        let avatar = Avatar::read(avatar_bytes).ok()?;
        let items = cursor.rest();
        let count = usize::try_from(avatar.item_count.get()).ok()?;
        let stored_lengths = [name_length, path_length];
        (count.checked_mul(size_of::<Item>())? == items.len()).then_some(FreeGame {
            lengths,
            name,
            path,
            time,
            avatar,
            avatar_bytes,
            items,
            stored_lengths,
        })
    }

    /// Returns the unit in which the lengths were found to count.
    pub const fn lengths(&self) -> Lengths {
        self.lengths
    }

    /// The name of the game.
    pub fn name(&self) -> String {
        shown(self.name)
    }

    /// A path of the game's own.
    pub fn path(&self) -> String {
        shown(self.path)
    }

    /// Returns the time of saving, in seconds since 1970.
    pub const fn time(&self) -> i32 {
        self.time
    }

    /// Returns the time of saving, as people write it in UTC; `None` before 1970.
    pub fn saved_at(&self) -> Option<String> {
        let since = Duration::from_secs(u64::try_from(self.time).ok()?);
        let at = SystemTime::UNIX_EPOCH.checked_add(since)?;
        Some(humantime::format_rfc3339_seconds(at).to_string())
    }

    /// The hero.
    pub const fn avatar(&self) -> &'p Avatar {
        self.avatar
    }

    /// The items that the hero has.
    pub fn items(&self) -> impl ExactSizeIterator<Item = &'p Item> + use<'p> {
        <[Item]>::ref_from_bytes(self.items).unwrap_or_default().iter()
    }

    /// Walks the chunk, whose plain data lies at `at`.
    ///
    /// # Errors
    /// What the walker returns; limits.
    pub fn walk(&self, at: Span, task: &mut Task<'_>, walk: &mut dyn Walk) -> Walked {
        let mut start = 0_u64;
        let mut next = |len: usize| {
            let part = at.part(start, len as u64);
            start = part.end().saturating_sub(at.start);
            part
        };
        let [name_length, path_length] = self.stored_lengths;
        walk.field(&NAME_LENGTH, Some(next(4)), name_length.into())?;
        walk.field(&NAME, Some(next(self.name.len())), self.name().into())?;
        walk.field(&PATH_LENGTH, Some(next(4)), path_length.into())?;
        walk.field(&PATH, Some(next(self.path.len())), self.path().into())?;
        walk.field(&TIME, Some(next(4)), self.time.into())?;
        let avatar = next(Avatar::LEN);
        walk.group(&Group::record("avatar", Avatar::RECORD, Some(avatar)), |walk| {
            walk_avatar(self.avatar_bytes, avatar, walk)
        })?;
        let all = at.part(start, self.items.len() as u64);
        walk.group(&Group::list("items", &ITEMS, Some(all)), |walk| {
            let mut at = all.part(0, size_of::<Item>() as u64);
            for (nth, item) in self.items.chunks_exact(size_of::<Item>()).enumerate() {
                task.budget.steps(1)?;
                let group = Group::item(nth, Item::RECORD, Some(at));
                walk.group(&group, |walk| Item::RECORD.walk(item, at, walk))?;
                at = at.part(at.len, at.len);
            }
            Ok(())
        })
    }
}
