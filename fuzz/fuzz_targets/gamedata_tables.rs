//! Tables of GameData that the fuzzer writes: JSON, databases, CSV in one file, catalogues of translations. What is taken in is
//! a file that opens, and its tables are those that were given.
#![no_main]

use spelunk::{
    Bytes, Opened, Options, WriteOptions,
    tables::translations::{self, Wish, csv, po},
    tables::{json, sql},
};
use std::sync::Arc;

fn written(mut opened: Opened, options: &WriteOptions) -> Vec<u8> {
    let mut bytes = Vec::new();
    opened
        .run(|container, task| container.write(&mut bytes, options, task))
        .expect("memory takes everything");
    bytes
}

fn open(bytes: Vec<u8>) -> Opened {
    Opened::open(Arc::new(Bytes::from(bytes)), &Options::default()).expect("it was written here")
}

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let Some((kind, data)) = data.split_first() else { return };
    let options = Options::default();
    let imported = match kind % 4 {
        0 => json::import(data, &options),
        1 => sql::import(&Bytes::from(data.to_vec()), &options),
        kind => {
            let given = if kind == 2 { po::read(data) } else { csv::read(data) };
            let Ok(given) = given else { return };
            let samples = spelunk_fixtures::samples();
            let sample = samples.into_iter().find(|sample| sample.name == "GameData.cff");
            let mut opened = open(sample.expect("it is one").fixture.bytes);
            let wish = Wish { language: "fr".to_owned(), from: None };
            let (source, report) =
                translations::put(&mut opened, &given, &wish).expect("the sample has texts");
            let new = Opened::open(source, &options).expect("it was made here");
            let bytes = written(new, &WriteOptions::default());
            let (source, again) = translations::put(&mut open(bytes.clone()), &given, &wish)
                .expect("the file has texts");
            let again_bytes = Opened::open(source, &options).expect("it was made here");
            assert!(written(again_bytes, &WriteOptions::default()) == bytes);
            assert_eq!((again.changed, again.added), (0, 0));
            assert!(report.changed + report.added <= again.same);
            return;
        }
    };
    let Ok(imported) = imported else { return };
    let bytes = written(imported.opened, &imported.options);
    let mut text = Vec::new();
    // A chunk may be a table no longer, where what is beside the rows says so.
    if json::export(&mut open(bytes.clone()), &mut text).is_ok() {
        let again = json::import(&text, &options).expect("it was written here");
        assert!(written(again.opened, &again.options) == bytes);
    }
});
