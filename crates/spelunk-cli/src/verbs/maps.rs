//! Layers of maps: the part of `import` that is for them.

use super::{import::changed, open_one, writing::Onto};
use crate::{args::Import, inputs::Input, output::Session};
use spelunk::{
    Error, Opened, Result, codes,
    maps::{self, Grid, GridLayer},
};
use std::path::Path;

/// There is no layer of this name: these are there.
fn no_layer(found: &str) -> Error {
    let known = GridLayer::ALL.map(GridLayer::name);
    let error = Error::new(&codes::NO_LAYER).expected(format!("--layer with {}", known.join(", ")));
    if found.is_empty() { error } else { error.found(format!("`{found}`")) }
}

/// Puts a layer into a map.
pub fn import(args: &Import, (target, onto): (&Path, Onto), session: &mut Session) -> Result<()> {
    let (Some(layer), Some(into)) = (&args.layer, &args.into) else { return Ok(()) };
    let input = Input::named(&args.source);
    let options = session.options()?;
    let grid = input.bytes(&options).and_then(|bytes| {
        let layer = GridLayer::named(layer).ok_or_else(|| no_layer(layer))?;
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
