//! The document, and the numbers in its buffers. Nothing of it is trusted: every reference and range is checked.

use super::sizes;
use crate::import::folder::{SourceFolder, beside};
use base64::prelude::{BASE64_STANDARD, Engine};
use gltf_json::{
    Accessor, Index, Path, Root,
    accessor::{ComponentType, Type},
    buffer::View,
    mesh::Semantic,
    validation::{Checked, Error as Fault, Validate},
};
use percent_encoding::percent_decode_str;
use serde_json::Value;
use spelunk_core::{Budget, Bytes, Error, Result, ResultExt, Seg, source};
use spelunk_open::codes;

/// Extensions that the importer knows how to take, or may pass over.
const KNOWN: &[&str] = &[
    "KHR_lights_punctual",
    "KHR_materials_unlit",
    "KHR_texture_transform",
    "KHR_mesh_quantization",
];

/// A document with its buffers.
#[derive(Debug)]
pub struct Document {
    pub root: Root,
    buffers: Vec<Bytes>,
    /// The folder of the files that it names.
    folder: Option<SourceFolder>,
}

fn bad() -> Error {
    Error::new(&codes::BAD_MODEL)
}

/// Whether a file is a glTF document: binary, or text with an `asset` in it.
pub fn is_gltf(file: &[u8]) -> bool {
    let has = |part: &[u8], text: &[u8]| part.windows(text.len()).any(|part| part == text);
    let start = file.trim_ascii_start();
    // A document of ours says so first; its objects may have any name.
    let is_ours = has(start.get(..64).unwrap_or(start), b"\"spelunk_document\"");
    let is_text = start.starts_with(b"{") && !is_ours;
    file.starts_with(b"glTF") || is_text && has(file, b"\"asset\"")
}

/// The text and the binary part of a `.glb` file.
fn split(file: &Bytes) -> Result<(Bytes, Option<Bytes>)> {
    let word = |at: usize| {
        let bytes = file.get(at..at.saturating_add(4))?;
        Some(u32::from_le_bytes(bytes.try_into().ok()?))
    };
    let version = word(4);
    if version != Some(2) {
        let found = version.map_or_else(|| "the end of the file".to_owned(), |it| it.to_string());
        return Err(bad().field("version").expected("2").found(found));
    }
    let chunk = |at: usize, kind: &'static str| -> Result<Option<(Bytes, usize)>> {
        let (Some(len), Some(found)) = (word(at), file.get(at + 4..at + 8)) else {
            return Ok(None);
        };
        if found.trim_ascii_end() != kind.as_bytes().trim_ascii_end() {
            return Ok(None);
        }
        let start = (at as u64).saturating_add(8);
        let end = start.saturating_add(len.into());
        let part = source::part(file, start..end).ok_or_else(|| {
            let left = (file.len() as u64).saturating_sub(start);
            bad().field("chunk").expected(format!("{len} bytes")).found(format!("{left} bytes"))
        })?;
        Ok(Some((part, usize::try_from(end).unwrap_or(usize::MAX))))
    };
    let (text, end) =
        chunk(12, "JSON")?.ok_or_else(|| bad().field("chunk").expected("a chunk `JSON`"))?;
    let binary = chunk(end, "BIN\0")?.map(|(part, _)| part);
    Ok((text, binary))
}

