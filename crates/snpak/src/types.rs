//! Asset kinds and payload types by name: those that the engine and its plugins define, and names from a file
//! (`docs/formats/snpak.md`, section 11).

use crate::{AssetId, codes};
use spelunk_core::{Budget, Error, Result};
use std::collections::BTreeMap;

/// A kind of assets or a type of payloads that is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KnownType {
    /// Id of the type.
    pub id: [u8; 16],
    /// Name of the type, as it is shown.
    pub name: &'static str,
    /// Assets that have the type.
    pub doc: &'static str,
}

/// The kind of textures.
pub const TEXTURE: [u8; 16] = 0x10101010_2020_3030_4040_505060607070_u128.to_be_bytes();
/// The payload type of textures ([`TextureInfo`](crate::texture::TextureInfo)).
pub const TEXTURE_INFO: [u8; 16] = 0x2bc083dd_717a_458e_b1c2_9f6ae110aa01_u128.to_be_bytes();
/// The kind of compressed textures.
pub const COMPRESSED_TEXTURE: [u8; 16] = 0xa1b2c3d4_e5f6_1728_394a_5b6c7d8e9f01_u128.to_be_bytes();
/// The payload type of compressed textures ([`CompressedHead`](crate::texture::CompressedHead)).
pub const COMPRESSED_TEXTURE_INFO: [u8; 16] =
    0xd14eb82a_936f_5c02_bb7e_3399c45d6081_u128.to_be_bytes();

macro_rules! known {
    ($($id:expr, $name:literal, $doc:literal;)*) => {
        &[$(KnownType { id: $id, name: $name, doc: $doc },)*]
    };
}

/// All types that are known without a file, in the order of the documentation's table.
pub static KNOWN: &[KnownType] = known! {
    0x479c8c09_ff36_590d_9730_64326b7befb7_u128.to_be_bytes(), "Level", "Kind of levels of the game framework.";
    0xbeb01f28_52bc_5442_a29c_8305e3c26a8b_u128.to_be_bytes(), "Node", "Kind of nodes of the game framework.";
    0x027a97b1_56f8_5673_a484_da2898d40975_u128.to_be_bytes(), "World", "Kind of worlds of the game framework.";
    0xc05843b3_9323_5e33_820b_0c9487bba53f_u128.to_be_bytes(), "LevelPayload", "Payload of a level.";
    0x64bba09b_66b6_5b78_a657_8d3d517cd4fd_u128.to_be_bytes(), "NodePayload", "Payload of a node.";
    0x715f1832_2c3a_5afe_a2a5_77e1bc75bc8f_u128.to_be_bytes(), "WorldPayload", "Payload of a world.";
    TEXTURE, "Texture", "Kind of textures whose pixels are not packed in blocks.";
    TEXTURE_INFO, "TextureInfo", "Payload of a texture: size, number of mips, format.";
    COMPRESSED_TEXTURE, "CompressedTexture", "Kind of textures in blocks: BC and ASTC.";
    COMPRESSED_TEXTURE_INFO, "CompressedTextureInfo", "Payload of a compressed texture: size, number of mips, format, and what it was made by.";
};

/// The name of a type of [`KNOWN`].
pub(crate) fn known(id: &[u8; 16]) -> Option<&'static str> {
    KNOWN.iter().find(|known| known.id == *id).map(|known| known.name)
}

/// Names of types: those of [`KNOWN`], and over them those of a file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TypeNames {
    own: BTreeMap<[u8; 16], String>,
}

