//! Choosing entries by glob. Globs cross folders and ignore case.

use super::near::near;
use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use spelunk_core::{
    Budget, Container, Entry, Error, Of, Result, Task, codes, text::CodePages, walk,
};
use virtools::File;

/// Choice of paths: those that match one of the globs (all, where there are none) and none of the excluded ones.
#[derive(Clone, Debug)]
pub struct Select {
    wanted: Option<GlobSet>,
    excluded: GlobSet,
}

impl Select {
    /// Compiles the globs.
    ///
    /// # Errors
    /// [`codes::BAD_PATTERN`] with the glob that makes no sense.
    pub fn new<S: AsRef<str>>(wanted: &[S], excluded: &[S]) -> Result<Select> {
        let wanted = if wanted.is_empty() { None } else { Some(set(wanted)?) };
        Ok(Select { wanted, excluded: set(excluded)? })
    }

    /// Whether nothing was asked for, so that every entry is wanted.
    pub fn takes_all(&self) -> bool {
        self.wanted.is_none() && self.excluded.is_empty()
    }

    /// Whether an entry is wanted, as [`Select::matches`] says.
    ///
    /// # Errors
    /// [`MEMORY`](codes::MEMORY) and [`STEPS`](codes::STEPS), for names that are too long to be looked at.
    pub fn wants(&self, entry: &Entry<'_>, pages: &CodePages, budget: &mut Budget) -> Result<bool> {
        let name = entry.name.unwrap_or_default();
        budget.afford(name.len() as u64)?;
        self.wants_named([entry.path, entry.kind, &pages.show(name)], budget)
    }

    /// Whether an entry with this path, kind and name is wanted, as [`Select::matches`] says.
    ///
    /// # Errors
    /// Those of [`Select::wants`].
    pub fn wants_named(&self, texts: [&str; 3], budget: &mut Budget) -> Result<bool> {
        if self.takes_all() {
            return Ok(true);
        }
        let letters = texts.iter().fold(0, |sum: usize, text| sum.saturating_add(text.len()));
        // The name stands behind the kind, too, and globs go over every letter.
        budget.afford((letters as u64).saturating_mul(2))?;
        budget.touch((letters as u64).saturating_mul(8))?;
        let [path, kind, name] = texts;
        Ok(self.matches(path, kind, name))
    }

    /// Whether an entry is wanted: by its path, its name, its kind (`CKMesh`), or both (`CKMesh/Cube*`).
    pub fn matches(&self, path: &str, kind: &str, name: &str) -> bool {
        let any = |set: &GlobSet| {
            set.is_match(path)
                || (!name.is_empty() && set.is_match(name))
                || (!kind.is_empty() && set.is_match(kind))
                || (!kind.is_empty() && !name.is_empty() && set.is_match(format!("{kind}/{name}")))
        };
        self.wanted.as_ref().is_none_or(any) && !any(&self.excluded)
    }
}

/// The objects of a Virtools file that a path means, or a glob where it is no path, by their positions.
///
/// # Errors
/// [`NOT_FOUND`](codes::NOT_FOUND) where there are none; reading errors; limits.
pub fn objects(
    file: &File,
    path: &str,
    pages: &CodePages,
    task: &mut Task<'_>,
) -> Result<Vec<u32>> {
    // A path that is not well-formed may still be a glob.
    let found = file.find(path, pages, task).unwrap_or_default();
    let mut objects: Vec<u32> =
        found.into_iter().filter_map(|node| file.object_index(node)).collect();
    if objects.is_empty() {
        let select = Select::new(&[path], &[])?;
        walk::finish(file.children(Of::Listing, pages, task, &mut |entry, task| {
            if select.wants(entry, pages, &mut task.budget)? {
                objects.extend(file.object_index(entry.node));
            }
            Ok(())
        }))?;
    }
    if objects.is_empty() {
        let found = near(file, path, pages, task).found(path);
        let error = Error::new(&codes::NOT_FOUND).expected("the path of an object, or a glob");
        return Err(error.found(found));
    }
    Ok(objects)
}

fn set<S: AsRef<str>>(globs: &[S]) -> Result<GlobSet> {
    let bad = |error: globset::Error| Error::new(&codes::BAD_PATTERN).found(error.to_string());
    let mut set = GlobSetBuilder::new();
    for glob in globs {
        set.add(
            GlobBuilder::new(glob.as_ref())
                .case_insensitive(true)
                .literal_separator(false)
                .build()
                .map_err(bad)?,
        );
    }
    set.build().map_err(bad)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn globs_cross_folders_and_ignore_case() {
        let select = Select::new(&["*.TGA", "mesh/*"], &["*island*"]).unwrap();
        assert!(select.matches("texture/terrain/Sand.tga", "", ""));
        assert!(select.matches("mesh/a/b.msb", "", ""));
        assert!(!select.matches("sound/a.wav", "", ""));
        assert!(!select.matches("texture/Island_1.tga", "", ""));
        assert!(select.matches("#17", "", "wood.tga"), "names count too");
        assert!(Select::new::<&str>(&[], &[]).unwrap().matches("anything", "", ""));
        let classes = Select::new(&["ckmesh", "CKTexture/Wood*"], &[]).unwrap();
        assert!(classes.matches("#2", "CKMesh", "Cube"));
        assert!(classes.matches("#0", "CKTexture", "Wood_1"));
        assert!(!classes.matches("#1", "CKTexture", "Stone"));
        assert!(Select::new(&["a[b"], &[]).is_err());
    }
}
