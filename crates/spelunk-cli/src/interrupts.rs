//! Interrupts: when the command is asked to end, nothing is left that is not complete.

use crate::progress;
use spelunk::core::unfinished;
use std::{
    io::{self, IsTerminal},
    process,
    sync::{Mutex, Once, PoisonError},
};

/// What is done once instead of ending the process.
type Instead = Box<dyn FnOnce() + Send>;

static INSTEAD: Mutex<Option<Instead>> = Mutex::new(None);
static LISTENING: Once = Once::new();

/// Ends the process when it is interrupted. Files that are not complete are removed before, and the terminal is as it was. Where
/// there is no terminal, nobody listens before there is such a file: that takes a thread, and small work is done in the time.
pub fn watch() {
    match io::stdout().is_terminal() || io::stderr().is_terminal() {
        true => listen(),
        false => unfinished::listen_with(listen),
    }
}

/// Has something done when the process is interrupted first, which is to end it in a way of its own. If it is interrupted once more
/// it ends at once. That its terminal goes is such an interruption too, unless the process is to outlive it.
#[cfg(all(target_os = "linux", feature = "mount"))]
pub fn instead(action: impl FnOnce() + Send + 'static) {
    *INSTEAD.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(action));
    listen();
    if !unix::outlives_its_terminal() {
        unix::listen_to(&[signal_hook::consts::SIGHUP]);
    }
}

/// Listens from the first time on that this is called.
fn listen() {
    LISTENING.call_once(|| {
        #[cfg(unix)]
        unix::listen_to(&[signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM]);
        // The same for the console of Windows. Other systems have no signals.
        #[cfg(windows)]
        let _ = ctrlc::set_handler(|| interrupted(130));
    });
}

#[cfg(unix)]
mod unix {
    use signal_hook::iterator::Signals;

    /// Waits for signals. Where that cannot be done, they end the process as they always did.
    pub fn listen_to(signals: &[i32]) {
        let Ok(mut signals) = Signals::new(signals) else { return };
        let wait = move || signals.forever().for_each(|signal| super::interrupted(128 + signal));
        // It removes files and no more.
        let thread =
            std::thread::Builder::new().name("interrupts".to_owned()).stack_size(256 << 10);
        let _ = thread.spawn(wait);
    }

    /// Whether the process was started to go on when its terminal goes, as `nohup` does.
    #[cfg(all(target_os = "linux", feature = "mount"))]
    pub fn outlives_its_terminal() -> bool {
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
        ignored.is_some_and(|mask| mask >> (signal_hook::consts::SIGHUP - 1) & 1 == 1)
    }
}

fn interrupted(code: i32) {
    let instead = INSTEAD.lock().unwrap_or_else(PoisonError::into_inner).take();
    match instead {
        Some(action) => action(),
        None => end(code),
    }
}

fn end(code: i32) {
    unfinished::end(|| {
        progress::clear();
        process::exit(code);
    });
}
