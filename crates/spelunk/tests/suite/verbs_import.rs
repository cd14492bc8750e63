//! `import` as a verb, on files in memory.

use crate::common::sample;
use serde_json::{Value, json};
use spelunk::verbs::{self, CollectedOutput, Memory, Session};
use spelunk_fixtures::{corpus, samples};

/// A session with a level, a GameData and a map.
fn session() -> (Memory, Session) {
    let files = Memory::new();
    files.put("level.nmo", samples::level().build().bytes);
    files.put("GameData.cff", samples::gamedata().build().bytes);
    files.put("arena.map", sample("arena.map"));
    (files.clone(), Session::new(files))
}

fn call(session: &Session, verb: &str, request: Value) -> (u8, CollectedOutput) {
    let mut rows = CollectedOutput::default();
    let outcome = verbs::call(session, verb, &request.to_string(), &mut rows).unwrap();
    (outcome.code(), rows)
}

fn done(session: &Session, verb: &str, request: Value) -> Value {
    let (code, mut rows) = call(session, verb, request);
    assert_eq!((code, rows.rows.len()), (0, 1), "{:?}", rows.diagnostics);
    rows.rows.remove(0)
}

#[test]
fn tables_and_documents_come_back_byte_for_byte_in_every_form() {
    let (files, session) = session();
    for (file, sources) in [
        (
            "GameData.cff",
            &[("tables.sqlite", "sqlite"), ("tables", "csv"), ("tables.json", "json")][..],
        ),
        ("level.nmo", &[("level.json", "json"), ("level", "folder")][..]),
    ] {
        for (source, kind) in sources {
            done(&session, "export", json!({ "file": file, "output": source, "to": kind }));
            let new = format!("{source}.new");
            let row = done(&session, "import", json!({ "source": source, "output": new }));
            assert_eq!(files.get(&new), files.get(file), "{source}");
            assert_eq!((&row["file"], &row["output"]), (&json!(source), &json!(new)));
            assert_eq!(row["size"], files.get(file).unwrap().len());
        }
    }
}

/// SQLite opens no database in memory whose header speaks of a log; what waits in the log itself is not passed over.
#[test]
fn databases_with_a_write_ahead_log_are_read_where_the_log_is_empty() {
    let (files, session) = session();
    done(&session, "export", json!({ "file": "GameData.cff", "output": "tables.sqlite" }));
    let mut bytes = files.get("tables.sqlite").unwrap().to_vec();
    bytes[18..20].fill(2);
    files.put("tables.sqlite", bytes);
    files.put("tables.sqlite-wal", Vec::new());
    let import =
        |force: bool| json!({ "source": "tables.sqlite", "output": "new.cff", "force": force });
    done(&session, "import", import(false));
    assert_eq!(files.get("new.cff"), files.get("GameData.cff"));
    files.put("tables.sqlite-wal", b"changes".to_vec());
    let (code, rows) = call(&session, "import", import(true));
    assert_eq!(code, 3);
    let message = rows.diagnostics[0].1["message"].as_str().unwrap();
    assert!(message.contains("`tables.sqlite-wal`"), "{message}");
}

