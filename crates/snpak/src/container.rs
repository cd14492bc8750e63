//! The shapes that every format of the toolkit has.

use crate::{
    header::MAGIC,
    layout::Layout,
    listing::{self, Lister},
    located::Located,
    pack::{Pack, bulk_range_error, not_found},
    paths::{self, Id, known},
    profile::{FAMILIES, FILE_TYPES, PROFILE},
    summary,
};
use bytes::Bytes;
use spelunk_core::{
    Container, Each, EachRef, Edit, Format, Node, Of, Probe, Profile, Reference, Result, Revision,
    Source, Task, Val, Walk, Walked, WhenGone, WriteOptions, profile::CodeFamily,
    signature::FileType, text::CodePages,
};
use std::{io, sync::Arc};

/// The format SnPAK.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SnPak;

/// Number of first bytes that have to be those of the signature in a file that ends inside it.
const RECOGNISED: usize = b"SNPAK".len();

impl Format for SnPak {
    fn profile(&self) -> &'static Profile {
        &PROFILE
    }

    fn file_types(&self) -> &'static [FileType] {
        &FILE_TYPES
    }

    fn families(&self) -> &'static [CodeFamily] {
        &FAMILIES
    }

    fn probe(&self, head: &[u8], _len: u64) -> Probe {
        let cut = head.len() >= RECOGNISED && MAGIC.starts_with(head);
        if cut || head.starts_with(&MAGIC) {
            Probe::Yes
        } else if head.starts_with(b"SNPAK") {
            Probe::LooksLike(
                "starts with SNPAK, but the three NULs that belong behind it are missing",
            )
        } else {
            Probe::No
        }
    }

    fn open(&self, source: Arc<dyn Source>, task: &mut Task<'_>) -> Result<Box<dyn Container>> {
        Ok(Box::new(Pack::read_from(source, task)?))
    }
}

impl Pack {
    /// The position of the asset that a node stands for; `None` for bulk chunks.
    pub fn row_of(&self, node: Node) -> Option<usize> {
        let id = known(self, node).ok()?;
        id.bulk.is_none().then_some(id.row)
    }

    /// Locates the payload that a node stands for: an asset's, or a bulk chunk's.
    ///
    /// # Errors
    /// Those of [`Pack::locate`] and [`Pack::locate_bulk`].
    pub fn locate_node(&self, node: Node) -> Result<Located> {
        let Id { row, bulk } = Id::of(node).ok_or_else(not_found)?;
        match bulk {
            Some(nth) => self.locate_bulk(row, nth),
            None => self.locate(row),
        }
    }
}

