//! Hashes of what entries hold, made while they are walked.

use super::profile::Names;
use crate::{Field, Halt, Seg, Shape, Span, Step, Target, Val, Walk, Walked, walk::Group};
use twox_hash::XxHash3_128;

/// The hash of values, field by field.
pub(super) struct Hash(XxHash3_128);

impl Hash {
    pub(super) fn new() -> Hash {
        Hash(XxHash3_128::new())
    }

    pub(super) fn finish(&self) -> u128 {
        self.0.finish_128()
    }

    pub(super) fn number(&mut self, number: u64) {
        self.0.write(&number.to_le_bytes());
    }

    pub(super) fn text(&mut self, text: &[u8]) {
        self.number(text.len() as u64);
        self.0.write(text);
    }

    pub(super) fn step(&mut self, step: &Seg<'_>) {
        match step {
            Seg::Field(name) => self.text(name.as_bytes()),
            Seg::Key(key) => self.text(key.as_bytes()),
            Seg::Index(_) => self.number(u64::MAX),
        }
    }

    /// A value. References are told by `reference`.
    pub(super) fn value(
        &mut self,
        value: &Val<'_>,
        reference: impl FnOnce(&mut Hash, u64, &Target<'_>),
    ) {
        let tag = match value {
            Val::None => 0,
            Val::Bool(_) => 1,
            Val::U(_) => 2,
            Val::I(_) => 3,
            Val::F(_) => 4,
            Val::Word(_) => 5,
            Val::Word64(_) => 6,
            Val::Guid(..) => 7,
            Val::Uuid(_) => 8,
            Val::Hash(..) => 9,
            Val::Text(_) => 10,
            Val::Bytes(_) => 11,
            Val::Str(_) => 12,
            Val::Ref(..) => 13,
        };
        self.0.write(&[tag]);
        match value {
            Val::None => {}
            Val::Bool(value) => self.number((*value).into()),
            Val::U(value) => self.number(*value),
            Val::I(value) => self.number(value.cast_unsigned()),
            Val::F(value) => self.number(value.to_bits().into()),
            Val::Word(value) => self.number((*value).into()),
            Val::Word64(value) => self.number(*value),
            Val::Guid(a, b) => self.number(u64::from(*a) << 32 | u64::from(*b)),
            Val::Uuid(bytes) => self.0.write(bytes),
            Val::Hash(high, low) => {
                self.number(*high);
                self.number(*low);
            }
            Val::Text(bytes) | Val::Bytes(bytes) => self.text(bytes),
            Val::Str(text) => self.text(text.as_bytes()),
            Val::Ref(number, None) => self.number(*number),
            Val::Ref(number, Some(target)) => reference(self, *number, target),
        }
    }
}

/// The hash of these bytes.
pub(super) fn of_bytes(bytes: &[u8]) -> u128 {
    XxHash3_128::oneshot(bytes)
}

/// The hash of these numbers.
pub(super) fn of_numbers(numbers: &[u128]) -> u128 {
    let mut bytes = Vec::with_capacity(numbers.len().saturating_mul(16));
    numbers.iter().for_each(|number| bytes.extend(number.to_le_bytes()));
    of_bytes(&bytes)
}

/// Hashes a walk. References count as kind and name of what they mean.
pub(super) struct Digest {
    names: Names,
    depth: usize,
    content: Hash,
    /// The same, where references count as the kind alone: names may change together.
    loose: Hash,
    /// The numbers of all references that mean something, with the [hash](of_bytes) of its kind.
    pub(super) references: Vec<(u32, u128)>,
}

impl Digest {
    pub(super) fn new(names: Names) -> Digest {
        let (content, loose) = (Hash::new(), Hash::new());
        Digest { names, depth: 0, content, loose, references: Vec::new() }
    }

    /// The hash of all, and the one without the names of what is referred to.
    pub(super) fn finish(&self) -> (u128, u128) {
        (self.content.finish(), self.loose.finish())
    }
}

impl Walk for Digest {
    fn enter(&mut self, group: &Group<'_>) -> Result<Step, Halt> {
        let seen = match &group.name {
            Seg::Field(name) => self.names.has(name, self.depth),
            Seg::Key(key) => self.names.has(key, self.depth),
            Seg::Index(_) => true,
        };
        if !seen {
            return Ok(Step::Over);
        }
        self.depth = self.depth.saturating_add(1);
        for hash in [&mut self.content, &mut self.loose] {
            hash.number(1);
            hash.step(&group.name);
        }
        Ok(Step::Into)
    }

    fn field(&mut self, field: &'static Field, _: Option<Span>, value: Val<'_>) -> Walked {
        if !self.names.has(field.name, self.depth) {
            return Ok(());
        }
        for hash in [&mut self.content, &mut self.loose] {
            hash.number(2);
            hash.text(field.name.as_bytes());
        }
        let references = &mut self.references;
        self.content.value(&value, |hash, number, target| {
            let kind = of_bytes(target.kind.as_bytes());
            references.extend(u32::try_from(number).ok().map(|number| (number, kind)));
            hash.text(target.kind.as_bytes());
            hash.text(&target.name);
        });
        self.loose.value(&value, |hash, _, target| hash.text(target.kind.as_bytes()));
        Ok(())
    }

    fn leave(&mut self, _: Shape) -> Walked {
        self.depth = self.depth.saturating_sub(1);
        self.content.number(3);
        self.loose.number(3);
        Ok(())
    }
}
