//! What shells complete: asked as their scripts ask, and in the shells themselves where they are there.
#![cfg(unix)]

use crate::common::{samples, spelunk, verbs};
use std::{
    env,
    fs::{self, File},
    io::{Read, Write},
    path::Path,
    process::{Command, Stdio},
    sync::mpsc,
    thread,
    time::{Duration, Instant},
};

/// What is offered for the last of these words: first what the shell adds, then a line for each word.
fn asked(dir: &Path, words: &[&str]) -> (String, Vec<String>) {
    let args = [&["__complete", "zsh", "--", "spelunk"], words].concat();
    let out = spelunk(dir, &args);
    assert!(out.status.success() && out.stderr.is_empty(), "{words:?}: {out:?}");
    let text = String::from_utf8(out.stdout).unwrap();
    let mut lines = text.lines();
    let kind = lines.next().unwrap().to_owned();
    let word = |line: &str| {
        let parts: Vec<&str> = line.split('\t').collect();
        assert!(parts.len() == 3, "{line}");
        // An ellipsis stands for more of the same word.
        format!("{}{}", parts[1], if parts[0] == "open" { "…" } else { "" })
    };
    (kind, lines.map(word).collect())
}

fn words(dir: &Path, words: &[&str]) -> Vec<String> {
    asked(dir, words).1
}

#[test]
fn verbs_and_options_are_offered() {
    let dir = samples();
    let mut all = words(dir.path(), &[""]);
    all.sort_unstable();
    let mut known = verbs();
    known.sort_unstable();
    assert_eq!(all, known);
    assert_eq!(words(dir.path(), &["lin"]), ["lint"]);
    // A file in the place of a verb.
    assert_eq!(asked(dir.path(), &["level"]), ("files".to_owned(), vec![]));
    let options = words(dir.path(), &["show", "--l"]);
    assert_eq!(options, ["--limit", "--lenient"]);
    let options = words(dir.path(), &["set", "level.nmo", "--"]);
    assert_eq!(options[..2], ["--output", "--in-place"]);
}

#[test]
fn names_of_files_are_for_the_shell() {
    let dir = samples();
    for line in
        ["show ", "set a.nmo b=c -o ", "lint --gamedata ", "diff a.nmo ", "query ", "import "]
    {
        let line: Vec<&str> = line.split(' ').collect();
        assert_eq!(asked(dir.path(), &line).0, "files", "{line:?}");
    }
    for line in ["extract level.nmo -C ", "verify --against "] {
        let line: Vec<&str> = line.split(' ').collect();
        assert_eq!(asked(dir.path(), &line).0, "folders", "{line:?}");
    }
}

#[test]
fn entries_are_offered_by_their_kinds_first() {
    let dir = samples();
    let dir = dir.path();
    let top = words(dir, &["show", "level.nmo", ""]);
    for path in ["CKTexture/…", "CKMaterial/…", "CKMesh/…", "header1", "plugins/…", "managers/…"]
    {
        assert!(top.iter().any(|word| word == path), "{path}: {top:?}");
    }
    assert_eq!(words(dir, &["cat", "level.nmo", "ckm"]), ["CKMaterial/…", "CKMesh/…"]);
    assert_eq!(words(dir, &["refs", "level.nmo", "ckmaterial/"]), ["CKMaterial/Wood"]);
    assert_eq!(words(dir, &["rm", "level.nmo", "x", "CKMesh/cu"]), ["CKMesh/Cube_Mesh"]);
    assert_eq!(words(dir, &["mv", "level.nmo", "#"]).len(), 9);
    assert_eq!(
        words(dir, &["tree", "forest.snpak", ""]),
        ["textures/…", "meshes/…", "sounds/…", "levels/…"]
    );
    assert_eq!(
        words(dir, &["extract", "forest.snpak", "textures/"]),
        ["textures/bark", "textures/bark@mobile"]
    );
    assert!(words(dir, &["show", "GameData.cff", ""]).contains(&"items/…".to_owned()));
    assert_eq!(words(dir, &["show", "GameData.cff", "items/"]), ["items/1", "items/2"]);
    assert!(words(dir, &["show", "GameData.cff", "20"]).contains(&"2003".to_owned()));
    assert_eq!(words(dir, &["ls", "sf22.pak", "mesh/t"]), ["mesh/tower.msb"]);
    assert_eq!(words(dir, &["export", "level.nmo", "CKGroup/"]), ["CKGroup/Phys_Floors"]);
    assert_eq!(words(dir, &["explain", "level.nmo", "--entry", "ckg"]), ["CKGroup/…"]);
    assert_eq!(words(dir, &["show", "liannon.map", "objects["]), ["objects[0]", "objects[1]"]);
    // In globs brackets mean something.
    assert_eq!(words(dir, &["ls", "liannon.map", "29[[]"]), ["29[[]0]", "29[[]1]"]);
    assert_eq!(words(dir, &["add", "level.nmo", "ckm"]), ["CKMaterial/…", "CKMesh/…"]);
}

