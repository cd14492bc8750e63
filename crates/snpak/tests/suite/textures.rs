//! Textures: what they say of themselves, their mips, and what is wrong with them.

use crate::common::{open, open_sound};
use snpak::{
    AssetId, Compression, Pack, TypeNames,
    texture::{Info, PixelFormat, Texture, TextureShape},
};
use spelunk_core::{
    Budget, Bytes, Collect, Container, Limits, Result, Severity, Task,
    walk::{Flat, finish},
};
use spelunk_fixtures::{
    corpus,
    samples::textures::{FORMATS, SIZE, mip_sizes, pixels, texture, textures_pack},
    snpak as fixture,
};
use std::sync::Arc;
use test_support::{
    findings::{assert_none, graded},
    task::with_task,
};

fn read(pack: &Pack, row: usize) -> (Result<Option<Texture>>, Collect) {
    with_task(pack.len() as usize, |task| Texture::read(pack, row, task))
}

/// Ids and severities of what reading the texture at `row` finds.
fn found(pack: &Pack, row: usize) -> Vec<(&'static str, Severity)> {
    let (_, sink) = read(pack, row);
    graded(&sink)
}

/// A pack of one texture, which `change` changed.
fn changed(name: &str, change: impl FnOnce(&mut fixture::Asset)) -> Pack {
    let format = FORMATS.iter().find(|it| it.name == name).expect("a format");
    let mut asset = texture(0, format);
    change(&mut asset);
    open_sound(&fixture::Pack { assets: vec![asset], ..fixture::Pack::default() }.build().bytes)
}

fn refused(name: &str, change: impl FnOnce(&mut fixture::Asset)) -> &'static str {
    read(&changed(name, change), 0).0.expect_err("an error").code().id
}

#[test]
fn every_format_is_read_with_all_its_mips() {
    let pack = open_sound(&textures_pack().build().bytes);
    for (row, format) in FORMATS.iter().enumerate() {
        let (texture, sink) = read(&pack, row);
        let texture = texture.expect("no error").expect("a texture");
        assert_eq!((texture.width, texture.height), SIZE);
        assert_eq!(texture.format.block(), format.block, "{}", format.name);
        assert_eq!(PixelFormat::named(format.name), Some(texture.format));
        let missing = format.name == "rgb8";
        assert_eq!(sink.findings.len(), usize::from(missing), "{:?}", sink.findings);
        assert_eq!(texture.srgb, format.is_compressed.then_some(format.name == "bc7"));
        for (mip, size) in texture.mips.iter().zip(mip_sizes(SIZE)) {
            assert_eq!((mip.width, mip.height), size);
            let loaded = with_task(1 << 20, |task| texture.load(&pack, mip.level, task)).0;
            if missing && mip.level == 3 {
                assert_eq!(loaded.unwrap_err().code().id, spelunk_core::codes::NOT_FOUND.id);
            } else {
                assert_eq!(loaded.unwrap(), pixels(format, size), "{} {size:?}", format.name);
            }
        }
        let levels: Vec<u32> = texture.smallest_first().map(|mip| mip.level).collect();
        assert_eq!(levels, if missing { vec![5, 4, 2, 1, 0] } else { vec![5, 4, 3, 2, 1, 0] });
        assert_eq!(texture.chain().len(), if missing { 3 } else { 6 });
    }
}

#[test]
fn schema_1_lacks_what_was_asked_for() {
    let pack = open_sound(&textures_pack().build().bytes);
    for (row, format) in FORMATS.iter().enumerate().filter(|(_, format)| format.is_compressed) {
        let info = with_task(1 << 20, |task| Info::read(&pack, row, task)).0.unwrap();
        let Some(Info::Compressed { request, mips, .. }) = info else { panic!("{info:?}") };
        assert_eq!(mips.len(), 6);
        match request {
            None => assert_eq!(format.name, "bc3"),
            Some(request) => {
                assert_eq!(request.requested_format.get(), format.number);
                assert_eq!(request.quality.get(), 0.75);
            }
        }
    }
}

