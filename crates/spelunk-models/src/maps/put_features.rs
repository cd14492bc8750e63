//! Features into the map that they are of. A feature with an `index` is a record that is there already, one without it is new;
//! records without a feature go.

use super::{
    collection::{self, Feature, Parts, Whole, bad},
    source::read_first,
};
use spellforce::map::{Cell, Map, WEATHER, WeatherShare};
use spelunk_core::{Budget, Described, Record, Result, Seg, Source, Val, scalar::I16};
use spelunk_open::{Opened, codes, model};
use std::sync::Arc;
use zerocopy::{FromBytes, IntoBytes};

/// Puts a collection of features into a map. What comes of it is a file that is not opened yet: chunks of which nothing changed
/// are as they were.
///
/// # Errors
/// [`NO_MAP`](codes::NO_MAP) for other files; [`BAD_FEATURES`](codes::BAD_FEATURES), and
/// [`VALUE`](codes::core::VALUE) for values that do not fit their fields, with their places in the collection; reading errors;
/// limits.
pub fn put_features(into: &mut Opened, text: &[u8]) -> Result<Arc<dyn Source>> {
    into.run(|container, task| {
        let old = read_first(container, task)?;
        task.budget.touch(text.len() as u64)?;
        // The points of the largest feature while their list grows, and the properties of one.
        let points = text.iter().filter(|byte| **byte == b'[').count() as u64;
        let held = points.saturating_mul(24).saturating_add(text.len() as u64);
        task.budget.memory(held)?;
        let mut next = NextMap::of(&old, &mut task.budget)?;
        collection::read(text, &mut next)?;
        let new = next.new;
        task.budget.release(held);
        new.to_draft_of(model::map(container, &codes::NO_MAP)?.file(), task)?.source(task)
    })
}

/// The property that has the field `kind` of a record, since `kind` is that of the feature.
const RECORD_KIND: &str = "record_kind";
/// The property that has it for lakes.
const FILLED_WITH: &str = "filled_with";
/// Kinds of features.
const KINDS: [&str; 9] = [
    "units",
    "buildings",
    "objects",
    "interactive",
    "portals",
    "spawns",
    "lakes",
    "movement_flags",
    "vision_flags",
];

/// A map on its way to have the records of a collection.
struct NextMap<'m, 'b> {
    old: &'m Map,
    new: Map,
    /// Records of the old map that have a feature, for each list in the order of [`KINDS`].
    seen: [Vec<bool>; 7],
    /// Lists of cells that have one.
    has_cells: [bool; 2],
    budget: &'b mut Budget,
}

impl<'m, 'b> NextMap<'m, 'b> {
    fn of(old: &'m Map, budget: &'b mut Budget) -> Result<NextMap<'m, 'b>> {
        let lengths = [
            old.units.len(),
            old.buildings.len(),
            old.objects.len(),
            old.interactive.len(),
            old.portals.len(),
            old.spawns.len(),
            old.lakes.len(),
        ];
        let mut seen: [Vec<bool>; 7] = Default::default();
        for (seen, length) in seen.iter_mut().zip(lengths) {
            *seen = budget.vec(length as u64)?;
            seen.resize(length, false);
        }
        // What is copied; a record of the largest kind for each one.
        let cells = old.movement_flags.len().saturating_add(old.vision_flags.len());
        let records = lengths.iter().fold(0, |sum: usize, length| sum.saturating_add(*length));
        let copied = [old.heights.as_bytes().len(), cells.saturating_mul(4), 1 << 16];
        let copied =
            copied.iter().fold(records.saturating_mul(16), |sum, it| sum.saturating_add(*it));
        budget.memory(copied as u64)?;
        let mut new = old.clone();
        new.units.clear();
        new.buildings.clear();
        new.objects.clear();
        new.interactive.clear();
        new.portals.clear();
        new.spawns.clear();
        new.lakes.clear();
        new.movement_flags.clear();
        new.vision_flags.clear();
        Ok(NextMap { old, new, seen, has_cells: [false; 2], budget })
    }
}

