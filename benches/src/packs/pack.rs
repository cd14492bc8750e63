//! Packing a tree of files with zstd, beside reading, compressing and writing them.

use super::{Work, peak};
use crate::timing::{Rounds, seconds};
use snpak::{Codec, Compression};
use std::{
    fs::{self, File},
    hint::black_box,
    io::{self, BufWriter, Read, Write},
};

pub fn measure(work: &Work) -> io::Result<()> {
    let tree = work.tree()?;
    let [ours, bare] = ["ours", "bare"].map(|name| work.folder.join(format!("{name}.tmp")));
    let codec = Codec::new(Compression::ZSTD);
    for threads in [1, 2] {
        let before = peak::reset()?;
        Work::pack(&tree, codec, threads, &ours)?;
        println!(
            "pack zstd, {threads} threads: {} MiB of memory more at its peak (below 128)",
            peak::since(before)? >> 20
        );
    }
    let packed = |threads| {
        black_box(Work::pack(&tree, codec, threads, &ours).expect("packed"));
    };
    let (mut one, mut two) = (|| packed(1), || packed(2));
    let mut buffer = Vec::new();
    let mut stored = vec![0; zstd::zstd_safe::compress_bound(1 << 20)];
    let mut compressor = zstd::bulk::Compressor::new(3)?;
    let mut loops = || {
        let mut out = BufWriter::new(File::create(&bare).expect("a file"));
        for (_, path) in &tree {
            buffer.clear();
            File::open(path).and_then(|mut file| file.read_to_end(&mut buffer)).expect("read");
            let len = compressor.compress_to_buffer(&buffer, &mut stored[..]).expect("packed");
            out.write_all(&stored[..len]).expect("written");
        }
        out.flush().expect("written");
    };
    let rounds = Rounds::run(11, [&mut one, &mut loops, &mut two]);
    let [one, loops, two] = rounds.medians().map(seconds);
    println!(
        "pack zstd: {one} / {loops}, {:.3} of the bare loop (at least 0.9)",
        rounds.median(|[one, loops, _]| loops / one)
    );
    println!(
        "pack zstd, 2 threads: {two}, {:.2} times as fast (at least 1.85)",
        rounds.median(|[one, _, two]| one / two)
    );
    fs::remove_file(&ours)?;
    fs::remove_file(&bare)
}