#[test]
fn impossible_descriptions_are_refused() {
    let put = |at: usize, value: u32| {
        move |asset: &mut fixture::Asset| {
            asset.data[at..at + 4].copy_from_slice(&value.to_le_bytes());
        }
    };
    assert_eq!(refused("rgba8", put(0, 0)), "SN121", "no width");
    assert_eq!(refused("bc7", put(4, 0)), "SN121", "no height");
    assert_eq!(refused("rgba8", put(8, 0)), "SN121", "no mips");
    assert_eq!(refused("rgba8", put(8, 7)), "SN121", "more mips than halves");
    assert_eq!(refused("bc7", put(8, u32::MAX)), "SN121");
    assert_eq!(refused("rgba8", put(12, 5)), "SN122", "no such format");
    assert_eq!(refused("bc1", put(12, 16)), "SN122");
    assert_eq!(refused("bc1", |asset| asset.schema = 3), "SN126");
    let truncated = spelunk_core::codes::TRUNCATED.id;
    assert_eq!(refused("rgba8", |asset| asset.data.truncate(15)), truncated);
    assert_eq!(refused("bc1", |asset| asset.data.truncate(60)), truncated);
    let many = |asset: &mut fixture::Asset| asset.data[41..49].copy_from_slice(&[255; 8]);
    assert_eq!(refused("bc1", many), truncated, "more mips listed than fit in memory");
}

#[test]
fn sizes_that_contradict_the_format_are_told_and_cost_no_memory() {
    // 4 billion by 4 billion pixels, which no chunk has.
    let huge = changed("rgba8", |asset| asset.data[..8].copy_from_slice(&[255; 8]));
    let errors = [("SN123", Severity::Error); 6];
    assert_eq!(found(&huge, 0), errors);
    let (texture, _) = read(&huge, 0);
    let texture = texture.unwrap().unwrap();
    assert_eq!(texture.smallest_first().count(), 0);
    assert!(texture.chain().is_empty());

    let cut = changed("bc7", |asset| asset.bulk[2].data.truncate(16));
    assert_eq!(found(&cut, 0), [("SN123", Severity::Error)]);
    let left: Vec<u32> =
        read(&cut, 0).0.unwrap().unwrap().chain().iter().map(|m| m.level).collect();
    assert_eq!(left, [0, 1]);

    let first = changed("bc7", |asset| drop(asset.bulk.remove(0)));
    assert_eq!(found(&first, 0), [("SN124", Severity::Warning)]);
    assert_eq!(read(&first, 0).0.unwrap().unwrap().chain().len(), 5, "from the second on");

    let listed = changed("bc7", |asset| asset.data[49] = 47);
    assert_eq!(found(&listed, 0), [("SN125", Severity::Warning)]);
}

#[test]
fn a_strict_sink_ends_at_the_first_wrong_size() {
    struct Strict;
    impl spelunk_core::Sink for Strict {
        fn report(&mut self, finding: spelunk_core::Finding) -> Result<()> {
            Err(finding.error)
        }
    }
    let cut = changed("bc7", |asset| asset.bulk[2].data.truncate(16));
    let mut sink = Strict;
    let mut task = Task::new(Budget::new(Limits::unlimited()), &mut sink);
    assert_eq!(Texture::read(&cut, 0, &mut task).unwrap_err().code().id, "SN123");
}

#[test]
fn packed_descriptions_and_mips_are_read() {
    let pack = changed("bc1", |asset| {
        asset.codec = fixture::Codec::ZSTD;
        asset.bulk.iter_mut().for_each(|bulk| bulk.codec = fixture::Codec::LZ4);
    });
    let (texture, sink) = read(&pack, 0);
    assert!(sink.findings.is_empty());
    let texture = texture.unwrap().unwrap();
    let located = texture.locate(&pack, 0).unwrap();
    assert_eq!(located.compression(), Compression::LZ4);
    assert_eq!(with_task(1 << 20, |task| texture.load(&pack, 0, task)).0.unwrap().len(), 960);
}

#[test]
fn shapes_are_given_for_types_that_are_not_known() {
    let shape: TextureShape = "RGBA8:128x64".parse().unwrap();
    assert_eq!(shape, TextureShape { width: 128, height: 64, format: PixelFormat::Rgba8 });
    assert_eq!("astc-10x10:1x2".parse::<TextureShape>().unwrap().format, PixelFormat::Astc(10, 10));
    for text in
        ["", "rgba8", "rgba8:1", "rgba8:1x", "rgba8:-1x1", "rgba9:1x1", "rgba8:1x4294967296"]
    {
        assert_eq!(text.parse::<TextureShape>().unwrap_err().code().id, "SN127", "{text}");
    }
}