/// However many entries there are: their folders are there, and no more than can be read.
#[test]
fn many_entries_are_offered_by_their_folders() {
    let dir = samples();
    let dir = dir.path();
    for folder in ["many", "others"] {
        fs::create_dir_all(dir.join("files").join(folder)).unwrap();
        (0..600)
            .for_each(|nth| fs::write(dir.join(format!("files/{folder}/{nth}.txt")), "a").unwrap());
    }
    assert!(spelunk(dir, &["pack", "files", "-o", "many.snpak"]).status.success());
    assert_eq!(words(dir, &["show", "many.snpak", ""]), ["many/…", "others/…"]);
    assert_eq!(words(dir, &["show", "many.snpak", "many/"]).len(), 500);
    assert_eq!(words(dir, &["show", "many.snpak", "others/59"]).len(), 11);
}

/// Real files: a level, and a GameData of 67 MB, whose rows are more than anybody reads.
#[test]
fn real_files_are_completed() {
    let Some(corpus) = spelunk_fixtures::corpus::root() else { return };
    let level = corpus.join("virtools/level_level_01.nmo");
    let meshes = words(&corpus, &["show", level.to_str().unwrap(), "ckmesh/"]);
    assert!(meshes.len() > 100 && meshes.iter().all(|path| path.starts_with("CKMesh/")));
    let dir = tempfile::tempdir().unwrap();
    let files = spelunk_fixtures::corpus::files("spellforce", &["cff"]).unwrap();
    let bytes = &files.iter().find(|file| file.name.contains("1.54-en")).unwrap().bytes;
    fs::write(dir.path().join("GameData.cff"), bytes).unwrap();
    assert_eq!(words(dir.path(), &["show", "GameData.cff", "items/"]).len(), 500);
    let item = words(dir.path(), &["set", "GameData.cff", "items/22/buy"]);
    assert_eq!(item, ["items/22/buy_value=…"]);
}