impl TypeNames {
    /// Reads names from text. Each line has an id in any of its forms ([`AssetId`]), blanks and a name, which goes on
    /// to the end of the line. Lines that are empty or start with `#` say nothing.
    ///
    /// ```
    /// # use snpak::types::TypeNames;
    /// # use spelunk_core::{Budget, Limits};
    /// let text = "# of our game\n7e070000-0000-0000-0000-000000000001  Terrain\n";
    /// let names = TypeNames::parse(text.as_bytes(), &mut Budget::new(Limits::unlimited()))?;
    /// assert_eq!(names.get(&0x7e070000_0000_0000_0000_000000000001_u128.to_be_bytes()), Some("Terrain"));
    /// # Ok::<(), spelunk_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`codes::TYPE_NAMES`] with the number of the line, counted from 1, where one is not of this form or an id has
    /// a name already; limits.
    pub fn parse(text: &[u8], budget: &mut Budget) -> Result<TypeNames> {
        let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
        budget.touch(text.len() as u64)?;
        let mut names = TypeNames::default();
        for (number, line) in (1_u64..).zip(text.split(|byte| *byte == b'\n')) {
            let bad = |expected: &str, found: String| {
                Error::new(&codes::TYPE_NAMES)
                    .expected(expected.to_owned())
                    .found(format!("line {number}: {found}"))
            };
            let shown = || format!("`{}`", line.escape_ascii());
            let Ok(line) = std::str::from_utf8(line) else {
                return Err(bad("text in UTF-8", shown()));
            };
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let (id, name) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
            let id =
                AssetId::parse(id).ok_or_else(|| bad("an id and a name", format!("`{line}`")))?;
            let name = name.trim_start();
            if name.is_empty() || name.chars().any(char::is_control) {
                return Err(bad("a name behind the id", format!("`{}`", line.escape_debug())));
            }
            // With its place in the map.
            budget.memory((name.len() as u64).saturating_add(64))?;
            if names.own.insert(id.0, name.to_owned()).is_some() {
                return Err(bad("each id once", format!("{id} again")));
            }
        }
        Ok(names)
    }

    /// The name of a type.
    pub fn get(&self, id: &[u8; 16]) -> Option<&str> {
        self.own.get(id).map(String::as_str).or_else(|| known(id))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use spelunk_core::Limits;

    fn parse(text: &str) -> Result<TypeNames> {
        TypeNames::parse(text.as_bytes(), &mut Budget::new(Limits::unlimited()))
    }

    #[test]
    fn framework_ids_are_made_of_their_full_names() {
        let namespace = uuid::uuid!("8b76c145-755f-4bda-b3a7-593eb5c9129d");
        for (name, full) in [
            ("Level", "AssetKind.Level"),
            ("Node", "AssetKind.Node"),
            ("World", "AssetKind.World"),
            ("LevelPayload", "LevelPayload"),
            ("NodePayload", "NodePayload"),
            ("WorldPayload", "WorldPayload"),
        ] {
            let full = format!("SnAPI.GameFramework.{full}");
            let id = uuid::Uuid::new_v5(&namespace, full.as_bytes());
            assert_eq!(TypeNames::default().get(id.as_bytes()), Some(name), "{full}");
        }
    }

    #[test]
    fn ids_are_known_once() {
        for (nth, known) in KNOWN.iter().enumerate() {
            assert!(KNOWN[nth + 1..].iter().all(|other| other.id != known.id), "{}", known.name);
        }
    }

    #[test]
    fn files_name_types_in_every_form_of_an_id() {
        let names = parse(
            "\u{feff}# ours\r\n\r\n7e070000-0000-0000-0000-000000000001 Terrain\r\n\
             {7E070000-0000-0000-0000-000000000002}\tTerrain data\n 7e070000000000000000000000000003   x",
        );
        let names = names.unwrap();
        let id = |last: u128| (0x7e070000_0000_0000_0000_000000000000 + last).to_be_bytes();
        assert_eq!(names.get(&id(1)), Some("Terrain"));
        assert_eq!(names.get(&id(2)), Some("Terrain data"));
        assert_eq!(names.get(&id(3)), Some("x"));
        assert_eq!(names.get(&id(4)), None);
        let renamed = parse("10101010-2020-3030-4040-505060607070 Bild").unwrap();
        assert_eq!(renamed.get(&TEXTURE), Some("Bild"), "files win");
    }

    #[test]
    fn errors_tell_the_line() {
        let id = "7e070000-0000-0000-0000-000000000001";
        for text in [
            "\n\nnonsense name",
            &format!("\n\n{id}"),
            &format!("# a\n{id} a\n{id} b"),
            &format!("\n\n{id} a\u{1}b"),
        ] {
            let error = parse(text).unwrap_err();
            assert_eq!(error.code().id, codes::TYPE_NAMES.id);
            assert!(error.found_value().to_string().starts_with("line 3: "), "{error}");
        }
        let error = TypeNames::parse(b"\n\xff", &mut Budget::new(Limits::unlimited()));
        assert!(error.unwrap_err().to_string().contains("line 2"));
    }
}