impl Parts for NextMap<'_, '_> {
    fn whole(&mut self, whole: Whole) -> Result<()> {
        let Whole { size, mut weather } = whole;
        if let Some(size) = size.filter(|size| *size != u64::from(self.old.size)) {
            let error = bad(format!("{}, the size of the map", self.old.size));
            return Err(error.found(size).field("size"));
        }
        let percent = WeatherShare::RECORD.field("percent");
        for (nth, name) in WEATHER.into_iter().enumerate() {
            let Some(value) = weather.take(name) else { continue };
            let share = percent.from_json(&value).and_then(|share| percent.encode(&share, &[]));
            let share = share.map_err(|error| error.field(name).field("weather"))?;
            if self.new.weather.len() <= nth {
                self.new.weather.resize(WEATHER.len(), 0);
            }
            if let (Some(place), Some(share)) = (self.new.weather.get_mut(nth), share.first()) {
                *place = *share;
            }
        }
        weather.finish(WEATHER.into_iter()).map_err(|error| error.field("weather"))
    }

    fn feature(&mut self, mut feature: Feature) -> Result<()> {
        let NextMap { old: map, new, seen, has_cells: [has_movement, has_vision], budget } = self;
        let [units, buildings, objects, interactive, portals, spawns, lakes] = seen;
        let feature = &mut feature;
        macro_rules! entity {
            ($list:ident) => {{
                let (old, entity) = record(&map.$list, $list, feature, RECORD_KIND)?;
                let cell = [Some(entity), old].map(|it| map.cell(it?.x.get(), it?.y.get()));
                let heights = cell.map(|cell| Some(i64::from(*map.heights.get(cell?)?)));
                follows(feature, "height", heights)?;
                budget.room(&mut new.$list, 1)?;
                new.$list.push(entity);
                finish(feature, names(&entity).chain([RECORD_KIND, "height"]))
            }};
        }
        match &*feature.properties.text("kind").map_err(|error| error.field("properties"))? {
            "units" => entity!(units),
            "buildings" => entity!(buildings),
            "objects" => entity!(objects),
            "interactive" => entity!(interactive),
            "portals" => entity!(portals),
            "spawns" => entity!(spawns),
            "lakes" => {
                let (old, lake) = record(&map.lakes, lakes, feature, FILLED_WITH)?;
                let surface = [Some(lake), old].map(|it| map.surface(&it?).map(i64::from));
                follows(feature, "surface", surface)?;
                let mut cells = [None; 2];
                for (cells, lake) in cells.iter_mut().zip([Some(lake), old]) {
                    let Some(lake) = lake else { continue };
                    let of_it = map.lake_cells(&lake, budget)?.len();
                    budget.release((of_it as u64).saturating_mul(4));
                    *cells = i64::try_from(of_it).ok();
                }
                follows(feature, "cells", cells)?;
                budget.room(&mut new.lakes, 1)?;
                new.lakes.push(lake);
                finish(feature, names(&lake).chain([FILLED_WITH, "surface", "cells"]))
            }
            "movement_flags" => {
                let new = &mut new.movement_flags;
                flags(&map.movement_flags, new, has_movement, feature, budget)
            }
            "vision_flags" => {
                flags(&map.vision_flags, &mut new.vision_flags, has_vision, feature, budget)
            }
            other => {
                let error = bad(KINDS.join(", ")).found(format!("`{other}`"));
                Err(error.field("kind").field("properties"))
            }
        }
    }
}

/// The record that a feature is of, as it was and as it is to be: with other values where the feature has them. New ones are of
/// zeros. The field `kind` is the property `kind`.
fn record<T: Described + Copy + FromBytes + IntoBytes>(
    old: &[T],
    seen: &mut [bool],
    feature: &mut Feature,
    kind: &'static str,
) -> Result<(Option<T>, T)> {
    let properties = &mut feature.properties;
    let mut before = None;
    if let Some(index) = properties.take("index") {
        let nth = index.as_u64().and_then(|nth| usize::try_from(nth).ok());
        let place = nth.and_then(|nth| Some((old.get(nth)?, seen.get_mut(nth)?)));
        let Some((record, false)) = place.map(|(it, seen)| (it, std::mem::replace(seen, true)))
        else {
            let expected = format!("a position below {}, which no other feature has", old.len());
            return Err(bad(expected).found(index.to_string()).field("index").field("properties"));
        };
        before = Some(*record);
    }
    let mut record = before.unwrap_or_else(T::new_zeroed);
    let bytes = record.as_mut_bytes();
    let cell = point(feature).map_err(|error| error.field("coordinates").field("geometry"))?;
    for (name, value) in ["x", "y"].into_iter().zip(cell) {
        put(T::RECORD, bytes, name, &Val::I(value.into()))?;
    }
    for slot in T::RECORD.fields.iter().filter(|slot| !matches!(slot.field.name, "x" | "y")) {
        let name = if slot.field.name == "kind" { kind } else { slot.field.name };
        if let Some(value) = feature.properties.take(name) {
            let value = slot.field.from_json(&value);
            let done = value.and_then(|value| put(T::RECORD, bytes, slot.field.name, &value));
            done.map_err(|error| error.field(name).field("properties"))?;
        }
    }
    Ok((before, record))
}

