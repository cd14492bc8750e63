//! Asset kinds and payload types by name: those that the engine and its plugins define, and names from a file
//! (`docs/formats/snpak.md`, section 11).

use crate::{AssetId, codes};
use spelunk_core::{Budget, Error, Result, nearest::with_near};
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

/// The namespace in which the engine's framework makes ids of the full names of its types.
pub const FRAMEWORK: [u8; 16] = 0x8b76c145_755f_4bda_b3a7_593eb5c9129d_u128.to_be_bytes();

/// Namespaces that are called by a name: that of the framework, and those of RFC 9562.
pub static NAMESPACES: &[(&str, [u8; 16])] = &[
    ("framework", FRAMEWORK),
    ("dns", uuid::Uuid::NAMESPACE_DNS.into_bytes()),
    ("url", uuid::Uuid::NAMESPACE_URL.into_bytes()),
    ("oid", uuid::Uuid::NAMESPACE_OID.into_bytes()),
    ("x500", uuid::Uuid::NAMESPACE_X500.into_bytes()),
];

/// The id that a namespace and a full name give a type: a version 5 UUID of both.
///
/// ```
/// # use snpak::{AssetId, types::{FRAMEWORK, type_id}};
/// let id = type_id(&FRAMEWORK, "SnAPI.GameFramework.AssetKind.Level");
/// assert_eq!(AssetId(id).to_string(), "479c8c09-ff36-590d-9730-64326b7befb7");
/// ```
pub fn type_id(namespace: &[u8; 16], name: &str) -> [u8; 16] {
    let namespace = uuid::Uuid::from_bytes(*namespace);
    uuid::Uuid::new_v5(&namespace, name.as_bytes()).into_bytes()
}

/// The id of a type that text calls by a namespace and a name; `None` where it does not begin with a namespace.
fn by_namespace(text: &str) -> Option<[u8; 16]> {
    let (namespace, name) = text.split_once(':')?;
    let known = NAMESPACES.iter().find(|(known, _)| known.eq_ignore_ascii_case(namespace));
    let id = known.map(|(_, id)| *id).or_else(|| AssetId::parse(namespace).map(|id| id.0))?;
    (!name.is_empty()).then(|| type_id(&id, name))
}

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

    /// The id of a type that is called by its id, by a name that it has, or by `NAMESPACE:NAME`, of which its id is made
    /// ([`type_id`]). Case makes no difference, unless types are called alike but for it.
    ///
    /// ```
    /// # use snpak::types::{TEXTURE, TypeNames};
    /// assert_eq!(TypeNames::default().id("texture")?, TEXTURE);
    /// # Ok::<(), spelunk_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`codes::NO_TYPE`], which says which names are near.
    pub fn id(&self, text: &str) -> Result<[u8; 16]> {
        if let Some(id) = AssetId::parse(text) {
            return Ok(id.0);
        }
        let hidden = |id: &[u8; 16]| self.own.contains_key(id);
        let known = KNOWN.iter().map(|known| (known.name, known.id)).filter(|(_, id)| !hidden(id));
        let own = self.own.iter().map(|(id, name)| (name.as_str(), *id));
        let all = || own.clone().chain(known.clone());
        let mut exact = all().filter(|(name, _)| *name == text);
        let mut alike = all().filter(|(name, _)| name.eq_ignore_ascii_case(text));
        let several = match (exact.next(), exact.next(), alike.next(), alike.next()) {
            (Some((_, id)), None, ..) | (None, None, Some((_, id)), None) => return Ok(id),
            (None, _, None, _) => false,
            _ => true,
        };
        let error = Error::new(&codes::NO_TYPE).expected("an id, a name, or NAMESPACE:NAME");
        if several {
            return Err(error.found(format!("`{text}`, which several types are called")));
        }
        if let Some(id) = by_namespace(text) {
            return Ok(id);
        }
        Err(error.found(with_near(text, all().map(|(name, _)| name))))
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
    fn types_are_called_by_id_name_or_namespace() {
        let own = "7e070000-0000-0000-0000-000000000001 Terrain\n7e070000-0000-0000-0000-000000000002 a:b\n\
                   7e070000-0000-0000-0000-000000000003 twin\n7e070000-0000-0000-0000-000000000004 Twin\n\
                   7e070000-0000-0000-0000-000000000005 twice\n7e070000-0000-0000-0000-000000000006 twice\n\
                   10101010-2020-3030-4040-505060607070 Bild";
        let names = parse(own).unwrap();
        let id = |last: u128| (0x7e070000_0000_0000_0000_000000000000 + last).to_be_bytes();
        for (text, wanted) in [
            ("{7E070000-0000-0000-0000-000000000009}", id(9)),
            ("terrain", id(1)),
            ("a:b", id(2)),
            ("twin", id(3)),
            ("Twin", id(4)),
            ("bild", TEXTURE),
            ("textureinfo", TEXTURE_INFO),
            ("Framework:SnAPI.GameFramework.LevelPayload", KNOWN[3].id),
            ("8b76c145755f4bdab3a7593eb5c9129d:SnAPI.GameFramework.LevelPayload", KNOWN[3].id),
        ] {
            assert_eq!(names.id(text).unwrap(), wanted, "{text}");
        }
        let of = uuid::Uuid::new_v5(&uuid::Uuid::NAMESPACE_DNS, b"example.org").into_bytes();
        assert_eq!(names.id("dns:example.org").unwrap(), of);
        for (text, found) in [
            ("Texture", "near it: `TextureInfo`"),
            ("TWIN", "several types"),
            ("twice", "several types"),
            ("terain", "near it: `Terrain`"),
            ("frame:Level", "`frame:Level`"),
            ("dns:", "`dns:`"),
            ("", "``"),
        ] {
            let error = names.id(text).unwrap_err();
            assert_eq!(error.code().id, codes::NO_TYPE.id, "{text}");
            assert!(error.to_string().contains(found), "{found}: {error}");
        }
    }

    #[test]
    fn framework_ids_are_made_of_their_full_names() {
        for (name, full) in [
            ("Level", "AssetKind.Level"),
            ("Node", "AssetKind.Node"),
            ("World", "AssetKind.World"),
            ("LevelPayload", "LevelPayload"),
            ("NodePayload", "NodePayload"),
            ("WorldPayload", "WorldPayload"),
        ] {
            let full = format!("SnAPI.GameFramework.{full}");
            assert_eq!(TypeNames::default().get(&type_id(&FRAMEWORK, &full)), Some(name), "{full}");
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
