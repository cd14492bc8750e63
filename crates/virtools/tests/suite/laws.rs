//! `write(read(x)) == x` for files of any content.

use crate::common::open;
use proptest::{collection::vec, option, prelude::*};
use spelunk_core::Of;
use spelunk_fixtures::{
    chunk::Chunk,
    virtools::{
        Body, Checksum, IncludedFile, ManagerEntry, ObjectEntry, Packing, PluginGroup, VirtoolsFile,
    },
};
use test_support::{
    entries::{list_damaged, write},
    findings::codes,
    laws::assert_covered_despite_damage,
    task::with_task,
};

fn body() -> impl Strategy<Value = Body> {
    option::of((any::<u32>(), vec(any::<u32>(), 0..8))).prop_map(|content| match content {
        Some((identifier, words)) => {
            Body::Chunk(Chunk::object(1).identifier(identifier).words(&words))
        }
        None => Body::Null,
    })
}

fn object() -> impl Strategy<Value = ObjectEntry> {
    (0..60_u32, vec(any::<u8>(), 0..12), body()).prop_map(|(class_id, name, body)| ObjectEntry {
        id: 0,
        class_id,
        name,
        file_index: None,
        body,
    })
}

fn packing() -> impl Strategy<Value = Packing> {
    prop_oneof![Just(Packing::Stored), (0..=9_u32).prop_map(Packing::Zlib)]
}

fn file() -> impl Strategy<Value = VirtoolsFile> {
    let managers = vec((any::<(u32, u32)>(), body()), 0..4).prop_map(|managers| {
        managers.into_iter().map(|(guid, body)| ManagerEntry { guid, body }).collect::<Vec<_>>()
    });
    let plugins = vec((0..9_u32, vec(any::<(u32, u32)>(), 0..4)), 0..4).prop_map(|groups| {
        let group = |(category, guids)| PluginGroup { category, guids };
        groups.into_iter().map(group).collect::<Vec<_>>()
    });
    let records = vec(("[a-z]{1,8}", vec(any::<u8>(), 0..20)), 0..3).prop_map(|records| {
        let record = |(name, data): (String, _)| IncludedFile { name: name.into_bytes(), data };
        records.into_iter().map(record).collect::<Vec<_>>()
    });
    let checksum = prop_oneof![Just(Checksum::Full), Just(Checksum::DataOnly)];
    let header =
        (8..=9_u32, any::<u32>(), any::<u32>(), packing(), option::of(packing()), checksum);
    let extra = (option::of(any::<bool>()), vec(any::<u8>(), 0..9));
    (header, vec(object(), 0..20), managers, plugins, records, extra).prop_map(
        |(header, mut objects, managers, plugins, records, (counted, stub_extra))| {
            let (file_version, ck_version, product_build, packing, header1_packing, checksum) =
                header;
            for (object, id) in objects.iter_mut().zip(1..) {
                object.id = id * 3;
            }
            let count = records.len() as u32;
            VirtoolsFile {
                file_version,
                ck_version,
                product_build,
                packing,
                header1_packing,
                checksum,
                included_count: counted.map(|counted| if counted { count } else { 0 }),
                stub_extra,
                objects,
                managers,
                plugins,
                records,
                ..VirtoolsFile::default()
            }
        },
    )
}

proptest! {
    #[test]
    fn what_is_read_is_written_and_sound(sample in file()) {
        let fixture = sample.build();
        let (file, findings) = open(&fixture.bytes);
        let file = file.unwrap();
        prop_assert!(codes(&findings).iter().all(|code| *code == "VT006"), "{findings:?}");
        for recompress in [false, true] {
            let (written, notes) = write(&*file, recompress);
            prop_assert!(written == fixture.bytes);
            prop_assert!(notes.findings.is_empty() || !cfg!(feature = "c-codecs"), "{notes:?}");
        }
        assert_covered_despite_damage(&*file, "random");
        let (result, findings) = with_task(0, |task| file.verify(task));
        result.unwrap();
        // Objects may lack data and included files a count, which only loaders mind.
        let minded = ["VT165", "VT167", "VT168"];
        let odd = codes(&findings).into_iter().filter(|code| !minded.contains(code)).count();
        prop_assert!(odd == 0, "{findings:?}");
        let (rows, damage) = list_damaged(&*file, Of::Listing);
        prop_assert!(damage.unwrap().findings.is_empty());
        prop_assert_eq!(rows.len(), sample.objects.len());
        for (row, object) in rows.iter().zip(&sample.objects) {
            prop_assert_eq!(row.name.as_ref().unwrap(), &object.name);
        }
    }
}