/// Puts a value into a field of a record.
fn put(of: &'static Record, bytes: &mut [u8], name: &str, value: &Val<'_>) -> Result<()> {
    let Some(slot) = of.fields.iter().find(|slot| slot.field.name == name) else { return Ok(()) };
    let start = slot.offset as usize;
    let place = bytes.get_mut(start..start.saturating_add(slot.size as usize));
    let stored = slot.field.encode(value, &[])?;
    match place.filter(|place| place.len() == stored.len()) {
        Some(place) => place.copy_from_slice(&stored),
        None => return Err(slot.field.misfit(value)),
    }
    Ok(())
}

/// The names of the fields of a record as properties.
fn names<T: Described>(_: &T) -> impl Iterator<Item = &'static str> {
    let names = T::RECORD.fields.iter().map(|slot| slot.field.name);
    names.filter(|name| !matches!(*name, "x" | "y" | "kind")).chain(["index"])
}

/// The cells of a feature of many points, in the place of those of the map.
fn flags(
    old: &[Cell],
    new: &mut Vec<Cell>,
    is_there: &mut bool,
    feature: &mut Feature,
    budget: &mut Budget,
) -> Result<()> {
    if std::mem::replace(is_there, true) {
        return Err(bad("one feature of this kind").field("kind").field("properties"));
    }
    let geometry = std::mem::take(&mut feature.geometry);
    if geometry.shape != "MultiPoint" || !geometry.coordinates.point.is_empty() {
        let error = bad("a `MultiPoint`").found(format!("`{}`", geometry.shape));
        return Err(error.field("geometry"));
    }
    let points = geometry.coordinates.points;
    budget.room(new, points.len())?;
    for (nth, point) in points.into_iter().enumerate() {
        let [x, y] = whole(point).map_err(|error| {
            error.within(Seg::Index(nth as u64)).field("coordinates").field("geometry")
        })?;
        new.push(Cell { x: I16::new(x), y: I16::new(y) });
    }
    follows(feature, "cells", [new.len(), old.len()].map(|count| i64::try_from(count).ok()))?;
    finish(feature, ["cells"].into_iter())
}

/// The cell of a feature that is a point.
fn point(feature: &Feature) -> Result<[i16; 2]> {
    let geometry = &feature.geometry;
    match *geometry.coordinates.point {
        [x, y] if geometry.shape == "Point" && geometry.coordinates.points.is_empty() => {
            whole([x, y])
        }
        _ => Err(bad("the two numbers of a `Point`").found(format!("a `{}`", geometry.shape))),
    }
}

/// A cell of its coordinates, which are whole numbers.
fn whole(point: [f32; 2]) -> Result<[i16; 2]> {
    let mut cell = [0; 2];
    for ((nth, number), place) in (0..).zip(point).zip(&mut cell) {
        let whole = number as i16;
        if f32::from(whole) != number {
            let found = match number.is_nan() {
                true => "no two numbers".to_owned(),
                false => number.to_string(),
            };
            let error = bad("a whole number from -32768 to 32767");
            return Err(error.found(found).within(Seg::Index(nth)));
        }
        *place = whole;
    }
    Ok(cell)
}

/// Refuses a value that follows from others and is another one: neither what follows now, nor what followed before, which
/// programs keep that know nothing of it.
fn follows(feature: &mut Feature, name: &'static str, known: [Option<i64>; 2]) -> Result<()> {
    let Some(value) = feature.properties.take(name) else { return Ok(()) };
    let number = value.as_i64();
    if number.is_some() && known.contains(&number) {
        return Ok(());
    }
    let expected = match known {
        [Some(now), _] => format!("{now}, which follows from other values, or nothing"),
        [None, _] => "nothing".to_owned(),
    };
    Err(bad(expected).found(value.to_string()).field(name).field("properties"))
}

/// Refuses properties that were not taken.
fn finish<'n>(feature: &mut Feature, known: impl Iterator<Item = &'n str>) -> Result<()> {
    let properties = std::mem::take(&mut feature.properties);
    properties.finish(known).map_err(|error| error.field("properties"))
}
