//! Lists a file of any format.
//!
//! `cargo run -p spelunk --example list -- FILE`

use spelunk::{File, Result};
use std::path::Path;

/// Prints each entry.
pub fn list(path: &Path) -> Result<()> {
    for entry in File::open(path)?.entries()? {
        println!("{} {} {}", entry.path(), entry.kind(), entry.name());
    }
    Ok(())
}

fn main() -> Result<()> {
    let path = std::env::args_os().nth(1).expect("usage: list FILE");
    list(path.as_ref())
}
