//! Calls of verbs, one after the other, on threads of their own. A call whose caller left ends.

use crate::lines::Lines;
use axum::body::Bytes;
use spelunk::{
    Error, Result,
    verbs::{self, Session},
};
use std::{
    convert::Infallible,
    io,
    pin::Pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::{Context, Poll},
};
use tokio::{
    sync::{Mutex as Turns, mpsc},
    task,
};
use tokio_stream::Stream;

/// Number of batches of lines that wait for the caller at the most.
const WAITING: usize = 16;

/// The session, and whose turn it is.
#[derive(Clone, Debug)]
pub struct Calls {
    session: Arc<Session>,
    /// Given in the order in which they are asked for.
    turns: Arc<Turns<()>>,
    running: Arc<Mutex<RunningCall>>,
}

/// The call that runs, and the number of those before it.
#[derive(Debug, Default)]
struct RunningCall {
    last: u64,
    now: Option<u64>,
}

impl Calls {
    /// Calls of verbs of this session.
    pub fn new(session: Session) -> Calls {
        Calls { session: Arc::new(session), turns: Arc::default(), running: Arc::default() }
    }

    /// The session, for what needs no turn.
    pub fn session(&self) -> &Session {
        &self.session
    }

    fn running(&self) -> MutexGuard<'_, RunningCall> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether a call runs.
    pub fn is_busy(&self) -> bool {
        self.running().now.is_some()
    }

    /// Does something with the session when it is its turn, on a thread that may wait.
    pub async fn with<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Session) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let turn = self.turns.clone().lock_owned().await;
        let session = self.session.clone();
        on_a_thread(move || {
            let done = work(&session);
            drop(turn);
            done
        })
        .await
    }

    /// Calls a verb, when it is its turn. Its lines are to be read as they come: when they are dropped it ends.
    pub async fn call(&self, verb: String, request: String) -> CallLines {
        let turn = self.turns.clone().lock_owned().await;
        let (to, lines) = mpsc::channel(WAITING);
        let number = {
            let mut running = self.running();
            running.last = running.last.wrapping_add(1);
            running.now = Some(running.last);
            running.last
        };
        let calls = self.clone();
        task::spawn_blocking(move || {
            let mut out = Lines::new(to);
            let outcome = verbs::answer(&calls.session, &verb, &request, &mut out);
            let mut running = calls.running();
            running.now = None;
            calls.session.cancel().reset();
            drop(running);
            out.end(&outcome);
            drop(turn);
        });
        CallLines { lines, calls: self.clone(), number }
    }

    /// Ends a call that nobody listens to any more.
    fn leave(&self, number: u64) {
        let running = self.running();
        if running.now == Some(number) {
            self.session.cancel().cancel();
        }
    }
}

/// Does something that may wait, on a thread of its own.
pub async fn on_a_thread<T: Send + 'static>(
    work: impl FnOnce() -> Result<T> + Send + 'static,
) -> Result<T> {
    let done = task::spawn_blocking(work).await;
    // It ended in the middle.
    done.unwrap_or_else(|_| Err(Error::io(io::ErrorKind::Interrupted.into())))
}

/// Lines of a call.
#[derive(Debug)]
pub struct CallLines {
    lines: mpsc::Receiver<Bytes>,
    calls: Calls,
    number: u64,
}

impl CallLines {
    /// All of them.
    pub async fn collect(mut self) -> Vec<u8> {
        let mut all = Vec::new();
        while let Some(lines) = self.lines.recv().await {
            all.extend_from_slice(&lines);
        }
        all
    }
}

impl Stream for CallLines {
    type Item = std::result::Result<Bytes, Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.lines.poll_recv(context).map(|lines| lines.map(Ok))
    }
}

impl Drop for CallLines {
    fn drop(&mut self) {
        self.calls.leave(self.number);
    }
}