impl Document {
    /// Reads a document. Files that it names are looked for in `folder`, and nowhere else.
    ///
    /// # Errors
    /// [`BAD_MODEL`](codes::BAD_MODEL) for what is no glTF 2.0; [`NOT_MODELLED`](codes::NOT_MODELLED) where it
    /// requires an extension that is not known; reading errors; limits.
    pub fn read(
        file: &Bytes,
        folder: Option<&SourceFolder>,
        budget: &mut Budget,
    ) -> Result<Document> {
        let (text, binary) =
            if file.starts_with(b"glTF") { split(file)? } else { (file.clone(), None) };
        budget.touch(text.len() as u64)?;
        budget.memory(sizes::memory(&text).saturating_add(text.len() as u64))?;
        let root: Root = serde_json::from_slice(&text)
            .map_err(|error| bad().expected("glTF 2.0").found(error.to_string()))?;
        check(&root)?;
        let mut document = Document { root, buffers: Vec::new(), folder: folder.cloned() };
        for (nth, buffer) in document.root.buffers.iter().enumerate() {
            let within = |error: Error| error.within(Seg::Index(nth as u64)).field("buffers");
            let bytes = match &buffer.uri {
                Some(uri) => document.load(uri, budget).map_err(within)?,
                None => binary.clone().filter(|_| nth == 0).unwrap_or_default(),
            };
            let wanted = buffer.byte_length.0;
            let bytes = source::part(&bytes, 0..wanted).ok_or_else(|| {
                let found = format!("{} bytes", bytes.len());
                within(bad().expected(format!("{wanted} bytes")).found(found))
            })?;
            document.buffers.push(bytes);
        }
        Ok(document)
    }

    /// Loads the bytes that a URI names: data in itself, or a file beside the document or below that.
    ///
    /// # Errors
    /// [`BAD_MODEL`](codes::BAD_MODEL) for other URIs; reading errors; limits.
    pub fn load(&self, uri: &str, budget: &mut Budget) -> Result<Bytes> {
        if let Some(data) = uri.strip_prefix("data:") {
            let (_, content) = data
                .split_once(";base64,")
                .ok_or_else(|| bad().field("uri").expected("data in base64"))?;
            budget.memory(content.len() as u64)?;
            let decoded = BASE64_STANDARD.decode(content);
            let decoded = decoded.map_err(|error| bad().field("uri").found(error.to_string()))?;
            return Ok(decoded.into());
        }
        let name = percent_decode_str(uri).decode_utf8_lossy().into_owned();
        let file = beside(self.folder.as_ref(), &name).field("uri")?;
        file.read(0..file.len(), budget)
    }

    /// The bytes of a view.
    ///
    /// # Errors
    /// [`BAD_MODEL`](codes::BAD_MODEL) where it is not in its buffer.
    pub fn view(&self, index: Index<View>) -> Result<Bytes> {
        let bytes = self.root.get(index).and_then(|view| {
            let start = view.byte_offset.unwrap_or_default().0;
            let buffer = self.buffers.get(view.buffer.value())?;
            source::part(buffer, start..start.checked_add(view.byte_length.0)?)
        });
        bytes.ok_or_else(|| {
            bad()
                .within(Seg::Index(index.value() as u64))
                .field("bufferViews")
                .expected("a range of its buffer")
        })
    }

    /// The tuples of an accessor, of `N` numbers each. Whole numbers are parts of their largest one where the accessor
    /// says so.
    ///
    /// # Errors
    /// [`BAD_MODEL`](codes::BAD_MODEL) where there are not as many, or others; limits.
    pub fn tuples<const N: usize>(
        &self,
        index: Index<Accessor>,
        budget: &mut Budget,
    ) -> Result<Vec<[f32; N]>> {
        let within =
            |error: Error| error.within(Seg::Index(index.value() as u64)).field("accessors");
        self.tuples_of(index, budget).map_err(within)
    }

