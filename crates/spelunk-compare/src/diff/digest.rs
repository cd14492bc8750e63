//! Hashes of what entries hold, made while they are walked.

use spelunk_core::{
    Error, Field, Halt, Seg, Shape, Span, Step, Target, Val, Walk, Walked, codes,
    profile::NameFilter, walk::Group,
};
use std::collections::HashMap;
use twox_hash::XxHash3_128;

/// Bytes that are hashed together. A hash takes many more cycles for each of a thousand small writes than for one of them all.
const TOGETHER: usize = 4 << 10;

/// The hash of values, field by field.
pub(super) struct Hash {
    hash: XxHash3_128,
    /// What is yet to be hashed.
    next: Vec<u8>,
}

impl Hash {
    pub(super) fn new() -> Hash {
        Hash { hash: XxHash3_128::new(), next: Vec::new() }
    }

    pub(super) fn finish(mut self) -> u128 {
        self.flush();
        self.hash.finish_128()
    }

    /// The hash so far, after which it begins anew.
    fn take(&mut self) -> u128 {
        std::mem::replace(self, Hash::new()).finish()
    }

    fn flush(&mut self) {
        self.hash.write(&self.next);
        self.next.clear();
    }

    fn write(&mut self, bytes: &[u8]) {
        if self.next.len().saturating_add(bytes.len()) > TOGETHER {
            self.flush();
        }
        match bytes.len() < TOGETHER {
            true => self.next.extend_from_slice(bytes),
            false => self.hash.write(bytes),
        }
    }

    pub(super) fn number(&mut self, number: u64) {
        self.write(&number.to_le_bytes());
    }

    pub(super) fn text(&mut self, text: &[u8]) {
        self.number(text.len() as u64);
        self.write(text);
    }

    pub(super) fn step(&mut self, step: &Seg<'_>) {
        match step {
            Seg::Field(name) => self.text(name.as_bytes()),
            Seg::Key(key) => self.text(key.as_bytes()),
            Seg::Index(_) => self.number(u64::MAX),
        }
    }

    /// A value. References go through `reference`.
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
            Val::List(_) => 14,
        };
        self.write(&[tag]);
        match value {
            Val::None => {}
            Val::Bool(value) => self.number((*value).into()),
            Val::U(value) => self.number(*value),
            Val::I(value) => self.number(value.cast_unsigned()),
            Val::F(value) => self.number(value.to_bits().into()),
            Val::Word(value) => self.number((*value).into()),
            Val::Word64(value) => self.number(*value),
            Val::Guid(a, b) => self.number(u64::from(*a) << 32 | u64::from(*b)),
            Val::Uuid(bytes) => self.write(bytes),
            Val::Hash(high, low) => {
                self.number(*high);
                self.number(*low);
            }
            Val::Text(bytes) | Val::Bytes(bytes) => self.text(bytes),
            Val::Str(text) => self.text(text.as_bytes()),
            // No walk has one.
            Val::List(_) => self.text(value.to_string().as_bytes()),
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
pub(super) struct Digest<'k> {
    names: NameFilter,
    depth: usize,
    content: Hash,
    /// The same, where references count as the kind alone: names may change together.
    loose: Hash,
    /// The [hash](of_bytes) of the kind of each entry: numbers of other things, such as messages, are no positions of entries.
    kinds: &'k [u128],
    /// The numbers of all references to entries.
    pub(super) references: Vec<u32>,
    /// Number of references that there may be.
    most: u64,
    /// Lists that are known already, and those that are open, with what was hashed before them.
    shared: Option<&'k mut ListHashes>,
    open: Vec<(Span, usize, [Hash; 2])>,
}

/// The hashes of lists that several entries of a container may share, by their bytes. Each is walked once.
pub(super) type ListHashes = HashMap<Span, [u128; 2]>;

/// Memory of a reference, in bytes, while there is room for twice as many beside the old ones.
pub(super) const REFERENCE: u64 = 12;

impl<'k> Digest<'k> {
    /// A hash of what has these names, and the references to entries of these kinds, with so many bytes of memory for them.
    pub(super) fn new(names: NameFilter, kinds: &'k [u128], most: u64) -> Digest<'k> {
        let (content, loose) = (Hash::new(), Hash::new());
        let most = most / REFERENCE;
        let (references, shared, open) = (Vec::new(), None, Vec::new());
        Digest { names, depth: 0, content, loose, kinds, references, most, shared, open }
    }

    /// A hash of what has these names, and no references; lists with bytes of their own are known by these.
    pub(super) fn sharing(names: NameFilter, shared: &'k mut ListHashes) -> Digest<'k> {
        Digest { shared: Some(shared), ..Digest::new(names, &[], 0) }
    }

    /// Hashes a list that is known.
    fn list(&mut self, hashes: [u128; 2]) {
        for (hash, known) in [&mut self.content, &mut self.loose].into_iter().zip(hashes) {
            hash.number(4);
            hash.number((known >> 64) as u64);
            hash.number(known as u64);
        }
    }

    /// The hash of all, and the one without the names of what is referred to.
    pub(super) fn finish(&mut self) -> (u128, u128) {
        let hashes = [&mut self.content, &mut self.loose].map(Hash::take);
        hashes.into()
    }
}

impl Walk for Digest<'_> {
    fn enter(&mut self, group: &Group<'_>) -> Result<Step, Halt> {
        let seen = match &group.name {
            Seg::Field(name) => self.names.has(name, self.depth),
            Seg::Key(key) => self.names.has(key, self.depth),
            Seg::Index(_) => true,
        };
        if !seen {
            return Ok(Step::Over);
        }
        if let (Some(shared), Some(at), Shape::List) = (&self.shared, group.at, group.shape) {
            if let Some(known) = shared.get(&at).copied() {
                for hash in [&mut self.content, &mut self.loose] {
                    hash.step(&group.name);
                }
                self.list(known);
                return Ok(Step::Over);
            }
            let before = [&mut self.content, &mut self.loose].map(|hash| {
                hash.step(&group.name);
                std::mem::replace(hash, Hash::new())
            });
            self.open.push((at, self.depth, before));
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
        let (references, kinds) = (&mut self.references, self.kinds);
        self.content.value(&value, |hash, number, target| {
            let is_entry = |number: &u32| {
                let kind = kinds.get(*number as usize);
                kind.is_some_and(|kind| *kind == of_bytes(target.kind.as_bytes()))
            };
            references.extend(u32::try_from(number).ok().filter(is_entry));
            hash.text(target.kind.as_bytes());
            hash.text(&target.name);
        });
        self.loose.value(&value, |hash, _, target| hash.text(target.kind.as_bytes()));
        if self.references.len() as u64 > self.most {
            return Err(Error::new(&codes::MEMORY).found("more references").into());
        }
        Ok(())
    }

    fn leave(&mut self, _: Shape) -> Walked {
        self.depth = self.depth.saturating_sub(1);
        self.content.number(3);
        self.loose.number(3);
        if let Some((at, _, before)) = self.open.pop_if(|(_, depth, _)| *depth == self.depth) {
            let hashes = [&mut self.content, &mut self.loose].map(Hash::take);
            [self.content, self.loose] = before;
            if let Some(shared) = &mut self.shared {
                shared.insert(at, hashes);
            }
            self.list(hashes);
        }
        Ok(())
    }
}