#[test]
fn fields_and_their_values_are_offered() {
    let dir = samples();
    let dir = dir.path();
    let set = |file: &str, word: &str| words(dir, &["set", file, word]);
    assert_eq!(set("level.nmo", "ckmat"), ["CKMaterial/…"]);
    assert_eq!(set("level.nmo", "CKMaterial/W"), ["CKMaterial/Wood/…"]);
    let fields = set("level.nmo", "CKMaterial/Wood/");
    assert!(fields.contains(&"CKMaterial/Wood/material.diffuse=…".to_owned()), "{fields:?}");
    assert_eq!(set("level.nmo", "#1/material.dif"), ["#1/material.diffuse=…"]);
    let lists = set("level.nmo", "CK3dObject/Cube/meshes.");
    assert_eq!(lists, ["CK3dObject/Cube/meshes.current=…", "CK3dObject/Cube/meshes.all[…"]);
    assert_eq!(set("level.nmo", "#3/meshes.all["), ["#3/meshes.all[0]=…"]);
    assert_eq!(set("liannon.map", "obj"), ["objects[…"]);
    // The value of now, where nothing else is known.
    assert_eq!(set("level.nmo", "#1/material.diffuse="), ["#1/material.diffuse=0xffffffff"]);
    assert_eq!(set("GameData.cff", "items/1/buy_value="), ["items/1/buy_value=100"]);
    // Names of flags, of parts of packed words, and what is referred to.
    assert_eq!(
        set("level.nmo", "#1/material.flags=two_sided|alpha_t"),
        ["#1/material.flags=two_sided|alpha_test"]
    );
    assert_eq!(set("level.nmo", "#1/material.flags.two"), ["#1/material.flags.two_sided=…"]);
    assert_eq!(
        set("level.nmo", "#1/material.flags.two_sided=t"),
        ["#1/material.flags.two_sided=true"]
    );
    let shades = set("level.nmo", "#1/material.modes.shade=");
    assert!(shades.contains(&"#1/material.modes.shade=gouraud".to_owned()), "{shades:?}");
    assert_eq!(
        set("level.nmo", "#1/material.texture="),
        ["#1/material.texture=CKTexture/Wood_Texture", "#1/material.texture=none"]
    );
    let kinds = set("GameData.cff", "items/1/item_type_1=eq");
    assert_eq!(kinds, ["items/1/item_type_1=equipment"]);
}

/// What is offered can be typed: every field that is offered with its value of now is set.
#[test]
fn what_is_offered_is_taken() {
    let dir = samples();
    let dir = dir.path();
    let entries = [
        ("level.nmo", "CKMaterial/Wood/"),
        ("GameData.cff", "items/1/"),
        ("liannon.map", "objects[0]/"),
    ];
    for (file, entry) in entries {
        for field in words(dir, &["set", file, entry]) {
            let field = field.trim_end_matches('…');
            let values = words(dir, &["set", file, field]);
            let change = values.first().unwrap_or_else(|| panic!("{file}: no value for {field}"));
            let out = spelunk(dir, &["set", file, change, "-o", "set.out", "--force"]);
            assert!(out.status.success(), "{change}: {}", String::from_utf8_lossy(&out.stderr));
        }
    }
}

#[test]
fn names_of_options_are_offered() {
    let dir = samples();
    let dir = dir.path();
    let has = |line: &[&str], word: &str| {
        let offered = words(dir, line);
        assert!(offered.iter().any(|one| one == word), "{line:?}: {offered:?}");
    };
    has(&["ls", "level.nmo", "--columns", "size,cl"], "size,class");
    has(&["ls", "forest.snpak", "--sort", "comp"], "compression");
    has(&["ls", "GameData.cff", "--language", ""], "de");
    has(&["export", "GameData.cff", "--language="], "--language=fr");
    has(&["show", "GameData.cff", "--profile", "van"], "vanilla-1.54-en");
    has(&["lint", "--rule", "vl00"], "VL001");
    has(&["show", "forest-appended.snpak", "--generation", ""], "merged");
    has(&["rollback", "forest-appended.snpak", "--generation", ""], "1");
    has(&["export", "level.nmo", "--to", "g"], "glb");
    has(&["join", "level.nmo", "--on-conflict", "mat"], "material=use-current");
    has(&["merge", "a", "b", "c", "--on-conflict", ""], "ours");
    has(&["import", "a.glb", "--on-conflict", "re"], "replace");
    has(&["import", "a.glb", "--into", "level.nmo", "--replace", "CKT"], "CKTexture/…");
    has(&["explain", "vt01"], "VT012");
    has(&["explain", "level.nmo", "hea"], "header1:…");
    has(&["help", "j"], "jobs");
    has(&["help", "se"], "set");
    has(&["schema", "qu"], "query");
    has(&["completions", "z"], "zsh");
    has(&["query", "level.nmo", "SELECT * FROM mat"], "SELECT * FROM materials…");
    has(
        &["query", "level.nmo", "SELECT * FROM materials WHERE spec"],
        "SELECT * FROM materials WHERE specular…",
    );
    has(
        &["query", "GameData.cff", "select * from items i join wea"],
        "select * from items i join weapons…",
    );
}

