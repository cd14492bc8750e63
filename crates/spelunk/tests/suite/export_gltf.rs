//! Scenes that are put together here, as glTF: conventions, and what cannot be as it is.

use crate::common;

use crate::common::{
    open,
    scene::{
        HERE, Mesh, TRIANGLE, camera, entity, entity_of, exported, extras, file, glb, light,
        material, point, positions, texture, walk,
    },
};
use gltf::{Gltf, Node, Semantic, material::AlphaMode, mesh::Mode};
use serde_json::json;
use spelunk::{models::export::Options, open::codes};
use spelunk_fixtures::{
    chunk::Chunk,
    mutate::{mutate, mutate_header},
    samples,
    virtools::{ObjectEntry, Packing, VirtoolsFile},
};
use virtools::codes as found;

/// The node of this name.
fn node<'g>(gltf: &'g Gltf, name: &str) -> Node<'g> {
    gltf.nodes().find(|node| node.name() == Some(name)).unwrap_or_else(|| panic!("no {name}"))
}

fn indices(gltf: &Gltf, primitive: &gltf::Primitive<'_>) -> Vec<u32> {
    let blob = gltf.blob.as_deref().unwrap();
    primitive.reader(|_| Some(blob)).read_indices().unwrap().into_u32().collect()
}

#[test]
fn space_is_mirrored_and_faces_stay_turned_to_where_they_were() {
    let mut place = HERE;
    place[9..].copy_from_slice(&[10.0, 20.0, 30.0]);
    let bytes =
        file(vec![(32, "Shape", TRIANGLE.chunk()), (41, "Thing", entity(place, Some(0), None))]);
    let (gltf, codes) = exported(&bytes, &Options::default());
    assert_eq!(codes, [""; 0]);
    let thing = node(&gltf, "Thing");
    assert_eq!(thing.transform().decomposed().0, [10.0, 20.0, -30.0]);
    let mesh = thing.mesh().unwrap();
    assert_eq!(mesh.name(), Some("Shape"));
    assert_eq!(positions(&gltf, &mesh), [[0.0, 0.0, -1.0], [0.0, 1.0, -1.0], [1.0, 0.0, -1.0]]);
    let primitive = mesh.primitives().next().unwrap();
    assert_eq!(indices(&gltf, &primitive), [0, 2, 1]);
    let blob = gltf.blob.as_deref().unwrap();
    let reader = primitive.reader(|_| Some(blob));
    // Its front was seen from where z is small, which is where it is large now.
    assert!(reader.read_normals().unwrap().all(|normal| normal == [0.0, 0.0, 1.0]));
    let uv: Vec<_> = reader.read_tex_coords(0).unwrap().into_f32().collect();
    assert_eq!(uv, [[0.0, 0.0], [0.0, 1.0], [1.0, 0.25]], "not changed");
}

#[test]
fn children_are_placed_as_seen_from_their_parents() {
    // A quarter turn around y and twice the size, then a child that stands in the world as it does.
    let parent = [0.0, 0.0, -2.0, 0.0, 2.0, 0.0, 2.0, 0.0, 0.0, 5.0, 0.0, 0.0];
    let child = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 7.0, 1.0, 3.0];
    let bytes = file(vec![
        (32, "Shape", TRIANGLE.chunk()),
        (41, "Child", entity(child, Some(0), Some(2))),
        (41, "Parent", entity(parent, None, None)),
    ]);
    let (gltf, _) = exported(&bytes, &Options::default());
    assert_eq!(node(&gltf, "Parent").children().count(), 1);
    walk(&gltf, &mut |node, world| {
        if node.name() == Some("Child") {
            let [x, y, z] = point([1.0, 2.0, -3.0], world);
            let off = (x - 8.0).abs() + (y - 3.0).abs() + (z + 6.0).abs();
            assert!(off < 1e-5, "{x} {y} {z}");
        }
    });
}

