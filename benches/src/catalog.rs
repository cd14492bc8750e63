//! What a run over files that a catalogue knows costs beside the run that made it.

use crate::timing::{ROUNDS, Rounds, seconds};
use spelunk_catalog::{Input, Options, Summary, catalog};
use std::{fs, io, path::Path, time::Instant};

/// How often each sample is there.
const COPIES: usize = 20;

/// Catalogues of the samples, made anew and brought up to date, interleaved.
pub fn measure() -> io::Result<()> {
    let dir = tempfile::tempdir()?;
    let mut inputs = Vec::new();
    for copy in 0..COPIES {
        let folder = dir.path().join(copy.to_string());
        fs::create_dir(&folder)?;
        let samples = spelunk_fixtures::write_samples(&folder)?;
        inputs.extend(samples.iter().map(|path| Input::new(path)));
    }
    let run = |out: &Path| -> Summary {
        catalog(&inputs, out, &Options::default(), &mut |_, _| {}).expect("a catalogue")
    };
    let (new, known) = (dir.path().join("new"), dir.path().join("known"));
    run(&known);
    let rounds = Rounds::timed(
        ROUNDS,
        [
            &mut || {
                let started = Instant::now();
                assert_eq!(run(&new).new, inputs.len());
                let time = started.elapsed();
                fs::remove_dir_all(&new).expect("removed");
                time
            },
            &mut || {
                let started = Instant::now();
                assert_eq!(run(&known).written, 0);
                started.elapsed()
            },
        ],
    );
    let [first, second] = rounds.medians().map(seconds);
    let ratio = rounds.median(|[first, second]| first / second);
    println!("{:<24} {:>13} {:>13} {:>6}", "", "first run", "second run", "ratio");
    println!("{:<24} {first:>13} {second:>13} {ratio:>6.1}", format!("{} files", inputs.len()));
    Ok(())
}