/// Nothing that stands in a line makes the completion say something, or wait.
#[test]
fn what_cannot_be_opened_offers_nothing() {
    let dir = samples();
    let dir = dir.path();
    fs::write(dir.join("text.txt"), "no container").unwrap();
    fs::write(dir.join("empty.nmo"), "").unwrap();
    let bytes = fs::read(dir.join("level.nmo")).unwrap();
    fs::write(dir.join("cut.nmo"), &bytes[..bytes.len() / 2]).unwrap();
    assert!(Command::new("mkfifo").arg(dir.join("pipe.nmo")).status().unwrap().success());
    let files = [
        "text.txt",
        "empty.nmo",
        "cut.nmo",
        "pipe.nmo",
        "none.nmo",
        "-",
        "",
        ".",
        "https://127.0.0.1:9/a.nmo",
    ];
    for file in files {
        for line in [
            &["show", file, ""][..],
            &["set", file, "CKMaterial/Wood/x=y"],
            &["set", file, "CKMaterial/Wood/"],
            &["ls", file, "--sort", ""],
            &["show", file, "--generation", ""],
            &["query", file, "SELECT * FROM "],
            &["nonsense", file, ""],
            &["show", "--nonsense", file, ""],
            &["show", file, "--limit=x", "a", "b", "c"],
        ] {
            let begun = Instant::now();
            asked(dir, line);
            assert!(begun.elapsed() < Duration::from_secs(20), "{line:?}");
        }
    }
    for args in [&["__complete"][..], &["__complete", "bash"], &["__complete", "none", "--", "x"]] {
        let out = spelunk(dir, args);
        assert!(out.status.success() && out.stdout.is_empty() && out.stderr.is_empty(), "{args:?}");
    }
}

/// PowerShell is not run here: its script is what it was when it was last read by eye, and what it is handed is tried.
#[test]
fn powershell_is_answered() {
    let dir = samples();
    let script = spelunk(dir.path(), &["completions", "powershell"]);
    let script = String::from_utf8(script.stdout).unwrap();
    for part in
        ["Register-ArgumentCompleter -Native", "__complete powershell --", "CompletionResult"]
    {
        assert!(script.contains(part), "{part}");
    }
    let asked = |words: &[&str]| {
        let args = [&["__complete", "powershell", "--"], words].concat();
        String::from_utf8(spelunk(dir.path(), &args).stdout).unwrap()
    };
    let wood = "words foreign\nCKMaterial/Wood\t#1\n";
    assert_eq!(asked(&[":spelunk", ":show", ":level.nmo", ":CKMaterial/"]), wood);
    assert!(asked(&[":spelunk", ":"]).starts_with("words\ninfo\t"));
}

