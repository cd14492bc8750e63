//! What an opened pack holds. One test alone, since all memory of the process is counted.

#[path = "suite/common/mod.rs"]
mod common;

use common::many;
use snpak::Pack;
use spelunk_core::{Bytes, Limits, Task};
use std::sync::Arc;
use test_support::{memory::peak, task::on_threads};

#[global_allocator]
static MEMORY: peak_alloc::PeakAlloc = peak_alloc::PeakAlloc;

#[test]
fn opening_holds_nothing_for_each_asset_and_tables_take_eight_bytes() {
    const COUNT: usize = 40_000;
    let bytes = Bytes::from(many(COUNT));
    let (pack, opening) = peak(&MEMORY, || {
        on_threads(1, Limits::unlimited(), |task| Pack::read_from(Arc::new(bytes.clone()), task)).0
    });
    let pack = pack.unwrap();
    assert!(opening < 64 << 10, "{opening} bytes");
    for (what, look_up) in [
        (
            "names",
            (|pack, task| pack.by_name(b"records/0001/0001234", &mut task.budget).map(drop))
                as fn(&Pack, &mut Task<'_>) -> spelunk_core::Result<()>,
        ),
        ("ids", |pack, task| pack.by_id(&[3; 16], &mut task.budget).map(drop)),
    ] {
        let limits = Limits::unlimited();
        let (taken, _) = on_threads(1, limits, |task| {
            look_up(&pack, task).unwrap();
            limits.memory - task.budget.left().memory
        });
        assert!((8..=9).contains(&(taken / COUNT as u64)), "{what}: {taken} bytes");
    }
}
