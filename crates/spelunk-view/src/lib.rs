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
mod settings;
mod store;

pub use assets::is_built_in;
pub use confined::Confined;
pub use settings::Settings;

use axum::serve::ListenerExt;
use calls::Calls;
use guard::Guard;
use routes::Shared;
use spelunk::{Result, verbs::Session};
use std::{
    future,
    net::{Ipv4Addr, TcpListener},
    sync::Arc,
    time::Duration,
};
use store::Store;
use tokio::sync::Notify;

/// A server that has its port, and does not answer yet.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    shared: Arc<Shared>,
    idle: Option<Duration>,
    stop: Stop,
}

/// Ends a server, from any thread.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<Notify>);

impl Stop {
    /// Ends it when what is answered now is answered.
    pub fn stop(&self) {
        self.0.notify_one();
    }
}

impl Server {
    /// Opens the folder of the settings and takes the port. `session` makes the session that the verbs run in, of the files that they
    /// may touch.
    ///
    /// # Errors
    /// When the subject is not there, the port is not to be had, or there is no place for temporary files.
    pub fn bind(settings: &Settings, session: impl FnOnce(Confined) -> Session) -> Result<Server> {
        let store = Store::new(settings)?;
        let calls = Calls::new(session(store.files()));
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, settings.port.unwrap_or(0)))?;
        listener.set_nonblocking(true)?;
        let guard = Arc::new(Guard::new(listener.local_addr()?.port())?);
        let shared = Arc::new(Shared { store, calls, guard });
        Ok(Server { listener, shared, idle: settings.idle, stop: Stop::default() })
    }

    /// Returns the address of the page, whose fragment has the token.
    pub fn address(&self) -> String {
        self.shared.guard.address(self.shared.store.first().as_deref())
    }

    /// Returns what ends the server.
    pub fn stop(&self) -> Stop {
        self.stop.clone()
    }

    /// Answers until it is [stopped](Stop), or nobody has asked for anything for [`Settings::idle`].
    ///
    /// # Errors
    /// When the system has no part in it: no thread, no event.
    pub fn run(self) -> Result<()> {
        let Server { listener, shared, idle, stop } = self;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        runtime.block_on(async {
            // Answers are small, and come in parts: none waits until the one before has arrived.
            let listener = tokio::net::TcpListener::from_std(listener)?.tap_io(|stream| {
                let _ = stream.set_nodelay(true);
            });
            let router = routes::router(shared.clone());
            let end = async move {
                let idle = async {
                    match idle {
                        Some(idle) => shared.guard.wait_for_idle(idle, &shared.calls).await,
                        None => future::pending().await,
                    }
                };
                tokio::select! {
                    () = idle => {}
                    () = stop.0.notified() => {}
                }
            };
            axum::serve(listener, router).with_graceful_shutdown(end).await?;
            Ok(())
        })
    }
}
