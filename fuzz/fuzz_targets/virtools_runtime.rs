//! A file into a context, twice, and everything out of it again: what was saved opens and loads.
#![no_main]

#[path = "mutate.rs"]
mod mutate;

use spelunk_core::{Budget, Bytes, Task, finding::Collect, limits::Limits};
use virtools::{
    File,
    runtime::{Context, Depth, Load, Mode, Modes, Quiet, Save, SaveTarget, load::flags},
};

libfuzzer_sys::fuzz_mutator!(|data: &mut [u8], size: usize, _max: usize, seed: u32| {
    mutate::mutate(0, b"", data, size, seed)
});

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let mut sink = Collect::default();
    let mut task = Task::new(Budget::new(Limits::for_len(data.len() as u64)), &mut sink);
    let Ok(file) = File::read_from(&Bytes::copy_from_slice(data), &mut task) else { return };
    let everything =
        Load { keep_entries: true, all_levels: true, compare_own: false, ..Load::default() };
    let again = Load {
        flags: flags::DEFAULT | flags::CHECK_DUPLICATES | flags::AS_CHARACTER,
        modes: Modes::all(Mode::Rename),
        ..Load::default()
    };
    let mut context = Context::new();
    for load in [&everything, &again] {
        let len = context.len();
        if context.load(&file, load, &mut Quiet, &mut task).is_err() {
            assert_eq!(context.len(), len);
        }
    }
    let ids: Vec<u32> = context.ids().collect();
    for depth in [Depth::Given, Depth::All] {
        let save = Save { depth, lossy: true, children: true, ..Save::default() };
        let mut written = Vec::new();
        let target = SaveTarget::Writer(&mut written);
        let reversed = ids.iter().copied().rev();
        if context.save(reversed, save, target, &mut Quiet, &mut task).is_err() {
            return;
        }
        let mut sink = Collect::default();
        let limits = Limits::for_len(written.len() as u64);
        let mut task = Task::new(Budget::new(limits), &mut sink);
        let file = File::read_from(&Bytes::from(written), &mut task).expect("what was saved opens");
        let loaded = Context::new().load(&file, &everything, &mut Quiet, &mut task);
        loaded.expect("and loads");
    }
});