#[test]
fn shear_goes_into_the_vertices_of_a_mesh_of_its_own() {
    let sheared = [1.0, 0.0, 0.0, 0.5, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 4.0];
    let bytes = file(vec![
        (32, "Shape", TRIANGLE.chunk()),
        (41, "Straight", entity(HERE, Some(0), None)),
        (41, "Sheared", entity(sheared, Some(0), None)),
        (41, "Below", entity(HERE, Some(0), Some(2))),
    ]);
    let (gltf, _) = exported(&bytes, &Options::default());
    let [straight, sheared] = ["Straight", "Sheared"].map(|name| node(&gltf, name));
    assert_ne!(straight.mesh().unwrap().index(), sheared.mesh().unwrap().index());
    assert_eq!(straight.mesh().unwrap().index(), node(&gltf, "Below").mesh().unwrap().index());
    let told = &extras(&sheared)["virtools"];
    let shear = json!([[1.0, 0.0, 0.0], [0.5, 1.0, 0.0], [0.0, 0.0, 1.0]]);
    assert_eq!((&told["matrix"][1], &told["shear"]), (&json!([0.5, 1.0, 0.0]), &shear));
    assert_eq!(extras(&straight)["virtools"]["shear"], json!(null));
    let mut seen = 0;
    walk(&gltf, &mut |node, world| {
        let corner = |nth: usize| point(positions(&gltf, &node.mesh().unwrap())[nth], world);
        let expected = match node.name() {
            Some("Sheared") => [0.5, 1.0, -5.0],
            _ => [0.0, 1.0, -1.0],
        };
        let off: f64 = corner(1).iter().zip(expected).map(|(a, b)| (a - b).abs()).sum();
        assert!(off < 1e-6, "{:?}: {:?}", node.name(), corner(1));
        seen += 1;
    });
    assert_eq!(seen, 3);
}

#[test]
fn a_primitive_for_each_slot_and_one_for_lines() {
    let mesh = Mesh {
        slots: &[None, Some(2), Some(3)],
        faces: &[[0, 1, 2, 2], [0, 1, 2, 1], [0, 2, 1, 2]],
        lines: &[[0, 1], [1, 2]],
        ..TRIANGLE
    };
    let bytes = file(vec![
        (41, "Thing", entity(HERE, Some(1), None)),
        (32, "Shape", mesh.chunk()),
        (30, "First", material(0xFF80_8080, 0x1321_2222, 0x403, None)),
        (30, "Second", material(0xFFFF_0000, 0x1321_2222, 0x403, None)),
    ]);
    let (gltf, _) = exported(&bytes, &Options::default());
    let mesh = node(&gltf, "Thing").mesh().unwrap();
    let told: Vec<_> = mesh
        .primitives()
        .map(|primitive| {
            (
                primitive.mode(),
                primitive.material().name().map(str::to_owned),
                indices(&gltf, &primitive).len(),
            )
        })
        .collect();
    assert_eq!(
        told,
        [
            (Mode::Triangles, Some("First".into()), 3),
            (Mode::Triangles, Some("Second".into()), 6),
            (Mode::Lines, None, 4),
        ]
    );
    let sharing: std::collections::BTreeSet<_> = mesh
        .primitives()
        .map(|primitive| primitive.get(&Semantic::Positions).unwrap().index())
        .collect();
    assert_eq!(sharing.len(), 1, "all have the same vertices");
}

