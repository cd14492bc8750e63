//! Real files through a context: loaded, saved, and compared.

mod common;

use common::with_task;
use spelunk_core::{Budget, Bytes, WriteOptions, limits::Limits};
use spelunk_fixtures::corpus;
use std::collections::BTreeMap;
use virtools::{
    File,
    chunk::{Chunk, read::ObjRef},
    codec::{Array, Reference, visit::Refs},
    file::data::Owner,
    runtime::{Context, Form, Load, Quiet, Save, Target, load::Outcome},
};
use zerocopy::little_endian::U32;

fn budget() -> Budget {
    Budget::new(Limits { memory: 8 << 30, steps: u64::MAX, ..Limits::for_len(1 << 24) })
}

fn open(bytes: &[u8]) -> File {
    let bytes = Bytes::copy_from_slice(bytes);
    with_task(bytes.len(), |task| File::open(&bytes, task)).0.unwrap()
}

fn everything() -> Load {
    Load { keep_entries: true, all_levels: true, ..Load::default() }
}

#[test]
fn every_real_file_comes_back_through_a_context() {
    let Some(files) = corpus::files("virtools", &["nmo", "cmo", "nms"]) else { return };
    let mut same = [0_usize; 3];
    for real in files {
        let file = open(&real.bytes);
        let mut context = Context::new();
        let (report, _) = with_task(real.bytes.len(), |task| {
            context.load(&file, &everything(), &mut Quiet, task)
        });
        let report = report.unwrap_or_else(|error| panic!("{}: {error}", real.name));
        assert_eq!(report.count(Outcome::Created), file.table().objects.len(), "{}", real.name);
        let mut written = Vec::new();
        let save = Save { form: Some(Form::of(&file)), ..Save::default() };
        let ids: Vec<u32> = context.ids().collect();
        let (ended, _) = with_task(real.bytes.len(), |task| {
            let mut saving = context.start_save(
                Save { depth: virtools::runtime::Depth::Given, ..save },
                Target::Writer(&mut written),
                // Leaked once for each file of a test.
                Box::leak(Box::new(Quiet)),
            )?;
            saving.objects(ids, task)?;
            saving.end(task)
        });
        ended.unwrap_or_else(|error| panic!("{}: {error}", real.name));
        let again = open(&written);
        let count = file.table().objects.len();
        assert_eq!(again.table().objects.len(), count);
        for index in 0..count as u32 {
            let [a, b] = [&file, &again].map(|file| {
                file.records(&mut budget())
                    .unwrap()
                    .chunk(Owner::Object(index), &mut budget())
                    .unwrap()
                    .to_vec()
            });
            same[usize::from(a == b)] += 1;
        }
        same[2] += usize::from(written == real.bytes);
    }
    println!("other chunks, same chunks, same files: {same:?}");
}
