//! The thread on which requests are made, for callers that wait.

use spelunk_core::{Cancel, Error, Result};
use std::{
    fmt,
    future::Future,
    io,
    sync::{
        OnceLock,
        mpsc::{self, Receiver, RecvTimeoutError},
    },
    time::Duration,
};
use tokio::{
    runtime::{Builder, Runtime},
    task::JoinHandle,
};

/// Time between two looks at whether the work was cancelled.
const LOOK: Duration = Duration::from_millis(50);

/// A runtime of one thread, which is there from the first request on.
pub(crate) struct Worker {
    runtime: OnceLock<Option<Runtime>>,
    cancel: Cancel,
}

impl fmt::Debug for Worker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Worker").finish_non_exhaustive()
    }
}

impl Worker {
    pub(crate) fn new(cancel: Cancel) -> Worker {
        Worker { runtime: OnceLock::new(), cancel }
    }

    /// Ends waiting where the work was cancelled.
    pub(crate) fn check(&self) -> Result<()> {
        self.cancel.check()
    }

    /// Waits for work on the thread. The caller may be on any thread, one of another runtime included.
    ///
    /// # Errors
    /// [`CANCELLED`](spelunk_core::codes::CANCELLED), and [`IO`](spelunk_core::codes::IO) where there can be no thread.
    pub(crate) fn wait<T: Send + 'static>(
        &self,
        work: impl Future<Output = T> + Send + 'static,
    ) -> Result<T> {
        self.cancel.check()?;
        let (task, result) = self.begin(work)?;
        loop {
            if let Some(result) = next(&result)? {
                return Ok(result);
            }
            self.cancel.check().inspect_err(|_| task.abort())?;
        }
    }

    /// Waits for work that has to end by itself: where all work is cancelled, `stop` lets it end soon.
    ///
    /// # Errors
    /// Those of [`wait`](Worker::wait).
    pub(crate) fn wait_out<T: Send + 'static>(
        &self,
        work: impl Future<Output = T> + Send + 'static,
        stop: impl Fn(),
    ) -> Result<T> {
        self.cancel.check()?;
        let (_, result) = self.begin(work)?;
        loop {
            if let Some(result) = next(&result)? {
                return Ok(result);
            }
            if self.cancel.check().is_err() {
                stop();
            }
        }
    }

    fn begin<T: Send + 'static>(
        &self,
        work: impl Future<Output = T> + Send + 'static,
    ) -> Result<(JoinHandle<()>, Receiver<T>)> {
        let runtime = self.runtime.get_or_init(|| {
            let mut builder = Builder::new_multi_thread();
            builder.worker_threads(1).thread_name("remote").enable_all().build().ok()
        });
        let runtime = runtime.as_ref().ok_or_else(|| ended("the thread cannot be started"))?;
        let (done, result) = mpsc::sync_channel(1);
        let task = runtime.spawn(async move { drop(done.send(work.await)) });
        Ok((task, result))
    }
}

/// The result of work, if it comes in a moment.
fn next<T>(result: &Receiver<T>) -> Result<Option<T>> {
    match result.recv_timeout(LOOK) {
        Ok(result) => Ok(Some(result)),
        Err(RecvTimeoutError::Timeout) => Ok(None),
        Err(RecvTimeoutError::Disconnected) => Err(ended("the thread has ended")),
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        // A plain drop waits, which a thread of another runtime must not.
        if let Some(Some(runtime)) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

fn ended(why: &str) -> Error {
    Error::io(io::Error::other(format!("requests: {why}")))
}
