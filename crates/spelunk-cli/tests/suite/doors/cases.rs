//! The requests that go through every door.

use serde_json::{Value, json};

/// A request as arguments and as data; `FILE` is the file in both, and `NEW` one that is not there.
pub struct Case {
    pub verb: &'static str,
    pub args: &'static [&'static str],
    pub request: Value,
}

/// Requests that every file answers.
pub fn cases() -> Vec<Case> {
    let case = |verb, args, request| Case { verb, args, request };
    vec![
        case("ls", &["FILE"], json!({ "file": "FILE" })),
        case(
            "ls",
            &["FILE", "--offset", "1", "--limit", "3"],
            json!({ "file": "FILE", "offset": 1, "limit": 3 }),
        ),
        case(
            "ls",
            &["FILE", "--sort", "size", "--reverse", "--columns", "path,size,type"],
            json!({ "file": "FILE", "sort": "size", "reverse": true, "columns": ["path", "size", "type"] }),
        ),
        case("ls", &["FILE", "*a*", "--exclude", "*e*"], {
            json!({ "file": "FILE", "globs": ["*a*"], "exclude": ["*e*"] })
        }),
        case("ls", &["FILE", "--blocks"], json!({ "file": "FILE", "blocks": true })),
        case("ls", &["FILE", "--columns", "nothing"], {
            json!({ "file": "FILE", "columns": ["nothing"] })
        }),
        case("ls", &["FILE", "--generation", "1"], json!({ "file": "FILE", "generation": 1 })),
        case("add", &["FILE", "CKGroup/Lamps", "--in-place", "--dry-run"], {
            json!({ "file": "FILE", "path": "CKGroup/Lamps", "in_place": true, "dry_run": true })
        }),
        case("add", &["FILE", "nothing", "--in-place", "--dry-run"], {
            json!({ "file": "FILE", "path": "nothing", "in_place": true, "dry_run": true })
        }),
        case("rewrite", &["FILE", "--in-place", "--dry-run"], {
            json!({ "file": "FILE", "in_place": true, "dry_run": true })
        }),
        case("rewrite", &["FILE", "NEW", "--recompress", "--write-mode", "viewer,compressed"], {
            json!({ "file": "FILE", "output": "NEW", "recompress": true, "write_mode": "viewer,compressed" })
        }),
        case("info", &["FILE"], json!({ "files": ["FILE"] })),
        case("info", &["FILE", "--missing-plugins"], {
            json!({ "files": ["FILE"], "missing_plugins": true })
        }),
        case("verify", &["FILE", "--roundtrip", "--coverage"], {
            json!({ "files": ["FILE"], "roundtrip": true, "coverage": true })
        }),
        case("subset", &["FILE", "*", "-o", "NEW"], {
            json!({ "file": "FILE", "paths": ["*"], "output": "NEW" })
        }),
        case("join", &["FILE", "FILE", "-o", "NEW", "--on-conflict", "meshes=replace"], {
            json!({ "files": ["FILE", "FILE"], "output": "NEW", "on_conflict": ["meshes=replace"] })
        }),
        case("merge", &["FILE", "FILE", "FILE", "-o", "NEW"], {
            json!({ "base": "FILE", "ours": "FILE", "theirs": ["FILE"], "output": "NEW" })
        }),
        case("upgrade", &["FILE", "-C", "NEW", "--dry-run", "--lossy"], {
            json!({ "files": ["FILE"], "directory": "NEW", "dry_run": true, "lossy": true })
        }),
        case("patch", &["FILE", "FILE", "-o", "NEW"], {
            json!({ "file": "FILE", "patch": "FILE", "output": "NEW" })
        }),
        case("append", &["FILE", "FILE", "--as", "data/new", "--compress", "zstd", "--dry-run"], {
            json!({
                "file": "FILE",
                "sources": ["FILE"],
                "as": "data/new",
                "compress": ["zstd"],
                "dry_run": true,
            })
        }),
        case("pack", &["FILE", "-o", "NEW"], json!({ "source": "FILE", "output": "NEW" })),
        case("compact", &["FILE", "-o", "NEW", "--target", "compat"], {
            json!({ "file": "FILE", "output": "NEW", "target": "compat" })
        }),
        case("repair", &["FILE", "-o", "NEW"], json!({ "file": "FILE", "output": "NEW" })),
        case("repair", &["FILE", "--in-place", "--dry-run"], {
            json!({ "file": "FILE", "in_place": true, "dry_run": true })
        }),
        case("rollback", &["FILE", "-o", "NEW", "--generation", "1"], {
            json!({ "file": "FILE", "output": "NEW", "generation": 1 })
        }),
        case("history", &["FILE"], json!({ "file": "FILE" })),
        case("undo", &["FILE", "--dry-run"], json!({ "file": "FILE", "dry_run": true })),
        case("redo", &["FILE", "--steps", "2", "--dry-run"], {
            json!({ "file": "FILE", "steps": 2, "dry_run": true })
        }),
        case("lint", &["FILE"], json!({ "files": ["FILE"] })),
        case("lint", &["FILE", "--fix", "--in-place", "--dry-run"], {
            json!({ "files": ["FILE"], "fix": true, "in_place": true, "dry_run": true })
        }),
        case("refs", &["FILE", "--missing"], json!({ "file": "FILE", "missing": true })),
        case("tree", &["FILE"], json!({ "file": "FILE" })),
        case("tree", &["FILE", "--flat"], json!({ "file": "FILE", "flat": true })),
        case("tree", &["FILE", "scripts"], json!({ "file": "FILE", "path": "scripts" })),
        case("find", &["a", "FILE"], json!({ "pattern": "a", "files": ["FILE"] })),
        case("find", &["1", "FILE", "--whole", "--names"], {
            json!({ "pattern": "1", "files": ["FILE"], "whole": true, "names": true })
        }),
        case("overlay", &["FILE"], json!({ "packs": ["FILE"] })),
        case("overlay", &["one/=FILE", "FILE", "--conflicts"], {
            json!({ "packs": [{ "prefix": "one/", "file": "FILE" }, "FILE"], "conflicts": true })
        }),
        case("overlay", &["FILE", "--prefer", "mobile", "--only", "textures/*"], {
            json!({ "packs": ["FILE"], "prefer": ["mobile"], "only": ["textures/*"] })
        }),
        case("diff", &["FILE", "FILE", "--old-generation", "1"], {
            json!({ "old": "FILE", "new": "FILE", "old_generation": 1 })
        }),
        case("diff", &["FILE", "FILE", "--old-generation", "1", "--stat"], {
            json!({ "old": "FILE", "new": "FILE", "old_generation": 1, "stat": true })
        }),
        case("diff", &["FILE", "FILE", "--blocks=512"], {
            json!({ "old": "FILE", "new": "FILE", "blocks": 512 })
        }),
        case("diff", &["FILE", "FILE", "--patch", "patch.json", "--dry-run"], {
            json!({ "old": "FILE", "new": "FILE", "patch": "patch.json", "dry_run": true })
        }),
        case("query", &["FILE", "SELECT * FROM files"], {
            json!({ "files": ["FILE"], "sql": "SELECT * FROM files" })
        }),
        case("query", &["FILE", "SELECT path, path, size FROM entries LIMIT 9"], {
            json!({ "files": ["FILE"], "sql": "SELECT path, path, size FROM entries LIMIT 9" })
        }),
        case("query", &["FILE", "--tables"], json!({ "files": ["FILE"], "tables": true })),
        case("query", &["FILE", "DELETE FROM files"], {
            json!({ "files": ["FILE"], "sql": "DELETE FROM files" })
        }),
        case("extract", &["FILE", "-C", "out-of-it", "--dry-run"], {
            json!({ "file": "FILE", "directory": "out-of-it", "dry_run": true })
        }),
        case("extract", &["FILE", "*a*", "-C", "out-of-it", "--dry-run", "--included"], {
            json!({ "file": "FILE", "globs": ["*a*"], "directory": "out-of-it", "dry_run": true, "included": true })
        }),
        case("export", &["FILE", "-o", "out-of-it", "--to", "json", "--dry-run"], {
            json!({ "file": "FILE", "output": "out-of-it", "to": "json", "dry_run": true })
        }),
        case("export", &["FILE", "-o", "out-of-it", "--to", "folder", "--dry-run"], {
            json!({ "file": "FILE", "output": "out-of-it", "to": "folder", "dry_run": true })
        }),
        case("export", &["FILE", "-o", "out-of-it", "--to", "csv", "--dry-run"], {
            json!({ "file": "FILE", "output": "out-of-it", "to": "csv", "dry_run": true })
        }),
        case("export", &["FILE", "-o", "out-of-it", "--to", "png", "--dry-run"], {
            json!({ "file": "FILE", "output": "out-of-it", "to": "png", "dry_run": true })
        }),
        case("export", &["FILE", "-o", "out-of-it", "--to", "glb", "--dry-run"], {
            json!({ "file": "FILE", "output": "out-of-it", "to": "glb", "dry_run": true })
        }),
        case("export", &["FILE", "-o", "out-of-it", "--to", "obj", "--dry-run"], {
            json!({ "file": "FILE", "output": "out-of-it", "to": "obj", "dry_run": true })
        }),
        case("export", &["FILE", "-o", "out-of-it", "--to", "dot", "--dry-run"], {
            json!({ "file": "FILE", "output": "out-of-it", "to": "dot", "dry_run": true })
        }),
        case("export", &["FILE", "-o", "out-of-it", "--to", "sqlite", "--dry-run"], {
            json!({ "file": "FILE", "output": "out-of-it", "to": "sqlite", "dry_run": true })
        }),
        case("export", &["FILE", "-o", "it.po", "--language", "en", "--dry-run"], {
            json!({ "file": "FILE", "output": "it.po", "language": "en", "dry_run": true })
        }),
        case("export", &["FILE", "-o", "it.nothing", "--dry-run"], {
            json!({ "file": "FILE", "output": "it.nothing", "dry_run": true })
        }),
        case("import", &["FILE", "-o", "NEW"], json!({ "source": "FILE", "output": "NEW" })),
        case("import", &["FILE", "-o", "NEW", "--split", "--on-conflict", "mesh=keep"], {
            json!({ "source": "FILE", "output": "NEW", "split": true, "on_conflict": ["mesh=keep"] })
        }),
        case(
            "import",
            &["FILE", "--into", "FILE", "--layer", "heights", "-o", "NEW", "--dry-run"],
            {
                json!({ "source": "FILE", "into": "FILE", "layer": "heights", "output": "NEW", "dry_run": true })
            },
        ),
        case("explain", &["FILE", "0x10"], json!({ "subject": "FILE", "place": "0x10" })),
        case("explain", &["FILE", "--map"], json!({ "subject": "FILE", "map": true })),
        case("explain", &["FILE", "--hex", "4", "40"], {
            json!({ "subject": "FILE", "hex": true, "place": "4", "len": 40 })
        }),
        case("explain", &["FILE", "--entry", "nothing"], {
            json!({ "subject": "FILE", "entry": "nothing" })
        }),
        case("explain", &["VT012"], json!({ "subject": "VT012" })),
        case("explain", &["FILE"], json!({ "subject": "FILE" })),
        case("show", &["FILE", "nothing"], json!({ "file": "FILE", "path": "nothing" })),
        case("cat", &["FILE", "nothing"], json!({ "file": "FILE", "path": "nothing" })),
        case("set", &["FILE", "nothing/at.all=1", "--in-place", "--dry-run"], {
            json!({ "file": "FILE", "changes": ["nothing/at.all=1"], "in_place": true, "dry_run": true })
        }),
    ]
}