#[test]
fn materials_say_what_they_look_like() {
    let bytes = |diffuse, modes, flags| {
        file(vec![
            (41, "Thing", entity(HERE, Some(1), None)),
            (32, "Shape", Mesh { slots: &[Some(2)], ..TRIANGLE }.chunk()),
            (30, "Paint", material(diffuse, modes, flags, Some(3))),
            (31, "Picture", texture("missing.bmp")),
        ])
    };
    // Source and destination factors are the fourth and the fifth digit from the right.
    let (blend, one, opaque) = (0x1326_5222, 0x1322_2222, 0x1321_2222);
    for (diffuse, modes, flags, mode, cutoff, alpha) in [
        (0x40FF_FFFF, opaque, 0x403, AlphaMode::Opaque, None, 1.0),
        (0x33FF_FFFF, blend, 0x408, AlphaMode::Blend, None, 0.2),
        (0xFFFF_FFFF, one, 0x408, AlphaMode::Blend, None, 1.0),
        (0xFFFF_FFFF, opaque, 0x8000_0410, AlphaMode::Mask, Some(128.0 / 255.0), 1.0),
        (0xFFFF_FFFF, blend, 0x8000_041A, AlphaMode::Mask, Some(0.5), 1.0),
        (0xFFFF_FFFF, blend, 0x8000_0418, AlphaMode::Blend, None, 1.0),
    ] {
        let (gltf, codes) = exported(&bytes(diffuse, modes, flags), &Options::default());
        let paint = gltf.materials().next().unwrap();
        assert_eq!(paint.alpha_mode(), mode, "{modes:#x} {flags:#x}");
        assert_eq!(paint.alpha_cutoff(), cutoff, "{modes:#x} {flags:#x}");
        let pbr = paint.pbr_metallic_roughness();
        assert_eq!(pbr.base_color_factor()[3], alpha, "{modes:#x} {flags:#x}");
        assert_eq!(paint.double_sided(), flags & 1 != 0);
        // The file is missing: told, and a white pixel with its name.
        assert_eq!(codes, [codes::TEXTURES.id]);
        let texture = pbr.base_color_texture().unwrap().texture();
        assert_eq!(
            (texture.name(), texture.source().name()),
            (Some("Picture"), Some("missing.bmp"))
        );
    }
    let (gltf, _) = exported(&bytes(0xFF80_8080, opaque, 0x403), &Options::default());
    let [red, ..] = gltf.materials().next().unwrap().pbr_metallic_roughness().base_color_factor();
    assert!((red - 0.215_861).abs() < 1e-5, "an amount of light: {red}");
}

#[test]
fn prelit_meshes_have_their_own_light() {
    let prelit = Mesh {
        flags: 0x80,
        slots: &[Some(4)],
        colors: &[0xFFFF_0000, 0xFF00_8000, 0x80FF_FFFF],
        ..TRIANGLE
    };
    let bytes = file(vec![
        (41, "Lit", entity(HERE, Some(2), None)),
        (41, "Prelit", entity(HERE, Some(3), None)),
        (32, "Lit_Mesh", Mesh { slots: &[Some(4)], ..TRIANGLE }.chunk()),
        (32, "Prelit_Mesh", prelit.chunk()),
        (30, "Paint", material(0xFF80_8080, 0x1321_2222, 0x403, None)),
    ]);
    let (gltf, _) = exported(&bytes, &Options::default());
    let primitive = |name: &str| node(&gltf, name).mesh().unwrap().primitives().next().unwrap();
    let (lit, prelit) = (primitive("Lit"), primitive("Prelit"));
    assert!(!lit.material().unlit() && lit.get(&Semantic::Colors(0)).is_none());
    assert!(prelit.material().unlit());
    let blob = gltf.blob.as_deref().unwrap();
    let colors = prelit.reader(|_| Some(blob)).read_colors(0).unwrap();
    let colors: Vec<_> = colors.into_rgba_u16().collect();
    assert_eq!(colors[0], [0xFFFF, 0, 0, 0xFFFF]);
    assert_eq!(colors[1][1], 14146, "half the number is a fifth of the light");
    assert_eq!(colors[2][3], 0x8080);
}

