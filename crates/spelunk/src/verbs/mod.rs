//! Verbs, which do what can be done with files, as every door calls them: a request of plain data in, rows and bytes out.
//!
//! Each verb is a module with a `Request` and a function `run`. Its files are names that the [`Files`] of a [`Session`]
//! understand, or [`Handle`]s of files that the session keeps open. What comes of it goes to an [`Output`] on the calling
//! thread, in the order of the files: the JSON of a row is the line that the command prints with `--json`. No verb touches a
//! disk, a clock or a terminal by itself.
//!
//! ```
//! use spelunk::verbs::{self, CollectedOutput, Memory, Session, ls};
//!
//! let files = Memory::new();
//! files.put("level.nmo", spelunk_fixtures::samples::level().build().bytes);
//! let session = Session::new(files);
//!
//! let mut rows = CollectedOutput::default();
//! let request = ls::Request { file: "level.nmo".into(), ..ls::Request::default() };
//! assert!(ls::run(&session, &request, &mut rows)?.is_clean());
//! assert_eq!(rows.rows[0]["file"], "level.nmo");
//!
//! let mut same = CollectedOutput::default();
//! verbs::call(&session, "ls", r#"{"file": "level.nmo"}"#, &mut same)?;
//! assert_eq!(rows.rows, same.rows);
//! # Ok::<(), spelunk::Error>(())
//! ```

pub mod add;
pub mod append;
mod building;
pub mod cat;
pub mod compact;
mod destination;
pub mod diff;
mod edit;
pub mod explain;
#[cfg(all(feature = "csv", feature = "gltf", feature = "images"))]
pub mod export;
pub mod extract;
pub mod find;
mod handle;
pub mod history;
#[cfg(all(feature = "csv", feature = "gltf", feature = "images"))]
pub mod import;
pub mod info;
mod input;
pub mod join;
mod keeping;
mod label;
pub mod lint;
mod listing;
pub mod ls;
pub mod merge;
mod mounted;
pub mod mv;
mod output;
#[cfg(all(feature = "csv", feature = "gltf", feature = "images"))]
mod outputs;
pub mod overlay;
pub mod pack;
mod parallel;
pub mod parity;
pub mod patch;
mod policy;
#[cfg(feature = "sql")]
pub mod query;
mod queue;
pub mod refs;
pub mod repair;
pub mod replace;
mod report;
mod request;
pub mod rewrite;
pub mod rm;
pub mod rollback;
mod run;
mod running;
mod session;
pub mod set;
pub mod show;
pub mod subset;
pub mod tree;
pub mod undo;
pub mod upgrade;
pub mod verify;
mod writing;

pub use building::{IdVersion, ReaderOptions, Readers, RemadeRow, RuleOptions};
pub use destination::Destination;
pub use handle::Handle;
pub use keeping::KeepOptions;
pub use mounted::Mounted;
pub use output::{CollectedOutput, Heading, Outcome, Output, Progress, Row, RowForm};
pub use policy::{ConflictFamily, NamedChoice, PolicyFor};
pub use report::{Counts, ReportFormat, SarifLog};
pub use request::{FileList, FileRef, Following, OutputOptions, SessionOptions, Shown};
pub use running::{CallItem, RunningCall};
pub use session::{Session, Verb};
pub use writing::{ChangedRow, NoMore, OpenRow, RefusedRow, WrittenRow};

pub use crate::open::files::{
    Create, Disk, FileName, FileStamp, Files, FolderItem, InPlace, Memory, NewFile, Reading, Turn,
};

use crate::{Error, Result, open::codes};
use schemars::{JsonSchema, Schema, SchemaGenerator, generate::SchemaSettings};
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::{
    any::TypeId,
    borrow::Cow,
    collections::BTreeMap,
    fmt,
    marker::PhantomData,
    sync::{Arc, Mutex, PoisonError},
};

/// A verb by the function that runs it, and by the types of its requests and rows, of which the schemas are made.
pub struct TypedVerb<R, T> {
    name: &'static str,
    run: fn(&Session, &R, &mut dyn Output) -> Result<Outcome>,
    rows: PhantomData<fn() -> T>,
}

