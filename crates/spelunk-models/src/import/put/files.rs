//! Image files that come of an import.

use crate::export::OutputFile;
use spelunk_open::safe_path::SafePaths;
use std::collections::BTreeMap;

/// Image files of textures that the file only names.
#[derive(Default)]
pub struct ImageFiles {
    pub made: Vec<OutputFile>,
    /// Positions of the files that were made for a name.
    asked: BTreeMap<String, Vec<usize>>,
    names: SafePaths,
}

impl ImageFiles {
    /// Adds a file of this name, or of one like it; gives its name. The same file is not made twice.
    pub(super) fn add(&mut self, name: &str, content: Vec<u8>) -> String {
        let known = self.asked.entry(name.to_owned()).or_default();
        let mut made = known.iter().filter_map(|at| self.made.get(*at));
        if let Some(made) = made.find(|made| made.content == content) {
            return made.name.clone();
        }
        known.push(self.made.len());
        let name = self.names.claim(name);
        self.made.push(OutputFile { name: name.clone(), content });
        name
    }
}
