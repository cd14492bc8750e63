//! Packing a tree of files with zstd, beside reading, compressing and writing them.

use super::{Workload, peak};
use crate::{
    clock::Measured,
    line::{Case, Line, Unit},
    work::Work,
};
use snpak::{Codec, Compression};
use std::{
    env,
    fs::File,
    hint::black_box,
    io::{self, BufWriter, Read, Write},
    process::{Command, Stdio},
};

const CODEC: Codec = Codec::new(Compression::ZSTD);

pub const CASE: Case = Case {
    sides: &["pack", "read + compress + write", "pack, 2 threads"],
    lines: &[
        Line::ratio("packs-pack", "read + compress + write", "pack, zstd 3")
            .by(|t, _| t[1] / t[0])
            .at_least(0.9),
        Line::ratio("packs-pack-2", "pack, zstd 3, 1 thread", "2 threads")
            .by(|t, _| t[0] / t[2])
            .at_least(1.85)
            .on_the_wall(),
    ],
    measure,
};

/// What the system counts as memory, which depends on what was done before: the most of it is a bound.
pub const PEAK: Case = Case {
    sides: &[],
    lines: &[
        Line::number("packs-pack-peak", "pack, 1 thread: memory at the peak", Unit::Mebibytes, 0)
            .at_most(128.0),
        Line::number(
            "packs-pack-peak-2",
            "pack, 2 threads: memory at the peak",
            Unit::Mebibytes,
            1,
        )
        .at_most(128.0),
    ],
    measure: peaks,
};

/// The argument that makes this program the process whose memory is measured: what other lines left in this one would count.
pub const PEAK_OF_PACKING: &str = "peak-of-packing";

/// Packs the workload in a folder, and prints how many bytes more there were at the peak.
pub fn peak_of_packing(folder: &str, threads: &str) -> io::Result<()> {
    let workload = Workload { folder: folder.into() };
    let (tree, out) = (workload.tree()?, workload.folder.join("ours.tmp"));
    let threads = threads.parse().map_err(io::Error::other)?;
    let before = peak::reset()?;
    Workload::pack(&tree, CODEC, threads, &out)?;
    println!("{}", peak::since(before)?);
    Ok(())
}

fn peaks(work: &Work) -> io::Result<Measured> {
    let workload = Workload::of(work)?;
    let mut more = Vec::new();
    for threads in ["1", "2"] {
        let mut process = Command::new(env::current_exe()?);
        process.arg(PEAK_OF_PACKING).arg(&workload.folder).arg(threads);
        let printed = process.stderr(Stdio::inherit()).output()?.stdout;
        let printed = String::from_utf8_lossy(&printed);
        more.push(printed.trim().parse::<f64>().map_err(io::Error::other)?);
    }
    Measured::numbers(more).with(format!("{} files", workload.tree()?.len()))
}

fn measure(work: &Work) -> io::Result<Measured> {
    let workload = Workload::of(work)?;
    let tree = workload.tree()?;
    let [ours, bare] = ["ours.tmp", "bare.tmp"].map(|name| workload.folder.join(name));
    let packed = |threads| {
        black_box(Workload::pack(&tree, CODEC, threads, &ours).expect("packed"));
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
    Measured::of(work.rounds, [&mut one, &mut loops, &mut two])
        .with(format!("{} files", tree.len()))
}
