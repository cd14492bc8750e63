//! Attributes that a file keeps when its content is replaced: its mode, its owner, its extended attributes.

use std::{
    fs::{self, File},
    path::Path,
};

/// Gives the new file what the old one has beside its content; reports what it could not be given.
#[cfg(unix)]
pub(super) fn keep(old: &Path, new: &File) -> Vec<&'static str> {
    use std::{
        fs::Permissions,
        os::unix::fs::{MetadataExt, PermissionsExt, fchown},
    };
    let (Ok(old_meta), Ok(new_meta)) = (fs::metadata(old), new.metadata()) else {
        return Vec::new();
    };
    let mut lost = Vec::new();
    let (owner, group) = (old_meta.uid(), old_meta.gid());
    // The owner first: to change it takes rights away.
    if owner != new_meta.uid() && fchown(new, Some(owner), None).is_err() {
        lost.push("owner");
    }
    if group != new_meta.gid() && fchown(new, None, Some(group)).is_err() {
        lost.push("group");
    }
    // With another owner, what lets others act in the owner's name would mean something else.
    let mode = old_meta.mode() & if lost.is_empty() { 0o7777 } else { 0o777 };
    if new.set_permissions(Permissions::from_mode(mode)).is_err() {
        lost.push("mode");
    }
    if !keep_attributes(old, new) {
        lost.push("extended attributes");
    }
    lost
}

/// Copies extended attributes, lists of rights among them; returns whether the new file has all of them.
#[cfg(unix)]
fn keep_attributes(old: &Path, new: &File) -> bool {
    use xattr::FileExt;
    // A file system without attributes has none to lose.
    let Ok(names) = xattr::list(old) else { return true };
    let mut all = true;
    for name in names {
        // What cannot be read is the system's own.
        let Ok(Some(value)) = xattr::get(old, &name) else { continue };
        let has = new.get_xattr(&name).is_ok_and(|has| has.as_ref() == Some(&value));
        all &= has || new.set_xattr(&name, &value).is_ok();
    }
    all
}

/// A file that is only to be read stays one.
#[cfg(not(unix))]
pub(super) fn keep(old: &Path, new: &File) -> Vec<&'static str> {
    let read_only = fs::metadata(old).map(|meta| meta.permissions()).ok();
    match read_only.filter(fs::Permissions::readonly).map(|rights| new.set_permissions(rights)) {
        Some(Err(_)) => vec!["mode"],
        _ => Vec::new(),
    }
}
