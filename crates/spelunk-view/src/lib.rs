//! The page over the files of this machine: a server on 127.0.0.1 that answers nobody but the page that it serves.
//!
//! A verb is called with its request in JSON, and its rows come back as lines, as they come. Calls run one after the other, since
//! files that are open are changed by some; a call whose caller left ends, or never begins.

#![forbid(unsafe_code)]

mod assets;
mod calls;
mod confined;
mod guard;
mod lines;
mod routes;
mod store;

pub use assets::is_built_in;
pub use confined::Confined;

use calls::Calls;
use guard::Guard;
use routes::Shared;
use spelunk::{
    Error, Result,
    verbs::{FileName, Session},
};
use std::{
    net::{Ipv4Addr, SocketAddr},
    sync::Arc,
    time::Duration,
};
use store::Store;
use tokio::net::TcpListener;

/// Options of the server.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// The file or the folder that is looked at.
    pub subject: FileName,
    /// The port; any that is free, where there is none.
    pub port: Option<u16>,
    /// Whether nothing is written but to the temporary folder.
    pub is_read_only: bool,
    /// Time without a request and without a running call after which the server ends.
    pub idle: Option<Duration>,
}

/// Serves the page until nobody has asked for anything for [`Settings::idle`]; without that, for ever.
///
/// `session` makes the session that the verbs run in, of the files that they may touch; `ready` is called with the address of the page,
/// whose fragment has the token.
///
/// # Errors
/// When the subject is not there, the port is not to be had, or there is no place for temporary files.
pub fn serve(
    settings: &Settings,
    session: impl FnOnce(Confined) -> Session,
    ready: impl FnOnce(&str) -> Result<()>,
) -> Result<()> {
    let store = Store::new(settings)?;
    let session = session(store.files());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let wanted = SocketAddr::from((Ipv4Addr::LOCALHOST, settings.port.unwrap_or(0)));
        let listener = TcpListener::bind(wanted).await?;
        let port = listener.local_addr()?.port();
        let guard = Guard::new(port)?;
        ready(&guard.address(store.first()))?;
        let calls = Calls::new(session);
        let shared = Arc::new(Shared { store, calls, guard });
        let served = axum::serve(listener, routes::router(shared.clone()));
        match settings.idle {
            None => served.await?,
            Some(idle) => {
                served
                    .with_graceful_shutdown(async move {
                        shared.guard.wait_for_idle(idle, &shared.calls).await
                    })
                    .await?;
            }
        }
        Ok::<(), Error>(())
    })
}
