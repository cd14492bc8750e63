//! The front: files that are listed, read, changed and saved with one type.
#![allow(clippy::indexing_slicing, clippy::arithmetic_side_effects)]

use crate::common::sample;
use spelunk::{
    Bytes, Container, Each, Entry, File, Format, Node, Of, Opened, Options, Profile, Result,
    Source, Task, Val, Walk, Walked,
    core::text::{CodePages, until_nul},
    core::walk::{Flat, finish},
    edit::batch::EntryContent,
    file::{FileEntry, FileOptions},
};
use spelunk_core::Probe;
use spelunk_fixtures::{corpus, samples};
use std::{
    fs,
    ops::ControlFlow,
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

const LEVEL: &str = "level.nmo";
const WOOD: &str = "CKMaterial/Wood";
const DIFFUSE: &str = "material.diffuse";

fn level() -> File {
    File::from_bytes(sample(LEVEL)).unwrap()
}

fn code<T>(result: spelunk::Result<T>) -> &'static str {
    result.err().map_or("done", |error| error.code().id)
}

#[test]
fn entries_are_listed_read_and_shown() {
    let file = level();
    let all: Vec<String> = file
        .entries()
        .unwrap()
        .into_iter()
        .map(|entry| format!("{} {} {}", entry.path(), entry.kind(), entry.name()))
        .collect();
    assert_eq!(all.len(), 9);
    assert_eq!(all[1], "#1 CKMaterial Wood");
    let mut streamed = Vec::new();
    file.visit(|entry| {
        streamed.push(format!("{} {} {}", entry.path(), entry.kind(), entry.name()))
    })
    .unwrap();
    assert_eq!(streamed, all);

    let wood = file.entry(WOOD).unwrap();
    assert_eq!((wood.kind(), wood.name()), ("CKMaterial", "Wood"));
    assert!(wood.size() > 0);
    assert_eq!(wood.bytes().unwrap().len() as u64, wood.size());
    let diffuse = wood.value(DIFFUSE).unwrap();
    let shown = format!("{diffuse}");
    assert_eq!(
        diffuse.as_u64().map(|word| format!("{word:#010x} argb (#{:06x})", word & 0xff_ffff)),
        Some(shown)
    );
    assert_eq!(diffuse.as_str(), None);
    assert!(diffuse.meaning().is_some_and(|meaning| meaning.starts_with('#')));
    let power = wood.value("material.specular_power").unwrap();
    assert!(power.as_f64().is_some() && power.as_u64().is_none());
    let fields = wood.fields().unwrap();
    let found = fields.iter().find(|field| field.path() == DIFFUSE).unwrap();
    assert_eq!(found.value().as_u64(), diffuse.as_u64());
    assert_eq!(format!("{found:?}"), format!("{DIFFUSE} = {diffuse}"));
    let name = file.entry("included/Readme.txt");
    assert!(name.is_err() || !name.unwrap().fields().unwrap().is_empty());
}

#[test]
fn texts_have_their_characters_and_their_bytes() {
    let file = File::from_bytes(sample("GameData.cff")).unwrap();
    let mut texts = 0;
    file.visit(|entry| -> spelunk::Result<()> {
        for below in entry.below()? {
            for field in below.fields()? {
                let value = field.value();
                if let Val::Text(bytes) = value.val() {
                    texts += 1;
                    assert_eq!(value.as_bytes(), Some(&**bytes));
                    let shown = file.code_pages().show(until_nul(bytes)).into_owned();
                    assert_eq!(value.as_str(), Some(&*shown));
                    assert_eq!(value.to_string(), format!("\"{shown}\""));
                }
            }
        }
        Ok(())
    })
    .unwrap();
    assert!(texts > 0);
}

#[test]
fn a_wrong_path_is_told_with_the_nearest_ones() {
    let file = level();
    let error = file.entry("CKMaterial/Wod").unwrap_err();
    assert_eq!(error.code().id, "SP022");
    assert!(error.to_string().contains("`CKMaterial/Wod` (near it: `CKMaterial/Wood`"), "{error}");
    let error = file.entry("Wood").unwrap_err();
    assert!(error.to_string().contains("`CKMaterial/Wood`"), "{error}");
    let error = file.entry("nothing-like-it-at-all").unwrap_err();
    assert!(!error.to_string().contains("near it"), "{error}");

    let error = file.entry(WOOD).unwrap().value("material.difuse").unwrap_err();
    assert_eq!(error.code().id, "SP157");
    assert!(error.to_string().contains("`material.diffuse`"), "{error}");
    let pack = File::from_bytes(sample("forest.snpak")).unwrap();
    let error = pack.entry("levels/florest").unwrap_err();
    assert!(error.to_string().contains("`levels/forest`"), "{error}");
}

