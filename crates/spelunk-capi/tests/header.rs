//! The header is what the code says. `SPELUNK_HEADER=overwrite` writes it anew.

use cbindgen::{Builder, Config};
use std::{env, fs, path::Path};

#[test]
fn the_header_is_made_of_the_code() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut builder = Builder::new();
    for file in ["failure", "handles", "rows", "views", "functions"] {
        builder = builder.with_src(root.join(format!("src/{file}.rs")));
    }
    let config = Config::from_file(root.join("cbindgen.toml")).unwrap();
    let mut made = Vec::new();
    builder.with_config(config).generate().unwrap().write(&mut made);
    let made = without_safety(&String::from_utf8(made).unwrap());
    let kept = root.join("include/spelunk.h");
    if env::var_os("SPELUNK_HEADER").is_some_and(|what| what == "overwrite") {
        fs::write(&kept, &made).unwrap();
    }
    assert_eq!(fs::read_to_string(kept).unwrap(), made, "SPELUNK_HEADER=overwrite writes it anew");
    assert!(made.lines().count() < 400);
}

/// The header without what Rust wants said of each unsafe function, which its preface says once.
fn without_safety(made: &str) -> String {
    let said = "//\n// # Safety\n// Pointers are null or lead to what the header says.\n";
    made.trim_start().replace(said, "")
}
