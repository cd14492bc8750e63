//! Files of servers beside those of the disk, and what was sent for them.

use crate::{args::Common, output::CommandSession};
use spelunk::verbs::{Disk, Session};

#[cfg(feature = "remote")]
use {
    crate::output::human,
    spelunk_remote::{Remote, RemoteOptions, Traffic},
    std::sync::Arc,
};

/// The counts of one run.
pub struct Network {
    #[cfg(feature = "remote")]
    traffic: Arc<Traffic>,
}

/// A session with the files of the disk and of servers.
#[cfg(feature = "remote")]
pub fn session(common: &Common) -> (Session, Network) {
    let usual = RemoteOptions::from_env();
    let options = RemoteOptions {
        max_requests: common.max_requests,
        max_bytes: common.max_download,
        whole: common.max_memory.unwrap_or(usual.whole),
        ..usual
    };
    let files = Remote::new(Disk, options);
    let traffic = files.traffic();
    (Session::new(files), Network { traffic })
}

/// A session with the files of the disk: this command is built without those of servers.
#[cfg(not(feature = "remote"))]
pub fn session(_: &Common) -> (Session, Network) {
    (Session::new(Disk), Network {})
}

impl Network {
    /// Says what went over the network, where notes are wanted.
    #[cfg(feature = "remote")]
    pub fn report(&self, session: &mut CommandSession) {
        let requests = self.traffic.requests();
        if requests > 0 && session.common.verbose {
            let noun = if requests == 1 { "request" } else { "requests" };
            let sent = match self.traffic.sent() {
                0 => String::new(),
                sent => format!(", {} sent", human(sent)),
            };
            let answers = human(self.traffic.bytes());
            session.say(&format!("{requests} {noun}, {answers} of answers{sent}"));
        }
    }

    /// Says nothing.
    #[cfg(not(feature = "remote"))]
    pub fn report(&self, _: &mut CommandSession) {}
}