#[test]
fn all_entries_of_an_ambiguous_name_are_told() {
    let mut made = samples::level();
    let again = made.objects[1].clone();
    made.objects.push(spelunk_fixtures::virtools::ObjectEntry { id: 77, ..again });
    let file = File::from_bytes(made.build().bytes).unwrap();
    let error = file.entry(WOOD).unwrap_err();
    assert_eq!(error.code().id, "SP023");
    assert!(error.to_string().contains("one of #1, #9"), "{error}");
}

#[test]
fn visitors_stop_when_they_have_seen_enough_or_fail() {
    let file = level();
    let mut seen: Vec<FileEntry> = Vec::new();
    file.visit(|entry| {
        seen.push(entry.clone());
        if seen.len() == 3 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })
    .unwrap();
    let paths: Vec<&str> = seen.iter().map(FileEntry::path).collect();
    assert_eq!(paths, ["#0", "#1", "#2"], "entries that are kept stay what they are");
    let error = file.visit(|entry| entry.value("no.such").map(drop));
    assert_eq!(code(error), "SP157");
    // What is asked for on the way is answered.
    let mut bytes = 0;
    file.visit(|entry| -> spelunk::Result<()> {
        bytes += file.entry(entry.path())?.bytes()?.len() as u64;
        Ok(())
    })
    .unwrap();
    let all: u64 = file.entries().unwrap().into_iter().map(|entry| entry.size()).sum();
    assert_eq!(bytes, all);
}

/// A thousand entries, counted as they are handed out.
struct Rows;

static HANDED_OUT: AtomicUsize = AtomicUsize::new(0);
static ROWS: Profile = Profile::new("rows", "Rows");

impl Format for Rows {
    fn profile(&self) -> &'static Profile {
        &ROWS
    }

    fn probe(&self, head: &[u8], _: u64) -> Probe {
        if head == b"rows" { Probe::Yes } else { Probe::No }
    }

    fn open(&self, _: Arc<dyn Source>, _: &mut Task<'_>) -> Result<Box<dyn Container>> {
        Ok(Box::new(Rows))
    }
}

impl Container for Rows {
    fn profile(&self) -> &'static Profile {
        &ROWS
    }

    fn size(&self) -> u64 {
        4
    }

    fn children(&self, _: Of, _: &CodePages, task: &mut Task<'_>, each: Each<'_>) -> Walked {
        (0..1000).try_for_each(|nth| {
            HANDED_OUT.fetch_add(1, Ordering::Relaxed);
            let details = |_: &mut Task<'_>, _: &mut dyn Walk| Ok(());
            each(&Entry::new(Node(nth), &format!("#{nth}"), "row", 0, &details), task)
        })
    }

    fn bytes(&self, _: Node, _: &mut Task<'_>) -> Result<Bytes> {
        Ok(Bytes::new())
    }

    fn layout(&self, _: &mut Task<'_>, _: &mut dyn Walk) -> Walked {
        Ok(())
    }
}

#[test]
fn nothing_is_looked_at_behind_the_entry_where_a_visitor_stops() {
    let file = File::options().format(&Rows).from_bytes(&b"rows"[..]).unwrap();
    let mut seen = 0;
    file.visit(|_| {
        seen += 1;
        if seen == 3 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })
    .unwrap();
    assert_eq!(seen, 3);
    // What it takes is found out by doing it once more.
    assert!(HANDED_OUT.load(Ordering::Relaxed) <= 2 * 3, "{HANDED_OUT:?}");
}

#[test]
fn numbers_of_64_bits_are_numbers() {
    let file = File::from_bytes(samples::pack().build().bytes).unwrap();
    let mut large = 0;
    for entry in file.entries().unwrap() {
        for field in entry.fields().unwrap().iter() {
            if let Some(number) = field.value().as_u64() {
                assert_eq!(field.value().as_f64(), Some(number as f64), "{}", field.path());
                large += usize::from(i64::try_from(number).is_err());
            }
        }
    }
    assert!(large > 0, "none is beyond those of i64");
}

