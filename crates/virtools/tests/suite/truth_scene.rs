//! What objects of scenes saved, against what another decoder says of the same real files.

use serde_json::{Value as Json, json};
use spelunk_core::{Budget, Bytes, Limits, Strict, Task, text::until_nul};
use spelunk_fixtures::corpus;
use std::collections::BTreeMap;
use test_support::json::truth;
use virtools::{
    File,
    chunk::read::ObjRef,
    class::{
        self, Value,
        be_object::BeObject,
        camera::Camera,
        data_array::{Cell, DataArray},
        entity_3d::Entity3d,
        light::Light,
        object_animation::controller::Keys,
        parameter::Value as ParameterValue,
        sound::Sound,
    },
    codec::{Reference, Text},
    file::data::Owner,
};

/// Lists of the truth that this test compares.
const LISTS: &[&str] =
    &["entities", "groups", "data_arrays", "lights", "cameras", "sounds", "curves", "sprites3d"];

/// How many values of each list were compared.
#[derive(Default)]
struct Tally {
    compared: BTreeMap<String, usize>,
    wrong: Vec<String>,
}

impl Tally {
    /// Compares all that the truth says of one thing with what was made of its value.
    fn compare(&mut self, list: &str, path: &str, truth: &Json, ours: &Json) {
        match (truth, ours) {
            (Json::Object(all), Json::Object(_)) => {
                for (key, truth) in all {
                    match ours.get(key) {
                        Some(ours) => self.compare(list, &format!("{path}.{key}"), truth, ours),
                        None => self.wrong.push(format!("{path}.{key}: not compared")),
                    }
                }
            }
            (Json::Array(truth), Json::Array(ours)) if truth.len() == ours.len() => {
                for (index, (truth, ours)) in truth.iter().zip(ours).enumerate() {
                    self.compare(list, &format!("{path}[{index}]"), truth, ours);
                }
                *self.compared.entry(list.into()).or_default() += 1;
            }
            _ => {
                // Numbers are single precision; how they are written in text is not exact beyond that.
                let same = match (truth.as_f64(), ours.as_f64()) {
                    (Some(truth), Some(ours)) if truth.fract() != 0.0 => {
                        (truth as f32).to_bits() == (ours as f32).to_bits()
                    }
                    (Some(truth), Some(ours)) => truth == ours,
                    _ => truth == ours,
                };
                *self.compared.entry(list.into()).or_default() += 1;
                if !same {
                    self.wrong.push(format!("{path}: {ours} where {truth} belongs"));
                }
            }
        }
    }
}

/// A real file, opened.
struct Real {
    file: File,
    budget: Budget,
}

impl Real {
    fn open(bytes: Vec<u8>) -> Real {
        let mut sink = Strict;
        let limits = Limits::for_len(bytes.len() as u64);
        let mut task = Task::new(Budget::new(limits), &mut sink);
        let file = File::read_from(&Bytes::from(bytes), &mut task).unwrap();
        Real { file, budget: Budget::new(Limits::for_len(1 << 26)) }
    }

    fn value(&mut self, index: u32) -> Value {
        let mut faults = Vec::new();
        let value = self.file.value(Owner::Object(index), &mut faults, &mut self.budget).unwrap();
        assert!(faults.is_empty(), "{index}: {faults:?}");
        value.map(|saved| saved.value).unwrap_or_default()
    }

    fn class(&self, index: u32) -> String {
        class::name(self.file.table().objects[index as usize].class_id, u32::MAX).into()
    }

    /// The name of an object; `null` where it has none.
    fn name(&self, index: u32) -> Json {
        let table = self.file.table();
        let Some(object) = table.objects.get(index as usize) else { return Json::Null };
        match table.name(object) {
            [] => Json::Null,
            name => latin1(until_nul(name)),
        }
    }

    fn name_of(&self, reference: Reference) -> Json {
        match reference.get(true) {
            ObjRef::Index(index) => self.name(index),
            _ => Json::Null,
        }
    }

