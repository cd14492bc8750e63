//! The whole of a level as JSON.

use crate::{
    clock::Measured,
    line::{Case, Line, Unit},
    work::{Work, on},
};
use spelunk::{core::source::Source, document, open::skeleton::Origin};
use std::{hint::black_box, io, sync::Arc};

/// The smallest level, which has some 1.5 MB.
pub const CASES: &[Case] = &[Case {
    sides: &["JSON document"],
    lines: &[
        Line::time("document-json", "a level of 1.5 MB as a JSON document", Unit::Milliseconds)
            .at_most(150.0),
        Line::number("document-peak", "the same: heap at the peak", Unit::Mebibytes, 0),
        Line::number("document-size", "size of the document", Unit::Mebibytes, 1),
    ],
    measure,
}];

fn measure(work: &Work) -> io::Result<Measured> {
    let levels = work.levels()?;
    let (name, bytes) = &levels[0];
    let mut out: Vec<u8> = Vec::new();
    let write = |out: &mut Vec<u8>| {
        out.clear();
        let source: Arc<dyn Source> = Arc::new(bytes.clone());
        let options = on(1);
        let origin = Origin { source: &source, options: &options };
        document::write(&origin, out).expect("a sound file");
    };
    write(&mut out);
    // What holds the document is not counted.
    let peak = allocation_counter::measure(|| write(&mut out));
    let size = out.len();
    let mut document = || {
        write(&mut out);
        black_box(&out);
    };
    Measured::of(work.rounds, [&mut document])
        .and(&[peak.bytes_max as f64, size as f64])
        .with(format!("{name}, {} bytes", bytes.len()))
}
