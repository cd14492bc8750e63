//! Looking for files that objects name: textures, sounds.

use crate::files::{FileName, Files, FolderItem};
use spelunk_core::folder::Links;
use std::{
    collections::BTreeMap,
    fmt,
    sync::{Arc, OnceLock},
};

/// Folders in which files are found by their names, whatever the case of their letters. Clones share what was listed.
#[derive(Clone, Default)]
pub struct Search(Option<Arc<Folders>>);

struct Folders {
    files: Arc<dyn Files>,
    folders: Vec<FileName>,
    /// Files by their names in lower case; listed when the first one is looked for.
    listed: OnceLock<BTreeMap<String, FileName>>,
}

impl fmt::Debug for Search {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.0.iter().flat_map(|folders| &folders.folders)).finish()
    }
}

impl Search {
    /// A search in these folders, in their order.
    pub fn new(files: Arc<dyn Files>, folders: Vec<FileName>) -> Search {
        Search(Some(Arc::new(Folders { files, folders, listed: OnceLock::new() })))
    }

    /// A search for what a file names: in the folders that were named, then where the file lies, and in folders there and beside
    /// that which are `called` so.
    pub fn beside(
        files: Arc<dyn Files>,
        file: Option<&FileName>,
        called: &[&str],
        named: &[FileName],
    ) -> Search {
        let mut folders = named.to_vec();
        if let Some([beside, above]) = file.map(|file| files.around(file)) {
            folders.push(beside.clone());
            for around in [beside, above] {
                let is_called = |folder: &FileName| {
                    let name = folder.as_path().file_name();
                    name.is_some_and(|name| {
                        called.iter().any(|known| name.eq_ignore_ascii_case(known))
                    })
                };
                folders.extend(files.folders(&around).into_iter().filter(is_called));
            }
        }
        Search::new(files, folders)
    }

    /// The file with this name. Folders in the name do not count: they are those of the author's machine.
    pub fn find(&self, name: &str) -> Option<(&dyn Files, &FileName)> {
        let Folders { files, folders, listed } = self.0.as_deref()?;
        let name = name.rsplit(['/', '\\']).next()?.to_lowercase();
        let listed = listed.get_or_init(|| {
            let mut found = BTreeMap::new();
            let listed = folders.iter().flat_map(|folder| files.list(folder, 1, Links::ToFiles));
            for listed in listed {
                if let FolderItem::File(name, within) = listed
                    && let Some(within) = within.as_os_str().to_str()
                {
                    found.entry(within.to_lowercase()).or_insert(name);
                }
            }
            found
        });
        listed.get(&name).map(|found| (files.as_ref(), found))
    }
}
