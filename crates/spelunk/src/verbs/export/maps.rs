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
        self, Grid, GridLayer,
        picture::{self, View},
    },
    open::codes,
    verbs::{
        outputs::{OutputContent, OutputFiles},
        run::{OpenFile, Run},
    },
};

/// Height of one step of a map in a mesh, whose cells are 1 wide.
const HEIGHT: f32 = 0.01;

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
            let model = gltf::terrain(opened, request.height_scale.unwrap_or(HEIGHT))?;
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
            let features = opened.run(|container, task| {
                let entities = maps::placed(container, &map, task)?;
                maps::features(&map, &entities, &pages, task)
            })?;
            Ok(one(document::text::of(&features).into_bytes()))
        }
        Kind::Csv => {
            let name = request.layer.as_deref().unwrap_or_default();
            let layer = GridLayer::named(name).ok_or_else(|| no_layer(name, grids()))?;
            described(layer.name(), opened)?;
            Ok(one(Grid::of(&maps::read(opened)?, layer).csv().into_bytes()))
        }
        _ => picture(request, opened).map(one),
    }
}

fn picture(request: &Request, opened: &mut Opened) -> Result<Vec<u8>> {
    let layer = request.layer.as_deref().unwrap_or(View::Relief.name());
    let map = maps::read(opened)?;
    described(layer, opened)?;
    let mut bytes = Vec::new();
    if let Some(layer) = GridLayer::named(layer) {
        if request.scale.is_some_and(|scale| scale > 1) {
            let error = Error::new(&codes::GRID_SIZE).expected("a pixel for each cell");
            return Err(error.found("--scale"));
        }
        maps::write_png(&Grid::of(&map, layer), &mut bytes)?;
        return Ok(bytes);
    }
    let view = View::named(layer).ok_or_else(|| no_layer(layer, layers()))?;
    let picture = opened.run(|container, task| {
        let entities = maps::placed(container, &map, task)?;
        picture::draw(&map, &entities, view, request.scale, task)
    })?;
    picture.write_png(&mut bytes)?;
    Ok(bytes)
}

/// Refuses a layer that nothing is known of in the dialect of the map.
fn described(layer: &str, opened: &Opened) -> Result<()> {
    const DESCRIBED: [View; 2] = [View::Relief, View::Entities];
    let mut known = DESCRIBED.map(View::name).into_iter().chain([GridLayer::Heights.name()]);
    let is_known = known.clone().any(|known| known == layer);
    let is_layer = layers().any(|known| known == layer);
    match maps::is_spec(opened) && is_layer && !is_known {
        true => Err(no_layer(layer, &mut known)),
        false => Ok(()),
    }
}

/// The names of the layers that pictures are drawn of, those for people first.
pub fn layers() -> impl Iterator<Item = &'static str> {
    View::ALL.into_iter().map(View::name).chain(grids())
}

/// The names of the layers with a value for each cell.
fn grids() -> impl Iterator<Item = &'static str> {
    GridLayer::ALL.into_iter().map(GridLayer::name)
}

/// The error that there is no layer of this name; it names those that there are.
fn no_layer(found: &str, known: impl Iterator<Item = &'static str>) -> Error {
    let known: Vec<&str> = known.collect();
    let error = Error::new(&codes::NO_LAYER).expected(format!("--layer with {}", known.join(", ")));
    if found.is_empty() { error } else { error.found(format!("`{found}`")) }
}
