//! Whether this machine can mount, for tests that do.

use std::{
    env,
    fmt::Display,
    fs::{self, File},
};

/// The capability that mounting without the help of another program needs.
const SYS_ADMIN: u32 = 21;

/// Whether something can be mounted here; where it cannot, a line says so.
pub fn is_usable() -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let effective = status.lines().find_map(|line| line.strip_prefix("CapEff:"));
    let effective = effective.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    if effective.is_some_and(|mask| mask >> SYS_ADMIN & 1 == 0) {
        eprintln!("did not run: this process may mount nothing");
        return false;
    }
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
