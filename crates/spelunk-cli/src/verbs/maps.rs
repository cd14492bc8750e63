//! Maps as pictures, meshes and data: the parts of `export` and `import` that are for them.

use super::{
    export::{Content, apart, name, put},
    import::changed,
    open_one,
    writing::{self, Onto},
};
use crate::{
    args::{Export, ExportKind, Import},
    inputs::Input,
    output::Session,
};
use spelunk::{
    Error, Opened, Result, codes, document,
    export::gltf,
    maps::{
        self, Grid, GridLayer,
        picture::{self, View},
    },
};
use std::path::{Path, PathBuf};

/// Whether a map is what goes to this kind of file.
pub fn is_for(kind: ExportKind, opened: &Opened) -> bool {
    let kinds =
        [ExportKind::Png, ExportKind::Csv, ExportKind::Json, ExportKind::Glb, ExportKind::Gltf];
    kinds.contains(&kind) && maps::is_for(opened)
}

/// Writes a map.
pub fn export(
    args: &Export,
    kind: ExportKind,
    file: &str,
    mut opened: Opened,
    session: &mut Session,
) -> Result<()> {
    let made = match args.paths.is_empty() {
        true => make(args, kind, &mut opened),
        false => Err(Error::new(&codes::core::BAD_PATH).expected("no path: --layer chooses")),
    };
    session.settle(file, opened.findings());
    drop(opened);
    match made {
        Ok(files) => writing::exported(file, args, put(args, &files), files.len(), session),
        Err(error) => {
            session.failed(file, &error);
            Ok(())
        }
    }
}

fn make(
    args: &Export,
    kind: ExportKind,
    opened: &mut Opened,
) -> Result<Vec<(PathBuf, Content<'static>)>> {
    let out = &args.output;
    let one = |content| vec![(out.clone(), Content::Bytes(content))];
    match kind {
        ExportKind::Glb | ExportKind::Gltf => {
            let model = gltf::terrain(opened, args.height_scale)?;
            if kind == ExportKind::Glb {
                return Ok(vec![(out.clone(), Content::Glb(Box::new(model)))]);
            }
            apart(out)?;
            let bin = out.with_extension("bin");
            let (text, numbers) = model.into_files(&name(&bin))?;
            Ok(vec![(out.clone(), Content::Bytes(text)), (bin, Content::Bytes(numbers))])
        }
        ExportKind::Json => {
            let map = maps::read(opened)?;
            let pages = opened.code_pages();
            let features = opened.run(|_, task| maps::features(&map, &pages, task))?;
            Ok(one(document::text::of(&features).into_bytes()))
        }
        ExportKind::Csv => {
            let name = args.layer.as_deref().unwrap_or_default();
            let layer = GridLayer::named(name).ok_or_else(|| no_layer(name, &[]))?;
            Ok(one(Grid::of(&maps::read(opened)?, layer).csv().into_bytes()))
        }
        _ => picture(args, opened).map(one),
    }
}

fn picture(args: &Export, opened: &mut Opened) -> Result<Vec<u8>> {
    let layer = args.layer.as_deref().unwrap_or(View::Relief.name());
    let map = maps::read(opened)?;
    let mut bytes = Vec::new();
    if let Some(layer) = GridLayer::named(layer) {
        if args.scale.is_some_and(|scale| scale > 1) {
            let error = Error::new(&codes::GRID_SIZE).expected("a pixel for each cell");
            return Err(error.found("--scale"));
        }
        maps::write_png(&Grid::of(&map, layer), &mut bytes)?;
        return Ok(bytes);
    }
    let view = View::named(layer).ok_or_else(|| no_layer(layer, &View::ALL.map(View::name)))?;
    let picture = opened.run(|_, task| picture::draw(&map, view, args.scale, task))?;
    picture.write_png(&mut bytes)?;
    Ok(bytes)
}

/// There is no layer of this name: these are there, beside those that are grids.
fn no_layer(found: &str, more: &[&'static str]) -> Error {
    let mut known = more.to_vec();
    known.extend(GridLayer::ALL.map(GridLayer::name));
    let error = Error::new(&codes::NO_LAYER).expected(format!("--layer with {}", known.join(", ")));
    if found.is_empty() { error } else { error.found(format!("`{found}`")) }
}

/// Puts a layer into a map.
pub fn import(args: &Import, (target, onto): (&Path, Onto), session: &mut Session) -> Result<()> {
    let (Some(layer), Some(into)) = (&args.layer, &args.into) else { return Ok(()) };
    let input = Input::named(&args.source);
    let options = session.options()?;
    let grid = input.bytes(&options).and_then(|bytes| {
        let layer = GridLayer::named(layer).ok_or_else(|| no_layer(layer, &[]))?;
        match bytes.starts_with(b"\x89PNG") {
            true => maps::read_png(&bytes, layer, options.limits(bytes.len() as u64).memory),
            false => Grid::from_csv(&bytes, layer),
        }
    });
    let grid = match grid {
        Ok(grid) => grid,
        Err(error) => {
            session.unopened(&input.name(), &error);
            return Ok(());
        }
    };
    let Some((file, mut opened)) = open_one(into, session)? else { return Ok(()) };
    let made = maps::put(&mut opened, &grid);
    let findings = opened.take_findings();
    session.settle(&file, &findings);
    let made = made.and_then(|source| Opened::open(source, &options));
    let opened = match made {
        Ok(opened) => opened,
        Err(error) => {
            session.failed(&file, &error);
            return Ok(());
        }
    };
    changed(args, (&file, target, onto), opened, &findings, std::iter::empty(), session)
}
