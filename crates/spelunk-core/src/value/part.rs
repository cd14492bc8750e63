//! Words that are packed from parts: flags, and numbers that take some of the bits.

use super::same_name;
use crate::{
    codes,
    error::{Error, Result},
    field::{BitField, Field, Ty, Val},
};
use std::fmt;

impl BitField {
    /// The word with another value of the part.
    ///
    /// # Errors
    /// [`VALUE`](codes::VALUE) for what is no value of it, or has more bits.
    pub(super) fn set(&self, word: u32, value: &Val<'_>) -> Result<u32> {
        let wrong = |error: Error| error.expected(self.expected()).field(self.field.name);
        let stored = self.field.encode(value, &[]).map_err(wrong)?;
        let set = self.put(word, word_in(&stored).unwrap_or_default());
        // A number that lost bits is another one.
        match self.field.ty.decode(&stored) == self.value(set) {
            true => Ok(set),
            false => Err(wrong(self.field.misfit(value))),
        }
    }

    /// Expectation of a value, for messages.
    fn expected(&self) -> String {
        let most = i64::from(u32::MAX.unbounded_shr(32_u32.saturating_sub(self.width)));
        let half = most >> 1;
        self.field.expected_in(Some(match self.field.ty {
            Ty::I8 | Ty::I16 | Ty::I32 => !half..=half,
            _ => 0..=most,
        }))
    }
}

/// A part of a word with its description.
#[derive(Clone, PartialEq, Debug)]
pub struct PartValue {
    /// The name.
    pub name: &'static str,
    /// [`Val::Bool`] for a flag, else a number.
    pub value: Val<'static>,
    /// The description; that of all flags is the same.
    pub field: &'static Field,
}

/// The description of a flag.
pub(super) static FLAG: Field = Field::new("flag", Ty::Bool, "Whether it is set.");

impl PartValue {
    /// The name of its value, where a number has one.
    pub fn meaning(&self) -> Option<std::borrow::Cow<'static, str>> {
        self.field.meaning(&self.value)
    }

    /// Whether there is something to say of it: not of a flag that is not set, nor of a 0 without a name.
    pub fn is_set(&self) -> bool {
        match self.value {
            Val::Bool(set) => set,
            Val::U(0) | Val::I(0) => self.meaning().is_some(),
            _ => true,
        }
    }
}

impl fmt::Display for PartValue {
    /// The name of a flag; name and value of a number, as [`Field::parse`] takes them: `z_function: less`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.value, self.meaning()) {
            (Val::Bool(_), _) => f.write_str(self.name),
            (_, Some(meaning)) => write!(f, "{}: {meaning}", self.name),
            (value, None) => write!(f, "{}: {value}", self.name),
        }
    }
}

/// The word that a value is, if it has no more than 32 bits.
pub(super) fn word_of(value: &Val<'_>) -> Option<u32> {
    match value {
        Val::Word(word) => Some(*word),
        Val::U(number) => u32::try_from(*number).ok(),
        Val::I(number) => i32::try_from(*number).ok().map(i32::cast_unsigned),
        _ => None,
    }
}

/// The word that up to four bytes store.
pub(super) fn word_in(bytes: &[u8]) -> Option<u32> {
    let mut word = [0; 4];
    let low = word.get_mut(..bytes.len())?;
    low.copy_from_slice(bytes);
    Some(u32::from_le_bytes(word))
}

impl Field {
    /// Whether its values are words of parts.
    pub const fn is_packed(&self) -> bool {
        !self.bits.is_empty() || !self.parts.is_empty()
    }

    /// The parts of a value in the order of their bits in the description, flags first; none where the field is no packed
    /// word.
    pub fn parts_of(&self, value: &Val<'_>) -> impl Iterator<Item = PartValue> + use<> {
        let word = if self.is_packed() { word_of(value) } else { None };
        let (flags, numbers) = (self.bits.iter(), self.parts.iter());
        word.into_iter().flat_map(move |word| {
            let flags = flags.clone().filter(|(mask, _)| *mask != 0).map(move |(mask, name)| {
                PartValue { name, value: Val::Bool(word & mask == *mask), field: &FLAG }
            });
            let number = move |part: &'static BitField| PartValue {
                name: part.field.name,
                value: part.value(word),
                field: &part.field,
            };
            flags.chain(numbers.clone().map(number))
        })
    }

    /// The part with a name in a value, where the field is a packed word that has one.
    pub fn part_of(&self, value: &Val<'_>, name: &str) -> Option<PartValue> {
        self.parts_of(value).find(|part| same_name(part.name, name))
    }

    /// The bytes that store the field with another value of one of its parts, of which `old` are those that are there. A
    /// flag is `true` or `false`, as a boolean, a number or a text.
    ///
    /// # Errors
    /// [`NO_PART`](codes::NO_PART), which names the nearest ones; [`VALUE`](codes::VALUE) for what is no value of the part,
    /// and where `old` are not all bytes of the field: the other parts would be lost.
    pub fn encode_part(&self, name: &str, value: &Val<'_>, old: &[u8]) -> Result<Vec<u8>> {
        let word = word_in(old).filter(|_| self.is_packed()).ok_or_else(|| self.no_part(name))?;
        if let Some(size) = self.ty.size().filter(|size| *size as usize != old.len()) {
            let error = Error::new(&codes::VALUE).expected(format!("{size} bytes that are there"));
            return Err(error.found(format!("{} bytes", old.len())).field(self.name));
        }
        let word = match (self.flag(name), self.part(name)) {
            (Some(mask), _) => {
                match FLAG.boolean(value).map_err(|error| error.within_key(name))? {
                    true => word | mask,
                    false => word & !mask,
                }
            }
            (None, Some(part)) => part.set(word, value)?,
            (None, None) => return Err(self.no_part(name)),
        };
        let bytes = word.to_le_bytes();
        Ok(bytes.get(..old.len()).unwrap_or(&bytes).to_vec())
    }

    /// The mask of a flag.
    pub(super) fn flag(&self, name: &str) -> Option<u32> {
        self.bits.iter().find(|(_, known)| same_name(known, name)).map(|(mask, _)| *mask)
    }

    /// The part with a name.
    pub fn part(&self, name: &str) -> Option<&'static BitField> {
        self.parts.iter().find(|part| same_name(part.field.name, name))
    }

    fn no_part(&self, name: &str) -> Error {
        let error = Error::new(&codes::NO_PART);
        let names = self.bits.iter().map(|(_, name)| *name);
        let names: Vec<&str> = names.chain(self.parts.iter().map(|part| part.field.name)).collect();
        let error = match super::listed(&names) {
            Some(names) => error.expected(format!("one of {names}")),
            None => error,
        };
        error.found(super::with_near(name, names))
    }
}