/// Types lines into a shell with a terminal of its own, a TAB behind each, and returns all that it prints.
fn typed(dir: &Path, shell: &str, begin: &str, lines: &[&str]) -> Option<String> {
    const READY: &str = "READY> ";
    let has = |name: &str| {
        env::split_paths(&env::var_os("PATH").unwrap()).any(|folder| folder.join(name).exists())
    };
    if !has("script") || !has(shell.split(' ').next().unwrap()) {
        eprintln!("did not run: no `script` here, or no `{shell}`");
        return None;
    }
    let own = Path::new(env!("CARGO_BIN_EXE_spelunk")).parent().unwrap().display();
    let path = format!("{own}:{}", env::var("PATH").unwrap());
    let mut command = Command::new("script");
    command
        .args(["-qfec", shell, "/dev/null"])
        .current_dir(dir)
        .envs([("PATH", path.as_str()), ("TERM", "dumb")]);
    command.env("HOME", dir).env("PS1", "").stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut running = command.stderr(Stdio::null()).spawn().unwrap();
    let (mut to, mut from) = (running.stdin.take().unwrap(), running.stdout.take().unwrap());
    let (sender, pieces) = mpsc::channel();
    thread::spawn(move || {
        let mut bytes = [0; 4096];
        while let Ok(count @ 1..) = from.read(&mut bytes) {
            if sender.send(bytes[..count].to_vec()).is_err() {
                break;
            }
        }
    });
    let mut printed = Vec::new();
    let wait = |printed: &mut Vec<u8>, count: usize| {
        let end = Instant::now() + Duration::from_secs(30);
        while String::from_utf8_lossy(printed).matches(READY).count() < count {
            match pieces.recv_timeout(end.saturating_duration_since(Instant::now())) {
                Ok(piece) => printed.extend(piece),
                Err(_) => panic!("{shell}: {}", String::from_utf8_lossy(printed)),
            }
        }
    };
    writeln!(to, "{begin}").unwrap();
    // The line itself is printed too, without the blank at the end.
    wait(&mut printed, 1);
    for (nth, line) in lines.iter().enumerate() {
        write!(to, "{line}\t").unwrap();
        to.flush().unwrap();
        thread::sleep(Duration::from_millis(300));
        writeln!(to).unwrap();
        wait(&mut printed, nth + 2);
    }
    let _ = writeln!(to, "exit");
    drop(to);
    let _ = running.wait();
    Some(String::from_utf8_lossy(&printed).into_owned())
}

/// Lines, each with the words that the command gets once a TAB has completed it.
const TYPED: [(&str, &str); 9] = [
    ("spelunk sho", "<show>"),
    ("spelunk show lev", "<show><level.nmo>"),
    ("spelunk show level.nmo ckmat", "<show><level.nmo><CKMaterial/>"),
    ("spelunk show level.nmo CKMaterial/", "<show><level.nmo><CKMaterial/Wood>"),
    ("spelunk show named.nmo CK3dObject/", "<show><named.nmo><CK3dObject/My Cube%2F50%25 [a]>"),
    (
        "spelunk set level.nmo CKMaterial/Wood/material.dif",
        "<set><level.nmo><CKMaterial/Wood/material.diffuse=>",
    ),
    (
        "spelunk set level.nmo CKMaterial/Wood/material.diffuse=",
        "<set><level.nmo><CKMaterial/Wood/material.diffuse=0xffffffff>",
    ),
    (
        "spelunk set level.nmo CKMaterial/Wood/material.flags.two_sided=f",
        "<set><level.nmo><CKMaterial/Wood/material.flags.two_sided=false>",
    ),
    ("spelunk ls level.nmo --sort=siz", "<ls><level.nmo><--sort=size>"),
];

/// The folder of samples with an object whose name shells have to quote.
fn named() -> tempfile::TempDir {
    let dir = samples();
    let out = spelunk(dir.path(), &["mv", "level.nmo", "#3", "My Cube/50% [a]", "-o", "named.nmo"]);
    assert!(out.status.success(), "{out:?}");
    dir
}

fn check(printed: &str) {
    for (line, words) in TYPED {
        assert!(printed.contains(words), "{line}: {words} is not in\n{printed}");
    }
}

/// A function in the place of the command, which shows the words that it gets.
const SHOWS: &str = "spelunk() { if [ \"$1\" = __complete ]; then command spelunk \"$@\"; else printf '<%s>' \"$@\"; echo; fi; }";

