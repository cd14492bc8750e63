//! Loading: the objects of a file become objects of a context (`docs/formats/virtools-runtime.md#7-loading`).

mod create;
pub mod flags;
mod manager;
mod managers;
mod options;
mod passes;
mod report;

pub use manager::ManagerLoad;
pub use options::{Load, Mode, Modes};
pub use report::{Diagnostic, EntryReport, Outcome, Report, Skipped};

use super::{
    Hooks,
    context::{Activity, Context, ContextState},
    object::{Links, SavedState},
    store::ROOM,
};
use crate::{
    class, codes,
    file::{
        File,
        data::{Owner, Records},
    },
};
use create::{Creator, StoredEntry};
use spelunk_core::{Bytes, Convert, Error, Result, Severity, Task};
use std::{borrow::Cow, sync::Arc};

/// Puts a context back as it was unless what was tried succeeded; when something panics too.
pub(super) struct Attempt<'c> {
    pub(super) context: &'c mut Context,
    before: Option<ContextState>,
}

impl<'c> Attempt<'c> {
    /// Begins to do something that no other thing may be done during.
    ///
    /// # Errors
    /// [`codes::BUSY`].
    pub(super) fn begin(context: &'c mut Context, activity: Activity) -> Result<Attempt<'c>> {
        if context.rest.activity != Activity::Idle {
            return Err(Error::new(&codes::BUSY));
        }
        let before = Some(context.rest.clone());
        context.store.begin(context.clock());
        context.rest.activity = activity;
        Ok(Attempt { context, before })
    }

    /// Keeps the result of the load.
    pub(super) fn succeed(mut self) {
        self.context.rest.activity = Activity::Idle;
        self.context.store.keep();
        self.before = None;
    }
}

impl Drop for Attempt<'_> {
    fn drop(&mut self) {
        if let Some(before) = self.before.take() {
            self.context.store.go_back();
            self.context.rest = before;
        }
    }
}

impl Context {
    /// Loads the objects of a file, in the order of steps that engines have. When it fails, or is cancelled, or a hook
    /// panics, the context is as it was before.
    ///
    /// # Errors
    /// [`codes::DAMAGED`] for a file that cannot be read to its end; [`codes::CANCELLED`]; [`codes::BUSY`] when called out
    /// of a load or a saving; what managers and hooks return; limits.
    pub fn load(
        &mut self,
        file: &File,
        load: &Load,
        hooks: &mut dyn Hooks,
        task: &mut Task<'_>,
    ) -> Result<Report> {
        let attempt = Attempt::begin(self, Activity::Loading)?;
        let mut report = Report::default();
        let source = file;
        let file = current(file, load.renew, &mut report, task)?;
        Loading {
            context: &mut *attempt.context,
            source,
            file: &file,
            load,
            hooks,
            task,
            report: &mut report,
        }
        .run()?;
        attempt.succeed();
        Ok(report)
    }
}

/// The file in the current generation, and its chunks too where that is wanted.
fn current<'f>(
    file: &'f File,
    renew: bool,
    report: &mut Report,
    task: &mut Task<'_>,
) -> Result<Cow<'f, File>> {
    let version = file.head().version();
    let is_old = version < 8;
    if is_old {
        let error = Error::new(&codes::OBSOLETE_FORMAT).found(format!("FileVersion {version}"));
        report.report(Severity::Warning, error, task)?;
    }
    let chunks = renew && file.has_old_chunks(&mut task.budget)?;
    if !is_old && !chunks {
        return Ok(Cow::Borrowed(file));
    }
    let version = is_old.then_some(8);
    let convert = Convert { version, chunks, lossy: is_old, ..Convert::default() };
    file.converted(&convert, task).map(Cow::Owned)
}

/// Sizes of an object's data before and after packing, as its file has them.
fn sizes(records: &Records, index: u32, chunk: &Bytes) -> (u32, u32) {
    let of = |size: u64| u32::try_from(size).unwrap_or(u32::MAX);
    match records.old.get(index as usize) {
        Some(old) => (old.unpack_size, of(old.data.at().len)),
        None => (of(chunk.len() as u64), of(chunk.len() as u64)),
    }
}

/// The flags with which an object was saved; of records without data there are none.
fn save_flags(records: &Records, index: u32) -> Option<u32> {
    let old = records.old.get(index as usize).filter(|old| old.unpack_size != 0);
    old.map(|old| old.save_flags)
}

/// A load that goes on.
struct Loading<'l, 's> {
    context: &'l mut Context,
    /// The file as it is stored.
    source: &'l File,
    /// The same in the current generation.
    file: &'l File,
    load: &'l Load,
    hooks: &'l mut dyn Hooks,
    task: &'l mut Task<'s>,
    report: &'l mut Report,
}

impl Loading<'_, '_> {
    fn run(&mut self) -> Result<()> {
        self.managers(|manager, context| manager.pre_load(context))?;
        let chunks = self.chunks()?;
        let links = self.create(&chunks)?;
        self.remember_product();
        let mut states = self.states(chunks, &links)?;
        self.set_level();
        if !self.load.has(flags::ONLY_BEHAVIORS) {
            self.load_managers(&mut states, &links)?;
        }
        self.load_objects(states)?;
        self.list_results()?;
        if !self.load.has(flags::ONLY_BEHAVIORS) {
            self.finish_objects()?;
        }
        if self.load.has(flags::AS_CHARACTER) {
            self.wrap_as_character()?;
        }
        self.remember_plugins()?;
        self.managers(|manager, context| manager.post_load(context))
    }

