//! Policies of requests: what happens to what.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};
use std::{borrow::Cow, fmt, str::FromStr};

/// Something that requests call by a name.
pub trait NamedChoice: Copy + PartialEq + 'static {
    /// All of them.
    const ALL: &'static [(&'static str, Self)];

    /// Further names that are understood, and that no message lists.
    const ALIASES: &'static [(&'static str, Self)] = &[];

    /// Returns the name of the policy.
    fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, it)| *it == self).map_or("", |(name, _)| name)
    }

    /// The one of this name.
    ///
    /// # Errors
    /// The names that there are.
    fn named(name: &str) -> Result<Self, String> {
        let mut all = Self::ALL.iter().chain(Self::ALIASES);
        let found = all.find(|(known, _)| *known == name);
        found.map(|(_, it)| *it).ok_or_else(|| {
            let names: Vec<&str> = Self::ALL.iter().map(|(name, _)| *name).collect();
            match names.split_last() {
                Some((last, [first @ .., other])) => {
                    [first, &[&format!("{other} or {last}")]].concat().join(", ")
                }
                _ => names.concat(),
            }
        })
    }
}

/// Kinds of objects that have a policy of their own where names meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConflictFamily {
    /// Entities: objects, cameras, lights, curves.
    Object,
    /// Meshes.
    Mesh,
    /// Materials.
    Material,
    /// Textures.
    Texture,
    /// Groups.
    Group,
    /// Everything else.
    Other,
}

impl NamedChoice for ConflictFamily {
    const ALL: &'static [(&'static str, ConflictFamily)] = &[
        ("object", ConflictFamily::Object),
        ("mesh", ConflictFamily::Mesh),
        ("material", ConflictFamily::Material),
        ("texture", ConflictFamily::Texture),
        ("group", ConflictFamily::Group),
        ("other", ConflictFamily::Other),
    ];
    const ALIASES: &'static [(&'static str, ConflictFamily)] = &[
        ("entities", ConflictFamily::Object),
        ("meshes", ConflictFamily::Mesh),
        ("materials", ConflictFamily::Material),
        ("general", ConflictFamily::Other),
    ];
}

/// A policy, and the type that it is for: `[TYPE=]POLICY`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PolicyFor<T, P> {
    /// Type of the objects that it is for; all types where it is `None`.
    pub of: Option<T>,
    /// The policy.
    pub policy: P,
}

impl<T: NamedChoice, P: NamedChoice> FromStr for PolicyFor<T, P> {
    type Err = String;

    fn from_str(text: &str) -> Result<PolicyFor<T, P>, String> {
        let Some((of, policy)) = text.split_once('=') else {
            return Ok(PolicyFor { of: None, policy: P::named(text)? });
        };
        let policy = P::named(policy)?;
        Ok(PolicyFor { of: Some(T::named(of)?), policy })
    }
}

impl<T: NamedChoice, P: NamedChoice> fmt::Display for PolicyFor<T, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(of) = self.of {
            write!(f, "{}=", of.name())?;
        }
        f.write_str(self.policy.name())
    }
}

impl<T: NamedChoice, P: NamedChoice> Serialize for PolicyFor<T, P> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

impl<'de, T: NamedChoice, P: NamedChoice> Deserialize<'de> for PolicyFor<T, P> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        String::deserialize(from)?.parse().map_err(D::Error::custom)
    }
}

impl<T, P> JsonSchema for PolicyFor<T, P> {
    fn schema_name() -> Cow<'static, str> {
        "Policy".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string" })
    }
}
