//! One question to a server with all its repetitions, as the transport sees it.

use crate::traffic::Failure;
use bytes::Bytes;
use http::{HeaderValue, Uri};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A question for a part of a file. It goes with the request through the store to the transport, which stores have no say in.
#[derive(Debug)]
pub(crate) struct Exchange {
    /// The address that is asked for in place of the one that the store makes.
    pub(crate) uri: Option<Uri>,
    pub(crate) login: Option<HeaderValue>,
    /// Number of bytes that are taken in where the whole file comes.
    pub(crate) most: u64,
    seen: Mutex<Seen>,
}

/// What came of a question.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    pub(crate) failure: Option<Failure>,
    /// The range that the answer says it has.
    pub(crate) content_range: Option<String>,
    /// All of the file, from a server that sends no parts.
    pub(crate) whole: Option<Bytes>,
}

/// A shared question, as extensions of requests hold it.
#[derive(Clone, Debug)]
pub(crate) struct Shared(pub(crate) Arc<Exchange>);

impl Exchange {
    pub(crate) fn new(uri: Option<Uri>, login: Option<HeaderValue>, most: u64) -> Arc<Exchange> {
        Arc::new(Exchange { uri, login, most, seen: Mutex::default() })
    }

    pub(crate) fn seen(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