    /// Calls all managers, which stand apart from the context meanwhile.
    fn managers(
        &mut self,
        mut call: impl FnMut(&mut dyn super::Manager, &Context) -> Result<()>,
    ) -> Result<()> {
        let mut managers = std::mem::take(&mut self.context.rest.managers);
        let called = managers.iter_mut().try_for_each(|manager| call(&mut **manager, self.context));
        self.context.rest.managers = managers;
        called
    }

    /// The chunks of the objects, as they are stored; empty where there is none, or none is wanted.
    fn chunks(&mut self) -> Result<Vec<Bytes>> {
        let records = self.file.records(&mut self.task.budget)?;
        let count = self.file.table().objects.len();
        if records.fault.is_some() || records.objects.len() != count {
            let error = records.fault.map_or_else(|| Error::new(&codes::DAMAGED), |it| it.error());
            return Err(error);
        }
        let mut chunks = self.task.budget.vec(count as u64)?;
        for (index, object) in (0..).zip(&self.file.table().objects) {
            // Under this flag nothing else is even looked at.
            let wanted = !self.load.has(flags::ONLY_BEHAVIORS)
                || class::is_a(object.class_id, class::BEHAVIOR);
            let chunk = match wanted {
                true => records.chunk_bytes(Owner::Object(index), &mut self.task.budget)?,
                false => Bytes::new(),
            };
            chunks.push(chunk);
        }
        Ok(chunks)
    }

    /// Creates the objects, one entry after the other, and finds what the references of the file mean.
    fn create(&mut self, chunks: &[Bytes]) -> Result<Arc<Links>> {
        let table = self.file.table();
        let count = table.objects.len() as u64;
        let mut links =
            Links { positions: self.task.budget.vec(count)?, ids: self.task.budget.vec(count)? };
        self.report.entries = self.task.budget.vec(count)?;
        let mut creator = Creator::new(self.context, self.load);
        for ((object, chunk), index) in table.objects.iter().zip(chunks).zip(0_u32..) {
            self.task.budget.steps(1)?;
            let reference = self.file.reference_id(index, &mut self.task.budget)?;
            let records = self.source.records(&mut self.task.budget)?;
            let stored = StoredEntry {
                saved_id: reference.unwrap_or_else(|| object.saved_id()),
                is_reference: reference.is_some(),
                class_id: object.class_id,
                name: table.name(object),
                chunk,
                sizes: sizes(records, index, chunk),
                save_flags: save_flags(records, index),
            };
            // The entry, the object and the table of names have it.
            let name = (stored.name.len() as u64).saturating_mul(3);
            self.task.budget.memory(ROOM.saturating_add(name))?;
            let entry = creator.entry(self.context, &stored, self.hooks);
            if entry.outcome == Outcome::Skipped(Skipped::Unresolved) {
                let error = Error::new(&codes::UNRESOLVED)
                    .within(spelunk_core::Seg::Index(index.into()))
                    .field("objects")
                    .found(String::from_utf8_lossy(table.name(object)).into_owned());
                self.report.report(Severity::Info, error, self.task)?;
            }
            links.positions.push(entry.id.and_then(|id| self.context.handle(id)));
            links.ids.push((entry.saved_id, index));
            self.report.entries.push(entry);
        }
        // The first of those that claim an id has it.
        links.ids.sort_unstable();
        links.ids.dedup_by_key(|(id, _)| *id);
        Ok(Arc::new(links))
    }

    fn states(&mut self, chunks: Vec<Bytes>, links: &Arc<Links>) -> Result<Vec<SavedState>> {
        let mut states = self.task.budget.vec(chunks.len() as u64)?;
        states.extend(chunks.into_iter().map(|chunk| SavedState { chunk, links: links.clone() }));
        Ok(states)
    }

    /// The first level becomes the one that runs, where none does.
    fn set_level(&mut self) {
        let is_level = |entry: &&EntryReport| class::is_a(entry.class_id, class::LEVEL);
        let first = self.report.entries.iter().filter(is_level).find_map(|entry| entry.id);
        if self.context.level().is_none() {
            self.context.set_level(first);
        }
    }

    /// Remembers the product that saved the file of a level. Builds up to 2.0.0.0 of the first products count as 0.
    fn remember_product(&mut self) {
        let has_level =
            self.report.entries.iter().any(|it| it.id.is_some() && it.class_id == class::LEVEL);
        if let Some(part1) = self.file.head().part1.filter(|_| has_level) {
            let (version, build) = (part1.product_version.get(), part1.product_build.get());
            // Editions end at 11: engines take more for nothing.
            let version = if version >= 12 { 0 } else { version };
            let old = version <= 1 && build <= 0x0200_0000;
            self.context.rest.version = if old { 0 } else { version };
        }
    }

    /// Keeps the plugins that the file asks for, so that files that are made of its objects ask for them too.
    fn remember_plugins(&mut self) -> Result<()> {
        if self.load.has(flags::AS_DYNAMIC_OBJECT) {
            return Ok(());
        }
        let plugins = self.file.plugin_dependencies(&mut self.task.budget)?;
        let ours = Arc::make_mut(&mut self.context.rest.plugins);
        let known: std::collections::BTreeSet<(u32, [u8; 8])> =
            ours.iter().map(|(category, guid)| (*category, zerocopy::transmute!(*guid))).collect();
        for group in &plugins.groups {
            for guid in group.guids() {
                let key: [u8; 8] = zerocopy::transmute!(guid);
                if !known.contains(&(group.category, key)) {
                    self.task.budget.memory(16)?;
                    ours.push((group.category, guid));
                }
            }
        }
        Ok(())
    }
}