#[test]
fn names_of_types_go_with_generations() {
    let pack = open_sound(&spelunk_fixtures::samples::appended_pack().build().bytes);
    let kind = pack.entry(2).expect("a mesh").asset_kind.0;
    assert_eq!(pack.type_name(&kind), Some("NodePayload"));
    let text = format!("{} Mesh", AssetId(kind));
    let mut budget = Budget::new(Limits::unlimited());
    let names = TypeNames::parse(text.as_bytes(), &mut budget).expect("names");
    let pack = pack.with_types(Arc::new(names));
    let old = with_task(1 << 20, |task| pack.generation("1".parse().unwrap(), task)).0.unwrap();
    for pack in [&pack, &old] {
        assert_eq!(pack.type_name(&kind), Some("Mesh"));
        assert_eq!(pack.type_name(&snpak::types::TEXTURE), Some("Texture"));
    }
}

/// The textures of the corpus have mips, and payloads of a type of their own.
#[test]
fn textures_of_real_packs_are_read_by_their_shape() {
    let Some(files) = corpus::files("snpak", &["snpak"]) else { return };
    let mut seen = 0;
    for file in files {
        let source = Arc::new(Bytes::from(file.bytes.to_vec()));
        let (opened, _) = with_task(file.bytes.len(), |task| Pack::read_from(source, task));
        let pack = opened.unwrap();
        for row in 0..pack.index().entries().len() {
            assert!(
                !Texture::is_texture(&pack, row),
                "{}: types of the corpus are its own",
                file.name
            );
            let shape = "rgba8:128x128".parse().unwrap();
            let (texture, sink) =
                with_task(1 << 24, |task| Texture::of_shape(&pack, row, shape, task));
            let texture = texture.unwrap();
            if file.name.starts_with("20_textures") {
                assert_none(&sink);
                assert_eq!(texture.mips.len(), 8);
                for mip in texture.smallest_first() {
                    let pixels = with_task(1 << 24, |task| texture.load(&pack, mip.level, task)).0;
                    assert_eq!(pixels.unwrap().len() as u64, mip.len);
                    seen += 1;
                }
            }
        }
    }
    assert_eq!(seen, 64);
}

/// Kinds of real packs, which nobody knows, with and without names of one's own.
#[test]
fn kinds_of_real_packs_are_counted_by_their_names() {
    let Some(files) = corpus::files("snpak", &["snpak"]) else { return };
    let text = "a1a1a1a1-a1a1-a1a1-a1a1-a1a1a1a1a1a1 Thing\n\
                7e070000-0000-0000-0000-000000000001 GameTexture\n";
    let mut budget = Budget::new(Limits::unlimited());
    let names = Arc::new(TypeNames::parse(text.as_bytes(), &mut budget).expect("names"));
    let kinds = |pack: &Pack| {
        let mut flat = Flat::default();
        finish(with_task(1 << 24, |task| pack.info(task, &mut flat)).0).expect("a summary");
        let kinds = flat.fields.iter().filter_map(|field| {
            Some((field.path.strip_prefix("kinds.")?.to_owned(), field.value.to_string()))
        });
        kinds.collect::<Vec<_>>()
    };
    for (name, wanted) in [
        ("13_deps", ("a1a1a1a1-a1a1-a1a1-a1a1-a1a1a1a1a1a1", "Thing")),
        ("15_old_then_new_append", ("a1a1a1a1-a1a1-a1a1-a1a1-a1a1a1a1a1a1", "Thing")),
        ("16_old_delta_then_new_append", ("a1a1a1a1-a1a1-a1a1-a1a1-a1a1a1a1a1a1", "Thing")),
        ("20_textures", ("7e070000-0000-0000-0000-000000000001", "GameTexture")),
    ] {
        let file = files.iter().find(|file| file.name == format!("{name}.snpak")).expect(name);
        let (pack, _) = open(&file.bytes);
        let pack = pack.expect(name);
        let count = pack.index().entries().len().to_string();
        assert_eq!(kinds(&pack), [(wanted.0.to_owned(), count.clone())], "{name}");
        assert_eq!(
            kinds(&pack.with_types(names.clone())),
            [(wanted.1.to_owned(), count)],
            "{name}"
        );
    }
}
