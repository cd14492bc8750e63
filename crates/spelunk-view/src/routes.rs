//! What the server answers: the files of the page, and what the page asks for, below `/api`.

use crate::{
    assets,
    calls::Calls,
    guard::{self, Guard},
    store::Store,
};
use axum::{
    Router,
    body::{Body, Bytes},
    extract::{DefaultBodyLimit, Path, Query, State},
    http::{StatusCode, header},
    middleware,
    response::{IntoResponse, Response},
    routing::{get, post},
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use spelunk::{
    Error, Options, Result, Severity,
    open::{codes, json::diagnostic},
    verbs::{FileName, Files, Handle, Reading},
};
use std::{io, sync::Arc};
use tokio::{sync::mpsc, task};
use tokio_stream::{StreamExt, wrappers::ReceiverStream};

/// Number of bytes of a request at the most. Files that are handed in are no requests.
const LARGEST_REQUEST: usize = 64 << 20;

/// Number of bytes of a file that are sent together.
const PIECE: u64 = 1 << 20;

/// Number of pieces that wait for the other side at the most.
const WAITING: usize = 4;

/// What all requests share.
#[derive(Debug)]
pub struct Shared {
    pub store: Store,
    pub calls: Calls,
    pub guard: Arc<Guard>,
}

type All = State<Arc<Shared>>;

/// All that is answered.
pub fn router(shared: Arc<Shared>) -> Router {
    Router::new()
        .route("/api/files", get(files))
        .route("/api/file", get(read).put(hand_in))
        .route("/api/open", post(open))
        .route("/api/fork", post(fork))
        .route("/api/close", post(close))
        .route("/api/changed", post(changed))
        .route("/api/call/{verb}", post(call))
        .route("/api/make/{verb}", post(make))
        .route("/", get(async |shared: All| page(&shared, "")))
        .route("/{name}", get(async |shared: All, Path(name): Path<String>| page(&shared, &name)))
        .layer(DefaultBodyLimit::max(LARGEST_REQUEST))
        .layer(middleware::from_fn_with_state(shared.guard.clone(), guard::watch))
        .with_state(shared)
}

/// A file of the page.
fn page(shared: &Shared, name: &str) -> Response {
    assets::serve(name, shared.store.is_read_only())
}

/// Content type of lines of JSON.
const LINES: [(header::HeaderName, &str); 1] = [(header::CONTENT_TYPE, "application/x-ndjson")];

fn json_of(value: &impl Serialize) -> Response {
    match serde_json::to_string(value) {
        Ok(text) => ([(header::CONTENT_TYPE, "application/json")], text).into_response(),
        Err(error) => refused(&Error::io(error.into())),
    }
}

/// What could not be done, as a diagnostic.
fn refused(error: &Error) -> Response {
    let line = json!({ "file": "", "diagnostic": diagnostic(Severity::Error, error) });
    (StatusCode::UNPROCESSABLE_ENTITY, LINES, format!("{line}\n")).into_response()
}

/// Work that did not come to an end.
fn interrupted() -> Error {
    Error::io(io::ErrorKind::Interrupted.into())
}

fn parsed<'t, T: Deserialize<'t>>(text: &'t str) -> Result<T> {
    serde_json::from_str(text)
        .map_err(|error| Error::new(&codes::BAD_REQUEST).found(error.to_string()))
}

fn answered<T: Serialize>(result: Result<T>) -> Response {
    match result {
        Ok(value) => json_of(&value),
        Err(error) => refused(&error),
    }
}

/// The name of a file, as the page has it.
#[derive(Deserialize)]
struct Named {
    name: String,
}

/// A file that is open.
#[derive(Deserialize, Serialize)]
struct OpenFile {
    handle: Handle,
}

/// Lists the files that can be opened.
async fn files(State(shared): All) -> Response {
    match task::spawn_blocking(move || shared.store.list()).await {
        Ok(files) => json_of(&files),
        Err(_) => refused(&interrupted()),
    }
}

/// Opens a file, and keeps it open.
async fn open(State(shared): All, request: String) -> Response {
    let Named { name } = match parsed(&request) {
        Ok(named) => named,
        Err(error) => return refused(&error),
    };
    let name = shared.store.named(&name);
    let opened = shared.calls.with(move |session| session.open(name)).await;
    answered(opened.unwrap_or_else(|| Err(interrupted())).map(|handle| OpenFile { handle }))
}

/// Keeps a copy of an open file as it is now.
async fn fork(State(shared): All, request: String) -> Response {
    let OpenFile { handle } = match parsed(&request) {
        Ok(file) => file,
        Err(error) => return refused(&error),
    };
    let forked = shared.calls.with(move |session| session.fork(handle)).await;
    answered(forked.unwrap_or_else(|| Err(interrupted())).map(|handle| OpenFile { handle }))
}

/// Closes a file.
async fn close(State(shared): All, request: String) -> Response {
    let OpenFile { handle } = match parsed(&request) {
        Ok(file) => file,
        Err(error) => return refused(&error),
    };
    shared.calls.session().close(handle);
    json_of(&Value::Null)
}

/// Tells which of some open files somebody wrote to since they were read.
async fn changed(State(shared): All, request: String) -> Response {
    let handles: Vec<Handle> = match parsed(&request) {
        Ok(handles) => handles,
        Err(error) => return refused(&error),
    };
    let session = shared.calls.session();
    let changed: Vec<Handle> = handles.into_iter().filter(|it| !session.is_as_read(*it)).collect();
    json_of(&changed)
}

/// Calls a verb.
async fn call(State(shared): All, Path(verb): Path<String>, request: String) -> Response {
    let lines = shared.calls.call(verb, request).await;
    (LINES, Body::from_stream(lines)).into_response()
}

/// What is wanted of a file that is made: its extension, and which field of the request has its name.
#[derive(Deserialize)]
struct Wanted {
    extension: String,
    output: String,
}

/// Calls a verb that writes a file, and answers with the file; where there is none, with the lines of the verb, which is no error of the
/// server.
async fn make(
    State(shared): All,
    Path(verb): Path<String>,
    Query(wanted): Query<Wanted>,
    request: String,
) -> Response {
    let begun = parsed::<serde_json::Map<String, Value>>(&request)
        .and_then(|request| Ok((request, shared.store.temporary(&wanted.extension)?)));
    let (mut request, output) = match begun {
        Ok(begun) => begun,
        Err(error) => return refused(&error),
    };
    request.insert(wanted.output, output.to_string().into());
    let lines = shared.calls.call(verb, Value::from(request).to_string()).await.collect().await;
    match sent(&shared, output, true) {
        Ok(body) => body.into_response(),
        Err(_) => (LINES, lines).into_response(),
    }
}

/// Sends a file as it is on the disk.
async fn read(State(shared): All, Query(named): Query<Named>) -> Response {
    match sent(&shared, shared.store.named(&named.name), false) {
        Ok(body) => body.into_response(),
        Err(error) => refused(&error),
    }
}

/// The content of a file, read as it is taken. One that `is_made` for the answer goes with it.
fn sent(shared: &Shared, name: FileName, is_made: bool) -> Result<Body> {
    let files = shared.store.files();
    let source = files.open(&name, Reading::default())?;
    let (to, pieces) = mpsc::channel(WAITING);
    task::spawn_blocking(move || {
        let len = source.len();
        let mut at = 0;
        while at < len {
            let end = at.saturating_add(PIECE).min(len);
            let piece = source.read(at..end, &mut Options::default().budget(PIECE));
            let piece = piece.map(|bytes| Bytes::copy_from_slice(&bytes));
            let is_last = piece.is_err();
            // Whoever left does not want the rest.
            if to.blocking_send(piece.map_err(|error| error.to_string())).is_err() || is_last {
                break;
            }
            at = end;
        }
        drop(source);
        if is_made {
            drop(files.remove(&name));
        }
    });
    Ok(Body::from_stream(ReceiverStream::new(pieces)))
}

/// Takes a file in, in the place of one that has the name, and answers with what verbs call it.
async fn hand_in(State(shared): All, Query(named): Query<Named>, body: Body) -> Response {
    let (to, mut pieces) = mpsc::channel::<Bytes>(WAITING);
    let writing = task::spawn_blocking(move || {
        let (name, mut file) = shared.store.hand_in(&named.name)?;
        let mut is_whole = false;
        while let Some(piece) = pieces.blocking_recv() {
            is_whole = piece.is_empty();
            file.write_all(&piece)?;
        }
        // What came in parts only has no place.
        if !is_whole {
            return Err(interrupted());
        }
        file.commit()?;
        Ok(name.to_string())
    });
    let mut data = body.into_data_stream();
    let mut is_whole = true;
    while let (true, Some(piece)) = (is_whole, data.next().await) {
        is_whole = match piece {
            Ok(piece) => piece.is_empty() || to.send(piece).await.is_ok(),
            Err(_) => false,
        };
    }
    if is_whole {
        // An empty piece is the end.
        drop(to.send(Bytes::new()).await);
    }
    drop(to);
    let written: Result<String> = writing.await.unwrap_or_else(|_| Err(interrupted()));
    answered(written.map(|name| json!({ "name": name })))
}
