//! Mounting and unmounting.

use crate::{point, said::Said, served::Served, space::Space};
use fuser::{BackgroundSession, Config, MountOption};
use nix::mount::{MntFlags, umount2};
use spelunk::{
    Error, Result,
    core::finding::thread_count,
    open::codes,
    verbs::{FileName, Session},
};
use std::{
    fmt, mem,
    path::{Path, PathBuf},
    sync::mpsc::{Receiver, Sender, channel},
    time::Duration,
};

/// For so long those are waited for who answer when a mount is gone.
const PATIENCE: Duration = Duration::from_secs(2);

/// What is mounted, and where.
#[derive(Clone, Debug)]
pub struct Settings {
    /// A container, a folder that is one, or a folder with containers.
    pub subject: FileName,
    /// An empty folder.
    pub point: PathBuf,
}

/// What is going to be mounted.
pub struct Prepared {
    space: Space,
    point: PathBuf,
    config: Config,
    events: Receiver<Event>,
    stop: Stop,
}

impl fmt::Debug for Prepared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Prepared").field("point", &self.point).finish_non_exhaustive()
    }
}

/// Something that is mounted. When it is dropped it is mounted no more.
pub struct Mount {
    point: PathBuf,
    entries: u64,
    /// Number of the mounted system, by which the kernel lists it.
    device: Option<String>,
    /// Those who answer, until it is not mounted any more. They unmount when they are dropped.
    session: Option<BackgroundSession>,
    events: Receiver<Event>,
    stop: Stop,
}

impl fmt::Debug for Mount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Mount").field("point", &self.point).finish_non_exhaustive()
    }
}

/// Ends a mount, from any thread.
#[derive(Clone, Debug)]
pub struct Stop(Sender<Event>);

impl Stop {
    /// Has it unmounted by whoever [waits](Mount::wait) for its end.
    pub fn stop(&self) {
        // One that is gone needs no end.
        let _ = self.0.send(Event::Stopped);
    }
}

/// End of a mount.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Event {
    /// Somebody unmounted it, or nobody answers any more.
    Ended,
    /// It is to end.
    Stopped,
}

impl Prepared {
    /// Looks at a file or a folder of the files of a session: a container is opened, a folder is listed.
    ///
    /// # Errors
    /// [`BAD_POINT`](codes::BAD_POINT), [`NOTHING_TO_MOUNT`](codes::NOTHING_TO_MOUNT); those of opening the container.
    pub fn new(session: Session, settings: &Settings, said: impl Said) -> Result<Prepared> {
        let Settings { subject, point } = settings;
        let point = point::checked(point, subject, session.files())?;
        // One thread has to be there for what another one that answers may cause.
        let threads = thread_count(session.options().threads).max(2);
        let space = Space::new(session, subject, Box::new(said))?;
        let (sender, events) = channel();
        Ok(Prepared { space, point, config: config(subject, threads), events, stop: Stop(sender) })
    }

    /// Returns what ends the mount, which may be asked for before it is there.
    pub fn stop(&self) -> Stop {
        self.stop.clone()
    }

    /// Mounts it. From then on it answers on threads of its own, as many as the options of the session say.
    ///
    /// # Errors
    /// [`MOUNT_REFUSED`](codes::MOUNT_REFUSED).
    pub fn mount(self) -> Result<Mount> {
        let Prepared { space, point, config, events, stop } = self;
        let (entries, _) = space.totals();
        let sender = stop.0.clone();
        let ended = Box::new(move || {
            let _ = sender.send(Event::Ended);
        });
        let session = fuser::spawn_mount(Served::new(space, ended), &point, &config);
        let session = session.map_err(|error| {
            Error::new(&codes::MOUNT_REFUSED).found(format!("{}: {error}", point.display()))
        })?;
        let session = Some(session);
        let device = point::device(&point);
        Ok(Mount { point, entries, device, session, events, stop })
    }
}

impl Mount {
    /// The whole path of the folder at which it is mounted.
    pub fn point(&self) -> &Path {
        &self.point
    }

    /// Number of files: those of the container, or the containers and other files right in the folder.
    pub const fn entries(&self) -> u64 {
        self.entries
    }

    /// Returns what ends it.
    pub fn stop(&self) -> Stop {
        self.stop.clone()
    }

    /// Waits until somebody unmounts it or [stops](Stop) it; then it is mounted no more. Where a program has one of its files open, that
    /// program can read it until this process ends.
    ///
    /// # Errors
    /// [`MOUNT_STAYS`](codes::MOUNT_STAYS).
    pub fn wait(mut self) -> Result<()> {
        // There is always somebody to send, who is in this.
        let _ = self.events.recv();
        self.unmount()
    }

    /// Whether it is mounted still.
    fn is_there(&self) -> bool {
        self.device.as_ref().is_none_or(|device| point::is_mounted(device))
    }

    fn unmount(&mut self) -> Result<()> {
        let Some(session) = self.session.take() else { return Ok(()) };
        if !self.is_there() {
            // It would unmount what is at its point now, whatever that is.
            mem::forget(session);
            return Ok(());
        }
        drop(session);
        if self.device.is_some() && self.is_there() {
            // Somebody has a file open, or is in one of the folders: that goes on, and nobody sees the mount any more.
            let detached = umount2(&self.point, MntFlags::MNT_DETACH);
            if self.is_there() {
                let point = self.point.display();
                let why = detached.err().map_or_else(String::new, |errno| format!(": {errno}"));
                return Err(Error::new(&codes::MOUNT_STAYS).found(format!("{point}{why}")));
            }
        } else {
            let _ = self.events.recv_timeout(PATIENCE);
        }
        Ok(())
    }
}

impl Drop for Mount {
    fn drop(&mut self) {
        // Who wants to know whether it worked waits.
        let _ = self.unmount();
    }
}

/// How it is mounted.
fn config(subject: &FileName, threads: usize) -> Config {
    // The list of mounts has commas and spaces of its own.
    let name = subject.last_part().to_string();
    let is_plain = |c: char| c.is_alphanumeric() || "._-+@".contains(c);
    let name = name.chars().map(|c| if is_plain(c) { c } else { '_' }).collect();
    let mut config = Config::default();
    config.mount_options = vec![
        MountOption::RO,
        MountOption::FSName(name),
        MountOption::Subtype("spelunk".to_owned()),
        MountOption::DefaultPermissions,
    ];
    config.n_threads = Some(threads);
    config.clone_fd = true;
    config
}
