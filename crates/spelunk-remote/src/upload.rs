//! Files that are written to object stores: complete, or not there.

use crate::{address::Address, fetch::Stamp, stores::Stores};
use bytes::Bytes;
use futures_util::{
    TryFutureExt, TryStreamExt,
    future::{AbortHandle, AbortRegistration, Abortable},
    stream,
};
use object_store::{
    Error as StoreError, ObjectStore, ObjectStoreExt, PutMode, PutOptions, PutPayload, UploadPart,
};
use spelunk_core::{
    Code, Error, Result, codes,
    unfinished::{Undo, Unfinished},
};
use std::{
    fs::File,
    io::{self, Read},
    sync::{Arc, mpsc},
    time::Duration,
};
use tokio::time::timeout;

/// Number of bytes of a part, and of a file that is sent in one request, at the most.
const PART: u64 = 8 << 20;

/// Number of parts of a file that stores take.
const PARTS: u64 = 10_000;

/// Longest time for taking back what was sent, when the process has to end.
const TAKING_BACK: Duration = Duration::from_secs(5);

/// Where a file goes in an object store, and what has to hold there for it.
#[derive(Clone)]
pub(crate) struct Target {
    pub(crate) stores: Arc<Stores>,
    pub(crate) address: Address,
    pub(crate) condition: Condition,
}

/// What has to hold of the place that a file takes.
#[derive(Clone)]
pub(crate) enum Condition {
    /// There is no file.
    Free,
    /// There is the very file that was read.
    AsRead(Stamp),
    /// Anything.
    None,
}

/// Reason why a file was not written.
enum Failed {
    Store(StoreError),
    Local(io::Error),
    Other(Error),
    Stopped,
}

impl From<StoreError> for Failed {
    fn from(error: StoreError) -> Failed {
        Failed::Store(error)
    }
}

impl From<io::Error> for Failed {
    fn from(error: io::Error) -> Failed {
        Failed::Local(error)
    }
}

type Done<T> = std::result::Result<T, Failed>;

impl Target {
    /// Refuses a place that is not as it has to be.
    ///
    /// # Errors
    /// [`EXISTS`](codes::EXISTS), [`CHANGED`](codes::CHANGED); those of the `REMOTE_` codes.
    pub(crate) fn check(&self) -> Result<()> {
        let (store, target) = (self.stores.store(&self.address)?, self.clone());
        let checked = self.stores.worker.wait(async move { target.holds(&*store).await })?;
        checked.map_err(|failed| self.error(failed))
    }

    /// Sends a file, which is then there under its name, or is not.
    ///
    /// # Errors
    /// Those of [`check`](Target::check); [`CANCELLED`](codes::CANCELLED); reading the file.
    pub(crate) fn put(&self, file: File) -> Result<()> {
        let (store, len) = (self.stores.store(&self.address)?, file.metadata()?.len());
        let target = self.clone();
        if len <= PART {
            let put = async move { target.put_whole(&*store, file, len).await };
            return self.stores.worker.wait(put)?.map_err(|failed| self.error(failed));
        }
        // Parts that were sent are there until they are taken back, so that an interruption has to wait for that.
        let (stop, stopped) = AbortHandle::new_pair();
        let (over, is_over) = mpsc::channel::<()>();
        let ((), unfinished) = Unfinished::begin(|| {
            let stop = stop.clone();
            let undo: Undo = Box::new(move || {
                stop.abort();
                let _ = is_over.recv_timeout(TAKING_BACK);
            });
            Result::Ok(((), undo))
        })?;
        let put = async move {
            let put = target.put_parts(&*store, (file, len), stopped).await;
            drop(over);
            put
        };
        let put = self.stores.worker.wait_out(put, || stop.abort());
        drop(unfinished);
        put?.map_err(|failed| self.error(failed))
    }

    /// Copies what is there to its name with a suffix, which is free, and returns the address of the copy.
    ///
    /// # Errors
    /// Those of [`check`](Target::check).
    pub(crate) fn keep(&self, suffix: &str) -> Result<Address> {
        let key = format!("{}{suffix}", self.address.key);
        let address = self.address.with_key(&key)?;
        let condition = Condition::Free;
        let backup = Target { address: address.clone(), condition, stores: self.stores.clone() };
        let (store, target) = (self.stores.store(&self.address)?, self.clone());
        let copied = async move {
            match store.head(&target.address.key).await {
                Err(StoreError::NotFound { .. }) => return Ok(()),
                there => drop(there?),
            }
            backup.holds(&*store).await?;
            Ok(store.copy(&target.address.key, &backup.address.key).await?)
        };
        let copied = self.stores.worker.wait(copied)?;
        copied.map_err(|failed| self.error(failed)).map(|()| address)
    }

