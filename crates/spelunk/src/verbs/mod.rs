//! What can be done with files, as every door calls it: a request of plain data in, rows and bytes out.
//!
//! Each verb is a module with a `Request` and a function `run`. Its files are names that the [`Files`] of a [`Session`]
//! understand, or [`Handle`]s of files that the session keeps open. What comes of it goes to an [`Output`] on the calling
//! thread, in the order of the files: the JSON of a row is the line that the command prints with `--json`. No verb touches a
//! disk, a clock or a terminal by itself.
//!
//! ```
//! use spelunk::verbs::{self, Memory, Rows, Session, ls};
//!
//! let files = Memory::new();
//! files.put("level.nmo", spelunk_fixtures::samples::level().build().bytes);
//! let session = Session::new(files);
//!
//! let mut rows = Rows::default();
//! let request = ls::Request { file: "level.nmo".into(), ..ls::Request::default() };
//! assert!(ls::run(&session, &request, &mut rows)?.is_clean());
//! assert_eq!(rows.rows[0]["file"], "level.nmo");
//!
//! let mut same = Rows::default();
//! verbs::call(&session, "ls", r#"{"file": "level.nmo"}"#, &mut same)?;
//! assert_eq!(rows.rows, same.rows);
//! # Ok::<(), spelunk::Error>(())
//! ```

pub mod add;
pub mod append;
mod building;
pub mod cat;
pub mod compact;
pub mod diff;
mod edit;
pub mod explain;
#[cfg(all(feature = "csv", feature = "gltf", feature = "images", feature = "sql"))]
pub mod export;
pub mod extract;
pub mod find;
pub mod info;
mod input;
pub mod join;
pub mod lint;
pub mod ls;
pub mod merge;
mod mounted;
pub mod mv;
mod output;
pub mod overlay;
pub mod pack;
pub mod patch;
mod policy;
#[cfg(feature = "sql")]
pub mod query;
pub mod refs;
pub mod repair;
pub mod replace;
mod report;
mod request;
pub mod rewrite;
pub mod rm;
pub mod rollback;
mod run;
mod session;
pub mod set;
pub mod show;
pub mod subset;
pub mod tree;
pub mod upgrade;
pub mod verify;
mod writing;

pub use building::{ReaderOptions, Readers, RuleOptions};
pub use edit::Destination;
pub use mounted::Mounted;
pub use output::{Heading, Outcome, Output, Progress, Row, Rows};
pub use policy::{Named, PolicyFor};
pub use report::{Counts, ReportFormat};
pub use request::{FileList, FileRef, Following, OutputOptions, Shown};
pub use session::{Handle, Session};

pub use crate::files::{Create, Disk, FileName, Files, Listed, Memory, NewFile, Reading, Turn};

use crate::{Error, Result, codes};
use schemars::{JsonSchema, Schema};
use serde::de::DeserializeOwned;
use serde_json::Value;

/// A verb as data calls it: requests are JSON.
pub trait Verb: Send + Sync {
    /// What the verb is called.
    fn name(&self) -> &'static str;

    /// The JSON Schema of its requests.
    fn request_schema(&self) -> Schema;

    /// Runs it.
    ///
    /// # Errors
    /// [`BAD_REQUEST`](codes::BAD_REQUEST) for a request that does not fit the schema; what ends the whole run, such as an error
    /// of the output. What is wrong with a file goes to the output.
    fn call(&self, session: &Session, request: Value, out: &mut dyn Output) -> Result<Outcome>;
}

/// A verb by the function that runs it.
struct Known<R> {
    name: &'static str,
    run: fn(&Session, &R, &mut dyn Output) -> Result<Outcome>,
}

impl<R: DeserializeOwned + JsonSchema> Verb for Known<R> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn request_schema(&self) -> Schema {
        schemars::schema_for!(R)
    }

    fn call(&self, session: &Session, request: Value, out: &mut dyn Output) -> Result<Outcome> {
        let schema = self.request_schema();
        let known = schema.get("properties").and_then(Value::as_object);
        if let (Some(known), Some(request)) = (known, request.as_object())
            && let Some(key) = request.keys().find(|key| !known.contains_key(*key))
        {
            let known: Vec<&str> = known.keys().map(String::as_str).collect();
            return Err(Error::new(&codes::BAD_REQUEST)
                .expected(format!("one of {}", known.join(", ")))
                .found(format!("`{key}`")));
        }
        let request: R = serde_json::from_value(request)
            .map_err(|error| Error::new(&codes::BAD_REQUEST).found(error.to_string()))?;
        (self.run)(session, &request, out)
    }
}

/// All verbs of this library, in the order of the contract.
pub static VERBS: &[&dyn Verb] = &[
    &Known { name: "info", run: info::run },
    &Known { name: "ls", run: ls::run },
    &Known { name: "tree", run: tree::run },
    &Known { name: "show", run: show::run },
    &Known { name: "cat", run: cat::run },
    &Known { name: "verify", run: verify::run },
    &Known { name: "extract", run: extract::run },
    &Known { name: "refs", run: refs::run },
    &Known { name: "find", run: find::run },
    &Known { name: "overlay", run: overlay::run },
    &Known { name: "lint", run: lint::run },
    &Known { name: "rewrite", run: rewrite::run },
    &Known { name: "diff", run: diff::run },
    &Known { name: "set", run: set::run },
    &Known { name: "rm", run: rm::run },
    &Known { name: "mv", run: mv::run },
    &Known { name: "add", run: add::run },
    &Known { name: "replace", run: replace::run },
    #[cfg(all(feature = "csv", feature = "gltf", feature = "images", feature = "sql"))]
    &Known { name: "export", run: export::run },
    #[cfg(feature = "sql")]
    &Known { name: "query", run: query::run },
    &Known { name: "explain", run: explain::run },
    &Known { name: "patch", run: patch::run },
    &Known { name: "join", run: join::run },
    &Known { name: "merge", run: merge::run },
    &Known { name: "subset", run: subset::run },
    &Known { name: "pack", run: pack::run },
    &Known { name: "append", run: append::run },
    &Known { name: "compact", run: compact::run },
    &Known { name: "repair", run: repair::run },
    &Known { name: "rollback", run: rollback::run },
    &Known { name: "upgrade", run: upgrade::run },
];

/// Runs the verb of this name with a request in JSON.
///
/// # Errors
/// [`BAD_REQUEST`](codes::BAD_REQUEST) where there is no such verb; those of [`Verb::call`].
pub fn call(session: &Session, verb: &str, json: &str, out: &mut dyn Output) -> Result<Outcome> {
    let request: Value = serde_json::from_str(json)
        .map_err(|error| Error::new(&codes::BAD_REQUEST).found(error.to_string()))?;
    let known = VERBS.iter().find(|known| known.name() == verb).ok_or_else(|| {
        let names: Vec<&str> = VERBS.iter().map(|verb| verb.name()).collect();
        Error::new(&codes::BAD_REQUEST)
            .expected(format!("one of the verbs {}", names.join(", ")))
            .found(format!("`{verb}`"))
    })?;
    known.call(session, request, out)
}
