//! Progress on work over a second, on a terminal.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::time::{Duration, Instant};

/// A bar that appears when the work has lasted a second.
pub struct Progress {
    bar: ProgressBar,
    started: Instant,
    visible: bool,
    wanted: bool,
}

impl Progress {
    /// Progress over `len` steps that are called `what`; never shown where it is not `wanted`. On anything
    /// but a terminal nothing is shown either.
    pub fn new(len: usize, what: &'static str, wanted: bool) -> Progress {
        let bar = ProgressBar::with_draw_target(Some(len as u64), ProgressDrawTarget::hidden());
        if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} {msg} {eta}") {
            bar.set_style(style);
        }
        bar.set_message(what);
        Progress { bar, started: Instant::now(), visible: false, wanted }
    }

    /// `done` of `len` steps are done.
    pub fn set(&mut self, done: usize, len: usize) {
        if !self.visible && self.wanted && self.started.elapsed() > Duration::from_secs(1) {
            self.visible = true;
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        self.bar.set_length(len as u64);
        self.bar.set_position(done as u64);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
