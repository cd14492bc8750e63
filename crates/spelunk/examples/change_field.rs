//! Changes a field and saves the file under another name.
//!
//! `cargo run -p spelunk --example change_field -- FILE NEW ENTRY FIELD VALUE`

use spelunk::{File, Result};
use std::path::Path;

/// Writes the file at `old` to `new` with another value in a field.
pub fn change_field(old: &Path, new: &Path, [entry, field, value]: [&str; 3]) -> Result<()> {
    let value = value.to_owned();
    let mut file = File::open(old)?;
    file.edit().set(entry, field, value).apply()?;
    file.save(new)?;
    Ok(())
}

fn main() -> Result<()> {
    let args: Vec<String> = std::env::args().collect();
    let [_, old, new, entry, field, value] = args.as_slice() else {
        panic!("usage: change_field FILE NEW ENTRY FIELD VALUE");
    };
    change_field(old.as_ref(), new.as_ref(), [entry, field, value])
}
