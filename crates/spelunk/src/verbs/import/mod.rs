//! Files of the content of others.

mod content;
mod data_arrays;
mod maps;
mod request;
mod row;
mod translations;
mod whole;

pub use request::{Request, TextureSave};
pub use row::{ImportedRow, ObjectCounts, TextCounts, TextureFile};

use super::{
    output::{Outcome, Output},
    run::Run,
    session::Session,
};
use crate::Result;
use content::ImportDestination;

/// Makes a file of the content of another one, or puts it into a file, and hands out a row of that.
///
/// # Errors
/// Those of the output; [`BAD_REQUEST`](crate::open::codes::BAD_REQUEST) for parts of the request that do not go together.
pub fn run(session: &Session, request: &Request, out: &mut dyn Output) -> Result<Outcome> {
    let mut run = Run::editing("import", request, session, out);
    request.check()?;
    import(request, &mut run)?;
    run.finish()
}

fn import(request: &Request, run: &mut Run<'_>) -> Result<()> {
    let Some(place) = ImportDestination::of(request, run)? else { return Ok(()) };
    let made = match (request.wish(), request.layer.as_deref()) {
        (Some(wish), _) => translations::make(request, &wish, run)?,
        (None, Some(layer)) => maps::make(request, layer, run)?,
        (None, None) if data_arrays::is_for(request) => data_arrays::make(request, run)?,
        (None, None) => whole::make(request, run)?,
    };
    match made {
        Some(made) => made.put(request, place, run),
        None => Ok(()),
    }
}