    fn names(&self, references: &[zerocopy::little_endian::U32]) -> Vec<Json> {
        let name = |index: &zerocopy::little_endian::U32| self.name(index.get());
        references.iter().map(name).collect()
    }
}

fn latin1(bytes: &[u8]) -> Json {
    Json::String(bytes.iter().map(|byte| char::from(*byte)).collect())
}

fn text(text: &Text) -> Json {
    if text.is_null() { Json::Null } else { latin1(text.text()) }
}

fn floats<const N: usize>(all: [f32; N]) -> Json {
    Json::Array(all.iter().map(|one| json!(f64::from(*one))).collect())
}

fn entity(real: &Real, value: &Entity3d) -> Json {
    let data = value.data.as_ref().unwrap();
    let Entity3d { be_object, meshes, .. } = value;
    let BeObject { object, scripts, attributes, .. } = be_object;
    json!({
        "parent": data.parent.map(|parent| real.name_of(parent)),
        "world_matrix_rows": data.world_matrix().map(floats).to_vec(),
        "mesh": meshes.as_ref().map(|meshes| real.name_of(meshes.current)),
        "mesh_count": meshes.as_ref().map_or(0, |meshes| meshes.all.len()),
        "entity_flags": format!("{:#x}", data.flags),
        "moveable_flags": format!("{:#x}", data.moveable_flags),
        "visible": !object.hidden && !object.hierarchically_hidden,
        "hierarchical_hide": object.hierarchically_hidden,
        "zorder": data.z_order.unwrap_or(0),
        "scripts": real.names(scripts.as_deref().unwrap_or_default()),
        "attributes": attributes.as_ref().map_or(0, |attributes| attributes.types.values.len()),
    })
}

fn light(light: &Light) -> Json {
    let data = light.light.as_ref().unwrap();
    let [blue, green, red, alpha] = data.color.to_le_bytes();
    let color = [red, green, blue, alpha].map(|channel| json!(f64::from(channel) / 255.0));
    let spot = data.spot.map(|spot| floats([spot.outer_cone, spot.inner_cone, spot.falloff]));
    json!({
        "type": data.kind(), "active": data.is_active(), "specular": data.is_specular(),
        "color": color.to_vec(), "attenuation": floats(data.attenuation),
        "range": f64::from(data.range), "spot": spot,
        "power": f64::from(light.power.unwrap_or(1.0)), "target": Json::Null,
    })
}

fn camera(camera: &Camera) -> Json {
    let data = camera.projection.as_ref().unwrap();
    json!({
        "proj": data.projection, "fov": f64::from(data.fov), "zoom": f64::from(data.zoom),
        "w": data.width(), "h": data.height(), "near": f64::from(data.near_plane),
        "far": f64::from(data.far_plane), "target": Json::Null,
    })
}

fn sound(sound: &Sound, duration: Option<i32>) -> Json {
    let source = sound.source.as_ref().unwrap();
    json!({
        "file": text(&source.file), "save_option": source.save_option, "duration_ms": duration,
    })
}

