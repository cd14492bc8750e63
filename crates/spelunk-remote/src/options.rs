//! What may be chosen of reading over a network.

use spelunk_core::Cancel;
use std::time::Duration;

/// Options for files of servers.
#[derive(Clone, Debug)]
pub struct RemoteOptions {
    /// Number of bytes at the start of a file that its first request asks for.
    pub first: u64,
    /// Ranges with fewer bytes than this between them are asked for in one request.
    pub gap: u64,
    /// Number of bytes that one request asks for at the most.
    pub piece: u64,
    /// Number of requests for parts of one file that are on their way at a time.
    pub at_once: usize,
    /// Number of bytes that are kept of each file, besides what is being read.
    pub kept: u64,
    /// Number of bytes that are taken in from a server that sends whole files only.
    pub whole: u64,
    /// Number of requests that all files together may take; `None` for any.
    pub max_requests: Option<u64>,
    /// Number of bytes of answers that all files together may take; `None` for any.
    pub max_bytes: Option<u64>,
    /// Number of times that a request is made again after a failure that may pass.
    pub retries: usize,
    /// Longest time without any answer, and without a further byte of one.
    pub patience: Duration,
    /// Whether the proxies that the environment names are used for `http` and `https`.
    pub proxies: bool,
    /// Whether stores without other credentials ask the service of the virtual machine for some, which is at an address that no
    /// URL names.
    pub instance_credentials: bool,
    /// Settings of stores beside those of the environment, such as `aws_endpoint`.
    pub settings: Vec<(String, String)>,
    /// The flag that ends waiting for an answer.
    pub cancel: Cancel,
}

impl Default for RemoteOptions {
    fn default() -> RemoteOptions {
        RemoteOptions {
            first: 64 << 10,
            gap: 64 << 10,
            piece: 4 << 20,
            at_once: 4,
            kept: 64 << 20,
            whole: 256 << 20,
            max_requests: None,
            max_bytes: None,
            retries: 4,
            patience: Duration::from_secs(30),
            proxies: true,
            instance_credentials: false,
            settings: Vec::new(),
            cancel: Cancel::default(),
        }
    }
}

impl RemoteOptions {
    /// The variable of the environment that lets stores ask the service of the virtual machine for credentials, with `1`.
    pub const INSTANCE_CREDENTIALS: &str = "SPELUNK_INSTANCE_CREDENTIALS";

    /// Returns the usual options with what the environment says of [`instance_credentials`](Self::instance_credentials).
    pub fn from_env() -> RemoteOptions {
        let asked = std::env::var_os(RemoteOptions::INSTANCE_CREDENTIALS);
        let instance_credentials = asked.is_some_and(|value| value == "1");
        RemoteOptions { instance_credentials, ..RemoteOptions::default() }
    }
}