#[test]
fn a_batch_changes_all_or_nothing_and_old_entries_say_that_they_are_old() {
    let mut file = level();
    let before = file.entry(WOOD).unwrap();
    let mesh = file.entry("CKMesh/Cube_Mesh").unwrap();
    let refused = file
        .edit()
        .set(WOOD, DIFFUSE, 0xffff_0000_u32)
        .rename("CKMesh/Cube_Mesh", "Box")
        .set(WOOD, "material.no_such", 1)
        .apply();
    assert!(refused.is_err());
    assert!(before.bytes().is_ok(), "a batch that fails leaves the entries");
    assert_ne!(before.value(DIFFUSE).unwrap().as_u64(), Some(0xffff_0000));
    assert!(mesh.bytes().is_ok());

    let old = before.value(DIFFUSE).unwrap();
    file.edit()
        .set(WOOD, DIFFUSE, 0xffff_0000_u32)
        .rename("CKMesh/Cube_Mesh", "Box")
        .remove("CK3dObject/Cube")
        .apply()
        .unwrap_or_else(|error| panic!("{error}"));
    for stale in [
        code(before.bytes()),
        code(before.fields()),
        code(before.value(DIFFUSE)),
        code(before.below()),
    ] {
        assert_eq!(stale, "SP154");
    }
    assert_eq!(before.name(), "Wood", "what was told stays told");
    assert_ne!(old.as_u64(), Some(0xffff_0000));
    let after = file.entry(WOOD).unwrap().value(DIFFUSE).unwrap();
    assert_eq!((after.as_u64(), after.meaning().as_deref()), (Some(0xffff_0000), Some("#ff0000")));
    assert!(file.entry("CKMesh/Box").is_ok());
    assert_eq!(code(file.entry("CK3dObject/Cube")), "SP022");
}

