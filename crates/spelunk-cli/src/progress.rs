//! Progress on work over a second, on a terminal.

use crate::output::CommandSession;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use spelunk::verbs;
use std::{
    io::{self, IsTerminal, Write},
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

/// A bar that appears when the work has lasted a second: how much is done, how fast, and how long it will take.
pub struct Progress {
    bar: ProgressBar,
    started: Instant,
    visible: bool,
    wanted: bool,
}

impl Progress {
    /// Progress over bytes, as many as [`set`](Progress::set) says. On anything but a terminal nothing is shown.
    pub fn new(session: &CommandSession) -> Progress {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        let template =
            "{bar:30} {binary_bytes}/{binary_total_bytes}  {binary_bytes_per_sec}  {eta}  {msg}";
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        let wanted = !session.common.quiet;
        *shown() = Some(bar.clone());
        Progress { bar, started: Instant::now(), visible: false, wanted }
    }

    /// So much of the work of a verb is done.
    pub fn at(&mut self, progress: &verbs::Progress) {
        let verbs::Progress { done, total, file, files } = *progress;
        self.bar.set_message(format!("file {} of {files}", file.min(files)));
        self.set(done, total);
    }

    /// So many bytes of so many are done.
    pub fn set(&mut self, done: u64, total: u64) {
        if !self.visible && self.wanted && self.started.elapsed() > Duration::from_secs(1) {
            self.visible = true;
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        self.bar.set_length(total);
        self.bar.set_position(done);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        *shown() = None;
        self.bar.finish_and_clear();
    }
}

/// The bar that may be on the terminal.
static SHOWN: Mutex<Option<ProgressBar>> = Mutex::new(None);

fn shown() -> MutexGuard<'static, Option<ProgressBar>> {
    SHOWN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Takes the bar off the terminal when the process ends in the middle of the work, and colours with it.
pub fn clear() {
    if let Some(bar) = shown().take() {
        bar.finish_and_clear();
    }
    // Standard output may be held by who was interrupted; what is on the terminal is the same.
    let mut stderr = io::stderr();
    if stderr.is_terminal() {
        let _ = write!(stderr, "{}", anstyle::Reset);
    }
}
