//! In which archives files of each kind are looked for.

use crate::pak::MemberPath;
use std::{fmt, str::FromStr};

/// Rule that decides which of several files of one path counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Preference {
    /// The number of the archive, as the game does it: the highest wins.
    #[default]
    Number,
    /// For each kind of file the archives that the community's editor looks in, in its order; all others behind them by number.
    Editor,
}

impl FromStr for Preference {
    type Err = String;

    fn from_str(text: &str) -> Result<Preference, String> {
        match text {
            "number" => Ok(Preference::Number),
            "editor" => Ok(Preference::Editor),
            _ => Err("one of number, editor".to_owned()),
        }
    }
}

impl fmt::Display for Preference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Preference::Number => "number",
            Preference::Editor => "editor",
        })
    }
}

impl Preference {
    /// Returns the rank of archives with this number for files of a kind: the higher it is, the later they are looked at.
    pub(super) fn rank(self, kind: FilePurpose, number: Option<u64>) -> usize {
        let list = match self {
            Preference::Number => &[],
            Preference::Editor => kind.archives(),
        };
        let at = list.iter().position(|known| Some(*known) == number);
        at.unwrap_or(list.len())
    }
}

/// Purpose of a file, by its directory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FilePurpose {
    /// Below `texture`.
    Texture,
    /// Below `mesh`.
    Mesh,
    /// Animations, in `animation`, `.bob`.
    Animation,
    /// Skeletons, in `animation`, `.bor`.
    Skeleton,
    /// Below `skinning`.
    Skin,
    /// Music, in `sound`, `.mp3` outside of `speech`.
    Music,
    /// Sounds, in `sound`, whatever else.
    Sound,
    /// Below `sound\speech`.
    Speech,
    /// Below `script`.
    Script,
    /// Anything else.
    Other,
}

impl FilePurpose {
    /// The kind of the file with this path.
    pub fn of(path: &MemberPath) -> FilePurpose {
        FilePurpose::of_reversed(path.reversed().iter().rev().copied(), path.reversed())
    }

    /// The kind of the file with this path, in small letters, forwards; `reversed` starts with the last bytes of it.
    pub(super) fn of_reversed(
        path: impl Iterator<Item = u8> + Clone,
        reversed: &[u8],
    ) -> FilePurpose {
        let below = |folder: &[u8]| {
            let mut path = path.clone();
            folder.iter().all(|byte| path.next() == Some(*byte)) && path.next() == Some(b'\\')
        };
        let ends = |ending: &[u8]| {
            reversed.len() >= ending.len() && ending.iter().rev().zip(reversed).all(|(a, b)| a == b)
        };
        if below(b"texture") {
            FilePurpose::Texture
        } else if below(b"mesh") {
            FilePurpose::Mesh
        } else if below(b"animation") {
            if ends(b".bor") { FilePurpose::Skeleton } else { FilePurpose::Animation }
        } else if below(b"skinning") {
            FilePurpose::Skin
        } else if below(b"sound\\speech") {
            FilePurpose::Speech
        } else if below(b"sound") {
            if ends(b".mp3") { FilePurpose::Music } else { FilePurpose::Sound }
        } else if below(b"script") {
            FilePurpose::Script
        } else {
            FilePurpose::Other
        }
    }

    /// Numbers of the archives that the editor looks in.
    const fn archives(self) -> &'static [u64] {
        match self {
            FilePurpose::Texture => &[35, 32, 25, 22, 1, 0],
            FilePurpose::Mesh | FilePurpose::Skin => &[32, 22, 8],
            FilePurpose::Animation => &[32, 22, 5],
            FilePurpose::Skeleton => &[32, 22, 4],
            FilePurpose::Music => &[30, 20, 3],
            FilePurpose::Sound => &[30, 20, 2],
            FilePurpose::Speech => &[33, 23, 20, 10, 2],
            FilePurpose::Script => &[34],
            FilePurpose::Other => &[],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directories_and_endings_tell_kinds() {
        for (path, kind) in [
            ("texture/a.dds", FilePurpose::Texture),
            ("textures/a.dds", FilePurpose::Other),
            ("mesh/a.msb", FilePurpose::Mesh),
            ("animation/a.bob", FilePurpose::Animation),
            ("animation/a.bor", FilePurpose::Skeleton),
            ("skinning/b20/a.msb", FilePurpose::Skin),
            ("sound/a.mp3", FilePurpose::Music),
            ("sound/a.wav", FilePurpose::Sound),
            ("sound/speech/male/a.mp3", FilePurpose::Speech),
            ("script/p10/a.lua", FilePurpose::Script),
        ] {
            assert_eq!(FilePurpose::of(&MemberPath::from_text(path).unwrap()), kind, "{path}");
        }
    }
}
