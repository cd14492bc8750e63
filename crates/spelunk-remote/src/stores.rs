//! Stores: who is asked for files, one for each bucket.

use crate::{
    RemoteOptions,
    address::{Address, Scheme},
    fetch::{self, Object},
    traffic::Traffic,
    transport::Transport,
    worker::Worker,
};
use object_store::{
    BackoffConfig, ClientConfigKey, ObjectStore, RetryConfig, aws::AmazonS3Builder,
    azure::MicrosoftAzureBuilder, gcp::GoogleCloudStorageBuilder, http::HttpBuilder,
};
use spelunk_core::{Error, Result};
use spelunk_open::codes;
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

/// Longest time of one request, its whole answer included.
const LONGEST: &str = "10 minutes";

/// The servers that were asked so far, and what all of them share.
#[derive(Debug)]
pub(crate) struct Stores {
    pub(crate) options: RemoteOptions,
    pub(crate) traffic: Arc<Traffic>,
    pub(crate) worker: Worker,
    known: Mutex<HashMap<(Scheme, String), Arc<dyn ObjectStore>>>,
}

impl Stores {
    pub(crate) fn new(options: RemoteOptions) -> Stores {
        let traffic = Arc::new(Traffic::new(options.max_requests, options.max_bytes));
        let worker = Worker::new(options.cancel.clone());
        Stores { options, traffic, worker, known: Mutex::default() }
    }

    /// The object at an address, which need not be there.
    ///
    /// # Errors
    /// [`REMOTE_SETTINGS`](codes::REMOTE_SETTINGS).
    pub(crate) fn object(&self, address: &Address, most: u64) -> Result<Object> {
        Ok(Object {
            store: self.store(address)?,
            key: address.key.clone(),
            uri: address.uri.clone(),
            login: address.login.clone(),
            most,
            retries: self.options.retries,
            traffic: self.traffic.clone(),
        })
    }

    /// The error of a request that is none for a part of a file.
    pub(crate) fn failed(&self, expected: &'static str) -> Error {
        match self.traffic.take_failure() {
            Some(failure) => failure.error(),
            None => Error::new(&codes::REMOTE_ANSWER).expected(expected).found("something else"),
        }
    }

    /// The store of an address.
    ///
    /// # Errors
    /// [`REMOTE_SETTINGS`](codes::REMOTE_SETTINGS).
    pub(crate) fn store(&self, address: &Address) -> Result<Arc<dyn ObjectStore>> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (address.scheme, address.store.clone());
        if let Some(store) = known.get(&key) {
            return Ok(store.clone());
        }
        let store = self.connect(address)?;
        known.insert(key, store.clone());
        Ok(store)
    }

    fn connect(&self, address: &Address) -> Result<Arc<dyn ObjectStore>> {
        let (traffic, patience) = (self.traffic.clone(), self.options.patience);
        let asks_instance = self.options.instance_credentials;
        let transport = Transport { traffic, patience, asks_instance, client: None };
        let retry = RetryConfig {
            backoff: BackoffConfig {
                init_backoff: Duration::from_millis(100),
                max_backoff: Duration::from_secs(5),
                base: 2.0,
            },
            max_retries: self.options.retries,
            retry_timeout: patience.saturating_mul(2),
        };
        // Builders read the variables that other programs read for the same store, and files of credentials that these name.
        macro_rules! bucket {
            ($builder:ty) => {{
                let mut builder = <$builder>::from_env().with_url(&address.store);
                let settings = self.options.settings.iter();
                let timeout = (ClientConfigKey::Timeout.as_ref().to_owned(), LONGEST.to_owned());
                for (key, value) in [&timeout].into_iter().chain(settings) {
                    // What another kind of store reads is none of this one.
                    if let Ok(key) = key.to_ascii_lowercase().parse() {
                        builder = builder.with_config(key, value);
                    }
                }
                let builder = builder.with_http_connector(transport).with_retry(retry);
                Arc::new(builder.build().map_err(|error| unfit(&error))?)
            }};
        }
        Ok(match address.scheme {
            Scheme::Web { tls } => {
                let transport = transport.for_web(tls, self.options.proxies);
                let transport = transport.map_err(|error| {
                    Error::new(&codes::REMOTE_SETTINGS).found(fetch::innermost(&error))
                })?;
                let builder = HttpBuilder::new().with_url(&address.store).with_retry(retry);
                let builder = builder.with_http_connector(transport);
                Arc::new(builder.build().map_err(|error| unfit(&error))?)
            }
            Scheme::Amazon => bucket!(AmazonS3Builder),
            Scheme::Google => bucket!(GoogleCloudStorageBuilder),
            Scheme::Azure => bucket!(MicrosoftAzureBuilder),
        })
    }
}

/// The error of settings that make no store. Only the innermost words go out, as others repeat addresses and keys.
fn unfit(error: &object_store::Error) -> Error {
    Error::new(&codes::REMOTE_SETTINGS).found(fetch::innermost(error))
}
