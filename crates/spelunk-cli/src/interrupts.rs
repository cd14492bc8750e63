//! What happens when the command is told to end: nothing is left that is not complete.

use crate::progress;
use spelunk::core::unfinished;
use std::process;

/// Ends the process when it is interrupted from now on. Files that are not complete are removed before, and the terminal is
/// as it was.
#[cfg(unix)]
pub fn watch() {
    use signal_hook::{
        consts::{SIGINT, SIGTERM},
        iterator::Signals,
    };
    // Where signals cannot be waited for, they end the process as they always did.
    let Ok(mut signals) = Signals::new([SIGINT, SIGTERM]) else { return };
    let wait = move || {
        if let Some(signal) = signals.forever().next() {
            end(128 + signal);
        }
    };
    let _ = std::thread::Builder::new().name("interrupts".to_owned()).spawn(wait);
}

/// The same for the console of Windows.
#[cfg(windows)]
pub fn watch() {
    let _ = ctrlc::set_handler(|| end(130));
}

/// Systems without signals.
#[cfg(not(any(unix, windows)))]
pub fn watch() {}

fn end(code: i32) {
    unfinished::end(|| {
        progress::clear();
        process::exit(code);
    });
}
