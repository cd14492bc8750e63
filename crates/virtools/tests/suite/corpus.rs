//! Real files: what an independent decoder found in them, and that nothing of them is lost.

use crate::common::open;
use spelunk_core::{Container, Of, Val, walk::finish};
use spelunk_fixtures::{corpus, mutate};
use test_support::{
    entries::{find_damaged, list_damaged, write},
    fields::info_damaged,
    findings::{codes, errors},
    json::truth,
    laws::assert_covered_despite_damage,
    task::with_task,
};

fn each(mut test: impl FnMut(&str, &[u8], &dyn Container, &serde_json::Value)) {
    let Some(files) = corpus::files("virtools", &["nmo", "cmo", "nms"]) else { return };
    assert!(files.len() >= 42);
    for real in files {
        let truth = truth(corpus::text(&format!("truth/virtools/{}.json", real.name))).unwrap();
        let (opened, findings) = open(&real.bytes);
        let notes = codes(&findings);
        assert!(notes.iter().all(|code| *code == "VT032"), "{}: {notes:?}", real.name);
        test(&real.name, &real.bytes, &*opened.unwrap(), &truth);
    }
}

#[test]
fn info_tells_what_the_truth_files_tell() {
    each(|name, bytes, file, truth| {
        let info = info_damaged(file);
        let header = &truth["header"];
        let word = |key: &str| {
            let text = header[key].as_str().unwrap().trim_start_matches("0x");
            Val::Word(u32::from_str_radix(text, 16).unwrap())
        };
        for (path, key) in [
            ("file_version", "file_version"),
            ("product_version", "product_version"),
            ("object_count", "object_count"),
            ("manager_count", "manager_count"),
            ("max_id", "max_id"),
            ("tail_size", "bytes_after_data"),
        ] {
            assert_eq!(info.number(path), header[key].as_u64().unwrap(), "{name}: {path}");
        }
        assert_eq!(*info.get("ck_version"), word("ck_version"), "{name}");
        assert_eq!(*info.get("product_build"), word("product_build"), "{name}");
        let mode = u32::try_from(header["write_mode"].as_u64().unwrap()).unwrap();
        assert_eq!(*info.get("write_mode"), Val::Word(mode), "{name}");
        assert_eq!(*info.get("checksum.stored"), word("crc"), "{name}");
        assert_eq!(info.text("checksum.ok"), "true", "{name}");
        let full = header["crc_ok_full_range"].as_bool().unwrap();
        let recipe = if full { "full" } else { "data-only" };
        assert_eq!(info.text("checksum.recipe"), recipe, "{name}");
        let size = |key: &str| header[key].as_u64().unwrap();
        for (path, pack, unpack) in [
            ("packing.header1", "hdr1_pack", "hdr1_unpack"),
            ("packing.data", "data_pack", "data_unpack"),
        ] {
            let packing = if size(pack) == size(unpack) { "stored" } else { "zlib" };
            assert_eq!(info.text(path), packing, "{name}");
        }
        assert_eq!(info.number("stored_size"), 64 + size("hdr1_pack") + size("data_pack"));
        assert_eq!(info.number("unpacked_size"), 64 + size("hdr1_unpack") + size("data_unpack"));
        assert_eq!(info.number("included_count"), 0);
        assert_eq!(info.text("evidence"), "real files", "{name}");
        assert_eq!(file.size(), bytes.len() as u64);

        let classes = truth["class_counts"].as_object().unwrap();
        for (class, count) in classes {
            let path = format!("classes.{class}");
            assert_eq!(info.number(&path), count.as_u64().unwrap(), "{name}: {path}");
        }
        let told = info.iter().filter(|field| field.path.starts_with("classes."));
        assert_eq!(told.count(), classes.len(), "{name}");
        let kind = if classes.contains_key("CKLevel") { "level" } else { "objects" };
        let kind = if name.ends_with(".nms") { "scripts" } else { kind };
        assert_eq!(info.text("kind"), kind, "{name}");

        let mut plugins = serde_json::Map::new();
        let fields = &info.0;
        for nth in 0..8 {
            let prefix = format!("plugins[{nth}].");
            if let Some(category) = info.find(&format!("{prefix}category")) {
                let guids = format!("{prefix}guids[");
                let count = fields.iter().filter(|field| field.path.starts_with(&guids)).count();
                plugins.insert(category.to_string(), count.into());
            }
        }
        assert_eq!(serde_json::Value::from(plugins), header["plugin_categories"], "{name}");
        let tail = size("bytes_after_data");
        if tail > 0 {
            let file_name = info.text("included_files[0].name");
            assert!(file_name.to_lowercase().contains("vtthumbnail.jpg"), "{name}: {file_name}");
            assert!(info.number("included_files[0].size") < tail);
        }
    });
}

#[test]
fn nothing_is_lost_and_the_level_of_every_section_is_found() {
    each(|name, bytes, file, _| {
        let (written, findings) = write(file, false);
        assert!(written == bytes, "{name}: other bytes");
        assert!(findings.findings.is_empty(), "{name}: {findings:?}");
        if cfg!(feature = "c-codecs") {
            let (written, findings) = write(file, true);
            assert!(written == bytes, "{name}: other bytes when packed again");
            assert!(findings.findings.is_empty(), "{name}: {findings:?}");
        }
    });
}

#[test]
fn every_byte_belongs_to_one_field() {
    each(|name, _, file, _| {
        assert_covered_despite_damage(file, name);
    });
}

