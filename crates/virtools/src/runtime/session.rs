//! A file on its way into a context, or out of it (`docs/formats/virtools-runtime.md#7-loading`).

use super::{
    Hooks,
    context::Context,
    load::{self, Load, Report},
    plugins::{self, Dependencies, Registry},
    save::{Save, SaveTarget, Saving},
};
use crate::{
    codes,
    file::{File, header::Head},
};
use spelunk_core::{Error, Result, Source, Task};

/// Result of opening a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Opened {
    /// The file can be loaded.
    Ready,
    /// The file can be loaded, and asks for plugins that are not there: `CKERR_PLUGINSMISSING`.
    PluginsMissing,
}

/// A file that is opened, looked at, and loaded; or one that is saved. Each use begins anew, whether the one before succeeded
/// or failed.
#[derive(Debug, Default)]
pub struct Session {
    file: Option<File>,
    head: Option<Head>,
    load: Load,
    dependencies: Vec<Dependencies>,
}

impl Session {
    /// A session in which nothing happened yet.
    pub fn new() -> Session {
        Session::default()
    }

    /// Opens a file: headers, object table, plugin dependencies. With [`CHECK_DEPENDENCIES`](load::flags::CHECK_DEPENDENCIES)
    /// they are looked for in `registry`.
    ///
    /// # Errors
    /// Those of [`File::read_from`]. What was opened before is gone then.
    pub fn open(
        &mut self,
        source: &dyn Source,
        load: Load,
        registry: &Registry,
        task: &mut Task<'_>,
    ) -> Result<Opened> {
        *self = Session::default();
        let file = File::read_from(source, task)?;
        self.head = Some(*file.head());
        let mut opened = Opened::Ready;
        if load.flags & load::flags::CHECK_DEPENDENCIES != 0 {
            self.dependencies = registry.check(&file, &mut task.budget)?;
            if let Some(fault) = plugins::fault(&file, &self.dependencies) {
                opened = Opened::PluginsMissing;
                task.warn(fault)?;
            }
        }
        (self.load, self.file) = (load, Some(file));
        Ok(opened)
    }

    /// Opens a file of the disk.
    ///
    /// # Errors
    /// Those of [`Session::open`], and of reading.
    #[cfg(feature = "fs")]
    pub fn open_path(
        &mut self,
        path: &std::path::Path,
        load: Load,
        registry: &Registry,
        task: &mut Task<'_>,
    ) -> Result<Opened> {
        *self = Session::default();
        let source = spelunk_core::Bytes::from(std::fs::read(path)?);
        self.open(&source, load, registry, task)
    }

    /// The file that is open.
    pub const fn file(&self) -> Option<&File> {
        self.file.as_ref()
    }

    /// The headers of the file that was opened last.
    pub const fn head(&self) -> Option<&Head> {
        self.head.as_ref()
    }

    /// The plugins that it asks for, and which of them are there; empty where that was not looked for.
    pub fn missing_plugins(&self) -> &[Dependencies] {
        &self.dependencies
    }

    /// Loads what was opened, and lets go of the file, also when that fails.
    ///
    /// # Errors
    /// [`codes::NOT_OPEN`]; those of [`Context::load`].
    pub fn load(
        &mut self,
        context: &mut Context,
        hooks: &mut dyn Hooks,
        task: &mut Task<'_>,
    ) -> Result<Report> {
        let file = self.file.take().ok_or_else(|| Error::new(&codes::NOT_OPEN))?;
        context.load(&file, &std::mem::take(&mut self.load), hooks, task)
    }

    /// Begins to save, as [`Context::start_save`] does.
    ///
    /// # Errors
    /// Those of [`Context::start_save`].
    pub fn start_save<'c, 't>(
        &mut self,
        context: &'c mut Context,
        save: Save,
        target: SaveTarget<'t>,
        hooks: &'c mut dyn Hooks,
    ) -> Result<Saving<'c, 't>> {
        *self = Session::default();
        context.start_save(save, target, hooks)
    }
}