#[test]
fn channels_are_told_and_not_drawn() {
    let uv = [0.5_f32, 0.5, 0.25, 0.25, 0.0, 1.0];
    let mesh = TRIANGLE.chunk().identifier(0x4000).word(1).object_ref(Some(2));
    let mesh = mesh.words(&[0x300_0001, 1, 3, 3]).floats(&uv);
    let bytes = file(vec![
        (41, "Thing", entity(HERE, Some(1), None)),
        (32, "Shape", mesh),
        (30, "Shine", material(0xFFFF_FFFF, 0x1321_2222, 0x403, None)),
    ]);
    let (gltf, _) = exported(&bytes, &Options::default());
    let mesh = node(&gltf, "Thing").mesh().unwrap();
    assert_eq!(mesh.primitives().count(), 1);
    assert_eq!(indices(&gltf, &mesh.primitives().next().unwrap()).len(), 3);
    let extras: serde_json::Value =
        serde_json::from_str(mesh.extras().as_ref().unwrap().get()).unwrap();
    let channel = &extras["virtools"]["channels"][0];
    assert_eq!(channel["material"]["name"], "Shine");
    assert_eq!((&channel["texcoord"], &channel["flags"]), (&1.into(), &"0x03000001".into()));
    let blob = gltf.blob.as_deref().unwrap();
    let primitive = mesh.primitives().next().unwrap();
    let own = primitive.reader(|_| Some(blob)).read_tex_coords(1).unwrap().into_f32();
    assert_eq!(own.collect::<Vec<_>>().as_flattened(), uv);
}

#[test]
fn hidden_entities_say_so_or_stay_away() {
    let hidden =
        |id: u32, parent| entity_of(Chunk::object(33).identifier(id), HERE, Some(0), parent);
    let bytes = file(vec![
        (32, "Shape", TRIANGLE.chunk()),
        (41, "Hidden", hidden(4, None)),
        (41, "Seen below", entity(HERE, Some(0), Some(1))),
        (41, "Hides all", hidden(0x18, None)),
        (41, "Hidden below", entity(HERE, Some(0), Some(3))),
        (
            23,
            "Group",
            Chunk::object(23).identifier(0xF_FFFF).object_sequence(&[Some(2), None, Some(0)]),
        ),
    ]);
    let (gltf, _) = exported(&bytes, &Options::default());
    let told: Vec<_> = ["Hidden", "Seen below", "Hides all", "Hidden below"]
        .map(|name| extras(&node(&gltf, name))["hidden"] == true)
        .into();
    assert_eq!(told, [true, false, true, true]);
    assert_eq!(extras(&node(&gltf, "Seen below"))["groups"], json!(["Group"]));
    let root: serde_json::Value =
        serde_json::from_str(gltf.as_json().extras.as_ref().unwrap().get()).unwrap();
    assert_eq!(root["groups"][0]["name"], "Group");
    assert_eq!(root["groups"][0]["others"][0]["name"], "Shape");
    let shown = Options { no_hidden: true, ..Options::default() };
    let (gltf, _) = exported(&bytes, &shown);
    let names: Vec<_> =
        gltf.nodes().map(|node| (node.name().unwrap().to_owned(), node.mesh().is_some())).collect();
    assert_eq!(names, [("Hidden".into(), false), ("Seen below".into(), true)]);
}

