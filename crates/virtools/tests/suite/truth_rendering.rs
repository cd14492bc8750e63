//! Meshes, materials, textures and 2D entities of real files, beside what an independent decoder made of them.

use serde_json::Value as Json;
use spelunk_core::{Budget, Bytes, Limits, Strict, Task, text::until_nul};
use spelunk_fixtures::corpus;
use std::collections::BTreeMap;
use test_support::json::truth;
use virtools::{
    File,
    chunk::read::ObjRef,
    class::{Value, entity_2d::Entity2d, material, mesh::Mesh, texture},
    codec::Reference,
    file::data::Owner,
};
use zerocopy::IntoBytes;

/// What was compared, and what differs.
#[derive(Default)]
struct Report {
    compared: BTreeMap<String, usize>,
    wrong: Vec<String>,
}

/// One object, beside what is told of it. Every key that is told has to be asked for.
struct Subject<'s> {
    report: &'s mut Report,
    file: &'s File,
    array: &'static str,
    place: String,
    told: &'s serde_json::Map<String, Json>,
    asked: Vec<&'static str>,
}

impl Subject<'_> {
    fn is(&mut self, key: &'static str, found: Json) {
        self.asked.push(key);
        let told = self.told.get(key).unwrap_or_else(|| panic!("{}: no {key}", self.place));
        *self.report.compared.entry(format!("{}.{key}", self.array)).or_default() += 1;
        if !same(told, &found) {
            let wrong = format!("{} {key}: told {told}, found {found}", self.place);
            self.report.wrong.push(wrong);
        }
    }

    /// All that is told was compared.
    fn done(mut self) {
        self.asked.push("index");
        for key in self.told.keys() {
            if !self.asked.contains(&key.as_str()) {
                self.report.wrong.push(format!("{}: {key} was not compared", self.place));
            }
        }
    }

    /// The name of an object of the file as the truth has it.
    fn name(&self, reference: Reference) -> Json {
        let ObjRef::Index(index) = reference.get(true) else { return Json::Null };
        let table = self.file.table();
        text(table.name(&table.objects[index as usize]))
    }
}

/// Numbers are compared as the `f32` that they were in the file: the text of a double may be read one step off.
fn same(told: &Json, found: &Json) -> bool {
    match (told, found) {
        (Json::Number(told), Json::Number(found)) => match (told.as_i64(), found.as_i64()) {
            (Some(told), Some(found)) => told == found,
            _ => {
                let single = |number: &serde_json::Number| number.as_f64().map(|it| it as f32);
                single(told) == single(found)
            }
        },
        (Json::Array(told), Json::Array(found)) => {
            told.len() == found.len()
                && told.iter().zip(found).all(|(told, found)| same(told, found))
        }
        (Json::Object(told), Json::Object(found)) => {
            told.len() == found.len()
                && told.iter().all(|(key, told)| found.get(key).is_some_and(|it| same(told, it)))
        }
        _ => told == found,
    }
}

fn text(stored: &[u8]) -> Json {
    until_nul(stored).iter().map(|byte| char::from(*byte)).collect::<String>().into()
}

fn sum(items: &(impl IntoBytes + zerocopy::Immutable + ?Sized)) -> Json {
    format!("{:08x}", crc32fast::hash(items.as_bytes())).into()
}

fn list<T: Copy + Into<f64>>(items: &[T]) -> Json {
    items.iter().map(|item| (*item).into()).collect::<Vec<f64>>().into()
}

