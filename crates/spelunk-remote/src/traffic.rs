//! What went over the network, and what may.

use std::sync::{
    Mutex, PoisonError,
    atomic::{AtomicU64, Ordering},
};

/// Counts of all requests, of the bytes of their answers with the bounds of both, and of the bytes that were sent.
#[derive(Debug, Default)]
pub struct Traffic {
    requests: AtomicU64,
    bytes: AtomicU64,
    sent: AtomicU64,
    max_requests: Option<u64>,
    max_bytes: Option<u64>,
    /// Reason of the last failure, in words without an address: for requests that nobody else watches.
    failure: Mutex<Option<Failure>>,
}

/// Reason why a request gave nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Failure {
    /// The status of an answer that is no success.
    Status(u16),
    /// There was no answer, or it ended early; the words of the system.
    Connection(String),
    /// The number of requests or bytes is used up.
    Limit(String),
    /// The answer does not fit the question.
    Answer(String),
    /// The service of the virtual machine has credentials, and may not be asked.
    Instance,
    /// The whole file came instead of a part, and is larger than may be taken in.
    TooLarge(u64),
}

impl Traffic {
    pub(crate) fn new(max_requests: Option<u64>, max_bytes: Option<u64>) -> Traffic {
        Traffic { max_requests, max_bytes, ..Traffic::default() }
    }

    /// Returns the number of requests so far, those that were repeated included.
    pub fn requests(&self) -> u64 {
        self.requests.load(Ordering::Relaxed)
    }

    /// Returns the number of bytes in the bodies of answers so far.
    pub fn bytes(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }

    /// Returns the number of bytes in the bodies of requests so far, those that were repeated included.
    pub fn sent(&self) -> u64 {
        self.sent.load(Ordering::Relaxed)
    }

    /// Counts a request that is about to be made with a body of so many bytes.
    pub(crate) fn request(&self, body: u64) -> Result<(), Failure> {
        // Stores ask again for the rest of an answer that was ended here.
        self.body(0)?;
        let before = self.requests.fetch_add(1, Ordering::Relaxed);
        match self.max_requests {
            Some(most) if before >= most => {
                self.requests.fetch_sub(1, Ordering::Relaxed);
                Err(Failure::Limit(format!("at most {most} requests")))
            }
            _ => {
                self.sent.fetch_add(body, Ordering::Relaxed);
                Ok(())
            }
        }
    }

    /// Counts bytes that came.
    pub(crate) fn body(&self, bytes: u64) -> Result<(), Failure> {
        let after = self.bytes.fetch_add(bytes, Ordering::Relaxed).saturating_add(bytes);
        match self.max_bytes {
            Some(most) if after > most => {
                Err(Failure::Limit(format!("at most {most} bytes of answers")))
            }
            _ => Ok(()),
        }
    }

    pub(crate) fn note(&self, failure: Failure) {
        *self.failure.lock().unwrap_or_else(PoisonError::into_inner) = Some(failure);
    }

    pub(crate) fn take_failure(&self) -> Option<Failure> {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}