#[test]
fn parts_of_a_file_can_be_chosen() {
    let bytes = file(vec![
        (32, "Shape", TRIANGLE.chunk()),
        (
            41,
            "Parent",
            entity([2.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 2.0, 5.0, 0.0, 0.0], None, None),
        ),
        (41, "Child", entity(HERE, Some(0), Some(1))),
        (41, "Other", entity(HERE, Some(0), None)),
        (23, "Group", Chunk::object(23).identifier(0xF_FFFF).object_sequence(&[Some(3), Some(2)])),
    ]);
    let names = |paths: &[&str]| {
        let paths = paths.iter().map(|path| (*path).to_owned()).collect();
        let (gltf, _) = exported(&bytes, &Options { paths, ..Options::default() });
        gltf.nodes().map(|node| node.name().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(names(&["#1"]), ["Parent", "Child"]);
    assert_eq!(names(&["CK3dObject/Other"]), ["Other"]);
    assert_eq!(names(&["CKGroup/Group"]), ["Child", "Other"]);
    assert_eq!(names(&["ck3dobject/*er"]), ["Other"]);
    assert_eq!(names(&["CKMesh/Shape"]), ["Shape"]);
    let paths = vec!["nothing*".to_owned()];
    let error =
        glb(&mut open("a scene", &bytes), &Options { paths, ..Options::default() }).unwrap_err();
    assert_eq!(error.code().id, codes::core::NOT_FOUND.id);
}

#[test]
fn cameras_and_lights_look_where_they_did() {
    let bytes = file(vec![
        (34, "Good", camera(1.0, 3.0, 1200.0)),
        (34, "Blind", camera(1.0, 3.0, 3.0)),
        (38, "Lamp", light(0x101, &[])),
        (38, "Torch", light(0x102, &[1.0, 0.5, 1.0])),
        (38, "Sun", light(0x103, &[])),
        (38, "Off", light(0x001, &[])),
    ]);
    let (gltf, told) = exported(&bytes, &Options::default());
    assert_eq!(told, [codes::INEXACT.id]);
    let good = node(&gltf, "Good").camera().unwrap();
    let gltf::camera::Projection::Perspective(good) = good.projection() else {
        panic!("a perspective camera")
    };
    assert!((good.yfov() - 2.0 * (0.5_f32.tan() * 0.75).atan()).abs() < 1e-6);
    assert_eq!((good.znear(), good.zfar()), (3.0, Some(1200.0)));
    assert!(node(&gltf, "Blind").camera().is_none());
    use gltf::khr_lights_punctual::Kind;
    let lamp = node(&gltf, "Lamp").light().unwrap();
    assert_eq!((lamp.intensity(), lamp.range()), (2.0, Some(20.0)));
    let Kind::Spot { inner_cone_angle, outer_cone_angle } =
        node(&gltf, "Torch").light().unwrap().kind()
    else {
        panic!("a spot")
    };
    assert_eq!((inner_cone_angle, outer_cone_angle), (0.25, 0.5));
    assert!(matches!(node(&gltf, "Sun").light().unwrap().kind(), Kind::Directional));
    assert!(node(&gltf, "Sun").light().unwrap().range().is_none());
    assert!(node(&gltf, "Off").light().is_none());
    assert_eq!(extras(&node(&gltf, "Off"))["virtools"]["light"]["kind_and_flags"], "0x00000001");
}

#[test]
fn curves_become_lines_through_their_points() {
    let at = |x: f32| [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, x, x * x, x];
    let point = |x: f32| {
        let c = entity(at(x), None, None).identifier(0x1000_0000).object_ref(Some(0));
        c.words(&[1, 0]).floats(&[0.0; 9])
    };
    let curve = entity(at(1.0), None, None).identifier(0xFFC0_0000);
    let curve = curve.object_sequence(&[Some(1), Some(2), Some(3)]).floats(&[0.0]).words(&[20, 1]);
    let bytes = file(vec![
        (43, "Curve", curve),
        (36, "A", point(0.0)),
        (36, "B", point(1.0)),
        (36, "C", point(2.0)),
    ]);
    let (gltf, _) = exported(&bytes, &Options::default());
    let mut seen = false;
    walk(&gltf, &mut |node, world| {
        let Some(mesh) = node.mesh() else { return };
        let line: Vec<_> =
            positions(&gltf, &mesh).into_iter().map(|at| common::scene::point(at, world)).collect();
        assert_eq!(mesh.primitives().next().unwrap().mode(), Mode::LineStrip);
        assert_eq!(
            (line.len(), line[0], line[10], line[20]),
            (21, [0.0; 3], [1.0, 1.0, -1.0], [2.0, 4.0, -2.0])
        );
        seen = true;
    });
    assert!(seen);
}

/// As real curves have it: a curve that is turned, points whose tangents follow from a tension of -0.6, and tangents that
/// are stored as seen from the curve all the same. Points that go by the latter make the same line.
#[test]
fn stored_tangents_are_as_seen_from_the_curve() {
    // x goes to -z, z to x; somewhere else.
    let turned = [0.0, 0.0, -1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 0.0, 30.0, 40.0, 50.0];
    let places = [[0.0, 0.0, 0.0], [10.0, 0.0, 0.0], [10.0, 5.0, 20.0], [0.0, 0.0, 20.0_f32]];
    let lines = [0, 1].map(|mode| {
        let curve = entity(turned, None, None).identifier(0xFFC0_0000);
        let curve = curve.object_sequence(&[Some(1), Some(2), Some(3), Some(4)]);
        let mut objects = vec![(43, "Curve", curve.floats(&[0.0]).words(&[40, 0]))];
        for (nth, name) in ["A", "B", "C", "D"].into_iter().enumerate() {
            let [before, next] = [places[(nth + 3) % 4], places[(nth + 1) % 4]];
            let [x, y, z] = [0, 1, 2].map(|axis| 0.8 * (next[axis] - before[axis]));
            // From the world to the curve: x is -z there, z is x.
            let tangent = [-z, y, x];
            let stored = [[-0.6, 0.0, 0.0], tangent, tangent];
            let mut at = HERE;
            at[9..].copy_from_slice(&places[nth]);
            let point = entity(at, None, None).identifier(0x1000_0000).object_ref(Some(0));
            objects.push((36, name, point.words(&[mode, 0]).floats(stored.as_flattened())));
        }
        let (gltf, _) = exported(&file(objects), &Options::default());
        let mut line = Vec::new();
        walk(&gltf, &mut |node, world| {
            let Some(mesh) = node.mesh() else { return };
            line = positions(&gltf, &mesh).into_iter().map(|at| point(at, world)).collect();
        });
        line
    });
    assert_eq!((lines[0].len(), lines[1].len()), (41, 41));
    for (one, other) in lines[0].iter().zip(&lines[1]) {
        let off: f64 = one.iter().zip(other).map(|(one, other)| (one - other).abs()).sum();
        assert!(off < 1e-3, "{one:?} {other:?}");
    }
    // A line that is bent: halfway from A to B it is not on the way.
    assert!(lines[0][5][2].abs() > 0.5, "{:?}", lines[0][5]);
}

/// The oldest files place entities by sections of their own, which say nothing where there is one of today.
#[test]
fn sections_of_the_oldest_files_count_where_there_is_no_other() {
    let old = |chunk: Chunk| {
        let mut matrix = [0.0; 16];
        matrix[..15].copy_from_slice(&[
            1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 7.0, 8.0, 9.0,
        ]);
        matrix[15] = 1.0;
        let chunk = chunk.identifier(0x8000).object_ref(Some(0)).identifier(0x1_0000);
        chunk.words(&[0x1, 0x2]).identifier(0x2_0000).word(64).floats(&matrix)
    };
    let mut place = HERE;
    place[9..].copy_from_slice(&[1.0, 2.0, 3.0]);
    let bytes = file(vec![
        (41, "Parent", entity(HERE, None, None)),
        (41, "Old", old(Chunk::object(41).data_version(1))),
        (41, "Both", old(entity(place, None, None))),
    ]);
    let (gltf, _) = exported(&bytes, &Options::default());
    let told = |name: &str| extras(&node(&gltf, name))["virtools"].clone();
    assert_eq!(node(&gltf, "Old").transform().decomposed().0, [7.0, 8.0, -9.0]);
    assert_eq!(told("Old")["flags"], "0x00000001");
    assert_eq!(told("Old")["moveable_flags"], "0x00000002");
    assert_eq!(node(&gltf, "Both").transform().decomposed().0, [1.0, 2.0, -3.0]);
    assert_eq!(told("Both")["flags"], "0x00000000");
    let children: Vec<_> = node(&gltf, "Parent").children().map(|child| child.index()).collect();
    assert_eq!(children, [node(&gltf, "Old").index()]);
}

#[test]
fn what_is_wrong_is_told_and_left_out() {
    let nan = f32::NAN;
    let broken = Mesh {
        slots: &[None],
        faces: &[[0, 1, 2, 0], [0, 1, 99, 0], [0, 2, 1, 7]],
        lines: &[[0, 50]],
        positions: &[[0.0, nan, 0.0], [0.0, f32::INFINITY, 0.0], [1.0, 0.0, 0.0]],
        ..TRIANGLE
    };
    let mut lost = HERE;
    lost[4] = nan;
    let flat = [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0];
    let bytes = file(vec![
        (32, "Shape", broken.chunk()),
        (32, "Empty", Mesh { faces: &[], positions: &[], uv: &[], ..TRIANGLE }.chunk()),
        (41, "Lost", entity(lost, Some(0), None)),
        (41, "Flat", entity(flat, Some(0), None)),
        (41, "Below flat", entity(HERE, Some(0), Some(3))),
        (41, "Nowhere", entity([0.0; 12], Some(1), None)),
        (41, "A", entity(HERE, None, Some(7))),
        (41, "B", entity(HERE, None, Some(6))),
        (41, "Itself", entity(HERE, None, Some(8))),
        (41, "No parent", entity(HERE, Some(500), Some(0))),
        (41, "Huge", entity([1e38; 12], Some(0), None)),
    ]);
    let (gltf, codes) = exported(&bytes, &Options::default());
    let count = |code: &spelunk::Code| codes.iter().filter(|found| **found == code.id).count();
    assert_eq!(count(&found::NOT_DRAWN), 2, "{codes:?}");
    assert_eq!(count(&found::PARENTS), 3, "{codes:?}");
    assert!(count(&found::NOT_A_NUMBER) >= 2, "{codes:?}");
    assert_eq!(gltf.nodes().count(), 9);
    let faces = indices(&gltf, &node(&gltf, "Lost").mesh().unwrap().primitives().next().unwrap());
    assert_eq!(faces.len(), 6, "the one of a vertex that is not there is left out");
    assert_eq!(node(&gltf, "Flat").children().count(), 0);
    assert_eq!(extras(&node(&gltf, "Below flat"))["virtools"]["parent"], 3);
    assert_eq!(extras(&node(&gltf, "Nowhere"))["virtools"]["mesh"], "Empty");
}

#[test]
fn animations_move_in_seconds() {
    let keys = |c: Chunk, kind: u32, size: u32, keys: &[&[f32]]| {
        let c = c.words(&[kind, 1 + size * keys.len() as u32, keys.len() as u32]);
        keys.iter().fold(c, |c, key| c.floats(key))
    };
    let c = Chunk::object(15)
        .identifier(0x400_0000)
        .floats(&[0.0; 7])
        .word(0)
        .object_ref(Some(0))
        .floats(&[50.0]);
    let c = keys(
        c,
        0x637C_4301,
        4,
        &[&[0.0, 1.0, 2.0, 3.0], &[50.0, 4.0, 5.0, 6.0], &[25.0, 0.0, 0.0, 0.0]],
    );
    let c =
        keys(c, 0x49ED_4002, 5, &[&[0.0, 0.1, 0.2, 0.3, 0.9], &[0.0, 0.0, 0.0, 0.0, 1.0]]).word(0);
    let keyed = Chunk::object(18).identifier(0x10).word(1).floats(&[25.0]);
    let keyed = keyed.identifier(0x1000).object_sequence(&[Some(1)]);
    let bytes =
        file(vec![(41, "Thing", entity(HERE, None, None)), (15, "Track", c), (18, "Dance", keyed)]);
    let (gltf, codes) = exported(&bytes, &Options::default());
    assert_eq!(codes, [""; 0]);
    let dance = gltf.animations().next().unwrap();
    assert_eq!(
        (gltf.animations().count(), dance.name(), dance.channels().count()),
        (1, Some("Dance"), 2)
    );
    let blob = gltf.blob.as_deref().unwrap();
    let moves = dance.channels().next().unwrap();
    let reader = moves.reader(|_| Some(blob));
    assert_eq!(reader.read_inputs().unwrap().collect::<Vec<_>>(), [0.0, 1.0, 2.0]);
    let gltf::animation::util::ReadOutputs::Translations(values) = reader.read_outputs().unwrap()
    else {
        panic!("translations")
    };
    assert_eq!(values.collect::<Vec<_>>(), [[1.0, 2.0, -3.0], [0.0; 3], [4.0, 5.0, -6.0]]);
}

#[test]
fn names_are_those_that_people_see() {
    let names: [&[u8]; 4] = [b"T\xfcr\0\0", b"", b"50% #1/2", b"a\nb"];
    let entry = |(name, id)| ObjectEntry::new(id, 41, name, entity(HERE, None, None));
    let objects = names.into_iter().zip(1..).map(entry).collect();
    let bytes = VirtoolsFile { objects, ..VirtoolsFile::default() }.build().bytes;
    let (gltf, _) = exported(&bytes, &Options::default());
    let names: Vec<_> =
        gltf.nodes().map(|node| node.name().unwrap_or_default().to_owned()).collect();
    assert_eq!(names, ["Tür", "", "50% #1/2", "a\\x0Ab"]);
}

#[test]
fn one_file_or_two_hold_the_same() {
    let bytes = samples::level().build().bytes;
    let mut opened = open("level", &bytes);
    let glb = glb(&mut opened, &Options::default()).unwrap();
    assert_eq!(
        glb,
        self::glb(&mut open("level", &bytes), &Options::default()).unwrap(),
        "always the same"
    );
    let whole = Gltf::from_slice(&glb).unwrap();
    let made = spelunk::models::export::gltf::export(&mut opened, &Options::default()).unwrap();
    let (text, numbers) = made.into_files("ä b.bin").unwrap();
    assert_eq!(whole.blob.as_deref().unwrap()[..numbers.len()], numbers);
    let text: serde_json::Value = serde_json::from_slice(&text).unwrap();
    assert_eq!(text["buffers"][0]["uri"], "%C3%A4%20b.bin");
    assert_eq!(text["buffers"][0]["byteLength"], numbers.len());
    let cube = node(&whole, "Cube");
    assert_eq!(indices(&whole, &cube.mesh().unwrap().primitives().next().unwrap()).len(), 36);
}

#[test]
fn damaged_files_make_sound_gltf_or_none() {
    // Stored, not packed: damage gets through to what the objects say.
    let stored = VirtoolsFile { packing: Packing::Stored, ..samples::level() };
    let mut originals = vec![stored.build().bytes];
    originals.extend(
        spelunk_fixtures::corpus::files("virtools", &["nmo"])
            .into_iter()
            .flatten()
            .map(|file| file.bytes)
            .filter(|bytes| bytes[24..28] == [0; 4]),
    );
    let (mut made, mut refused) = (0, 0);
    for seed in 0..600 {
        let original = &originals[seed as usize % originals.len()];
        let damaged =
            if seed % 3 == 0 { mutate_header(original, seed) } else { mutate(original, seed) };
        let source = std::sync::Arc::new(spelunk::Bytes::from(damaged));
        let Ok(mut opened) = spelunk::Opened::open(source, &spelunk::Options::default()) else {
            continue;
        };
        match glb(&mut opened, &Options::default()) {
            Ok(glb) => {
                Gltf::from_slice(&glb).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
                made += 1;
            }
            Err(_) => refused += 1,
        }
    }
    assert!(made > 50 && refused > 5, "{made} made, {refused} refused");
}