impl Container for Pack {
    fn profile(&self) -> &'static Profile {
        &PROFILE
    }

    fn size(&self) -> u64 {
        self.len()
    }

    fn revision(&self, which: Revision, task: &mut Task<'_>) -> Result<Box<dyn Container>> {
        Ok(Box::new(self.generation(which, task)?))
    }

    fn code_pages(&self) -> CodePages {
        CodePages::utf8()
    }

    fn info(&self, task: &mut Task<'_>, walk: &mut dyn Walk) -> Walked {
        summary::walk(self, task, walk)
    }

    fn children(&self, of: Of, pages: &CodePages, task: &mut Task<'_>, each: Each<'_>) -> Walked {
        let ids = self.ids(&mut task.budget)?;
        Lister::with(self, ids, pages, task, |lister, task| match of {
            Of::Listing => (0..self.index().entries().len()).try_for_each(|row| {
                lister.asset(row, task, each)?;
                Ok(report_bulk_range(self, row, task)?)
            }),
            // No entry has parts of its own here.
            Of::Parts(_) => Ok(()),
            Of::Root => {
                (0..self.index().entries().len()).try_for_each(|row| lister.asset(row, task, each))
            }
            Of::Node(node) => {
                let id = Id::of(node).filter(|id| id.bulk.is_none());
                let Some((row, entry)) =
                    id.and_then(|id| Some((id.row, Pack::entry(self, id.row)?)))
                else {
                    return Ok(());
                };
                report_bulk_range(self, row, task)?;
                lister.bulk(row, 0..self.bulk(entry).len(), task, each)
            }
        })
    }

    fn entry(&self, node: Node, pages: &CodePages, task: &mut Task<'_>, each: Each<'_>) -> Walked {
        let id = known(self, node)?;
        let ids = self.ids(&mut task.budget)?;
        Lister::with(self, ids, pages, task, |lister, task| match id.bulk {
            None => lister.asset(id.row, task, each),
            Some(nth) => lister.bulk(id.row, nth..nth.saturating_add(1), task, each),
        })
    }

    fn find(&self, path: &str, pages: &CodePages, task: &mut Task<'_>) -> Result<Vec<Node>> {
        paths::find(self, path, pages, task)
    }

    fn find_all(
        &self,
        paths: &[&str],
        pages: &CodePages,
        task: &mut Task<'_>,
    ) -> Result<Vec<Vec<Node>>> {
        paths::find_all(self, paths, pages, task)
    }

    fn bytes(&self, node: Node, task: &mut Task<'_>) -> Result<Bytes> {
        let id = known(self, node)?;
        match id.bulk {
            None => self.payload(id.row, task),
            Some(nth) => self.bulk_payload(id.row, nth, task),
        }
    }

    fn walk(&self, node: Node, task: &mut Task<'_>, walk: &mut dyn Walk) -> Walked {
        let id = known(self, node)?;
        let entry = Pack::entry(self, id.row).ok_or_else(not_found)?;
        let Some(nth) = id.bulk else {
            return listing::show_asset(self, id.row, entry, task, walk);
        };
        let bulk = self.bulk(entry).get(nth).ok_or_else(not_found)?;
        let bulk_row = self.bulk_rows(entry).start.saturating_add(nth);
        listing::show_bulk(self, bulk, bulk_row, task, walk)
    }

    fn layout(&self, task: &mut Task<'_>, walk: &mut dyn Walk) -> Walked {
        task.transient(|task| Layout::new(self, task)?.walk(self, task, walk))
    }

    fn has_refs(&self) -> bool {
        true
    }

    fn refs(&self, nodes: &[Node], task: &mut Task<'_>, each: EachRef<'_, usize>) -> Result<()> {
        for (position, node) in nodes.iter().enumerate() {
            let id = known(self, *node)?;
            if id.bulk.is_none() {
                refs(self, id.row, task, &mut |reference, task| each(position, reference, task))?;
            }
        }
        Ok(())
    }

    fn all_refs(&self, task: &mut Task<'_>, each: EachRef<'_, Node>) -> Result<()> {
        for owner in self.index().owners() {
            task.budget.steps(1)?;
            let row = owner.asset_index.get() as usize;
            if !self.is_shadowed(row, &mut task.budget)? {
                let node = Id::asset(row).node();
                refs(self, row, task, &mut |reference, task| each(node, reference, task))?;
            }
        }
        Ok(())
    }

    fn differing(
        &self,
        new: &dyn Container,
        task: &mut Task<'_>,
    ) -> Result<Option<[Vec<Node>; 2]>> {
        let Some(new) = new.model::<Pack>() else { return Ok(None) };
        let found = Pack::differing(self, new, task)?;
        let mut nodes = |rows: Vec<u32>| -> Result<Vec<Node>> {
            task.budget.memory((rows.len().saturating_mul(size_of::<Node>())) as u64)?;
            Ok(rows.into_iter().map(|row| Id::asset(row as usize).node()).collect())
        };
        Ok(Some([nodes(found.old)?, nodes(found.new)?]))
    }

    fn verify(&self, task: &mut Task<'_>) -> Result<()> {
        crate::verify(self, task)
    }

    fn write(
        &self,
        out: &mut dyn io::Write,
        options: &WriteOptions,
        task: &mut Task<'_>,
    ) -> Result<()> {
        crate::write(self, out, options, task)
    }

    fn fork(&self, task: &mut Task<'_>) -> Result<Option<Box<dyn Container>>> {
        Ok(Some(Box::new(self.copy(task)?)))
    }

    fn edit(&mut self) -> Option<&mut dyn Edit> {
        Some(self)
    }
}

/// Hands out what the asset at `row` needs.
fn refs(
    pack: &Pack,
    row: usize,
    task: &mut Task<'_>,
    each: &mut dyn FnMut(&Reference<'_>, &mut Task<'_>) -> Result<()>,
) -> Result<()> {
    for needs in pack.dependencies(row) {
        task.budget.steps(1)?;
        let found = pack.by_id(&needs.asset_id.0, &mut task.budget)?;
        let reference = Reference {
            field: &listing::NEEDED,
            node: found.map(|row| Id::asset(row).node()),
            is_there: found.is_some(),
            key: Val::Uuid(needs.asset_id.0),
            name: pack.strings().get(needs.name_string_id.get()),
            kind: needs.kind_name(),
            when_gone: WhenGone::Dangles,
        };
        each(&reference, task)?;
    }
    Ok(())
}

impl Pack {
    /// The entry that the asset at this position is to tools.
    pub fn asset_node(row: usize) -> Node {
        Id::asset(row).node()
    }

    /// The position of the asset that an entry is; `None` for its bulk chunks, and for what the pack does not have.
    pub fn asset_row(&self, node: Node) -> Option<usize> {
        known(self, node).ok().filter(|id| id.bulk.is_none()).map(|id| id.row)
    }
}

/// Reports that none of an asset's bulk chunks are listed because their range is damaged.
fn report_bulk_range(pack: &Pack, row: usize, task: &mut Task<'_>) -> Result<()> {
    let index = pack.index();
    let damaged = pack.entry(row).filter(|entry| index.bulk_range(entry).is_none());
    let error = damaged.and_then(|entry| bulk_range_error(index, entry, row));
    error.map_or(Ok(()), |error| task.error(error))
}