#[test]
fn bash_completes() {
    let dir = named();
    let begin = format!("source <(command spelunk completions bash); {SHOWS}; PS1='READY''> '");
    let lines: Vec<&str> = TYPED.iter().map(|(line, _)| *line).collect();
    let shell = "bash --norc --noprofile -i";
    let Some(printed) = typed(dir.path(), shell, &begin, &lines) else { return };
    check(&printed);
    // In quotes, which bash closes behind the last step alone.
    let lines = [
        "spelunk query level.nmo 'SELECT * FROM materi\t'; true",
        "spelunk show level.nmo \"CKMat\tWood",
    ];
    if let Some(printed) = typed(dir.path(), shell, &begin, &lines) {
        assert!(printed.contains("<query><level.nmo><SELECT * FROM materials>"), "{printed}");
        assert!(printed.contains("<show><level.nmo><CKMaterial/Wood>"), "{printed}");
    }
}

/// The function that bash calls, with the words of a line set by hand.
#[test]
fn bash_has_the_candidates() {
    let dir = samples();
    File::create(dir.path().join("a b.nmo")).unwrap();
    let script = String::from_utf8(spelunk(dir.path(), &["completions", "bash"]).stdout).unwrap();
    fs::write(dir.path().join("completion.sh"), script).unwrap();
    let own = env!("CARGO_BIN_EXE_spelunk");
    let ask = |line: &str, word: &str| {
        let script = format!(
            "source completion.sh; complete -p spelunk >&2 || exit 9; COMP_LINE='{line}'; COMP_POINT=${{#COMP_LINE}}; \
             _spelunk '{own}' '{word}' show 2>/dev/null; printf '%s\\n' \"${{COMPREPLY[@]}}\""
        );
        let out = Command::new("bash").args(["-c", &script]).current_dir(dir.path()).output();
        let Ok(out) = out else { return None };
        assert!(out.status.success(), "{out:?}");
        Some(String::from_utf8(out.stdout).unwrap())
    };
    let Some(printed) = ask("spelunk show level.nmo ckm", "ckm") else { return };
    assert_eq!(printed, "CKMaterial/\nCKMesh/\n");
    // What stands before an equals sign is no part of the word.
    let printed = ask("spelunk set level.nmo #1/material.diffuse=", "").unwrap();
    assert_eq!(printed, "0xffffffff\n");
    let printed =
        ask("spelunk set level.nmo \"CKMaterial/Wood/material.tex", "CKMaterial/Wood/material.tex");
    assert_eq!(
        printed.unwrap(),
        "CKMaterial/Wood/material.texture=\nCKMaterial/Wood/material.texture=...\n"
    );
}

#[test]
fn zsh_completes() {
    let dir = named();
    let begin = format!(
        "autoload -U compinit; compinit -u -D; source <(command spelunk completions zsh); {SHOWS}; PS1='READY''> '"
    );
    let lines: Vec<&str> = TYPED.iter().map(|(line, _)| *line).collect();
    if let Some(printed) = typed(dir.path(), "zsh -f -i", &begin, &lines) {
        check(&printed);
    }
}

#[test]
fn fish_completes() {
    let dir = named();
    let own = Path::new(env!("CARGO_BIN_EXE_spelunk")).parent().unwrap().display();
    let path = format!("{own}:{}", env::var("PATH").unwrap());
    for (line, words) in TYPED {
        let script = format!("spelunk completions fish | source; complete -C \"{line}\"");
        let mut fish = Command::new("fish");
        fish.args(["--no-config", "-c", &script]).current_dir(dir.path());
        let Ok(out) = fish.env("HOME", dir.path()).env("PATH", &path).output() else {
            eprintln!("did not run: no `fish` here");
            return;
        };
        let printed = String::from_utf8_lossy(&out.stdout);
        let last = words.rsplit('<').next().unwrap().trim_end_matches('>');
        let offered: Vec<&str> =
            printed.lines().filter_map(|line| line.split('\t').next()).collect();
        let plain: Vec<String> = offered.iter().map(|word| word.replace('\\', "")).collect();
        assert!(plain.iter().any(|word| word == last), "{line}: {out:?}");
    }
}
