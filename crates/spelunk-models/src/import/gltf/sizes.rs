//! Memory that a glTF document takes once it is read, estimated by a look at its text alone.

use gltf_json::{
    Accessor, Animation, Camera, Image, Material, Mesh, Node, Scene, Skin, Texture, animation,
    buffer, mesh::Primitive, texture,
};

/// Memory of a list that is empty, of a number in a list, and of a text or an entry of a map, each in a list that grows to twice
/// its length beside the old one.
const LIST: u64 = 72;
const NUMBER: u64 = 24;
const TEXT: u64 = 160;
/// Memory of an object of which nothing more is known.
const OTHER: u64 = 128;

/// The size of an item of a list that grows, with what it may have in boxes.
const fn item<T>() -> u64 {
    3 * size_of::<T>() as u64 + 16
}

/// The memory of an object in the lists that a key at the top of the document names.
fn object(key: &[u8], depth: usize) -> u64 {
    // Deeper ones are parts of these, unless they are in lists of their own.
    match (key, depth) {
        (b"accessors", 2) => item::<Accessor>(),
        (b"animations", 2) => item::<Animation>(),
        (b"animations", _) => item::<animation::Channel>().max(item::<animation::Sampler>()),
        (b"buffers", 2) => item::<buffer::Buffer>(),
        (b"bufferViews", 2) => item::<buffer::View>(),
        (b"cameras", 2) => item::<Camera>(),
        (b"images", 2) => item::<Image>(),
        (b"materials", 2) => item::<Material>(),
        (b"meshes", 2) => item::<Mesh>(),
        (b"meshes", _) => item::<Primitive>(),
        (b"nodes", 2) => item::<Node>(),
        (b"samplers", 2) => item::<texture::Sampler>(),
        (b"scenes", 2) => item::<Scene>(),
        (b"skins", 2) => item::<Skin>(),
        (b"textures", 2) => item::<Texture>(),
        _ => OTHER,
    }
}

/// The memory that the document of a text takes at the most, beside what its texts are. What is no JSON counts as some.
pub fn memory(text: &[u8]) -> u64 {
    let (mut sum, mut depth) = (0_u64, 0_usize);
    let mut key: &[u8] = &[];
    let mut at = 0;
    while let Some(byte) = text.get(at) {
        at = at.saturating_add(1);
        let taken = match byte {
            b'"' => {
                let start = at;
                while let Some(byte) = text.get(at).filter(|byte| **byte != b'"') {
                    at = at.saturating_add(if *byte == b'\\' { 2 } else { 1 });
                }
                if depth == 1 {
                    key = text.get(start..at).unwrap_or_default();
                }
                at = at.saturating_add(1);
                0
            }
            b'{' | b'[' => {
                let taken = if *byte == b'{' { object(key, depth) } else { LIST };
                depth = depth.saturating_add(1);
                taken.saturating_add(first(text, at))
            }
            b'}' | b']' => {
                depth = depth.saturating_sub(1);
                0
            }
            b',' => first(text, at),
            _ => 0,
        };
        sum = sum.saturating_add(taken);
    }
    sum
}

/// The memory of what begins there, in a list or an object.
fn first(text: &[u8], at: usize) -> u64 {
    let rest = text.get(at..).unwrap_or_default();
    match rest.iter().find(|byte| !byte.is_ascii_whitespace()) {
        Some(b'"') => TEXT,
        Some(b'{' | b'[' | b'}' | b']') | None => 0,
        Some(_) => NUMBER,
    }
}

#[cfg(test)]
mod tests {
    use super::memory;

    #[test]
    fn what_is_in_texts_counts_as_nothing_and_a_node_as_a_node() {
        let one = memory(br#"{"nodes": [{"name": "[{,\"\\"}]}"#);
        assert_eq!(memory(br#"{"nodes": [{"name": "a"}]}"#), one);
        let two = memory(br#"{"nodes": [{"name": "a"}, {"name": "a"}]}"#);
        assert!(two - one >= size_of::<gltf_json::Node>() as u64, "{one} {two}");
        let numbers = |count: usize| memory(format!("[{}0]", "0,".repeat(count)).as_bytes());
        assert_eq!(numbers(1_000) - numbers(0), 24_000);
    }
}
