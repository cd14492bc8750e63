//! Catalogues of thousands of files: memory is that of the largest ones, however many there are, and no file is refused for what
//! others before it took.

use peak_alloc::PeakAlloc;
use spelunk_catalog::{Input, Options, Summary, catalog};
use std::{num::NonZeroUsize, path::Path};
use test_support::memory::peak;

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

/// What a file may leave behind: its name, its facts, its place in the plan.
const A_FILE: usize = 4 << 10;

/// Catalogues the files so often, each time under other names.
fn times(
    dir: &Path,
    paths: &[std::path::PathBuf],
    times: usize,
    options: &Options,
) -> (Summary, usize) {
    let inputs: Vec<Input> = (0..times)
        .flat_map(|time| paths.iter().map(move |path| (time, path)))
        .map(|(time, path)| Input {
            name: format!("{time:04}/{}", path.file_name().unwrap().display()),
            file: path.into(),
        })
        .collect();
    let out = dir.join(format!("out-{times}-{:?}", options.open.threads));
    let (summary, peak) =
        peak(&ALLOCATOR, || catalog(&inputs, &out, options, &mut |_, _| {}).unwrap());
    assert_eq!(summary.files, inputs.len());
    (summary, peak)
}

/// With a limit that many of the files need most of.
#[test]
fn three_thousand_files_take_what_a_tenth_of_them_takes() {
    let dir = tempfile::tempdir().unwrap();
    let samples = dir.path().join("in");
    std::fs::create_dir(&samples).unwrap();
    let paths = spelunk_fixtures::write_samples(&samples).unwrap();
    let many = 3000_usize.div_ceil(paths.len());
    for threads in [1, 2] {
        let open = spelunk::Options {
            max_memory: Some(1 << 20),
            threads: NonZeroUsize::new(threads),
            ..spelunk::Options::default()
        };
        let options = Options { open, ..Options::default() };
        let (alone, _) = times(dir.path(), &paths, 1, &options);
        let (few, before) = times(dir.path(), &paths, many / 10, &options);
        let (all, after) = times(dir.path(), &paths, many, &options);
        println!(
            "{threads} threads: {} files {before} bytes, {} files {after} bytes",
            few.files, all.files
        );
        let bad = |summary: &Summary| summary.bad.iter().filter(|bad| !bad.is_foreign).count();
        assert_eq!(bad(&all), bad(&alone) * many, "{:?}", all.bad);
        assert_eq!(all.entries, alone.entries * many as u64);
        assert_eq!(all.damaged, alone.damaged * many);
        // Two threads may be ahead of the one that writes by some files more.
        let ahead = (threads - 1) * (16 << 20);
        let allowed = before + (all.files - few.files) * A_FILE + ahead;
        assert!(after <= allowed, "{after} of {allowed} bytes");
    }
}
