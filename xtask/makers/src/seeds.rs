//! What the fuzz targets begin with.

use spelunk::{Budget, Bytes, Collect, Limits, Task};
use std::{collections::BTreeSet, fs, io, path::Path};
use virtools::{File, file::data::Owner};

/// The input of a target: bytes of a script that chooses what is done, and behind them a part of a file.
struct Input {
    /// The first letters of the names of the targets that it is for; the longest that fit count.
    name: &'static str,
    script: usize,
    part: Part,
}

enum Part {
    /// Files that start with this, without it: the target puts it before.
    Rest(&'static [u8]),
    /// Whole files that start with this.
    Whole(&'static [u8]),
    /// Chunks of Virtools objects.
    Chunks,
    /// The same behind a byte with the number of the class.
    Values,
    /// Nothing that could be cut out of a file.
    Nothing,
}

const VIRTOOLS: &[u8] = b"Nemo Fi\0";
const SNPAK: &[u8] = b"SNPAK\0\0\0";

const INPUTS: [Input; 17] = [
    Input { name: "virtools", script: 0, part: Part::Rest(VIRTOOLS) },
    Input { name: "virtools_chunk", script: 0, part: Part::Chunks },
    Input { name: "virtools_visit", script: 0, part: Part::Chunks },
    Input { name: "virtools_remap", script: 4, part: Part::Chunks },
    Input { name: "virtools_bitmap", script: 1, part: Part::Nothing },
    Input { name: "virtools_runtime", script: 0, part: Part::Whole(VIRTOOLS) },
    Input { name: "values", script: 0, part: Part::Values },
    Input { name: "snpak", script: 0, part: Part::Rest(SNPAK) },
    Input { name: "snpak_edit", script: 16, part: Part::Whole(SNPAK) },
    Input { name: "snpak_set", script: 16, part: Part::Whole(SNPAK) },
    Input { name: "snpak_texture", script: 12, part: Part::Whole(SNPAK) },
    Input { name: "snpak_repair", script: 1, part: Part::Whole(SNPAK) },
    Input { name: "cff", script: 0, part: Part::Rest(&[0x12, 0xdd, 0x72, 0xdd]) },
    Input { name: "pakdata", script: 0, part: Part::Rest(b"\x01\0\0\0\x07sf0.pak") },
    Input { name: "pak", script: 0, part: Part::Rest(b"\x04\0\0\0MASSIVE PAKFILE V 4.0\r\n\0") },
    Input { name: "edits", script: 24, part: Part::Whole(b"") },
    Input { name: "compare", script: 12, part: Part::Whole(b"") },
];

/// The most chunks that a target begins with, and the longest of them in bytes.
const CHUNKS: (usize, usize) = (4000, 1 << 10);

/// Gives targets the samples of at most `longest` bytes, and such files of the folder that `SPELUNK_CORPUS` names, as they want
/// them.
///
/// # Errors
/// Writing errors.
pub fn sow(targets: &[&str], dir: &Path, longest: usize) -> io::Result<()> {
    let samples = spelunk_fixtures::samples().into_iter().map(|sample| sample.fixture.bytes);
    let real = spelunk_fixtures::corpus::all().into_iter().map(|file| file.bytes);
    let files: Vec<Vec<u8>> = samples.chain(real).collect();
    let small = files.iter().filter(|bytes| bytes.len() <= longest);
    let small: Vec<&[u8]> = small.map(Vec::as_slice).collect();
    let chunks = chunks(&files);
    for name in targets {
        let seeds = dir.join(name).join("seeds");
        fs::create_dir_all(&seeds)?;
        let fitting = INPUTS.iter().filter(|input| name.starts_with(input.name));
        let (script, part) = fitting
            .max_by_key(|input| input.name.len())
            .map_or((0, &Part::Whole(b"")), |input| (input.script, &input.part));
        let parts: Vec<Vec<u8>> = match part {
            Part::Rest(start) => {
                small.iter().filter_map(|file| file.strip_prefix(*start)).map(Vec::from).collect()
            }
            Part::Whole(start) => small
                .iter()
                .filter(|file| file.starts_with(start))
                .map(|file| file.to_vec())
                .collect(),
            Part::Chunks => chunks.iter().map(|(_, chunk)| chunk.clone()).collect(),
            Part::Values => {
                let value = |(class, chunk): &(u8, Vec<u8>)| [&[*class][..], chunk].concat();
                chunks.iter().map(value).collect()
            }
            Part::Nothing => Vec::new(),
        };
        for (nth, part) in parts.iter().enumerate() {
            fs::write(seeds.join(nth.to_string()), [&vec![0; script][..], part].concat())?;
        }
    }
    Ok(())
}

/// Classes and chunks of the objects of the Virtools files among `files`, each content once.
fn chunks(files: &[Vec<u8>]) -> BTreeSet<(u8, Vec<u8>)> {
    let mut chunks = BTreeSet::new();
    for bytes in files.iter().filter(|bytes| bytes.starts_with(VIRTOOLS)) {
        let mut sink = Collect::default();
        let mut task = Task::new(Budget::new(Limits::for_len(bytes.len() as u64)), &mut sink);
        let Ok(file) = File::read_from(&Bytes::copy_from_slice(bytes), &mut task) else { continue };
        let Ok(records) = file.records(&mut task.budget) else { continue };
        for (object, index) in file.table().objects.iter().zip(0..) {
            let chunk = records.chunk(Owner::Object(index), &mut task.budget);
            if let (Ok(chunk), Ok(class)) = (chunk, u8::try_from(object.class_id))
                && chunk.len() <= CHUNKS.1
                && chunks.len() < CHUNKS.0
            {
                chunks.insert((class, chunk.to_vec()));
            }
        }
    }
    chunks
}
