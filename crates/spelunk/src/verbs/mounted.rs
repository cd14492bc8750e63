//! Packs that are looked at together, as a game mounts them.

use super::{FileName, FileRef, Files, input::Input, run::Run};
use crate::{Result, containers::sets::Layer};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A pack, and what stands before the names in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Mounted {
    /// `[PREFIX=]PACK`: a file that is there is meant as a whole. Otherwise the first `=` counts behind which the name of a
    /// file stands, or the first one at all.
    File(FileRef),
    /// The same in parts.
    At {
        /// Prefix of the names in it, with or without a slash at the end.
        prefix: String,
        /// The pack.
        file: FileRef,
    },
}

impl<T: Into<FileRef>> From<T> for Mounted {
    fn from(file: T) -> Mounted {
        Mounted::File(file.into())
    }
}

impl Mounted {
    /// The prefix and the file, of what is there.
    pub fn parts(&self, files: &dyn Files) -> (String, FileRef) {
        let name = match self {
            Mounted::At { prefix, file } => return (prefix.clone(), file.clone()),
            Mounted::File(FileRef::Name(name)) => name,
            Mounted::File(file) => return (String::new(), file.clone()),
        };
        let is_there = |name: &FileName| files.len(name).is_some() || files.is_folder(name);
        let whole = || (String::new(), FileRef::Name(name.clone()));
        let Some(text) = name.as_os_str().to_str().filter(|_| !is_there(name)) else {
            return whole();
        };
        let split = |(at, _): (usize, &str)| {
            let (prefix, rest) = text.split_at_checked(at)?;
            Some((prefix, FileName::from(rest.strip_prefix('=')?)))
        };
        let mut all = text.match_indices('=').filter_map(split);
        let is_file = |name: &FileName| files.len(name).is_some() && !files.is_folder(name);
        let found = all.clone().find(|(_, name)| is_file(name)).or_else(|| all.next());
        found.map_or_else(whole, |(prefix, name)| (prefix.to_owned(), FileRef::Name(name)))
    }
}

impl<'a> Run<'a> {
    /// Opens packs that are mounted with prefixes. All that cannot be opened are reported; `None` where there are such.
    pub(super) fn mount(&mut self, packs: &[Mounted]) -> Result<Option<Vec<Layer>>> {
        let (mut layers, mut is_sound) = (Vec::new(), true);
        for pack in packs {
            let (prefix, file) = pack.parts(self.files());
            match self.open(&Input::named(&file))? {
                Some(file) => {
                    let name = file.name;
                    let mut opened = file.held.into_own()?;
                    self.settle(&name, &opened.take_findings());
                    layers.push(Layer::new(name, opened).at(&prefix));
                }
                None => is_sound = false,
            }
        }
        Ok(is_sound.then_some(layers))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verbs::Memory;

    #[test]
    fn a_prefix_is_distinguished_from_a_file_by_what_is_there() {
        let files = Memory::new();
        files.put("a.snpak", Vec::new());
        files.put("x=y.snpak", Vec::new());
        for (text, prefix, file) in [
            ("a.snpak", "", "a.snpak"),
            ("x=y.snpak", "", "x=y.snpak"),
            ("dlc=a.snpak", "dlc", "a.snpak"),
            ("dlc=x=y.snpak", "dlc", "x=y.snpak"),
            ("a=b=a.snpak", "a=b", "a.snpak"),
            ("=x=y.snpak", "", "x=y.snpak"),
            ("dlc=not/there=.snpak", "dlc", "not/there=.snpak"),
            ("not/there.snpak", "", "not/there.snpak"),
        ] {
            let parts = Mounted::from(text).parts(&files);
            assert_eq!(parts, (prefix.to_owned(), file.into()), "{text}");
        }
    }
}
