//! Documents of models, made by hand and taken apart.

use serde_json::{Value, json};
use spelunk::{
    Bytes, Options, Result, WriteOptions,
    models::import::{self, Imported},
};
use std::sync::Arc;
use test_support::findings::codes;

/// Imports a source into a new file, or into these bytes.
pub fn import(
    source: &[u8],
    name: &str,
    into: Option<&[u8]>,
    options: &import::Options,
) -> Result<Imported> {
    let source = Bytes::copy_from_slice(source);
    let into = into.map(|bytes| Arc::new(Bytes::copy_from_slice(bytes)) as Arc<_>);
    import::import(&source, name, into, options, &Options::default())
}

/// The file that comes of it, and the codes of what was told.
pub fn imported(
    source: &[u8],
    name: &str,
    into: Option<&[u8]>,
    options: &import::Options,
) -> (Vec<u8>, Vec<&'static str>) {
    let mut made = import(source, name, into, options).unwrap();
    let told = codes(&made.opened.take_findings());
    let bytes = super::written(&mut made.opened, &WriteOptions::default());
    (bytes, told)
}

/// A `.glb` file of a document and its buffer.
pub fn glb(document: &Value, buffer: &[u8]) -> Vec<u8> {
    let mut text = serde_json::to_vec(document).unwrap();
    text.resize(text.len().next_multiple_of(4), b' ');
    let mut out = Vec::new();
    let len = 12 + 8 + text.len() + 8 + buffer.len().next_multiple_of(4);
    for word in [0x4654_6C67, 2, len as u32, text.len() as u32, 0x4E4F_534A] {
        out.extend(u32::to_le_bytes(word));
    }
    out.extend(text);
    out.extend(u32::to_le_bytes(buffer.len().next_multiple_of(4) as u32));
    out.extend(b"BIN\0");
    out.extend(buffer);
    out.resize(len, 0);
    out
}

/// A document that grows by accessors, each with a view of its own.
pub struct Document {
    /// The document.
    pub json: Value,
    /// Its buffer.
    pub buffer: Vec<u8>,
}

impl Default for Document {
    fn default() -> Document {
        let json = json!({
            "asset": {"version": "2.0"},
            "scene": 0,
            "scenes": [{"nodes": [0]}],
            "nodes": [],
            "meshes": [],
            "bufferViews": [],
            "accessors": [],
        });
        Document { json, buffer: Vec::new() }
    }
}

impl Document {
    /// Adds to one of the lists of the document; gives the position there.
    pub fn add(&mut self, list: &str, value: Value) -> usize {
        if self.json[list].is_null() {
            self.json[list] = json!([]);
        }
        let list = self.json[list].as_array_mut().unwrap();
        list.push(value);
        list.len() - 1
    }

    /// Adds a view of these bytes.
    pub fn view(&mut self, bytes: &[u8]) -> usize {
        self.buffer.resize(self.buffer.len().next_multiple_of(4), 0);
        let start = self.buffer.len();
        self.buffer.extend(bytes);
        self.add(
            "bufferViews",
            json!({"buffer": 0, "byteOffset": start, "byteLength": bytes.len()}),
        )
    }

    /// Adds an accessor of these bytes.
    pub fn accessor(&mut self, bytes: &[u8], component: u32, kind: &str, count: usize) -> usize {
        let view = self.view(bytes);
        self.add(
            "accessors",
            json!({"bufferView": view, "componentType": component, "type": kind, "count": count}),
        )
    }

    /// Adds tuples of numbers.
    pub fn floats<const N: usize>(&mut self, tuples: &[[f32; N]]) -> usize {
        let bytes: Vec<u8> =
            tuples.iter().flatten().flat_map(|number| number.to_le_bytes()).collect();
        self.accessor(&bytes, 5126, ["", "SCALAR", "VEC2", "VEC3", "VEC4"][N], tuples.len())
    }

    /// Adds indices.
    pub fn indices(&mut self, indices: &[u16]) -> usize {
        let bytes: Vec<u8> = indices.iter().flat_map(|index| index.to_le_bytes()).collect();
        self.accessor(&bytes, 5123, "SCALAR", indices.len())
    }

    /// Adds an image.
    pub fn image(&mut self, name: &str, file: &[u8]) -> usize {
        let view = self.view(file);
        self.add("images", json!({"name": name, "mimeType": "image/png", "bufferView": view}))
    }