impl<R, T> TypedVerb<R, T> {
    /// A verb of this name.
    pub const fn new(
        name: &'static str,
        run: fn(&Session, &R, &mut dyn Output) -> Result<Outcome>,
    ) -> TypedVerb<R, T> {
        TypedVerb { name, run, rows: PhantomData }
    }
}

impl<R, T> fmt::Debug for TypedVerb<R, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("TypedVerb").field(&self.name).finish()
    }
}

/// The rows of a verb that hands out none, but bytes.
#[derive(Clone, Copy, Debug)]
pub enum NoRows {}

impl JsonSchema for NoRows {
    fn schema_name() -> Cow<'static, str> {
        "NoRows".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        false.into()
    }
}

/// The keys of requests of a type; `None` where any may be there. They are kept: a schema takes longer to make than many a call.
fn keys_of<R: 'static>(schema: impl FnOnce() -> Schema) -> Option<Arc<[String]>> {
    static KNOWN: Mutex<BTreeMap<TypeId, Option<Arc<[String]>>>> = Mutex::new(BTreeMap::new());
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let keys = known.entry(TypeId::of::<R>()).or_insert_with(|| {
        let schema = schema();
        let properties = schema.get("properties").and_then(Value::as_object)?;
        Some(properties.keys().cloned().collect())
    });
    keys.clone()
}

impl<R: DeserializeOwned + JsonSchema + 'static, T: JsonSchema> Verb for TypedVerb<R, T> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn request_schema(&self) -> Schema {
        let mut schema =
            SchemaSettings::draft2020_12().into_generator().into_root_schema_for::<R>();
        schema.insert("title".to_owned(), format!("A request of {}", self.name).into());
        schema
    }

    fn row_schema(&self) -> Option<Schema> {
        let settings = SchemaSettings::draft2020_12().for_serialize();
        let mut schema = settings.into_generator().into_root_schema_for::<T>();
        if schema.get("not").is_some() || schema.as_bool() == Some(false) {
            return None;
        }
        schema.insert("title".to_owned(), format!("A row of {}", self.name).into());
        Some(schema)
    }

    fn call(&self, session: &Session, request: Value, out: &mut dyn Output) -> Result<Outcome> {
        let known = keys_of::<R>(|| self.request_schema());
        if let (Some(known), Some(request)) = (known, request.as_object())
            && let Some(key) = request.keys().find(|key| !known.contains(key))
        {
            return Err(Error::new(&codes::BAD_REQUEST)
                .expected(format!("one of {}", known.join(", ")))
                .found(format!("`{key}`")));
        }
        let request: R = serde_json::from_value(request)
            .map_err(|error| Error::new(&codes::BAD_REQUEST).found(error.to_string()))?;
        (self.run)(session, &request, out)
    }
}

/// The version of requests and rows. They may grow while it stays; when something that programs go by changes or goes, it is raised.
pub const API_VERSION: u32 = 2;

