//! Whether this machine can mount, for tests that do.

use std::{env, fmt::Display, fs::File};

/// Whether something can be mounted here; where it cannot, a line says so.
pub fn is_usable() -> bool {
    match File::options().read(true).write(true).open("/dev/fuse") {
        Ok(_) => true,
        Err(error) => {
            eprintln!("did not run: /dev/fuse cannot be opened: {error}");
            false
        }
    }
}

/// Says that mounting was refused, which machines that are there for tests must not do where [`is_usable`] says that they can.
///
/// # Panics
/// Where `CI` is set.
pub fn was_refused(error: impl Display) {
    assert!(env::var_os("CI").is_none(), "/dev/fuse can be opened, but nothing mounted: {error}");
    eprintln!("did not run: nothing can be mounted: {error}");
}