    fn tuples_of<const N: usize>(
        &self,
        index: Index<Accessor>,
        budget: &mut Budget,
    ) -> Result<Vec<[f32; N]>> {
        let accessor = self.root.get(index).ok_or_else(bad)?;
        let (Checked::Valid(component), Checked::Valid(kind)) =
            (accessor.component_type, accessor.type_)
        else {
            return Err(bad());
        };
        let count = parts(kind);
        if count != N {
            return Err(bad().field("type").expected(format!("{N} numbers")).found(count));
        }
        let size = component.0.size();
        let number = |bytes: &[u8]| number(bytes, component.0, accessor.normalized);
        let tuple = |bytes: &[u8]| {
            let mut numbers = bytes.chunks_exact(size).map(number);
            std::array::from_fn(|_| numbers.next().unwrap_or_default())
        };
        let mut tuples = budget.vec(accessor.count.0)?;
        budget.touch(accessor.count.0.saturating_mul(N as u64).saturating_mul(4))?;
        let wanted = ElementLayout { count: accessor.count.0, size: size.saturating_mul(N) };
        match accessor.buffer_view {
            Some(view) => {
                let start = accessor.byte_offset.unwrap_or_default().0;
                let bytes = self.view(view)?;
                let stride = self.root.get(view).and_then(|view| view.byte_stride);
                let stride = stride.map(|stride| stride.0);
                tuples.extend(wanted.of(&bytes, start, stride)?.map(tuple));
            }
            None => {
                let count = usize::try_from(accessor.count.0).unwrap_or_default();
                tuples.resize(count, [0.0; N]);
            }
        }
        if let Some(sparse) = &accessor.sparse {
            let Checked::Valid(kind) = sparse.indices.component_type else { return Err(bad()) };
            let positions = ElementLayout { count: sparse.count.0, size: kind.0.size() };
            let at = self.view(sparse.indices.buffer_view)?;
            let at = positions.of(&at, sparse.indices.byte_offset.0, None)?;
            let values = self.view(sparse.values.buffer_view)?;
            let wanted = ElementLayout { count: sparse.count.0, ..wanted };
            let values = wanted.of(&values, sparse.values.byte_offset.0, None)?;
            budget.steps(sparse.count.0)?;
            for (at, value) in at.zip(values) {
                let at = whole(at) as usize;
                let slot = tuples.get_mut(at);
                *slot.ok_or_else(|| bad().field("sparse").found(at))? = tuple(value);
            }
        }
        Ok(tuples)
    }

    /// The indices of an accessor, all of which are below `limit`.
    ///
    /// # Errors
    /// [`BAD_MODEL`](codes::BAD_MODEL) for others; limits.
    pub fn indices(
        &self,
        index: Index<Accessor>,
        limit: usize,
        budget: &mut Budget,
    ) -> Result<Vec<u32>> {
        let within =
            |error: Error| error.within(Seg::Index(index.value() as u64)).field("accessors");
        let mut read = || -> Result<Vec<u32>> {
            let accessor = self.root.get(index).ok_or_else(bad)?;
            let (Checked::Valid(component), Checked::Valid(Type::Scalar), Some(view), None) =
                (accessor.component_type, accessor.type_, accessor.buffer_view, &accessor.sparse)
            else {
                return Err(bad().expected("single numbers in a view"));
            };
            if !matches!(component.0, ComponentType::U8 | ComponentType::U16 | ComponentType::U32) {
                return Err(bad().field("componentType").expected("whole numbers without a sign"));
            }
            let wanted = ElementLayout { count: accessor.count.0, size: component.0.size() };
            let bytes = self.view(view)?;
            let mut indices = budget.vec(accessor.count.0)?;
            budget.touch(accessor.count.0.saturating_mul(4))?;
            let stride = self.root.get(view).and_then(|view| view.byte_stride);
            let start = accessor.byte_offset.unwrap_or_default().0;
            indices.extend(wanted.of(&bytes, start, stride.map(|stride| stride.0))?.map(whole));
            match indices.iter().find(|index| **index as usize >= limit) {
                Some(index) => Err(bad().expected(format!("indices below {limit}")).found(*index)),
                None => Ok(indices),
            }
        };
        read().map_err(within)
    }
}

/// Whether all references of a document lead somewhere, and nothing is required that is not known.
fn check(root: &Root) -> Result<()> {
    if !root.asset.version.starts_with("2.") {
        let found = format!("`{}`", root.asset.version);
        return Err(bad().field("version").field("asset").expected("2.0").found(found));
    }
    let unknown: Vec<&str> = root
        .extensions_required
        .iter()
        .map(String::as_str)
        .filter(|name| !KNOWN.contains(name))
        .collect();
    if !unknown.is_empty() {
        return Err(Error::new(&codes::NOT_MODELLED)
            .field("extensionsRequired")
            .expected("none, or extensions that are known")
            .found(unknown.join(", ")));
    }
    check_positions(root)?;
    let mut first = None;
    root.validate(root, Path::new, &mut |path, fault| {
        if fault == Fault::Unsupported || first.is_some() {
            return;
        }
        let path = path();
        // What the smallest and largest numbers are can be seen.
        let bounds = [".min", ".max"].iter().any(|end| path.as_str().ends_with(end));
        if !(bounds && fault == Fault::Missing) {
            first = Some((path, fault));
        }
    });
    match first {
        None => Ok(()),
        Some((path, fault)) => {
            Err(bad().within(Seg::Key(path.as_str().to_owned().into())).found(fault.to_string()))
        }
    }
}

