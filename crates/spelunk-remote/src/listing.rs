//! Listings of object stores.

use crate::{address::Address, stores::Stores};
use futures_util::TryStreamExt;
use object_store::{ObjectMeta, ObjectStore, path::Path};
use spelunk_core::{Error, Result, codes};
use spelunk_open::files::{FileName, FolderItem};
use std::{io, sync::Arc, time::SystemTime};

/// Number of objects that are listed of one folder.
const MOST: usize = 1 << 20;

/// A file of a listing.
pub(crate) struct Listed {
    pub(crate) name: FileName,
    /// Path within the folder.
    pub(crate) within: String,
    pub(crate) size: u64,
    pub(crate) modified: SystemTime,
}

/// The files of a folder down to `depth`, in the order of their names.
///
/// # Errors
/// Those of the store; [`MEMORY`](codes::MEMORY) for more than a million objects.
pub(crate) fn files(stores: &Stores, folder: &Address, depth: usize) -> Result<Vec<Listed>> {
    let (store, key) = (stores.store(folder)?, folder.key.clone());
    let found = stores.worker.wait(async move { list(store, &key, depth).await })?;
    let found = found.map_err(|failed| failed.error(stores))?;
    let start = match folder.key.as_ref() {
        "" => 0,
        key => key.len() + 1,
    };
    let mut listed: Vec<Listed> = found
        .into_iter()
        .filter_map(|object| {
            let key = object.location.as_ref();
            let within = key.get(start..).filter(|within| !within.is_empty())?.to_owned();
            let is_deep = within.matches('/').count() < depth;
            let modified = object.last_modified.into();
            let (name, size) = (folder.sibling(key), object.size);
            is_deep.then_some(Listed { name, within, size, modified })
        })
        .collect();
    listed.sort_by(|a, b| a.within.split('/').cmp(b.within.split('/')));
    Ok(listed)
}

/// The folders in a folder.
///
/// # Errors
/// Those of the store.
pub(crate) fn folders(stores: &Stores, folder: &Address) -> Result<Vec<FileName>> {
    let (store, key) = (stores.store(folder)?, folder.key.clone());
    let found = stores.worker.wait(async move { store.list_with_delimiter(Some(&key)).await })?;
    let found = found.map_err(|_| stores.failed("a list of objects"))?;
    let names = found
        .common_prefixes
        .iter()
        .map(|prefix| FileName::from(format!("{}/", folder.sibling(prefix.as_ref()))));
    let mut names: Vec<FileName> = names.collect();
    names.sort();
    Ok(names)
}

/// Reason why there is no listing.
enum Failed {
    Store,
    TooMany,
}

impl Failed {
    fn error(self, stores: &Stores) -> Error {
        match self {
            Failed::TooMany => Error::new(&codes::MEMORY)
                .expected(format!("at most {MOST} objects in a folder"))
                .found("more"),
            Failed::Store => stores.failed("a list of objects"),
        }
    }
}

async fn list(
    store: Arc<dyn ObjectStore>,
    key: &Path,
    depth: usize,
) -> std::result::Result<Vec<ObjectMeta>, Failed> {
    if depth <= 1 {
        // One page has what else would be all that lies below.
        let found = store.list_with_delimiter(Some(key)).await.map_err(|_| Failed::Store)?;
        return Ok(found.objects);
    }
    let mut pages = store.list(Some(key));
    let mut found = Vec::new();
    while let Some(object) = pages.try_next().await.map_err(|_| Failed::Store)? {
        if found.len() == MOST {
            return Err(Failed::TooMany);
        }
        found.push(object);
    }
    Ok(found)
}

/// A folder of which nothing can be listed.
pub(crate) fn unreadable(name: &FileName, error: &Error) -> FolderItem {
    FolderItem::Unreadable(name.clone(), io::Error::other(error.to_string()))
}

/// A folder of a web server.
pub(crate) fn unlisted(name: &FileName) -> FolderItem {
    let text =
        "web servers do not list their files: name the files, or a list of them with --files-from";
    FolderItem::Unreadable(name.clone(), io::Error::new(io::ErrorKind::Unsupported, text))
}

/// A folder without files, which in an object store is none.
pub(crate) fn empty(name: &FileName) -> FolderItem {
    let text = "no object has a key that begins so";
    FolderItem::Unreadable(name.clone(), io::Error::new(io::ErrorKind::NotFound, text))
}
