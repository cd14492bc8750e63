//! Gives the shared library its name, and its symbols the version that goes with it.

use std::env;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let target = |part: &str| env::var(format!("CARGO_CFG_TARGET_{part}")).unwrap_or_default();
    // Only the linker of GNU makes versions of symbols where rustc has its own list of what is exported.
    if target("OS") == "linux" && target("ENV") == "gnu" {
        for arg in ["-fuse-ld=bfd", "-Wl,--default-symver", "-Wl,-soname,libspelunk.so.1"] {
            println!("cargo::rustc-cdylib-link-arg={arg}");
        }
    }
}
