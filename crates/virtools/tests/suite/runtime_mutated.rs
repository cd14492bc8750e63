//! Damaged files through a context: what loads is saved, opens again, and is sound enough to be loaded again.

use crate::common::runtime;

use crate::common::current;
use runtime::everything;
use spelunk_core::Bytes;
use spelunk_fixtures::{Sample, corpus, mutate, samples};
use test_support::task::with_task;
use virtools::{
    File,
    runtime::{
        Context, Depth, Load, Mode, Modes, Quiet, Save, SaveTarget, ckerr::CkErr, load::flags,
    },
};

/// Loads a file twice, as damaged as it is, saves everything, and loads that. Tells how far it came.
fn exercise(bytes: &[u8]) -> usize {
    let source = Bytes::copy_from_slice(bytes);
    let (opened, _) = with_task(bytes.len(), |task| File::read_from(&source, task));
    let Ok(file) = opened else { return 0 };
    let mut context = Context::new();
    let again = Load {
        flags: flags::DEFAULT | flags::CHECK_DUPLICATES | flags::AS_CHARACTER,
        modes: Modes::all(Mode::Rename),
        ..Load::default()
    };
    for how in [everything(), again] {
        let len = context.len();
        let (loaded, _) =
            with_task(bytes.len(), |task| context.load(&file, &how, &mut Quiet, task));
        if let Err(error) = loaded {
            assert_eq!(context.len(), len);
            assert!(CkErr::of(&error).0 < 0);
            return 1;
        }
    }
    let ids: Vec<u32> = context.ids().collect();
    for id in &ids {
        let _ =
            with_task(bytes.len(), |task| context.value(*id, &mut Vec::new(), &mut task.budget));
        let _ = with_task(bytes.len(), |task| context.references(*id, &mut task.budget));
    }
    for depth in [Depth::Given, Depth::All, Depth::References] {
        let save = Save { depth, lossy: true, children: true, ..Save::default() };
        let mut written = Vec::new();
        let target = SaveTarget::Writer(&mut written);
        let first = ids.iter().copied().rev();
        let (saved, _) =
            with_task(bytes.len(), |task| context.save(first, save, target, &mut Quiet, task));
        let Ok(saved) = saved else { return 2 };
        let source = Bytes::from(written);
        let (opened, findings) = with_task(source.len(), |task| File::read_from(&source, task));
        let opened = opened.unwrap();
        assert_eq!(opened.table().objects.len(), saved.objects.len());
        // Only what managers and objects hold may still be damaged, and what is referred to is noted.
        assert!(
            findings
                .findings
                .iter()
                .all(|it| ["VT014", "VT020", "VT032"].contains(&it.error.code().id)),
            "{findings:?}"
        );
        let mut context = Context::new();
        let (loaded, _) =
            with_task(source.len(), |task| context.load(&opened, &everything(), &mut Quiet, task));
        loaded.unwrap();
    }
    3
}

#[test]
fn no_mutation_panics() {
    let mut reached = [0; 4];
    for Sample { fixture, .. } in current() {
        for seed in 0..150 {
            reached[exercise(&mutate::mutate(&fixture.bytes, seed))] += 1;
        }
    }
    for version in 2..8 {
        let bytes = samples::legacy(version).build().bytes;
        for seed in 0..100 {
            reached[exercise(&mutate::mutate(&bytes, seed))] += 1;
        }
    }
    assert!(reached[0] > 0 && reached[1] > 0 && reached[3] > 100, "{reached:?}");
}

#[test]
fn no_mutation_of_real_files_panics() {
    let Some(files) = corpus::files("virtools", &["nmo", "cmo", "nms"]) else { return };
    let mut reached = [0; 4];
    // Stored ones, whose content is hit.
    for real in files.iter().filter(|real| real.bytes.len() < 300_000) {
        for seed in 0..6 {
            reached[exercise(&mutate::mutate(&real.bytes, seed))] += 1;
        }
        assert_eq!(exercise(&real.bytes), 3, "{}", real.name);
    }
    assert!(reached[0] > 0, "{reached:?}");
}