#[test]
fn models_become_files_or_go_into_those_that_are_open() {
    let (files, session) = session();
    done(&session, "export", json!({ "file": "level.nmo", "output": "level.glb" }));
    let row = done(&session, "import", json!({ "source": "level.glb", "output": "new.nmo" }));
    assert_eq!((&row["created"], &row["renamed"]), (&json!(5), &json!(0)), "{row}");
    assert!(row.get("textures").is_none() && row.get("changed").is_none());
    let before = files.get("level.nmo");
    let handle = serde_json::to_value(session.open("level.nmo").unwrap()).unwrap();
    let count = |file: &Value| call(&session, "ls", json!({ "file": file })).1.rows.len();
    let objects = count(&handle);
    let row = done(
        &session,
        "import",
        json!({ "source": "level.glb", "into": handle, "on_conflict": ["object=rename", "keep", "object=rename"] }),
    );
    assert!(row.get("output").is_none(), "{row}");
    assert_eq!((&row["created"], &row["kept"]), (&json!(1), &json!(4)), "{row}");
    assert_eq!(count(&handle), objects + 1);
    assert_eq!(count(&json!("level.nmo")), objects);
    assert_eq!(files.get("level.nmo"), before, "nothing was written");
    let dry = json!({ "source": "level.glb", "into": handle, "dry_run": true });
    done(&session, "import", dry);
    assert_eq!(count(&handle), objects + 1, "a dry run changes no file that is open");
    // Written in its place, with what was changed before.
    let in_place =
        json!({ "source": "level.glb", "into": "level.nmo", "in_place": true, "backup": ".bak" });
    done(&session, "import", in_place);
    assert_eq!(files.get("level.nmo.bak"), before);
    assert_ne!(files.get("level.nmo"), before);
}

#[test]
fn files_that_a_model_names_are_found_beside_it() {
    let (files, session) = session();
    done(&session, "export", json!({ "file": "level.nmo", "output": "models/level.gltf" }));
    assert!(files.get("models/level.bin").is_some());
    let import = json!({ "source": "models/level.gltf", "output": "new.nmo" });
    done(&session, "import", import.clone());
    files.remove("models/level.bin");
    files.remove("new.nmo");
    let (code, rows) = call(&session, "import", import);
    assert_eq!(code, 4);
    let told = rows.diagnostics[0].1.to_string();
    assert!(told.contains("level.bin"), "{told}");
    assert!(files.get("new.nmo").is_none());
}

/// A bitmap of 2 by 2 pixels in 24 bits.
fn bitmap() -> Vec<u8> {
    let mut bytes = b"BM".to_vec();
    for word in [70, 0, 54, 40, 2, 2, 0x0018_0001, 0, 16, 0, 0, 0, 0_u32] {
        bytes.extend(word.to_le_bytes());
    }
    bytes.extend([1, 2, 3, 4, 5, 6, 0, 0, 7, 8, 9, 10, 11, 12, 0, 0]);
    bytes
}

/// All image files and the container take their places, or none does.
#[test]
fn textures_are_written_with_the_file_or_nothing_is() {
    let (files, session) = session();
    files.put("wood.bmp", bitmap());
    done(&session, "export", json!({ "file": "level.nmo", "output": "level.glb" }));
    let import = json!({
        "source": "level.glb",
        "output": "new.nmo",
        "texture_save": ["external"],
        "textures": "pictures",
    });
    let row = done(&session, "import", import.clone());
    let textures = row["textures"].as_array().unwrap();
    assert!(!textures.is_empty(), "{row}");
    for texture in textures {
        let written = files.get(texture["output"].as_str().unwrap()).unwrap();
        assert_eq!(texture["size"], written.len());
    }
    files.remove("new.nmo");
    let (code, rows) = call(&session, "import", import);
    assert_eq!((code, rows.diagnostics[0].1["code"].as_str()), (2, Some("SP021")));
    assert!(files.get("new.nmo").is_none() && rows.rows.is_empty());
}

#[test]
fn translations_and_layers_go_into_their_files() {
    let (files, session) = session();
    let to_po = json!({ "file": "GameData.cff", "output": "fr.po", "language": "fr" });
    let (code, _) = call(&session, "export", to_po);
    assert_eq!(code, 0);
    let request = json!({
        "source": "fr.po", "into": "GameData.cff", "language": "fr", "output": "fr.cff",
    });
    let row = done(&session, "import", request);
    assert_eq!((&row["file"], &row["changed"]), (&json!("GameData.cff"), &json!(0)));
    assert_eq!(files.get("fr.cff"), files.get("GameData.cff"));
    done(
        &session,
        "export",
        json!({ "file": "arena.map", "output": "ground.png", "layer": "heights" }),
    );
    let request = json!({
        "source": "ground.png", "into": "arena.map", "layer": "heights", "output": "same.map",
    });
    let row = done(&session, "import", request);
    assert_eq!(row.as_object().unwrap().len(), 5, "{row}");
    assert_eq!(files.get("same.map"), files.get("arena.map"));
}

