//! Parts of a file that engines skip, read as null or never see (`docs/formats/virtools.md#14-what-engines-do-not-load`).

use super::{
    File,
    fault::in_item,
    included::{Included, file_name},
    table::Object,
};
use crate::{
    chunk::Chunk,
    class::{self, PARAMETER, TEXTURE, Value, parameter},
    codes,
    entries::PathTarget,
    file::{data::Owner, value::has_no_value},
};
use spelunk_core::{Error, Node, Reference, Result, Severity, Task, Val, text::until_nul};
use std::collections::BTreeSet;

/// The picture that the development tool puts behind its files without counting it.
const THUMBNAIL: &[u8] = b"vtthumbnail.jpg";

/// The last step of a path, in lower case.
fn base(path: &[u8]) -> Vec<u8> {
    until_nul(file_name(path)).to_ascii_lowercase()
}

/// Receives what is found, and how much that is for a file whose bytes are sound.
pub(crate) type FaultSink<'t> = &'t mut dyn FnMut(Severity, Error, &mut Task<'_>) -> Result<()>;

impl File {
    /// Reports what of the file nobody who loads it gets. Files below FileVersion 7 are other than these rules.
    ///
    /// # Errors
    /// When Data cannot be read; what `tell` gives; limits.
    pub(crate) fn check_loading(&self, tell: FaultSink<'_>, task: &mut Task<'_>) -> Result<()> {
        if self.head().version() < 7 {
            return Ok(());
        }
        let never_made = self.never_made(tell, task)?;
        self.check_null_references(&never_made, tell, task)?;
        self.check_uncounted(tell, task)
    }

    /// The objects that no engine makes, each of which is reported.
    fn never_made(&self, tell: FaultSink<'_>, task: &mut Task<'_>) -> Result<BTreeSet<u32>> {
        let records = self.records(&mut task.budget)?;
        let mut never_made = BTreeSet::new();
        for (index, object) in (0..u32::MAX).zip(&self.table.objects) {
            if !records.has_object(index) {
                break;
            }
            let owner = Owner::Object(index);
            let error = if records.chunk_len(owner) == 0 {
                Error::new(&codes::NO_DATA)
            } else if self.reference_id(index, &mut task.budget)?.is_some() {
                let is_found = match self.chunk(owner, &mut task.budget) {
                    Ok(Some(chunk)) => is_looked_up(object, &chunk),
                    Ok(None) | Err(_) => false,
                };
                if is_found {
                    continue;
                }
                Error::new(&codes::NEVER_FOUND).found(object.id)
            } else {
                continue;
            };
            task.budget.memory(64)?;
            never_made.insert(index);
            let error = match self.object_at(index) {
                Some(at) => error.at(at.part(0, 4)),
                None => error,
            };
            tell(Severity::Warning, in_item(error, "object", index as usize), task)?;
        }
        Ok(never_made)
    }

    /// Reports references to objects that no engine makes, once for each pair of objects.
    fn check_null_references(
        &self,
        never_made: &BTreeSet<u32>,
        tell: FaultSink<'_>,
        task: &mut Task<'_>,
    ) -> Result<()> {
        if never_made.is_empty() {
            return Ok(());
        }
        let mut reported = BTreeSet::new();
        let mut each = |owner: Node, reference: &Reference<'_>, task: &mut Task<'_>| {
            let target = reference.node.and_then(|node| self.object_index(node));
            let Some(target) = target.filter(|index| never_made.contains(index)) else {
                return Ok(());
            };
            let (kind, index) = match PathTarget::of(owner) {
                Some(PathTarget::Manager(index)) => ("manager", index),
                Some(PathTarget::Object(index)) if !never_made.contains(&index) => {
                    ("object", index)
                }
                _ => return Ok(()),
            };
            if !reported.insert((kind, index, target)) {
                return Ok(());
            }
            task.budget.memory(96)?;
            let error = Error::new(&codes::READ_AS_NULL).found(format!("object {target}"));
            let error = in_item(error.field(reference.field.name), kind, index as usize);
            tell(Severity::Warning, error, task)
        };
        self.all_references(task, &mut each)
    }

    /// Reports included files that the stub does not count, and textures whose pictures they are. Below FileVersion 8
    /// there is no stub.
    fn check_uncounted(&self, tell: FaultSink<'_>, task: &mut Task<'_>) -> Result<()> {
        let counted = self.table().included_count() as usize;
        let included = &self.tail().included;
        if self.head().version() < 8 || included.len() <= counted {
            return Ok(());
        }
        let (counted, uncounted) = included.split_at_checked(counted).unwrap_or_default();
        let is_thumbnail = |name: &[u8]| base(name).ends_with(THUMBNAIL);
        let only_thumbnail = matches!(uncounted, [one] if is_thumbnail(&one.name));
        for file in uncounted.iter().filter(|_| !only_thumbnail) {
            let error = Error::new(&codes::UNCOUNTED).at(file.span());
            let error = error.found(Val::Text(file.name.to_vec().into()));
            tell(Severity::Warning, error, task)?;
        }
        let bases =
            |files: &[Included]| files.iter().map(|file| base(&file.name)).collect::<BTreeSet<_>>();
        let (seen, unseen) = (bases(counted), bases(uncounted));
        for (index, object) in (0..u32::MAX).zip(&self.table.objects) {
            task.budget.steps(1)?;
            if object.class_id != TEXTURE {
                continue;
            }
            let saved = match self.value(Owner::Object(index), &mut Vec::new(), &mut task.budget) {
                Ok(Some(saved)) => saved,
                Ok(None) => continue,
                Err(error) if has_no_value(&error) => continue,
                Err(error) => return Err(error),
            };
            let Value::Texture(texture) = saved.value else { continue };
            for (slot, name) in texture.bitmap.file_names.iter().flatten().enumerate() {
                let file = base(name.text());
                let is_seen = texture.bitmap.has_picture(slot) || seen.contains(&file);
                if !is_seen && unseen.contains(&file) {
                    let found = Val::Text(name.text().to_vec().into());
                    let error = Error::new(&codes::UNSEEN_PICTURE).found(found);
                    let error = in_item(error.field("file_names"), "object", index as usize);
                    tell(Severity::Error, error, task)?;
                }
            }
        }
        Ok(())
    }
}

/// Whether engines look up the object that a reference-only entry stands for: a parameter, by its type.
fn is_looked_up(object: &Object, chunk: &Chunk<'_>) -> bool {
    let mut sections = chunk.sections();
    class::is_a(object.class_id, PARAMETER)
        && sections.any(|section| section.identifier == parameter::SECTION)
}