fn mesh(subject: &mut Subject<'_>, mesh: &Mesh) {
    let vertices = mesh.vertices.as_ref().expect("vertices");
    subject.is("flags", format!("{:#x}", mesh.flags.unwrap()).into());
    subject.is("vertices", vertices.count.into());
    subject.is("save_flags", vertices.save_flags.into());
    let [min, max] = vertices
        .bounding_box()
        .map_or([Json::Null, Json::Null], |bounds| bounds.map(|corner| list(&corner)));
    subject.is("bbox_min", min);
    subject.is("bbox_max", max);
    let slots = mesh.materials.iter().flatten().map(|slot| subject.name(slot.material));
    let slots: Vec<Json> = slots.collect();
    subject.is("materials", slots.into());
    subject.is("channels", mesh.channels.as_ref().map_or(0, Vec::len).into());
    subject.is("lines", mesh.lines.as_ref().map_or(0, |lines| lines.items.len()).into());
    subject.is("normals_stored", (!vertices.normals.is_empty()).into());
    subject.is("uv_count", vertices.uv.len().into());
    let normals = &vertices.normals;
    subject.is("normals_crc32", if normals.is_empty() { Json::Null } else { sum(&**normals) });
    subject.is("colors_crc32", sum(&*vertices.colors));
    subject.is("pos_crc32", sum(&*vertices.positions));
    subject.is("uv_crc32", sum(&*vertices.uv));
    let faces = mesh.faces.as_ref().expect("faces");
    subject.is("faces", faces.len().into());
    subject.is("faces_crc32", sum(&**faces));
}

fn material(subject: &mut Subject<'_>, material: &material::Material) {
    let data = material.data.as_ref().expect("data");
    let color = |argb| list(&material::rgba(argb).map(|part| f64::from(part) / 255.0));
    subject.is("diffuse", color(data.diffuse));
    subject.is("ambient", color(data.ambient));
    subject.is("specular", color(data.specular));
    subject.is("emissive", color(data.emissive));
    subject.is("power", data.specular_power.into());
    subject.is("texture", subject.name(data.texture));
    subject.is("border", format!("{:#010x}", data.border_color).into());
    subject.is("tex_blend", data.texture_blend().into());
    subject.is("min", data.min_filter().into());
    subject.is("mag", data.mag_filter().into());
    subject.is("src_blend", data.source_blend().into());
    subject.is("dst_blend", data.destination_blend().into());
    subject.is("shade", data.shade().into());
    subject.is("fill", data.fill().into());
    subject.is("address", data.address().into());
    subject.is("two_sided", data.has(0x01).into());
    subject.is("zwrite", data.has(0x02).into());
    subject.is("perspective", data.has(0x04).into());
    subject.is("alpha_blend", data.has(0x08).into());
    subject.is("alpha_test", data.has(0x10).into());
    subject.is("zfunc", data.z_function().into());
    subject.is("alpha_func", data.alpha_function().into());
    subject.is("alpha_ref", data.alpha_reference().into());
    subject.is("effect", material.effect().into());
}

fn texture(subject: &mut Subject<'_>, texture: &texture::Texture, budget: &mut Budget) {
    let bitmap = &texture.bitmap;
    let data = texture.data().expect("data");
    subject.is("slots", bitmap.slots().into());
    let names = bitmap.file_names.iter().flatten();
    let names: Vec<Json> =
        names.map(|name| if name.is_null() { Json::Null } else { text(name.text()) }).collect();
    subject.is("file_names", names.into());
    let embedded = bitmap.raw.as_ref().map(|raw| {
        let slots = raw.iter().enumerate().map(|(slot, image)| {
            let Some(image) = image else { return Json::Null };
            let picture = bitmap.rgba(slot, budget).unwrap().expect("a picture");
            serde_json::json!({
                "w": picture.width(),
                "h": picture.height(),
                "bpp": image.head.bits_per_pixel.get(),
                "kind": "raw planes",
                "alpha": !image.alpha.items.is_empty(),
                "rgba_topdown_crc32": sum(picture.pixels()),
            })
        });
        slots.collect::<Vec<Json>>()
    });
    subject.is("embedded", embedded.into());
    let movie = bitmap.movie.as_ref();
    subject.is("movie", movie.map_or(Json::Null, |movie| text(movie.text())));
    subject.is("save_option", data.save_option().into());
    subject.is("mip", data.mip_levels().into());
    subject.is("transparent", (data.flags & texture::TRANSPARENT != 0).into());
    let color = data.transparent_color.expect("a colour");
    subject.is("transparent_color", format!("{color:#010x}").into());
    subject.is("cubemap", (data.flags & texture::CUBE_MAP != 0).into());
    subject.is("video_format", data.video_format.into());
    let format = texture.save_format.as_ref().expect("a save format");
    subject.is("save_format_ext", text(format.extension()));
    let size = format.head.as_ref().map(|head| list(&[head.width.get(), head.height.get()]));
    subject.is("save_format_wh", size.into());
}

