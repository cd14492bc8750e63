//! The largest level as glTF, beside decoding it and writing the same bytes.

use crate::timing::line;
use spelunk::{Opened, Options, core::source::Source, models::export};
use spelunk_core::Bytes;
use std::{fs, hint::black_box, io, path::PathBuf, sync::Arc};
use virtools::{File, file::data::Owner};

/// Measures the files among `files` that make the largest and the second largest model.
pub fn measure(files: &[PathBuf]) -> io::Result<()> {
    let mut levels = Vec::new();
    for path in files {
        let bytes = Bytes::from(fs::read(path)?);
        let Ok(mut opened) = Opened::open(Arc::new(bytes.clone()), &Options::default()) else {
            continue;
        };
        if let Ok(model) = export::gltf::export(&mut opened, &export::Options::default()) {
            let mut glb = Vec::new();
            model.write_glb(&mut glb).map_err(io::Error::other)?;
            levels.push((glb, bytes, path));
        }
    }
    levels.sort_by_key(|(glb, ..)| std::cmp::Reverse(glb.len()));
    for (glb, bytes, path) in levels.iter().take(2) {
        println!("virtools: {}", path.file_name().unwrap_or_default().display());
        let out = std::env::temp_dir().join(format!("spelunk-bench-{}.glb", std::process::id()));
        let open = || {
            let source: Arc<dyn Source> = Arc::new(bytes.clone());
            Opened::open(source, &Options::default()).expect("opened before")
        };
        let ours = || {
            let model = export::gltf::export(&mut open(), &export::Options::default());
            let mut file = fs::File::create(&out).expect("a temporary file");
            model.expect("exported before").write_glb(&mut file).expect("a temporary file");
        };
        let bare = || {
            open().run(|container, task| {
                let file = container.model::<File>().expect("a Virtools file");
                for (_, index) in file.table().objects.iter().zip(0..) {
                    let owner = Owner::Object(index);
                    let value = file.value(owner, &mut Vec::new(), &mut task.budget);
                    black_box(value.expect("sound"));
                }
            });
            fs::write(&out, glb).expect("a temporary file");
        };
        line("  export to glb / decode, and write the same bytes", glb.len(), ours, bare);
        fs::remove_file(&out)?;
    }
    Ok(())
}
