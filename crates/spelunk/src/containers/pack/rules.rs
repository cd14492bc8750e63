//! Rules by which files become assets, chosen by the names of the files.

use crate::{Result, entries::select::Select};
use snpak::{
    AssetId, Codec, TypeNames,
    build::{Content, Payload, name_id, random_id},
    compression::Preset,
};
use spelunk_core::scalar::Uuid;

/// Rules for files, each for those that a glob selects. Of several rules that match a file the last one counts.
#[derive(Clone, Debug, Default)]
pub struct Rules {
    /// Codecs of payloads; by default as their extensions recommend it, zstd where they say nothing, and plain where
    /// packing makes them no smaller.
    codecs: Vec<(Select, Codec)>,
    kinds: Vec<(Select, Uuid)>,
    types: Vec<(Select, Uuid)>,
    /// Names by which kinds and types are called, beside those that are known.
    pub names: TypeNames,
    /// Whether new assets have random ids instead of those that their names give.
    pub random_ids: bool,
    /// Whether payloads are stored plain where packing makes them no smaller.
    pub only_if_smaller: bool,
}

impl Rules {
    /// Adds `GLOB=CODEC` or `CODEC`, where a codec is a compression with a level (`zstd:max`) or what the data is
    /// (`mesh`).
    ///
    /// # Errors
    /// For globs and codecs that make no sense.
    pub fn codec(&mut self, rule: &str) -> Result<()> {
        let (select, codec) = split(rule)?;
        let preset = Preset::ALL.iter().find(|(name, _)| name.eq_ignore_ascii_case(codec));
        let codec = match preset {
            Some((_, preset)) => preset.codec(),
            None => codec.parse()?,
        };
        self.codecs.push((select, codec));
        Ok(())
    }

    /// Adds `GLOB=TYPE` or `TYPE`: the kind of assets, called as [`TypeNames::id`] takes it.
    ///
    /// # Errors
    /// For globs that make no sense, and types that are not known.
    pub fn kind(&mut self, rule: &str) -> Result<()> {
        let (select, id) = split(rule)?;
        self.kinds.push((select, self.type_id(id)?));
        Ok(())
    }

    /// Adds `GLOB=TYPE` or `TYPE`: the type of payloads, called as [`TypeNames::id`] takes it.
    ///
    /// # Errors
    /// For globs that make no sense, and types that are not known.
    pub fn payload_type(&mut self, rule: &str) -> Result<()> {
        let (select, id) = split(rule)?;
        self.types.push((select, self.type_id(id)?));
        Ok(())
    }

    /// The id of a kind or a type.
    ///
    /// # Errors
    /// [`NO_TYPE`](snpak::codes::NO_TYPE).
    pub(super) fn type_id(&self, text: &str) -> Result<Uuid> {
        self.names.id(text).map(Uuid)
    }

    /// The id of a new asset.
    ///
    /// # Errors
    /// Those of [`random_id`].
    pub(super) fn asset_id(&self, name: &[u8], variant: Option<&[u8]>) -> Result<Uuid> {
        if self.random_ids { random_id() } else { Ok(name_id(name, variant)) }
    }

    /// The codec that a rule gives to a name.
    pub(super) fn codec_of(&self, name: &str) -> Option<Codec> {
        last(&self.codecs, name)
    }

    pub(super) fn kind_of(&self, name: &str) -> Option<Uuid> {
        last(&self.kinds, name)
    }

    pub(super) fn type_of(&self, name: &str) -> Option<Uuid> {
        last(&self.types, name)
    }

    /// The payload of a file, packed as `given`, or as the rules have it.
    pub(super) fn payload(&self, name: &str, given: Option<Codec>, content: Content) -> Payload {
        match self.codec_of(name).or(given) {
            None => Payload::recommended(name, content),
            Some(codec) if self.only_if_smaller => Payload::new(content, codec).only_if_smaller(),
            Some(codec) => Payload::new(content, codec),
        }
    }
}

fn last<T: Copy>(rules: &[(Select, T)], name: &str) -> Option<T> {
    let rule = rules.iter().rev().find(|(select, _)| select.matches(name, "", ""));
    rule.map(|(_, value)| *value)
}

/// The files that a rule is for, and what it says.
fn split(rule: &str) -> Result<(Select, &str)> {
    match rule.rsplit_once('=') {
        Some((glob, value)) => Ok((Select::new(&[glob], &[])?, value)),
        None => Ok((Select::new::<&str>(&[], &[])?, rule)),
    }
}

/// An id in any of its forms.
///
/// # Errors
/// [`BAD_ID`](snpak::codes::BAD_ID).
pub(super) fn uuid(text: &str) -> Result<Uuid> {
    Ok(Uuid(text.parse::<AssetId>()?.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_rule_that_matches_counts() {
        let mut rules = Rules::default();
        for rule in ["zstd:high", "*.vtx=mesh", "maps/*=none"] {
            rules.codec(rule).unwrap();
        }
        let codec = |name: &str| rules.codec_of(name).unwrap().to_string();
        assert_eq!(codec("a.txt"), "zstd:high");
        assert_eq!(codec("a.VTX"), "lz4");
        assert_eq!(codec("maps/a.vtx"), "none");
        assert_eq!(rules.codec("*.x=gzip").unwrap_err().code().id, "SN080");
        assert_eq!(rules.kind("5").unwrap_err().code().id, snpak::codes::NO_TYPE.id);
        rules.kind("Level").unwrap();
        assert_eq!(rules.kind_of("any").map(|kind| kind.0[0]), Some(0x47));
        rules.kind("{10101010-2020-3030-4040-505060607070}").unwrap();
        assert_eq!(rules.kind_of("any").map(|kind| kind.0[0]), Some(0x10));
    }
}