    /// The document as a `.glb` file.
    pub fn glb(mut self) -> Vec<u8> {
        self.json["buffers"] = json!([{"byteLength": self.buffer.len()}]);
        glb(&self.json, &self.buffer)
    }
}

/// A PNG file of one colour.
pub fn png(width: u32, height: u32, pixel: impl Fn(u32, u32) -> [u8; 4]) -> Vec<u8> {
    let picture = image::RgbaImage::from_fn(width, height, |x, y| image::Rgba(pixel(x, y)));
    let mut out = std::io::Cursor::new(Vec::new());
    picture.write_to(&mut out, image::ImageFormat::Png).unwrap();
    out.into_inner()
}

/// A `.glb` file taken apart: its document, in which accessors stand as their numbers, and images as their bytes.
pub fn resolved(file: &[u8]) -> Value {
    let gltf = gltf::Gltf::from_slice(file).unwrap();
    let buffer = gltf.blob.clone().unwrap_or_default();
    let mut document = serde_json::to_value(gltf.document.as_json()).unwrap();
    let numbers: Vec<Value> =
        gltf.accessors().map(|accessor| numbers(&accessor, &buffer)).collect();
    for mesh in document["meshes"].as_array_mut().into_iter().flatten() {
        for primitive in mesh["primitives"].as_array_mut().unwrap() {
            let attributes = primitive["attributes"].as_object_mut().unwrap();
            for attribute in attributes.values_mut().chain([]) {
                *attribute = numbers[attribute.as_u64().unwrap() as usize].clone();
            }
            if let Some(indices) = primitive["indices"].as_u64() {
                primitive["indices"] = numbers[indices as usize].clone();
            }
        }
    }
    let views: Vec<&[u8]> =
        gltf.views().map(|view| &buffer[view.offset()..view.offset() + view.length()]).collect();
    for image in document["images"].as_array_mut().into_iter().flatten() {
        image["bufferView"] = json!(views[image["bufferView"].as_u64().unwrap() as usize]);
    }
    for animation in document["animations"].as_array_mut().into_iter().flatten() {
        for sampler in animation["samplers"].as_array_mut().unwrap() {
            for key in ["input", "output"] {
                sampler[key] = numbers[sampler[key].as_u64().unwrap() as usize].clone();
            }
        }
    }
    for list in ["accessors", "bufferViews", "buffers"] {
        document.as_object_mut().unwrap().remove(list);
    }
    document
}

fn numbers(accessor: &gltf::Accessor<'_>, buffer: &[u8]) -> Value {
    let view = accessor.view().unwrap();
    let start = view.offset() + accessor.offset();
    let bytes = &buffer[start..start + accessor.count() * accessor.size()];
    let size = accessor.data_type().size();
    let number = |bytes: &[u8]| {
        let whole = bytes.iter().rev().fold(0_u32, |number, byte| number << 8 | u32::from(*byte));
        match accessor.data_type() {
            gltf::accessor::DataType::F32 => json!(f32::from_bits(whole)),
            _ => json!(whole),
        }
    };
    bytes.chunks_exact(size).map(number).collect()
}

/// Where two documents differ, numbers by more than a part of themselves, or of 1.
pub fn differences(a: &Value, b: &Value, tolerance: f64) -> Vec<String> {
    let mut found = Vec::new();
    compare(a, b, tolerance, "", &mut found);
    found
}

fn compare(a: &Value, b: &Value, tolerance: f64, path: &str, found: &mut Vec<String>) {
    match (a, b) {
        (Value::Object(one), Value::Object(other)) => {
            let mut keys: Vec<&String> = one.keys().chain(other.keys()).collect();
            keys.sort();
            keys.dedup();
            for key in keys {
                compare(&a[key], &b[key], tolerance, &format!("{path}/{key}"), found);
            }
        }
        (Value::Array(one), Value::Array(other)) if one.len() == other.len() => {
            for (at, (one, other)) in one.iter().zip(other).enumerate() {
                compare(one, other, tolerance, &format!("{path}/{at}"), found);
            }
        }
        (Value::Number(one), Value::Number(other)) => {
            let [one, other] = [one, other].map(|number| number.as_f64().unwrap());
            if (one - other).abs() > tolerance * one.abs().max(1.0) {
                found.push(format!("{path}: {one} and {other}"));
            }
        }
        _ if a == b => {}
        _ => {
            let short = |value: &Value| value.to_string().chars().take(80).collect::<String>();
            found.push(format!("{path}: {} and {}", short(a), short(b)));
        }
    }
}