#[test]
fn every_format_that_can_be_changed_can_be_forked() {
    type Make<'m> = &'m dyn Fn(&mut File) -> spelunk::Result<()>;
    let changes: [(&str, Make<'_>); 4] = [
        ("forest.snpak", &|file| {
            file.edit().rename("sounds/wind", "sounds/storm").apply().map(drop)
        }),
        ("GameData.cff", &|file| {
            let row = file.entry("items")?.below()?.get(0).unwrap();
            file.edit().set(row.path(), "buy_value", 4711).apply().map(drop)
        }),
        ("sf22.pak", &|file| {
            file.edit()
                .add("file", "texts/new.txt", EntryContent::Bytes(Bytes::from("hello")))
                .apply()
                .map(drop)
        }),
        ("liannon.map", &|file| {
            let first = file.entries()?.get(0).unwrap();
            file.edit().replace(first.path(), first.bytes()?).apply().map(drop)
        }),
    ];
    for (name, change) in changes {
        let bytes = sample(name);
        let mut file = File::from_bytes(bytes.clone()).unwrap();
        let left = file.memory_left();
        change(&mut file).unwrap_or_else(|error| panic!("{name}: {error}"));
        let mut written = Vec::new();
        file.write(&mut written).unwrap();
        if name != "liannon.map" {
            assert_ne!(written, bytes, "{name}");
        }
        // Again and again costs one state.
        let mut lefts = Vec::new();
        for _ in 0..6 {
            let first = file.entries().unwrap().get(0).unwrap();
            file.edit().batch(Default::default()).apply().unwrap();
            assert_eq!(code(first.bytes()), "SP154");
            drop(first);
            lefts.push(file.memory_left());
        }
        assert_eq!(lefts[1], lefts[5], "{name}: {lefts:?} of {left}");
    }
    let mut spec = File::from_bytes(sample("pakdata.dat")).unwrap();
    assert_eq!(code(spec.edit().apply()), "SP056");
}

fn names(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
    let mut names: Vec<String> = names.map(|name| name.into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn files_are_saved_beside_and_over_what_was_opened() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("level.nmo");
    let red = folder.path().join("red.nmo");
    let bytes = sample(LEVEL);
    fs::write(&path, &bytes).unwrap();

    let mut file = File::open(&path).unwrap();
    file.save(folder.path().join("same.nmo")).unwrap();
    assert_eq!(fs::read(folder.path().join("same.nmo")).unwrap(), bytes);
    file.edit().set(WOOD, DIFFUSE, 0xffff_0000_u32).apply().unwrap();
    file.save(&red).unwrap();
    file.save(&red).unwrap();
    let reread = File::open(&red).unwrap().entry(WOOD).unwrap().value(DIFFUSE).unwrap();
    assert_eq!(reread.as_u64(), Some(0xffff_0000));

    let onto = [path.clone(), folder.path().join("./level.nmo")];
    for onto in onto {
        let error = file.save(&onto).unwrap_err();
        assert_eq!(error.code().id, "SP155");
        assert!(error.to_string().contains("save_over"), "{error}");
    }
    assert_eq!(fs::read(&path).unwrap(), bytes, "nothing happened to it");

    let entry = file.entry(WOOD).unwrap();
    let file = file.save_over().unwrap();
    assert_eq!(code(entry.bytes()), "SP154", "it is of the file that is no more");
    assert_eq!(fs::read(&path).unwrap(), fs::read(&red).unwrap());
    assert_eq!(file.entry(WOOD).unwrap().value(DIFFUSE).unwrap().as_u64(), Some(0xffff_0000));
    assert_eq!(names(folder.path()), ["level.nmo", "red.nmo", "same.nmo"]);

    let file = File::open(&path).unwrap();
    fs::write(&path, "others write, too").unwrap();
    assert_eq!(code(file.save_over()), "SP037");
    assert_eq!(fs::read(&path).unwrap(), b"others write, too");
    assert_eq!(code(level().save_over()), "SP156");
    assert_eq!(code(level().save(folder.path())), "SP029", "a folder");
    assert_eq!(names(folder.path()), ["level.nmo", "red.nmo", "same.nmo"]);
}

#[cfg(unix)]
#[test]
fn links_to_the_open_file_are_the_open_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("level.nmo");
    fs::write(&path, sample(LEVEL)).unwrap();
    let file = File::open(&path).unwrap();
    let (soft, hard) = (folder.path().join("soft.nmo"), folder.path().join("hard.nmo"));
    std::os::unix::fs::symlink(&path, &soft).unwrap();
    fs::hard_link(&path, &hard).unwrap();
    assert_eq!(code(file.save(&soft)), "SP155");
    assert_eq!(code(file.save(&hard)), "SP155");
}

#[test]
fn many_threads_read_one_file() {
    for name in [LEVEL, "forest.snpak", "GameData-packed.cff", "sf22.pak"] {
        let bytes = sample(name);
        let look = |file: &File| -> Vec<String> {
            let mut seen = Vec::new();
            for entry in file.entries().unwrap() {
                let bytes = entry.bytes().map(|bytes| bytes.len());
                let fields = entry.fields().map(|fields| {
                    let fields = fields.iter().map(|field| format!("{field:?}"));
                    fields.collect::<Vec<_>>()
                });
                seen.push(format!("{entry:?} {:?} {fields:?}", bytes.ok()));
            }
            seen
        };
        let alone = look(&File::from_bytes(bytes.clone()).unwrap());
        let file = File::from_bytes(bytes).unwrap();
        thread::scope(|scope| {
            let threads: Vec<_> = (0..8).map(|_| scope.spawn(|| look(&file))).collect();
            for thread in threads {
                assert_eq!(thread.join().unwrap(), alone, "{name}");
            }
        });
    }
}

#[test]
fn a_file_is_edited_while_entries_of_it_are_read() {
    let mut file = level();
    let entry = file.entry(WOOD).unwrap();
    thread::scope(|scope| {
        let reader = scope.spawn(move || {
            let mut read = 0;
            loop {
                match entry.fields() {
                    Ok(_) => read += 1,
                    Err(error) => return (read, error.code().id),
                }
            }
        });
        file.edit().set(WOOD, DIFFUSE, "#ff0000").apply().unwrap();
        assert_eq!(reader.join().unwrap().1, "SP154");
    });
}

#[test]
fn options_hold() {
    let cut = &sample("level.nmo")[..700];
    let cut = Bytes::copy_from_slice(cut);
    let file = File::from_bytes(cut.clone()).unwrap();
    assert!(file.has_damage());
    assert!(!file.take_findings().findings.is_empty());
    assert!(!file.has_damage());
    assert!(File::options().strict(true).from_bytes(cut).is_err());
    let small = File::options().max_memory(100).from_bytes(sample(LEVEL));
    assert_eq!(code(small), "SP010");
    let source: Arc<dyn Source> = Arc::new(Bytes::from(sample(LEVEL)));
    assert_eq!(File::from_source(source).unwrap().format(), "virtools");
    let options = FileOptions::from(Options { strict: true, ..Options::default() });
    assert!(options.from_bytes(sample(LEVEL)).unwrap().opened_with().strict);
}

/// A call that needs more than the half that it is lent gets all that is left; what the caller holds counts.
#[test]
fn a_call_has_all_memory_that_nobody_holds() {
    let plain = Bytes::from(vec![7; 1 << 20]);
    let pack = snpak::Builder::new().add("a.bin", plain.clone()).to_bytes().unwrap();
    let file = File::options().max_memory(3 << 19).from_bytes(pack).unwrap();
    let entry = file.entry("a.bin").unwrap();
    let held = entry.bytes().unwrap();
    assert_eq!(held, plain);
    assert_eq!(code(entry.bytes()), "SP010", "it is there twice then");
    drop(held);
    for _ in 0..10 {
        assert_eq!(entry.bytes().unwrap().len(), plain.len());
    }
}

/// What is read and dropped is not charged, however often.
#[test]
fn reading_again_and_again_takes_no_more() {
    for sample in spelunk_fixtures::samples() {
        let name = sample.name;
        let file = File::from_bytes(sample.fixture.bytes).unwrap();
        let look = || {
            for entry in file.entries().unwrap() {
                let _ = (entry.bytes(), entry.fields(), entry.below());
                let _ = file.entry(entry.path());
            }
            file.visit(|_| ()).unwrap();
            file.memory_left()
        };
        let first = look();
        assert_eq!((look(), look()), (first, first), "{name}");
    }
}

/// Every entry's fields are those of the walk.
fn same_as_the_walk(name: &str, bytes: &[u8]) -> usize {
    let (Ok(mut opened), Ok(file)) = (
        Opened::open(Arc::new(Bytes::copy_from_slice(bytes)), &Options::default()),
        File::from_bytes(Bytes::copy_from_slice(bytes)),
    ) else {
        return 0;
    };
    let mut compared = 0;
    for entry in file.entries().unwrap() {
        let mut flat = Flat::default();
        let walked = opened
            .run_silent(|container, task| finish(container.walk(entry.node(), task, &mut flat)));
        let fields = match (entry.fields(), walked) {
            (Ok(fields), _) => fields,
            (Err(ours), Err(theirs)) => {
                assert_eq!(ours.code().id, theirs.code().id, "{name}: {}", entry.path());
                continue;
            }
            (Err(error), Ok(())) => panic!("{name}: {}: {error}", entry.path()),
        };
        assert_eq!(fields.len(), flat.fields.len(), "{name}: {}", entry.path());
        for (ours, theirs) in fields.iter().zip(&flat.fields) {
            assert_eq!(ours.path(), theirs.path, "{name}: {}", entry.path());
            let value = ours.value();
            let same = *value.val() == theirs.value
                || matches!((value.val(), &theirs.value), (Val::F(a), Val::F(b)) if a.to_bits() == b.to_bits());
            assert!(same && ours.place() == theirs.at, "{name}: {}: {ours:?}", entry.path());
            compared += 1;
        }
        // One by one as well; of lists that have several of one path the first is meant.
        let first = |path: &str| fields.iter().find(|other| other.path() == path).unwrap();
        for field in fields.iter().take(3) {
            let one = entry.value(field.path()).unwrap();
            assert_eq!(one.to_string(), first(field.path()).value().to_string(), "{name}");
        }
    }
    let listed = opened.run_silent(|container, task| {
        let mut count = 0;
        finish(container.children(Of::Listing, file.code_pages(), task, &mut |_, _| {
            count += 1;
            Ok(())
        }))?;
        Ok::<_, spelunk::Error>(count)
    });
    assert_eq!(listed.unwrap(), file.entries().unwrap().len());
    compared
}

#[test]
fn fields_of_samples_are_those_of_the_walk() {
    let compared: usize = spelunk_fixtures::samples()
        .iter()
        .map(|sample| same_as_the_walk(sample.name, &sample.fixture.bytes))
        .sum();
    assert!(compared > 1000, "{compared}");
}

#[test]
fn fields_of_real_files_are_those_of_the_walk() {
    let mut compared = 0;
    for file in corpus::all() {
        compared += same_as_the_walk(&file.name, &file.bytes);
    }
    println!("{compared} fields");
}