/// Whether the accessors of all positions are there, and bounds are a few numbers: validation takes the one for granted,
/// and copies the others for each primitive.
fn check_positions(root: &Root) -> Result<()> {
    let few = |bounds: &Value| {
        let numbers = bounds.as_array().filter(|numbers| numbers.len() <= 16);
        numbers.is_some_and(|numbers| numbers.iter().all(Value::is_number))
    };
    for (nth, accessor) in root.accessors.iter().enumerate() {
        if ![&accessor.min, &accessor.max].into_iter().flatten().all(few) {
            let error = bad().expected("`min` and `max` of up to 16 numbers");
            return Err(error.within(Seg::Index(nth as u64)).field("accessors"));
        }
    }
    for (nth, mesh) in root.meshes.iter().enumerate() {
        let attributes = mesh.primitives.iter().map(|primitive| &primitive.attributes);
        let mut positions =
            attributes.filter_map(|it| it.get(&Checked::Valid(Semantic::Positions)));
        if let Some(index) = positions.find(|index| root.get(**index).is_none()) {
            let error = bad().field("POSITION").found(index.value());
            return Err(error.within(Seg::Index(nth as u64)).field("meshes"));
        }
    }
    Ok(())
}

/// Number of elements that are wanted, and of the bytes of each.
#[derive(Clone, Copy)]
struct ElementLayout {
    count: u64,
    size: usize,
}

impl ElementLayout {
    /// The bytes of each element.
    fn of(
        self,
        bytes: &[u8],
        start: u64,
        stride: Option<usize>,
    ) -> Result<impl Iterator<Item = &[u8]>> {
        let stride = stride.unwrap_or(self.size).max(1);
        let steps = self.count.saturating_sub(1);
        let end = steps
            .checked_mul(stride as u64)
            .and_then(|len| len.checked_add(start)?.checked_add(self.size as u64));
        let fits = self.count == 0 || end.is_some_and(|end| end <= bytes.len() as u64);
        if !fits || stride < self.size {
            return Err(bad()
                .expected(format!("{} elements of {} bytes", self.count, self.size))
                .found(format!("{} bytes", bytes.len())));
        }
        let start = usize::try_from(start).unwrap_or(usize::MAX).min(bytes.len());
        let count = usize::try_from(self.count).unwrap_or_default();
        let all = bytes.get(start..).unwrap_or_default().chunks(stride).take(count);
        Ok(all.map(move |element| element.get(..self.size).unwrap_or_default()))
    }
}

/// Numbers of a tuple.
const fn parts(kind: Type) -> usize {
    match kind {
        Type::Scalar => 1,
        Type::Vec2 => 2,
        Type::Vec3 => 3,
        Type::Vec4 | Type::Mat2 => 4,
        Type::Mat3 => 9,
        Type::Mat4 => 16,
    }
}

/// A whole number without a sign, of up to four bytes.
fn whole(bytes: &[u8]) -> u32 {
    bytes.iter().rev().fold(0, |number, byte| number << 8 | u32::from(*byte))
}

fn number(bytes: &[u8], kind: ComponentType, normalized: bool) -> f32 {
    let whole = whole(bytes);
    let part = |value: f32, most: f32| if normalized { (value / most).max(-1.0) } else { value };
    match kind {
        ComponentType::I8 => part(f32::from(whole as u8 as i8), 127.0),
        ComponentType::U8 => part(whole as f32, 255.0),
        ComponentType::I16 => part(f32::from(whole as u16 as i16), 32767.0),
        ComponentType::U16 => part(whole as f32, 65535.0),
        ComponentType::U32 => whole as f32,
        ComponentType::F32 => f32::from_bits(whole),
    }
}