/// All verbs of this library, in the order of the contract. A session has these, and those that a door [registers](Session::register)
/// beside them.
pub static VERBS: &[&dyn Verb] = &[
    &TypedVerb::<_, info::Row<'static>>::new("info", info::run),
    &TypedVerb::<_, ls::Row>::new("ls", ls::run),
    &TypedVerb::<_, tree::Row<'static>>::new("tree", tree::run),
    &TypedVerb::<_, show::Row<'static>>::new("show", show::run),
    &TypedVerb::<_, NoRows>::new("cat", cat::run),
    &TypedVerb::<_, verify::Row<'static>>::new("verify", verify::run),
    &TypedVerb::<_, extract::Row<'static>>::new("extract", extract::run),
    &TypedVerb::<_, refs::Row<'static>>::new("refs", refs::run),
    &TypedVerb::<_, find::Row<'static>>::new("find", find::run),
    &TypedVerb::<_, overlay::Row<'static>>::new("overlay", overlay::run),
    &TypedVerb::<_, lint::Row<'static>>::new("lint", lint::run),
    &TypedVerb::<_, WrittenRow<NoMore>>::new("rewrite", rewrite::run),
    &TypedVerb::<_, diff::Row<'static>>::new("diff", diff::run),
    &TypedVerb::<_, ChangedRow<NoMore>>::new("set", set::run),
    &TypedVerb::<_, ChangedRow<rm::RemovedRow>>::new("rm", rm::run),
    &TypedVerb::<_, ChangedRow<NoMore>>::new("mv", mv::run),
    &TypedVerb::<_, ChangedRow<NoMore>>::new("add", add::run),
    &TypedVerb::<_, ChangedRow<NoMore>>::new("replace", replace::run),
    #[cfg(all(feature = "csv", feature = "gltf", feature = "images"))]
    &TypedVerb::<_, export::Row<'static>>::new("export", export::run),
    #[cfg(all(feature = "csv", feature = "gltf", feature = "images"))]
    &TypedVerb::<_, ChangedRow<import::ImportedRow>>::new("import", import::run),
    #[cfg(feature = "sql")]
    &TypedVerb::<_, query::Row<'static>>::new("query", query::run),
    &TypedVerb::<_, explain::Row<'static>>::new("explain", explain::run),
    &TypedVerb::<_, patch::Row>::new("patch", patch::run),
    &TypedVerb::<_, WrittenRow<join::JoinedRow>>::new("join", join::run),
    &TypedVerb::<_, merge::MergeRow>::new("merge", merge::run),
    &TypedVerb::<_, WrittenRow<subset::SubsetRow>>::new("subset", subset::run),
    &TypedVerb::<_, pack::Row<'static>>::new("pack", pack::run),
    &TypedVerb::<_, append::Row<'static>>::new("append", append::run),
    &TypedVerb::<_, RemadeRow<'static, compact::CompactedRow>>::new("compact", compact::run),
    &TypedVerb::<_, repair::Row<'static>>::new("repair", repair::run),
    &TypedVerb::<_, RemadeRow<'static, rollback::RolledBackRow>>::new("rollback", rollback::run),
    &TypedVerb::<_, WrittenRow<NoMore>>::new("upgrade", upgrade::run),
    &TypedVerb::<_, history::Row<'static>>::new("history", history::run),
    &TypedVerb::<_, ChangedRow<undo::StepsRow>>::new("undo", undo::run),
    &TypedVerb::<_, ChangedRow<undo::StepsRow>>::new("redo", undo::redo),
];

impl Session {
    /// The verbs that it has: those of the library, then those that were registered.
    pub fn verbs(&self) -> Vec<&'static dyn Verb> {
        let is_there = |verb: &&'static dyn Verb| {
            !self.registered.iter().any(|known| known.name() == verb.name())
        };
        let own = VERBS.iter().copied().filter(is_there);
        own.chain(self.registered.iter().copied()).collect()
    }

    /// The verb of this name.
    ///
    /// # Errors
    /// [`BAD_REQUEST`](codes::BAD_REQUEST) where there is none.
    pub fn verb(&self, name: &str) -> Result<&'static dyn Verb> {
        let verbs = self.verbs();
        verbs.iter().copied().find(|verb| verb.name() == name).ok_or_else(|| {
            let names: Vec<&str> = verbs.iter().map(|verb| verb.name()).collect();
            Error::new(&codes::BAD_REQUEST)
                .expected(format!("one of the verbs {}", names.join(", ")))
                .found(format!("`{name}`"))
        })
    }
}

/// Runs the verb of this name with a request in JSON, for doors that answer: what ends the run is handed to the output as an error of no
/// file, and counts.
pub fn answer(session: &Session, verb: &str, json: &str, out: &mut dyn Output) -> Outcome {
    call(session, verb, json, out).unwrap_or_else(|error| {
        out.failed("", &error);
        let mut ended = Outcome::default();
        ended.failed(&error);
        ended
    })
}

/// Runs the verb of this name with a request in JSON.
///
/// # Errors
/// [`BAD_REQUEST`](codes::BAD_REQUEST) where the session has no such verb; those of [`Verb::call`].
pub fn call(session: &Session, verb: &str, json: &str, out: &mut dyn Output) -> Result<Outcome> {
    let request: Value = serde_json::from_str(json)
        .map_err(|error| Error::new(&codes::BAD_REQUEST).found(error.to_string()))?;
    session.verb(verb)?.call(session, request, out)
}
