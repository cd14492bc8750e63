//! Copies the built page, where there is one, to where the crate takes it in: what runs the verbs in the browser stays out.

use std::{
    env, fs, io,
    path::{Path, PathBuf},
};

/// What the page loads for the verbs in WebAssembly, which here are those of this process.
const IN_BROWSER: [&str; 3] = ["spelunk_wasm.js", "spelunk_wasm_bg.wasm", "worker.js"];

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-env-changed=SPELUNK_PAGE");
    println!("cargo::rerun-if-env-changed=CARGO_TARGET_DIR");
    let variable = |name| env::var_os(name).ok_or_else(|| io::Error::other(name));
    let out = Path::new(&variable("OUT_DIR")?).join("page");
    // Where `cargo xtask page` puts it.
    let target = env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into());
    let made = Path::new(&variable("CARGO_MANIFEST_DIR")?).join("../..").join(target).join("page");
    let page = env::var_os("SPELUNK_PAGE").map_or(made, PathBuf::from);
    println!("cargo::rerun-if-changed=build.rs");
    match fs::remove_dir_all(&out) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => fs::create_dir_all(&out)?,
    }
    // To look again for a folder that is not there would build all of this again each time: what makes one touches this file.
    if !page.is_dir() {
        return Ok(());
    }
    println!("cargo::rerun-if-changed={}", page.display());
    for entry in fs::read_dir(&page)? {
        let entry = entry?;
        let name = entry.file_name();
        if entry.file_type()?.is_file() && !IN_BROWSER.iter().any(|other| name == *other) {
            fs::copy(entry.path(), out.join(name))?;
        }
    }
    Ok(())
}
