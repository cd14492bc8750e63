//! Interrupts: when the command is asked to end, nothing is left that is not complete.

use crate::progress;
use spelunk::core::unfinished;
use std::{
    io::{self, IsTerminal},
    process,
};

/// Ends the process when it is interrupted. Files that are not complete are removed before, and the terminal is as it was. Where
/// there is no terminal, nobody listens before there is such a file: that takes a thread, and small work is done in the time.
pub fn watch() {
    match io::stdout().is_terminal() || io::stderr().is_terminal() {
        true => listen(),
        false => unfinished::listen_with(listen),
    }
}

#[cfg(unix)]
fn listen() {
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
    // It removes files and no more.
    let thread = std::thread::Builder::new().name("interrupts".to_owned()).stack_size(256 << 10);
    let _ = thread.spawn(wait);
}

/// The same for the console of Windows.
#[cfg(windows)]
fn listen() {
    let _ = ctrlc::set_handler(|| end(130));
}

/// Systems without signals.
#[cfg(not(any(unix, windows)))]
fn listen() {}

fn end(code: i32) {
    unfinished::end(|| {
        progress::clear();
        process::exit(code);
    });
}