fn data_array(real: &mut Real, array: &DataArray, parameters: &mut usize) -> Json {
    let kinds = ["int", "float", "string", "object", "parameter"];
    let columns = array.columns.as_deref().unwrap_or_default();
    let rows = array.rows.as_deref().unwrap_or_default();
    let mut types = Vec::new();
    for column in columns {
        let guid = column.parameter_type.map(|[d1, d2]| format!("{d1:08x}-{d2:08x}"));
        types.push(json!({
            "name": text(&column.name), "type": kinds[column.column_type as usize - 1],
            "guid": guid,
        }));
    }
    for (nth, column) in columns.iter().enumerate() {
        for row in rows {
            let Cell::Parameter(reference) = &row.cells[nth] else { continue };
            let ObjRef::Index(index) = reference.get(true) else { continue };
            let Value::ParameterOut(out) = real.value(index) else { panic!("{index}: no value") };
            let content = out.parameter.parameter.unwrap();
            assert_eq!(Some(content.parameter_type), column.parameter_type, "{index}");
            assert!(!matches!(content.value, ParameterValue::Absent), "{index}");
            *parameters += 1;
        }
    }
    let refers = |kind: &str, reference: &Reference| {
        let index = reference.value as i32;
        json!({ "ref": kind, "index": index, "name": real.name_of(*reference) })
    };
    let cell = |cell: &Cell| match cell {
        Cell::Int(value) => json!(value),
        Cell::Float(value) => json!(f64::from(*value)),
        Cell::Text(value) => text(value),
        Cell::Object(value) => refers("obj", value),
        Cell::Parameter(value) => refers("param", value),
        Cell::Empty | Cell::Value(_) => panic!("no cell of a file"),
    };
    let first = rows.iter().take(3);
    let first: Vec<Json> = first.map(|row| row.cells.iter().map(cell).collect()).collect();
    json!({ "columns": types, "rows": rows.len(), "first_rows": first })
}

/// All that this test can tell of an object: its lists, and what each says of it.
fn tell(real: &mut Real, index: u32, parameters: &mut usize) -> Vec<(&'static str, Json)> {
    let mut told = Vec::new();
    match real.value(index) {
        Value::Entity3d(value) => told.push(("entities", entity(real, &value))),
        Value::Camera(value) => {
            told.push(("entities", entity(real, &value.entity)));
            told.push(("cameras", camera(&value)));
        }
        Value::TargetCamera(value) => {
            told.push(("entities", entity(real, &value.camera.entity)));
            let mut one = camera(&value.camera);
            one["target"] = value.target.map_or(Json::Null, |target| real.name_of(target));
            told.push(("cameras", one));
        }
        Value::Light(value) => {
            told.push(("entities", entity(real, &value.entity)));
            told.push(("lights", light(&value)));
        }
        Value::TargetLight(value) => {
            told.push(("entities", entity(real, &value.light.entity)));
            let mut one = light(&value.light);
            one["target"] = value.target.map_or(Json::Null, |target| real.name_of(target));
            told.push(("lights", one));
        }
        Value::CurvePoint(value) => told.push(("entities", entity(real, &value.entity))),
        Value::Sprite3d(value) => {
            told.push(("entities", entity(real, &value.entity)));
            let sprite = value.sprite.as_ref().unwrap();
            told.push((
                "sprites3d",
                json!({
                    "mode": sprite.mode, "half_size": floats(sprite.half_size),
                    "offset": floats(sprite.offset), "uv_ltrb": floats(sprite.uv),
                    "material": real.name_of(sprite.material),
                }),
            ));
        }
        Value::Curve(value) => {
            told.push(("entities", entity(real, &value.entity)));
            let curve = value.curve.as_ref().unwrap();
            told.push((
                "curves",
                json!({
                    "points": real.names(&curve.points), "fitting": f64::from(curve.fitting),
                    "steps": curve.steps, "open": curve.open != 0,
                }),
            ));
        }
        Value::Group(value) => {
            let members = value.members.as_deref().unwrap_or_default();
            let first = real.names(&members[..members.len().min(5)]);
            told.push(("groups", json!({ "members": members.len(), "first_members": first })));
        }
        Value::WaveSound(value) => told.push(("sounds", sound(&value.sound, value.duration))),
        Value::DataArray(value) => {
            told.push(("data_arrays", data_array(real, &value, parameters)));
        }
        _ => {}
    }
    for (_, json) in &mut told {
        json["index"] = json!(index);
        json["name"] = real.name(index);
        json["class"] = json!(real.class(index));
    }
    told
}