    async fn holds(&self, store: &dyn ObjectStore) -> Done<()> {
        if let Condition::None = self.condition {
            return Ok(());
        }
        let there = match store.head(&self.address.key).await {
            Err(StoreError::NotFound { .. }) => None,
            there => Some(there?),
        };
        self.stores.traffic.take_failure();
        let error = match (&self.condition, there) {
            (Condition::Free, Some(_)) => Some(&codes::EXISTS),
            (Condition::AsRead(stamp), Some(now)) => {
                stamp.check(&now).is_err().then_some(&codes::CHANGED)
            }
            (Condition::AsRead(_), None) => Some(&codes::CHANGED),
            _ => None,
        };
        error.map_or(Ok(()), |code| Err(Failed::Other(self.refused(code))))
    }

    fn refused(&self, code: &'static Code) -> Error {
        Error::new(code).found(self.address.sibling(self.address.key.as_ref()).to_string())
    }

    async fn put_whole(&self, store: &dyn ObjectStore, mut file: File, len: u64) -> Done<()> {
        let bytes = part(&mut file, len)?;
        let mode = match &self.condition {
            Condition::Free => PutMode::Create,
            Condition::AsRead(stamp) => PutMode::Update(stamp.version()),
            Condition::None => PutMode::Overwrite,
        };
        let put = |mode: PutMode| {
            let options = PutOptions::from(mode);
            store.put_opts(&self.address.key, PutPayload::from(bytes.clone()), options)
        };
        match put(mode).await {
            // The settings say that this store knows no conditions.
            Err(StoreError::NotImplemented { .. }) => {
                self.holds(store).await?;
                put(PutMode::Overwrite).await?;
            }
            put => drop(put?),
        }
        Ok(())
    }

    /// Sends a file part by part. Whatever goes wrong, the parts that were sent are taken back.
    async fn put_parts(
        &self,
        store: &dyn ObjectStore,
        (mut file, len): (File, u64),
        stopped: AbortRegistration,
    ) -> Done<()> {
        let mut upload = store.put_multipart(&self.address.key).await?;
        let size = PART.max(len.div_ceil(PARTS));
        let parts = (0..len.div_ceil(size)).map(|nth| {
            let at = nth.saturating_mul(size);
            part(&mut file, size.min(len.saturating_sub(at)))
        });
        let sent = async {
            let parts = parts.map(|bytes| Ok::<_, Failed>(upload.put_part(bytes?.into())));
            let at_once = self.stores.options.at_once.max(1);
            let sent = stream::iter(parts)
                .try_for_each_concurrent(at_once, |part: UploadPart| part.map_err(Failed::from));
            sent.await?;
            // No store that is known takes a condition with this request of the library.
            self.holds(store).await?;
            upload.complete().await?;
            Ok(())
        };
        let sent = Abortable::new(sent, stopped).await;
        let sent = sent.unwrap_or(Err(Failed::Stopped));
        if sent.is_err() {
            let failure = self.stores.traffic.take_failure();
            // The reason is what is reported, and not what comes of this.
            let _ = timeout(TAKING_BACK, upload.abort()).await;
            self.stores.traffic.take_failure();
            failure.into_iter().for_each(|failure| self.stores.traffic.note(failure));
        }
        sent
    }

    /// The error of what failed.
    fn error(&self, failed: Failed) -> Error {
        let failed = match failed {
            Failed::Local(error) => return error.into(),
            Failed::Other(error) => return error,
            Failed::Stopped => return Error::new(&codes::CANCELLED),
            Failed::Store(failed) => failed,
        };
        let code = match (&self.condition, failed) {
            (Condition::Free, StoreError::AlreadyExists { .. }) => &codes::EXISTS,
            (
                Condition::AsRead(_),
                StoreError::Precondition { .. } | StoreError::AlreadyExists { .. },
            ) => &codes::CHANGED,
            _ => return self.stores.failed("that the file was taken"),
        };
        // It is said in other words.
        self.stores.traffic.take_failure();
        self.refused(code)
    }
}

/// The next bytes of a file.
fn part(file: &mut File, len: u64) -> io::Result<Bytes> {
    let mut bytes = vec![0; usize::try_from(len).map_err(io::Error::other)?];
    file.read_exact(&mut bytes)?;
    Ok(bytes.into())
}
