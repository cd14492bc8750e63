//! Manual pages and completions tell of every verb.

use crate::common::verbs;
use std::process::{Command, Stdio};

fn spelunk(args: &[&str]) -> String {
    let out = Command::new(env!("CARGO_BIN_EXE_spelunk")).args(args).output().unwrap();
    assert!(out.status.success() && out.stderr.is_empty(), "{args:?}: {out:?}");
    String::from_utf8(out.stdout).unwrap()
}

#[test]
fn every_verb_has_a_manual_page() {
    let whole = spelunk(&["man"]);
    for verb in &verbs() {
        let page = spelunk(&["man", verb]);
        assert!(page.contains(&format!(".TH spelunk-{verb} 1")), "{verb}: {page}");
        assert!(page.contains("SH EXTRA") || page.contains("Examples"), "{verb}: {page}");
        assert!(whole.contains(&format!("spelunk\\-{verb}(1)")), "{verb}: {whole}");
    }
}

/// The script for elvish knows verbs and options; those of the other shells ask the command (`completion.rs`).
#[test]
fn elvish_completes_every_verb() {
    let script = spelunk(&["completions", "elvish"]);
    for verb in verbs() {
        assert!(script.contains(&verb), "{verb}");
    }
}

/// Where there is a bash, it can read its script.
#[test]
fn the_script_for_bash_is_sound() {
    let bash = Command::new("bash").arg("-n").stdin(Stdio::piped()).spawn();
    let Ok(mut bash) = bash else { return };
    let script = spelunk(&["completions", "bash"]);
    std::io::Write::write_all(&mut bash.stdin.take().unwrap(), script.as_bytes()).unwrap();
    assert!(bash.wait().unwrap().success());
}