fn entity_2d(subject: &mut Subject<'_>, entity: &Entity2d) {
    let data = entity.data.as_ref().expect("data");
    subject.is("flags", format!("{:#x}", data.flags).into());
    subject.is("rect_ltrb", list(&data.rectangle));
    subject.is("src_rect_ltrb", data.source.map(|source| list(&source)).into());
    // Those without one have 0.
    subject.is("z", data.z_order.unwrap_or_default().into());
    let parent = data.parent.map_or(Json::Null, |parent| subject.name(parent));
    subject.is("parent", parent);
    let material = entity.material.map_or(Json::Null, |material| subject.name(material));
    subject.is("material", material);
}

#[test]
fn rendering_objects_are_what_an_independent_decoder_says() {
    let Some(files) = corpus::files("virtools", &["nmo", "cmo", "nms"]) else { return };
    let mut report = Report::default();
    let mut objects = BTreeMap::new();
    for real in files {
        let truth = truth(corpus::text(&format!("truth/virtools/{}.json", real.name))).unwrap();
        let mut sink = Strict;
        let limits = Limits::for_len(real.bytes.len() as u64);
        let mut task = Task::new(Budget::new(limits), &mut sink);
        let file = File::read_from(&Bytes::from(real.bytes), &mut task).unwrap();
        let mut budget = Budget::new(Limits::for_len(1 << 26));
        for (array, class) in
            [("meshes", 32), ("materials", 30), ("textures", 31), ("entities2d", 27)]
        {
            let all = file.table().objects.iter().enumerate();
            let of_class = all.filter(|(_, object)| object.class_id == class);
            let of_class: Vec<Json> = of_class.map(|(index, _)| index.into()).collect();
            let told = truth[array].as_array().unwrap();
            let indices: Vec<Json> = told.iter().map(|told| told["index"].clone()).collect();
            assert_eq!(of_class, indices, "{}: {array}", real.name);
            for told in told {
                let index = told["index"].as_u64().unwrap() as u32;
                let mut faults = Vec::new();
                let owner = Owner::Object(index);
                let saved = file.value(owner, &mut faults, &mut budget).unwrap().unwrap();
                assert_eq!(faults.len(), 0, "{}: {faults:?}", real.name);
                *objects.entry(array).or_insert(0) += 1;
                let mut subject = Subject {
                    report: &mut report,
                    file: &file,
                    array,
                    place: format!("{} {array} {index}", real.name),
                    told: told.as_object().unwrap(),
                    asked: Vec::new(),
                };
                let name = subject.name(Reference::index(index));
                subject.is("name", name);
                match &saved.value {
                    Value::Mesh(value) => mesh(&mut subject, value),
                    Value::Material(value) => material(&mut subject, value),
                    Value::Texture(value) => texture(&mut subject, value, &mut budget),
                    Value::Entity2d(value) => entity_2d(&mut subject, value),
                    other => panic!("{other:?}"),
                }
                subject.done();
            }
        }
    }
    for (key, count) in &report.compared {
        println!("{key:<32} {count:>8}");
    }
    println!("{:<32} {:>8}", "all", report.compared.values().sum::<usize>());
    let wrong = report.wrong;
    assert_eq!(wrong.len(), 0, "{:#?}", &wrong[..wrong.len().min(20)]);
    let least = [("entities2d", 142), ("materials", 372), ("meshes", 1452), ("textures", 268)];
    for (array, count) in least {
        assert!(objects[array] >= count, "{array}: {} objects", objects[array]);
    }
}
