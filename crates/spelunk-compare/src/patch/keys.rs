//! Keys of objects: what stands for references in a patch, whatever position or id an object has in a file.

use spelunk_core::text::CodePages;
use spelunk_open::document::row::References;
use std::collections::HashMap;
use virtools::{File, codec::fill::Resolve};

/// The key with a number.
pub(super) fn key(number: u32) -> String {
    format!("@{number}")
}

/// The key of an object that no patch speaks of.
pub(super) fn unknown(index: u32) -> String {
    format!("#{index}")
}

/// The number of a key.
pub(crate) fn number(key: &str) -> Option<u32> {
    key.strip_prefix('@')?.parse().ok()
}

/// The keys of the objects of a file.
pub(super) struct Keys {
    pages: CodePages,
    /// For each object its key.
    keys: Vec<String>,
    places: HashMap<String, u32>,
    ids: Vec<u32>,
    by_id: HashMap<u32, u32>,
}

impl Keys {
    /// The objects of a file, with the keys that `key` gives to their positions.
    pub(super) fn of(file: &File, key: impl Fn(u32) -> String, pages: CodePages) -> Keys {
        let mut keys = Keys {
            pages,
            keys: Vec::new(),
            places: HashMap::new(),
            ids: Vec::new(),
            by_id: HashMap::new(),
        };
        for (object, index) in file.table().objects.iter().zip(0..) {
            keys.add(key(index), object.id.unsigned_abs());
        }
        keys
    }

    /// Takes note of the object behind the others.
    pub(super) fn add(&mut self, key: String, id: u32) {
        let index = u32::try_from(self.keys.len()).unwrap_or(u32::MAX);
        self.places.insert(key.clone(), index);
        self.keys.push(key);
        self.ids.push(id);
        self.by_id.entry(id).or_insert(index);
    }
}

impl Resolve for Keys {
    fn object(&self, text: &str, file_mode: bool) -> Option<u32> {
        let index = *self.places.get(text)?;
        if file_mode { Some(index) } else { self.ids.get(index as usize).copied() }
    }

    fn manager_int(&self, _: [u32; 2], _: &str) -> Option<u32> {
        None
    }

    fn text(&self, text: &str) -> Option<Vec<u8>> {
        self.pages.encode(text)
    }
}

impl References for Keys {
    fn key(&self, index: u32) -> Option<String> {
        self.keys.get(index as usize).cloned()
    }

    fn index(&self, id: u32) -> Option<u32> {
        self.by_id.get(&id).copied()
    }

    fn pages(&self) -> &CodePages {
        &self.pages
    }
}
