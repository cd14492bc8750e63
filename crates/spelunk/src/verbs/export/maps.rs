//! Maps as pictures, meshes and data.

use super::{
    ending::done,
    names::{apart, last, with_extension},
    request::{Kind, Request},
};
use crate::{
    Error, Opened, Result, document,
    models::export::gltf,
    models::maps::{
        self, GridLayer,
        picture::{self, View},
    },
    open::codes,
    verbs::{
        outputs::{OutputContent, OutputFiles},
        run::{OpenFile, Run},
    },
};

/// Whether a map is what goes to this kind of file.
pub(super) fn is_for(kind: Kind, opened: &Opened) -> bool {
    let kinds = [Kind::Png, Kind::Csv, Kind::Json, Kind::Glb, Kind::Gltf];
    kinds.contains(&kind) && maps::is_for(opened)
}

/// Writes a map.
pub(super) fn export(
    request: &Request,
    kind: Kind,
    mut file: OpenFile<'_>,
    run: &mut Run<'_>,
) -> Result<()> {
    let made = match request.paths.is_empty() {
        true => make(request, kind, file.held.get()?),
        false => Err(Error::new(&codes::core::BAD_PATH).expected("no path: --layer chooses")),
    };
    done(request, file, made, run)
}

fn make(request: &Request, kind: Kind, opened: &mut Opened) -> Result<OutputFiles<'static>> {
    let out = &request.output;
    let one = |content| vec![(out.clone(), OutputContent::Bytes(content))];
    match kind {
        Kind::Glb | Kind::Gltf => {
            let model = gltf::terrain(opened, request.height_scale)?;
            if kind == Kind::Glb {
                return Ok(vec![(out.clone(), OutputContent::Glb(Box::new(model)))]);
            }
            apart(out)?;
            let bin = with_extension(out, "bin");
            let (text, numbers) = model.into_files(&last(&bin))?;
            Ok(vec![
                (out.clone(), OutputContent::Bytes(text)),
                (bin, OutputContent::Bytes(numbers)),
            ])
        }
        Kind::Json => {
            let map = maps::read(opened)?;
            let pages = opened.code_pages();
            let features = opened.run(|_, task| maps::features(&*map, &pages, task))?;
            Ok(one(document::text::of(&features).into_bytes()))
        }
        Kind::Csv => {
            let name = request.layer.as_deref().unwrap_or_default();
            let grid = match GridLayer::named(name) {
                Some(layer) => maps::read(opened)?.grid(layer),
                None => None,
            };
            let grid = grid.ok_or_else(|| {
                no_layer(
                    name,
                    maps::grids(opened.container())
                        .unwrap_or_default()
                        .iter()
                        .map(|layer| layer.name()),
                )
            })?;
            Ok(one(grid.csv().into_bytes()))
        }
        _ => picture(request, opened).map(one),
    }
}

fn picture(request: &Request, opened: &mut Opened) -> Result<Vec<u8>> {
    let layer = request.layer.as_deref().unwrap_or(View::Relief.name());
    let map = maps::read(opened)?;
    let mut bytes = Vec::new();
    if let Some(grid) = GridLayer::named(layer).and_then(|layer| map.grid(layer)) {
        if request.scale.is_some_and(|scale| scale > 1) {
            let error = Error::new(&codes::GRID_SIZE).expected("a pixel for each cell");
            return Err(error.found("--scale"));
        }
        maps::write_png(&grid, &mut bytes)?;
        return Ok(bytes);
    }
    let view = View::named(layer).filter(|view| View::of(opened.container()).contains(view));
    let view = view.ok_or_else(|| no_layer(layer, maps::layers(opened.container())))?;
    let picture = opened.run(|_, task| picture::draw(&*map, view, request.scale, task))?;
    picture.write_png(&mut bytes)?;
    Ok(bytes)
}

/// The error that there is no layer of this name; it names those that there are.
fn no_layer(found: &str, known: impl Iterator<Item = &'static str>) -> Error {
    let known: Vec<&str> = known.collect();
    let error = Error::new(&codes::NO_LAYER).expected(format!("--layer with {}", known.join(", ")));
    if found.is_empty() { error } else { error.found(format!("`{found}`")) }
}
