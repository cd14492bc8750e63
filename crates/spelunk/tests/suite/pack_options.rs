//! What packs are made with: types by their names, random ids, a limit for payloads; and packs with longer headers.

use serde_json::{Value, json};
use spelunk::verbs::{self, CollectedOutput, Memory, Session};
use spelunk_fixtures::samples;

fn session() -> (Memory, Session) {
    let files = Memory::new();
    files.put("in/bark.txt", b"bark ".repeat(40));
    files.put("types.txt", b"7e070000-0000-0000-0000-000000000001 Terrain\n".to_vec());
    (files.clone(), Session::new(files))
}

fn call(session: &Session, verb: &str, request: &Value) -> (u8, CollectedOutput) {
    let mut out = CollectedOutput::default();
    let outcome = verbs::call(session, verb, &request.to_string(), &mut out).unwrap();
    (outcome.code(), out)
}

/// The one asset of a pack that `request` makes of the folder.
fn packed(session: &Session, request: &Value) -> Value {
    let mut all = json!({ "source": "in", "output": "out.snpak", "force": true });
    all.as_object_mut().unwrap().extend(request.as_object().unwrap().clone());
    let (code, out) = call(session, "pack", &all);
    assert_eq!(code, 0, "{:?}", out.diagnostics);
    let (_, out) = call(session, "ls", &json!({ "file": "out.snpak" }));
    assert_eq!(out.rows.len(), 1);
    out.rows[0].clone()
}

#[test]
fn kinds_and_payload_types_are_called_by_name() {
    let (_, session) = session();
    let asset = packed(
        &session,
        &json!({ "kind": ["texture"], "payload_type": ["framework:SnAPI.GameFramework.LevelPayload"] }),
    );
    assert_eq!(asset["kind_name"], "Texture");
    assert_eq!(asset["kind"], "10101010-2020-3030-4040-505060607070");
    assert_eq!(asset["payload_type"], "c05843b3-9323-5e33-820b-0c9487bba53f");
    let asset = packed(&session, &json!({ "kind": ["*.txt=Terrain"], "types": "types.txt" }));
    assert_eq!(asset["kind"], "7e070000-0000-0000-0000-000000000001");
    let request = json!({ "source": "in", "output": "never.snpak", "kind": ["Textur"] });
    let (code, out) = call(&session, "pack", &request);
    let error = out.diagnostics[0].1["message"].as_str().unwrap();
    assert_eq!((code, out.diagnostics[0].1["code"].as_str()), (2, Some("SN128")));
    assert!(error.contains("`Texture`") || out.diagnostics[0].1.to_string().contains("`Texture`"));
    // One that is there gets another kind in the same way.
    let request = json!({
        "file": "out.snpak", "changes": ["bark.txt/kind=Level"], "output": "level.snpak",
    });
    assert_eq!(call(&session, "set", &request).0, 0);
    let (_, out) = call(&session, "ls", &json!({ "file": "level.snpak" }));
    assert_eq!(out.rows[0]["kind_name"], "Level");
}

#[test]
fn ids_are_random_where_that_is_asked_for() {
    let (_, session) = session();
    let id = |request: Value| packed(&session, &request)["asset_id"].as_str().unwrap().to_owned();
    let usual = id(json!({}));
    assert_eq!((usual.as_bytes()[14], id(json!({ "uuid": "v5" }))), (b'5', usual));
    let random = [id(json!({ "uuid": "v4" })), id(json!({ "uuid": "v4" }))];
    assert_ne!(random[0], random[1]);
    assert!(random.iter().all(|id| id.as_bytes()[14] == b'4'), "{random:?}");
}

#[test]
fn payloads_are_as_large_as_is_asked_for_at_the_most() {
    let (files, session) = session();
    packed(&session, &json!({ "block_limit": 200 }));
    let request = json!({ "source": "in", "output": "small.snpak", "block_limit": 199 });
    let (code, out) = call(&session, "pack", &request);
    assert_eq!(out.diagnostics[0].1["code"], "SN043", "{code}");
    assert!(code != 0 && files.get("small.snpak").is_none());
    for (verb, request) in [
        ("compact", json!({ "file": "out.snpak", "output": "small.snpak", "block_limit": 199 })),
        ("append", json!({ "file": "out.snpak", "sources": ["types.txt"], "block_limit": 9 })),
    ] {
        let before = files.get("out.snpak");
        let (code, out) = call(&session, verb, &request);
        assert_eq!(out.diagnostics[0].1["code"], "SN043", "{verb} {code}");
        assert!(code != 0 && files.get("small.snpak").is_none());
        assert_eq!(files.get("out.snpak"), before);
    }
    for limit in [0, (8_u64 << 30) + 1] {
        let request = json!({ "source": "in", "output": "small.snpak", "block_limit": limit });
        let mut out = CollectedOutput::default();
        let error = verbs::call(&session, "pack", &request.to_string(), &mut out).unwrap_err();
        assert_eq!(error.code().id, "SP190", "{error}");
    }
}

#[test]
fn packs_with_longer_headers_are_read_and_changed_where_that_is_lenient() {
    let pack = samples::extended_pack().build();
    let (files, session) = session();
    files.put("long.snpak", pack.bytes.clone());
    let reading = [
        ("info", json!({ "files": ["long.snpak"] })),
        ("ls", json!({ "file": "long.snpak" })),
        ("tree", json!({ "file": "long.snpak" })),
        ("verify", json!({ "files": ["long.snpak"] })),
        ("lint", json!({ "files": ["long.snpak"] })),
        ("explain", json!({ "subject": "long.snpak", "place": "200" })),
        ("rewrite", json!({ "file": "long.snpak", "output": "same.snpak" })),
        ("rm", json!({ "file": "long.snpak", "paths": ["sounds/wind"], "output": "less.snpak" })),
        ("compact", json!({ "file": "long.snpak", "output": "compact.snpak" })),
        ("append", json!({ "file": "long.snpak", "sources": ["types.txt"] })),
    ];
    for (verb, request) in &reading {
        let (code, out) = call(&session, verb, request);
        let error = out.diagnostics.first().map(|(_, error)| error.to_string()).unwrap_or_default();
        assert!(
            code != 0 && error.contains("SN003") && error.contains("--lenient"),
            "{verb}: {error}"
        );
    }
    assert_eq!(files.get("long.snpak").as_deref(), Some(&pack.bytes[..]));
    let session = session.lenient(true);
    for (verb, request) in &reading {
        let (code, out) = call(&session, verb, request);
        assert_eq!(code, 0, "{verb}: {:?}", out.diagnostics);
        let warnings = out.diagnostics.iter().filter(|(_, found)| found["code"] == "SN003");
        assert!(warnings.clone().count() == 1, "{verb}: {:?}", out.diagnostics);
        warnings.for_each(|(_, found)| assert_eq!(found["severity"], "warning"));
    }
    assert_eq!(files.get("same.snpak").as_deref(), Some(&pack.bytes[..]));
    for name in ["less.snpak", "compact.snpak", "long.snpak"] {
        let written = files.get(name).unwrap();
        assert_eq!(&written[180..212], pack.slice_of("extension"), "{name}");
        assert_eq!(written[12..16], pack.bytes[12..16], "{name}");
    }
}
