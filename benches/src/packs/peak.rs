//! The memory that this process has at the most, as the system counts it.

use std::{fs, io};

/// Forgets the peak so far and gives what is there now, in bytes.
pub fn reset() -> io::Result<u64> {
    fs::write("/proc/self/clear_refs", "5")?;
    status("VmRSS:")
}

/// How much more there was at the peak, in bytes.
pub fn since(before: u64) -> io::Result<u64> {
    Ok(status("VmHWM:")?.saturating_sub(before))
}

fn status(field: &str) -> io::Result<u64> {
    let status = fs::read_to_string("/proc/self/status")?;
    let value = status.lines().find_map(|line| line.strip_prefix(field));
    let number =
        value.and_then(|value| value.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok());
    number.map(|kib| kib << 10).ok_or_else(|| io::Error::other(format!("no {field}")))
}
