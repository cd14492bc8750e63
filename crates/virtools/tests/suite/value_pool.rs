//! Values whose memory is used again for those of other objects and files.

use crate::common::current;
use spelunk_core::{Bytes, Result};
use spelunk_fixtures::corpus;
use test_support::task::with_task;
use virtools::{
    File,
    class::{Value, ValuePool},
    codec::Saved,
    file::data::Owner,
};

/// Values of the objects of one file after the other, each in the place of one that was there before.
#[derive(Default)]
struct Places {
    values: Vec<Saved<Value>>,
    pool: ValuePool,
}

impl Places {
    /// Reads all objects of a file, and compares each by `text` with a value of its own. `recycles` says whether all values are
    /// given back behind it; then the buffers of the file can be used again.
    fn read(&mut self, bytes: &Bytes, recycles: bool, text: &dyn Fn(&mut Saved<Value>) -> Vec<u8>) {
        let (result, _) = with_task(bytes.len(), |task| -> Result<()> {
            let file = File::read_from(bytes, task)?;
            file.inflate(task)?;
            file.records(&mut task.budget)?;
            let count = file.table().objects.len();
            self.values.resize_with(self.values.len().max(count), Saved::default);
            for (index, place) in (0..).zip(self.values.iter_mut().take(count)) {
                let owner = Owner::Object(index);
                let (mut faults, mut others) = (Vec::new(), Vec::new());
                let before = task.budget.left().memory;
                let own = file.value(owner, &mut faults, &mut task.budget);
                let taken = before - task.budget.left().memory;
                let is_there =
                    file.value_into(place, owner, &mut self.pool, &mut others, &mut task.budget);
                assert_eq!(before - task.budget.left().memory, 2 * taken, "{index}");
                assert_eq!(faults.len(), others.len(), "{index}");
                match own {
                    Ok(own) => {
                        assert_eq!(is_there.unwrap(), own.is_some(), "{index}");
                        let Some(mut own) = own else { continue };
                        assert!(text(&mut own) == text(place), "{index}: {own:?}");
                    }
                    Err(own) => assert_eq!(own.code().id, is_there.unwrap_err().code().id),
                }
            }
            if recycles {
                self.values.iter_mut().for_each(|value| self.pool.recycle(value));
                let packed = usize::from(file.head().header1_packed());
                let packed = packed + usize::from(file.head().data_packed());
                let mut spare = Vec::new();
                file.recycle(&mut spare);
                assert_eq!(spare.len(), packed, "nobody holds a part of them");
            }
            Ok(())
        });
        result.unwrap();
    }
}

#[test]
fn a_value_in_the_place_of_another_is_what_it_is_alone() {
    let text = |value: &mut Saved<Value>| format!("{value:?}").into_bytes();
    let samples = current();
    assert!(samples.len() > 3);
    let mut places = Places::default();
    for sample in samples.iter().chain(samples.iter().rev()) {
        places.read(&Bytes::from(sample.fixture.bytes.clone()), false, &text);
    }
}

#[test]
fn real_files_are_read_into_the_memory_of_each_other() {
    let Some(files) = corpus::files("virtools", &["nmo", "cmo", "nms"]) else { return };
    let bytes = |value: &mut Saved<Value>| value.write().unwrap().to_bytes().unwrap();
    let mut places = Places::default();
    for real in files {
        places.read(&Bytes::from(real.bytes), true, &bytes);
    }
}
