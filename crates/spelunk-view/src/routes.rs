//! What the server answers: the files of the page, and what the page asks for, below `/api`.

use crate::{
    assets,
    calls::{Calls, on_a_thread},
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

/// What could not be done, as a diagnostic.
struct Refused(Error);

impl<E: Into<Error>> From<E> for Refused {
    fn from(error: E) -> Refused {
        Refused(error.into())
    }
}

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        let line = json!({ "file": "", "diagnostic": diagnostic(Severity::Error, &self.0) });
        (StatusCode::UNPROCESSABLE_ENTITY, LINES, format!("{line}\n")).into_response()
    }
}

type Answered = std::result::Result<Response, Refused>;

fn json_of(value: &impl Serialize) -> Answered {
    let text = serde_json::to_string(value).map_err(io::Error::from)?;
    Ok(([(header::CONTENT_TYPE, "application/json")], text).into_response())
}

fn parsed<'t, T: Deserialize<'t>>(text: &'t str) -> Result<T> {
    serde_json::from_str(text)
        .map_err(|error| Error::new(&codes::BAD_REQUEST).found(error.to_string()))
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
async fn files(State(shared): All) -> Answered {
    json_of(&on_a_thread(move || Ok(shared.store.list())).await?)
}

/// Opens a file, and keeps it open.
async fn open(State(shared): All, request: String) -> Answered {
    let Named { name } = parsed(&request)?;
    let name = shared.store.named(&name);
    let handle = shared.calls.with(move |session| session.open(name)).await?;
    json_of(&OpenFile { handle })
}

/// Keeps a copy of an open file as it is now.
async fn fork(State(shared): All, request: String) -> Answered {
    let OpenFile { handle } = parsed(&request)?;
    let handle = shared.calls.with(move |session| session.fork(handle)).await?;
    json_of(&OpenFile { handle })
}

/// Closes a file.
async fn close(State(shared): All, request: String) -> Answered {
    let OpenFile { handle } = parsed(&request)?;
    shared.calls.session().close(handle);
    json_of(&Value::Null)
}

/// Tells which of some open files somebody wrote to since they were read.
async fn changed(State(shared): All, request: String) -> Answered {
    let mut handles: Vec<Handle> = parsed(&request)?;
    handles.retain(|handle| !shared.calls.session().is_as_read(*handle));
    json_of(&handles)
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
) -> Answered {
    let mut request: serde_json::Map<String, Value> = parsed(&request)?;
    let output = shared.store.temporary(&wanted.extension)?;
    request.insert(wanted.output, output.to_string().into());
    let lines = shared.calls.call(verb, Value::from(request).to_string()).await.collect().await;
    Ok(match sent(&shared, output, true) {
        Ok(body) => body.into_response(),
        Err(_) => (LINES, lines).into_response(),
    })
}

/// Sends a file as it is on the disk.
async fn read(State(shared): All, Query(named): Query<Named>) -> Answered {
    Ok(sent(&shared, shared.store.named(&named.name), false)?.into_response())
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
async fn hand_in(State(shared): All, Query(named): Query<Named>, body: Body) -> Answered {
    let (to, mut pieces) = mpsc::channel::<Bytes>(WAITING);
    let writing = task::spawn(on_a_thread(move || {
        let (name, mut file) = shared.store.hand_in(&named.name)?;
        let mut is_whole = false;
        while let Some(piece) = pieces.blocking_recv() {
            is_whole = piece.is_empty();
            file.write_all(&piece)?;
        }
        // What came in parts only has no place.
        if !is_whole {
            return Err(Error::io(io::ErrorKind::UnexpectedEof.into()));
        }
        file.commit()?;
        Ok(name.to_string())
    }));
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
    let name = writing.await.map_err(io::Error::from)??;
    json_of(&json!({ "name": name }))
}