/// Requests that every entry of a file answers.
pub fn of_entry(path: &str, kind: &str) -> Vec<Case> {
    let leak = |text: String| -> &'static str { Box::leak(text.into_boxed_str()) };
    let path = leak(path.to_owned());
    let mut cases = vec![
        Case {
            verb: "show",
            args: Box::leak(Box::new(["FILE", path])),
            request: json!({ "file": "FILE", "path": path }),
        },
        Case {
            verb: "show",
            args: Box::leak(Box::new(["FILE", path, "--offset", "2", "--limit", "2"])),
            request: json!({ "file": "FILE", "path": path, "offset": 2, "limit": 2 }),
        },
        Case {
            verb: "cat",
            args: Box::leak(Box::new(["FILE", path])),
            request: json!({ "file": "FILE", "path": path }),
        },
        Case {
            verb: "refs",
            args: Box::leak(Box::new(["FILE", path, "--closure"])),
            request: json!({ "file": "FILE", "path": path, "closure": true }),
        },
        Case {
            verb: "tree",
            args: Box::leak(Box::new(["FILE", path, "--flat"])),
            request: json!({ "file": "FILE", "path": path, "flat": true }),
        },
    ];
    let in_place = ["--in-place", "--dry-run"];
    for (verb, args, request) in [
        (
            "replace",
            vec![path, "FILE", "--raw"],
            json!({ "file": "FILE", "path": path, "source": "FILE", "raw": true }),
        ),
        ("rm", vec![path], json!({ "file": "FILE", "paths": [path] })),
        ("mv", vec![path, "renamed"], json!({ "file": "FILE", "path": path, "name": "renamed" })),
    ] {
        let args = [&["FILE"], args.as_slice(), &in_place].concat();
        let mut request = request;
        request["in_place"] = true.into();
        request["dry_run"] = true.into();
        cases.push(Case { verb, args: args.leak(), request });
    }
    if kind == "CKMaterial" {
        let change = leak(format!("{path}/material.specular_power=3"));
        cases.push(Case {
            verb: "set",
            args: Box::leak(Box::new(["FILE", change, "--in-place", "--dry-run"])),
            request: json!({ "file": "FILE", "changes": [change], "in_place": true, "dry_run": true }),
        });
    }
    cases
}