/// Every number that the truth has of these lists is that of the values, and the lists hold the same objects.
#[test]
fn scenes_are_as_another_decoder_says() {
    let Some(files) = corpus::files("virtools", &["nmo", "cmo", "nms"]) else { return };
    let mut tally = Tally::default();
    let (mut things, mut parameters) = (BTreeMap::new(), 0);
    let count = files.len();
    for file in files {
        let truth = truth(corpus::text(&format!("truth/virtools/{}.json", file.name))).unwrap();
        let mut real = Real::open(file.bytes);
        let mut told: BTreeMap<&str, Vec<Json>> = BTreeMap::new();
        let mut classes: BTreeMap<String, usize> = BTreeMap::new();
        for index in 0..real.file.table().objects.len() as u32 {
            *classes.entry(real.class(index)).or_default() += 1;
            for (list, json) in tell(&mut real, index, &mut parameters) {
                told.entry(list).or_default().push(json);
            }
        }
        tally.compare("class_counts", &file.name, &truth["class_counts"], &json!(classes));
        assert_eq!(truth["class_counts"].as_object().unwrap().len(), classes.len());
        for list in LISTS {
            let mut all = truth[*list].as_array().unwrap().clone();
            all.sort_by_key(|one| one["index"].as_u64());
            let ours = Json::Array(told.remove(list).unwrap_or_default());
            *things.entry(*list).or_insert(0) += all.len();
            tally.compare(list, &format!("{} {list}", file.name), &Json::Array(all), &ours);
        }
    }
    println!("{count} files");
    for (list, compared) in &tally.compared {
        let things = things.get(list.as_str()).copied().unwrap_or_default();
        println!("{list:<16} {things:>6} things {compared:>8} values compared");
    }
    println!("{parameters} cells hold their value in a parameter");
    let wrong = &tally.wrong;
    assert!(wrong.is_empty(), "{} wrong: {:#?}", wrong.len(), &wrong[..wrong.len().min(40)]);
}

/// Nothing of the classes of scenes is left unread inside other values: controllers of animations are all of known
/// types, and the values with which objects start in a scene are typed.
#[test]
fn nothing_is_left_inside() {
    let Some(files) = corpus::files("virtools", &["nmo", "cmo", "nms"]) else { return };
    let (mut keyed, mut keys, mut starts) = (BTreeMap::new(), 0, BTreeMap::new());
    for file in files {
        let mut real = Real::open(file.bytes);
        for index in 0..real.file.table().objects.len() as u32 {
            match real.value(index) {
                Value::ObjectAnimation(value) => {
                    let Some(animation) = value.animation else { continue };
                    for controller in &animation.controllers {
                        *keyed.entry(controller.controller_type).or_insert(0) += 1;
                        keys += match &controller.keys {
                            Keys::Other(_) => panic!("{:#x}", controller.controller_type),
                            Keys::Vectors(keys) => keys.len(),
                            Keys::Quaternions(keys) => keys.len(),
                            Keys::TcbVectors(keys) => keys.len(),
                            Keys::TcbQuaternions(keys) => keys.len(),
                            Keys::Bezier(keys) => keys.len(),
                            Keys::FixedBezier(keys) => keys.len(),
                            Keys::Morph(morph) => morph.keys.len(),
                        };
                    }
                }
                Value::Level(level) => {
                    let scene = level.scene.unwrap().scene.unwrap();
                    assert!(scene.extras.is_none(), "{:?}", scene.extras);
                    assert!(!scene.header.file_mode);
                    let Some(objects) = scene.value.objects else { continue };
                    assert_eq!(objects.values.len(), 2 * objects.objects.len());
                    assert_eq!(objects.flags.len(), objects.objects.len());
                    for value in objects.values.iter().flatten() {
                        let class = class::name(value.header.class_id, u32::MAX).into_owned();
                        let (all, typed): &mut (usize, usize) = starts.entry(class).or_default();
                        *all += 1;
                        *typed += usize::from(value.extras.is_none());
                    }
                }
                _ => {}
            }
        }
    }
    for (controller_type, count) in &keyed {
        println!("{controller_type:#010x} {count:>4} controllers");
    }
    println!("{keys} keys");
    for (class, (all, typed)) in starts {
        println!("{class:<16} {all:>4} initial values, {typed:>4} typed");
    }
}
