//! Real files through a context: loaded, saved, and compared.

use crate::common::runtime;

use crate::common::open;
use runtime::*;
use spelunk_core::Severity;
use spelunk_fixtures::corpus;
use test_support::task::with_task;
use virtools::{
    chunk::prototype::prototype,
    file::data::Owner,
    runtime::{
        Context, FileForm, Load,
        load::{Outcome, flags},
    },
};

fn each(mut test: impl FnMut(&str, virtools::File)) {
    let Some(files) = corpus::files("virtools", &["nmo", "cmo", "nms"]) else { return };
    assert!(files.len() >= 42);
    for real in files {
        test(&real.name, open_file(&real.bytes));
    }
}

/// The same objects, names, values, references and tables of managers; the same bytes where ids are the same too.
#[test]
fn every_real_file_comes_back_through_a_context() {
    let (mut objects, mut same_bytes, mut with_ids) = (0, 0, 0);
    each(|name, file| {
        let mut context = Context::new();
        let report = load(&mut context, &file, &everything());
        let count = file.table().objects.len();
        assert_eq!(report.count(Outcome::Created), count, "{name}");
        let (saved, written) = save_all(&mut context, FileForm::of(&file));
        let again = open_file(&written);
        let entries = |file: &virtools::File| {
            let table = file.table();
            let objects = table.objects.iter();
            objects.map(|it| (it.class_id, table.name(it).to_vec())).collect::<Vec<_>>()
        };
        assert!(entries(&file) == entries(&again), "{name}");
        let managers = |file: &virtools::File| {
            let records = file.records(&mut budget()).unwrap();
            let managers = (0..records.managers.len() as u32).map(Owner::Manager);
            let guids = records.managers.iter().map(|it| it.guid);
            guids.zip(managers.map(|it| with_positions(file, it))).collect::<Vec<_>>()
        };
        assert_eq!(managers(&file), managers(&again), "{name}");
        for index in 0..count as u32 {
            let owner = Owner::Object(index);
            let [a, b] = [chunk(&file, owner), chunk(&again, owner)];
            objects += 1;
            if a == b {
                same_bytes += 1;
            } else {
                with_ids += 1;
                assert!(
                    with_positions(&file, owner) == with_positions(&again, owner),
                    "{name} {index}"
                );
            }
        }
        // Some files do not list all building blocks of theirs; what is saved does.
        let listed = |file: &virtools::File| {
            let groups = &file.table().plugins.as_ref().unwrap().groups;
            let guids = groups.iter().flat_map(|it| it.guids().map(|guid| (it.category, guid)));
            guids.collect::<Vec<_>>()
        };
        let (before, after) = (listed(&file), listed(&again));
        let added: Vec<_> = after.iter().filter(|it| !before.contains(it)).collect();
        assert!(after.iter().filter(|it| before.contains(it)).eq(&before), "{name}");
        let blocks: Vec<_> = (0..count as u32)
            .filter(|index| file.table().objects[*index as usize].class_id == 8)
            .filter_map(|index| {
                prototype(&file.chunk(Owner::Object(index), &mut budget()).unwrap()?)
            })
            .collect();
        assert!(added.iter().all(|(kind, guid)| *kind == 4 && blocks.contains(guid)), "{name}");
        assert!(blocks.iter().all(|guid| after.contains(&(4, *guid))), "{name}");
        let form = |file: &virtools::File| {
            let part1 = file.head().part1.unwrap();
            (file.head().part0.ck_version, part1.product_version, part1.product_build)
        };
        assert_eq!(form(&file), form(&saved), "{name}");
        assert_eq!(file.head().data_packed(), again.head().data_packed(), "{name}");
        verified(&written, name);
        // Loaded and saved once more, nothing is left to change.
        let mut context = Context::new();
        load(&mut context, &again, &everything());
        let (_, third) = save_all(&mut context, FileForm::of(&again));
        assert!(third == written, "{name}");
    });
    println!(
        "{objects} objects: {same_bytes} with the same bytes, {with_ids} with other ids alone"
    );
}

/// `verify` finds no error.
fn verified(bytes: &[u8], name: &str) {
    let (opened, findings) = open(bytes);
    let opened = opened.unwrap();
    let (verified, more) = with_task(bytes.len(), |task| opened.verify(task));
    verified.unwrap();
    let errors =
        findings.findings.iter().chain(&more.findings).filter(|it| it.severity == Severity::Error);
    let errors: Vec<_> = errors.map(|it| it.error.to_string()).collect();
    assert!(errors.is_empty(), "{name}: {errors:?}");
}

/// Objects that are only there for a while leave no trace: beside objects that stay, with tables that they share.
#[test]
fn dynamic_objects_of_real_files_leave_a_context_as_it_was() {
    let Some(files) = corpus::files("virtools", &["nmo", "cmo", "nms"]) else { return };
    let find = |name: &str| open_file(&files.iter().find(|it| it.name == name).unwrap().bytes);
    let mut context = Context::new();
    load(&mut context, &find("balls.nmo"), &Load::default());
    let before = snapshot(&context);
    for real in &files {
        let file = open_file(&real.bytes);
        let dynamic = Load { flags: flags::DEFAULT | flags::AS_DYNAMIC_OBJECT, ..Load::default() };
        let report = load(&mut context, &file, &dynamic);
        let created = report.count(Outcome::Created);
        assert_eq!(context.dynamic().count(), created, "{}", real.name);
        // They are not saved.
        if real.name == "gameplay.nmo" {
            let (saved, _) = save_all(&mut context, FileForm::of(&file));
            assert_eq!(saved.table().objects.len(), before_count(&before));
        }
        context.delete_all_dynamic();
        assert_eq!(context.step(), created, "{}", real.name);
        let after = snapshot(&context);
        for (a, b) in before.iter().zip(&after) {
            assert_eq!(a, b, "{}", real.name);
        }
        assert_eq!(before.len(), after.len(), "{}", real.name);
    }
}

/// How many objects a snapshot tells of.
fn before_count(snapshot: &[String]) -> usize {
    snapshot.iter().position(|line| line.starts_with("level")).unwrap()
}