/// That includes FileIndex, MaxIDSaved and chunks of whole dwords.
#[test]
fn there_is_nothing_to_report() {
    each(|name, _, file, _| {
        let (result, findings) = with_task(file.size() as usize, |task| file.verify(task));
        result.unwrap();
        assert!(findings.findings.is_empty(), "{name}: {findings:?}");
    });
}

#[test]
fn every_object_and_manager_is_listed_found_and_walked() {
    each(|name, _, file, truth| {
        let (objects, damage) = list_damaged(file, Of::Listing);
        assert!(damage.unwrap().findings.is_empty(), "{name}");
        assert_eq!(objects.len() as u64, truth["header"]["object_count"].as_u64().unwrap());
        let mut chunks = 0;
        for (index, row) in objects.iter().enumerate() {
            let keys: Vec<_> = row.details.iter().map(|(key, _)| key.as_str()).collect();
            assert_eq!(keys, ["index", "id", "class_id", "class", "name"]);
            assert_eq!(row.path, format!("#{index}"));
            assert_eq!(row.details[3].1.to_string(), row.kind);
            if index % 37 == 0 {
                let pages = file.code_pages();
                assert_eq!(find_damaged(file, &row.path), [row.node]);
                let mut path = format!("{}/", row.kind);
                let stored = row.name.as_deref().unwrap();
                pages.path_step(spelunk_core::text::until_nul(stored), &mut path);
                assert!(find_damaged(file, &path).contains(&row.node), "{name}: {path}");
                let (bytes, _) = with_task(0, |task| file.bytes(row.node, task));
                assert_eq!(bytes.unwrap().len() as u64, row.size);
            }
            chunks += row.size + 4;
        }
        let (top, damage) = list_damaged(file, Of::Root);
        assert!(damage.unwrap().findings.is_empty(), "{name}");
        let managers = top.iter().find(|row| row.path == "managers").unwrap();
        let (managers, _) = list_damaged(file, Of::Node(managers.node));
        let paths: Vec<_> =
            managers.iter().map(|row| row.path.trim_start_matches("managers/").into()).collect();
        assert_eq!(serde_json::Value::Array(paths), truth["header"]["managers"], "{name}");
        chunks += managers.iter().map(|row| row.size + 12).sum::<u64>();
        assert_eq!(chunks, truth["header"]["data_unpack"].as_u64().unwrap(), "{name}");
        for manager in managers {
            assert_eq!(find_damaged(file, &manager.path), [manager.node]);
        }
        let mut of_classes = 0;
        for class in top.iter().filter(|row| row.kind == "class") {
            let (below, _) = list_damaged(file, Of::Node(class.node));
            assert_eq!(truth["class_counts"][&class.path], below.len(), "{name}");
            assert_eq!(class.size, below.iter().map(|row| row.size).sum::<u64>());
            of_classes += below.len();
        }
        assert_eq!(of_classes, objects.len());
    });
}

#[test]
fn no_mutation_panics_and_what_opens_is_written_back() {
    each(|name, bytes, _, _| {
        if bytes.len() > 40_000 {
            return;
        }
        for seed in 0..100 {
            for damaged in [mutate::mutate(bytes, seed), mutate::mutate_header(bytes, seed)] {
                let (Ok(file), _) = open(&damaged) else { continue };
                let file = &*file;
                info_damaged(file);
                let _ = list_damaged(file, Of::Listing);
                let (top, _) = list_damaged(file, Of::Root);
                for row in top {
                    let _ = list_damaged(file, Of::Node(row.node));
                }
                let len = damaged.len();
                let mut flat = spelunk_core::walk::Flat::default();
                let _ = finish(with_task(len, |task| file.layout(task, &mut flat)).0);
                let _ = with_task(len, |task| file.verify(task));
                assert_covered_despite_damage(file, name);
                let (written, _) = write(file, false);
                assert!(written == damaged, "{name}: seed {seed}");
                let (written, _) = write(file, true);
                assert!(written == damaged, "{name}: seed {seed}, packed again");
            }
        }
    });
}

#[test]
fn damage_is_told() {
    each(|name, bytes, _, truth| {
        let header = &truth["header"];
        let middle =
            64 + header["hdr1_pack"].as_u64().unwrap() + header["data_pack"].as_u64().unwrap() / 2;
        let mut damaged = bytes.to_vec();
        damaged[middle as usize] ^= 0x10;
        let (file, findings) = open(&damaged);
        // One damage is one finding.
        let is_packed = header["data_pack"] != header["data_unpack"];
        let expected = if is_packed { "SP003" } else { "VT005" };
        assert_eq!(errors(&findings), [expected], "{name}");
        let file = file.unwrap();
        assert_eq!(info_damaged(&*file).text("checksum.ok"), "false");
        let (result, findings) = with_task(bytes.len(), |task| file.verify(task));
        result.unwrap();
        assert_eq!(errors(&findings), [""; 0], "{name}");
        let (file, findings) = open(&bytes[..middle as usize]);
        assert_eq!(errors(&findings), ["VT008"], "{name}");
        let file = file.unwrap();
        assert_eq!(info_damaged(&*file).number("stored_size"), middle, "{name}");
        let (written, _) = write(&*file, false);
        assert!(written == bytes[..middle as usize], "{name}");
        assert_covered_despite_damage(&*file, name);
        let (result, findings) = with_task(bytes.len(), |task| file.verify(task));
        result.unwrap();
        assert_eq!(errors(&findings).is_empty(), is_packed, "{name}");
    });
}