#[test]
fn requests_whose_parts_do_not_go_together_are_refused() {
    let (_, session) = session();
    for (request, part) in [
        (json!({ "source": "a.glb" }), "neither"),
        (json!({ "source": "a.glb", "output": "b", "in_place": true }), "`in_place`"),
        (json!({ "source": "a.png", "output": "b", "layer": "heights" }), "`layer`"),
        (json!({ "source": "a.glb", "output": "b", "sectors": 1000 }), "`sectors`"),
        (json!({ "source": "a.glb", "output": "b", "texture_save": ["paper"] }), "embedded"),
        (
            json!({ "source": "a.glb", "output": "b", "on_conflict": ["mesh=what"] }),
            "use-current or keep-both",
        ),
    ] {
        let request = request.to_string();
        let error =
            verbs::call(&session, "import", &request, &mut CollectedOutput::default()).unwrap_err();
        assert_eq!(error.code().id, "SP190", "{request}: {error}");
        assert!(error.to_string().contains(part), "{request}: {error}");
    }
    let (code, rows) =
        call(&session, "import", json!({ "source": "level.nmo", "output": "level.nmo" }));
    assert_eq!((code, rows.diagnostics[0].1["code"].as_str()), (2, Some("SP029")));
}

/// A data array of a real file: written as a table, changed as text, and read back by another verb.
#[test]
fn a_table_comes_back_into_its_data_array() {
    let Some(real) = corpus::files("virtools", &["nmo"]) else { return };
    let gameplay = real.into_iter().find(|file| file.name.ends_with("gameplay.nmo")).unwrap();
    let files = Memory::new();
    files.put("gp.nmo", gameplay.bytes);
    let session = Session::new(files.clone());
    let export = |file: &str| {
        let request = json!({ "file": file, "paths": ["CKDataArray/Energy"], "output": "t.csv", "force": true });
        done(&session, "export", request);
        String::from_utf8(files.get("t.csv").unwrap().to_vec()).unwrap()
    };
    let import = |table: &str| {
        files.put("in.csv", table.as_bytes().to_vec());
        let request = json!({ "source": "in.csv", "into": "gp.nmo", "replace": "CKDataArray/Energy",
            "output": "new.nmo", "force": true });
        call(&session, "import", request)
    };
    let table = export("gp.nmo");
    assert_eq!(import(&table).0, 0);
    assert_eq!(files.get("new.nmo"), files.get("gp.nmo"), "nothing was changed");
    let lines: Vec<&str> = table.lines().collect();
    let [head, row] = lines[..] else { panic!("{table}") };
    let mut cells: Vec<&str> = row.split(',').collect();
    (cells[0], cells[4]) = ("77", "250 ms");
    let changed = format!("{head}\n{}\n", cells.join(","));
    assert_eq!(import(&changed).0, 0);
    assert_eq!(export("new.nmo"), changed);
    // Rows are added and taken out at the end; the parameter of a new one is not there.
    cells[4] = "";
    let longer = format!("{table}{}\n", cells.join(","));
    assert_eq!(import(&longer).0, 0);
    assert_eq!(export("new.nmo"), longer);
    assert_eq!(import(&format!("{head}\n")).0, 0);
    assert_eq!(export("new.nmo"), format!("{head}\n"));
    // What does not fit is no table for it, and nothing is written.
    for wrong in ["", "Points\n1\n", &format!("{head}\n1,2\n"), &table.replace("1000", "many")] {
        let before = files.get("new.nmo");
        let (code, rows) = import(wrong);
        assert_eq!((code, rows.rows.len()), (2, 0), "{wrong}: {:?}", rows.diagnostics);
        assert_eq!(files.get("new.nmo"), before);
    }
}
