//! Manual pages and completions tell of every verb.

use std::process::{Command, Stdio};

fn spelunk(args: &[&str]) -> String {
    let out = Command::new(env!("CARGO_BIN_EXE_spelunk")).args(args).output().unwrap();
    assert!(out.status.success() && out.stderr.is_empty(), "{args:?}: {out:?}");
    String::from_utf8(out.stdout).unwrap()
}

/// The verbs that `--help` lists.
fn verbs() -> Vec<String> {
    let help = spelunk(&["-h"]);
    let lines = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let lines = lines.take_while(|line| !line.is_empty());
    let verbs = lines.filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    let verbs: Vec<String> = verbs.filter(|verb| !verb.is_empty()).map(str::to_owned).collect();
    assert!(verbs.len() > 30, "{verbs:?}");
    verbs
}

#[test]
fn every_verb_has_a_manual_page() {
    let whole = spelunk(&["man"]);
    for verb in verbs().iter().filter(|verb| *verb != "help") {
        let page = spelunk(&["man", verb]);
        assert!(page.contains(&format!(".TH spelunk-{verb} 1")), "{verb}: {page}");
        assert!(page.contains("SH EXTRA") || page.contains("Examples"), "{verb}: {page}");
        assert!(whole.contains(&format!("spelunk\\-{verb}(1)")), "{verb}: {whole}");
    }
}

#[test]
fn shells_complete_every_verb() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = spelunk(&["completions", shell]);
        for verb in verbs() {
            assert!(script.contains(&verb), "{shell}: {verb}");
        }
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
