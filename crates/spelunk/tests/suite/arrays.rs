//! What programs compute with: arrays out of files, and objects of arrays into them.
#![allow(clippy::indexing_slicing, clippy::arithmetic_side_effects)]

use crate::common::sample;
use spelunk::{
    Bytes, File, Result,
    edit::batch::EntryContent,
    models::import::{
        Policies, Policy,
        arrays::{
            EntityArrays, GroupArrays, MaterialArrays, Member, MeshArrays, ObjectName, SceneArrays,
            TextureArrays,
        },
    },
    open::codes,
    tables::{Cell, column::CategoryColumn, rows::TableSink},
    verbs::{self, CollectedOutput, Memory, Session},
};
use spelunk_fixtures::{judged, samples};

fn level() -> File {
    File::from_bytes(sample("level.nmo")).unwrap()
}

fn code<T>(result: Result<T>) -> &'static str {
    result.err().map_or("done", |error| error.code().id)
}

/// The numbers in bytes.
fn floats(bytes: &Bytes) -> Vec<f32> {
    let (numbers, rest) = bytes.as_chunks::<4>();
    assert!(rest.is_empty());
    numbers.iter().copied().map(f32::from_le_bytes).collect()
}

fn square() -> SceneArrays {
    let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]];
    let text = |name: &str| ObjectName::from(name);
    SceneArrays {
        textures: vec![TextureArrays {
            name: text("Picture"),
            width: 2,
            height: 1,
            pixels: vec![255, 0, 0, 255, 0, 255, 0, 255].into(),
            file: None,
        }],
        materials: vec![MaterialArrays {
            name: text("Paint"),
            diffuse: [1.0, 0.5, 0.0, 1.0],
            ambient: [0.3, 0.3, 0.3, 1.0],
            specular: [0.0, 0.0, 0.0, 1.0],
            emissive: [0.0, 0.0, 0.0, 1.0],
            power: 7.0,
            texture: Some(text("Picture")),
        }],
        meshes: vec![MeshArrays {
            name: text("Square_Mesh"),
            positions: corners.to_vec(),
            uvs: corners.iter().map(|[x, y, _]| [*x, 1.0 - *y]).collect(),
            faces: vec![[0, 2, 1], [0, 3, 2]],
            face_materials: vec![1, 1],
            materials: vec![None, Some(text("Paint"))],
            ..MeshArrays::default()
        }],
        entities: vec![EntityArrays {
            name: text("Square"),
            matrix: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [10.0, 20.0, 30.0]],
            mesh: Some(text("Square_Mesh")),
            parent: None,
            is_hidden: false,
        }],
        groups: vec![GroupArrays {
            name: text("Sector_01"),
            members: vec![Member::Entity(text("Square"))],
        }],
    }
}

#[test]
fn meshes_are_arrays_in_the_bytes_of_the_file() {
    let file = level();
    let entry = file.entry("CKMesh/Cube_Mesh").unwrap();
    let mesh = entry.mesh().unwrap();
    assert_eq!(floats(&mesh.positions).len(), 8 * 3);
    assert_eq!(floats(&mesh.normals).len(), 8 * 3);
    assert_eq!(mesh.faces.len(), 12 * 8);
    // Two looks see one place.
    assert_eq!(mesh.positions.as_ptr(), entry.mesh().unwrap().positions.as_ptr());
    let material = mesh.materials.iter().flatten().next().unwrap();
    assert_eq!(entry.of_same_file(*material).unwrap().kind(), "CKMaterial");
    // What is drawn with a mesh has its arrays.
    let cube = file.entry("CK3dObject/Cube").unwrap();
    assert_eq!(cube.mesh().unwrap().positions, mesh.positions);
    assert_eq!(code(file.entry("CKMaterial/Wood").unwrap().mesh()), codes::NOT_EXPORTED.id);
    assert_eq!(code(File::from_bytes(sample("forest.snpak")).unwrap().heights()), codes::NO_MAP.id);
}

#[test]
fn entries_are_chosen_by_globs() {
    let file = level();
    let names = |globs: &[&str]| -> Vec<String> {
        file.select(globs).unwrap().iter().map(|entry| entry.name().to_owned()).collect()
    };
    assert_eq!(names(&["ckmaterial"]), ["Wood"]);
    assert_eq!(names(&["CKMesh/*", "Wood"]), ["Wood", "Cube_Mesh"]);
    assert!(names(&["nothing"]).is_empty());
    assert_eq!(code(file.select(&["a[b"])), codes::core::BAD_PATTERN.id);
}

#[test]
fn pictures_are_those_of_slots_and_of_the_largest_mips() {
    let mut file = File::blank();
    file.edit().put(square(), Policies::default()).apply().unwrap();
    let picture = file.entry("CKTexture/Picture").unwrap().picture(0, &[]).unwrap();
    assert_eq!((picture.width, picture.height, picture.file), (2, 1, None));
    assert_eq!(&picture.pixels[..], [255, 0, 0, 255, 0, 255, 0, 255]);
    let slot = file.entry("CKTexture/Picture").unwrap().picture(1, &[]);
    assert_eq!(code(slot), codes::NO_SLOT.id);
    let missing = level().entry("CKTexture/Wood_Texture").unwrap().picture(0, &[]);
    assert!([codes::TEXTURES.id, codes::NOTHING.id].contains(&code(missing)));

    let pack = File::from_bytes(sample("textures.snpak")).unwrap();
    let sizes: Vec<(u32, u32, usize)> = pack
        .entries()
        .unwrap()
        .iter()
        .filter_map(|entry| entry.picture(0, &[]).ok())
        .map(|picture| (picture.width, picture.height, picture.pixels.len()))
        .collect();
    assert!(!sizes.is_empty());
    assert!(sizes.iter().all(|(width, height, len)| (width * height * 4) as usize == *len));
}

#[test]
fn objects_of_arrays_come_into_new_files_and_into_those_that_are_there() {
    for (name, mut file) in [("blank", File::blank()), ("level", level())] {
        let before = file.entries().unwrap().len();
        file.edit().put(square(), Policies::default()).apply().unwrap();
        assert_eq!(file.entries().unwrap().len(), before + 5);
        let mesh = file.entry("CKMesh/Square_Mesh").unwrap().mesh().unwrap();
        assert_eq!(floats(&mesh.positions)[6..9], [1.0, 1.0, 0.0]);
        assert_eq!(floats(&mesh.normals)[..3], [0.0, 0.0, -1.0]);
        let entity = file.entry("CK3dObject/Square").unwrap();
        assert_eq!(entity.mesh().unwrap().faces, mesh.faces);
        let paint = file.entry("CKMaterial/Paint").unwrap();
        let diffuse = paint.value("material.diffuse").unwrap();
        assert_eq!(diffuse.as_u64(), Some(0xFFFF_8000));
        let mut bytes = Vec::new();
        file.write(&mut bytes).unwrap();
        judged::leave(judged::VIRTOOLS, &format!("arrays-{name}.nmo"), &bytes);
        // The same once more is what is there already.
        file.edit().put(square(), Policies::all(Policy::Replace)).apply().unwrap();
        let mut again = Vec::new();
        file.write(&mut again).unwrap();
        assert_eq!(again, bytes);
    }
}

#[test]
fn arrays_mean_the_file_as_it_is_before_the_batch() {
    let mut file = level();
    let mut scene = square();
    scene.meshes[0].materials[1] = Some("Wood".into());
    // What has this name now, at a position that changes when something before it goes.
    let wood = file.entry("CKMaterial/Wood").unwrap();
    assert_eq!(wood.path(), "#1");
    let edit = file.edit().rename("CKMaterial/Wood", "Oak").remove("CKTexture/Wood_Texture");
    edit.put(scene, Policies::default()).apply().unwrap();
    let square = file.entry("CKMesh/Square_Mesh").unwrap();
    let slot = square.mesh().unwrap().materials[1].unwrap();
    assert_eq!(square.of_same_file(slot).unwrap().name(), "Oak");
}

#[test]
fn an_entity_of_the_file_stays_of_its_class() {
    let mut file = File::blank();
    file.edit()
        .add("CKCamera", "Eye", EntryContent::New)
        .add("CKTargetLight", "Lamp", EntryContent::New)
        .apply()
        .unwrap();
    let before = file.entries().unwrap().len();
    let named = |name: &str, index| ObjectName { name: name.into(), index: Some(index) };
    let entity = EntityArrays {
        name: named("Eye", 0),
        matrix: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 2.0, 3.0]],
        mesh: None,
        parent: Some(named("Lamp", 1)),
        is_hidden: true,
    };
    let scene = SceneArrays { entities: vec![entity], ..SceneArrays::default() };
    file.edit().put(scene, Policies::all(Policy::Replace)).apply().unwrap();
    assert_eq!(file.entries().unwrap().len(), before);
    let eye = &file.scene().unwrap().entities[0];
    assert_eq!((eye.object.name.as_str(), eye.parent, eye.is_hidden), ("Eye", Some(1), true));
    assert_eq!(eye.matrix[3], [1.0, 2.0, 3.0]);
    // Its own settings are what they were.
    let fov = file.entry("CKCamera/Eye").unwrap().value("projection.fov").unwrap();
    assert_eq!(fov.as_f64().map(|fov| fov as f32), Some(std::f32::consts::FRAC_PI_2));
}

#[test]
fn arrays_that_do_not_fit_change_nothing() {
    let mut file = level();
    let mut before = Vec::new();
    file.write(&mut before).unwrap();
    let with = |change: &dyn Fn(&mut MeshArrays)| {
        let mut scene = square();
        change(&mut scene.meshes[0]);
        scene
    };
    let cases: [(SceneArrays, &str); 7] = [
        (with(&|mesh| mesh.faces[0] = [0, 1, 4]), codes::BAD_MODEL.id),
        (with(&|mesh| mesh.lines = vec![[0, 9]]), codes::BAD_MODEL.id),
        (with(&|mesh| mesh.normals = vec![[0.0; 3]]), codes::BAD_MODEL.id),
        (with(&|mesh| mesh.face_materials = vec![0]), codes::BAD_MODEL.id),
        (with(&|mesh| mesh.face_materials = vec![0, 2]), codes::BAD_MODEL.id),
        (with(&|mesh| mesh.positions[0] = [f32::NAN; 3]), codes::BAD_MODEL.id),
        (with(&|mesh| mesh.materials[1] = Some("Nowhere".into())), codes::core::NOT_FOUND.id),
    ];
    for (scene, expected) in cases {
        let edit = file.edit().rename("CKMaterial/Wood", "Oak").put(scene, Policies::default());
        assert_eq!(code(edit.apply()), expected);
    }
    let mut after = Vec::new();
    file.write(&mut after).unwrap();
    assert_eq!(after, before);
    let mut pack = File::from_bytes(sample("forest.snpak")).unwrap();
    let edit = pack.edit().put(square(), Policies::default());
    assert_eq!(code(edit.apply()), codes::NO_EDITING.id);
}

/// The rows of a table as texts.
#[derive(Default)]
struct Texts {
    columns: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl TableSink for Texts {
    fn begin(&mut self, columns: &[CategoryColumn], rows: usize) -> Result<()> {
        self.columns = columns.iter().map(|column| column.name.to_owned()).collect();
        self.rows.reserve(rows);
        Ok(())
    }

    fn row(&mut self, place: i64, cells: &[Cell<'_>]) -> Result<()> {
        assert_eq!(place, self.rows.len() as i64);
        self.rows.push(cells.iter().map(|cell| format!("{cell:?}")).collect());
        Ok(())
    }
}

#[test]
fn tables_are_what_sql_answers() {
    let file = File::from_bytes(sample("GameData.cff")).unwrap();
    let mut rows_of_all = 0;
    for name in file.tables().unwrap() {
        let mut table = Texts::default();
        file.table(name, &mut table).unwrap();
        rows_of_all += table.rows.len();
        let columns: Vec<String> =
            table.columns.iter().map(|column| format!("\"{column}\"")).collect();
        let sql = format!("SELECT {} FROM \"{name}\" ORDER BY row", columns.join(", "));
        let mut answered = Vec::new();
        let names = file
            .query(&sql, &mut |_, cells| {
                answered.push(cells.iter().map(|cell| format!("{cell:?}")).collect::<Vec<_>>());
                Ok(())
            })
            .unwrap();
        assert_eq!(names, table.columns);
        assert_eq!(answered, table.rows, "{name}");
    }
    assert!(rows_of_all > 10);
    assert_eq!(code(file.table("nothing", &mut Texts::default())), codes::core::NOT_FOUND.id);
    assert_eq!(code(level().tables()), codes::NO_TABLES.id);
}

#[test]
fn verbs_see_files_of_the_front_as_they_are_now() {
    for sample in samples() {
        let file = File::from_bytes(sample.fixture.bytes.clone()).unwrap();
        let session = Session::new(Memory::new());
        let handle = session.keep(sample.name, &file).unwrap();
        let request = format!(r#"{{"file": {}}}"#, serde_json::to_value(handle).unwrap());
        let mut rows = CollectedOutput::default();
        verbs::call(&session, "ls", &request, &mut rows).unwrap();
        assert_eq!(rows.rows.len(), file.entries().unwrap().len(), "{}", sample.name);
    }
    let mut file = level();
    file.edit().rename("CKMaterial/Wood", "Oak").apply().unwrap();
    let session = Session::new(Memory::new());
    let handle = session.keep("level.nmo", &file).unwrap();
    let mut rows = CollectedOutput::default();
    let request = format!(r#"{{"file": {}}}"#, serde_json::to_value(handle).unwrap());
    verbs::call(&session, "ls", &request, &mut rows).unwrap();
    assert!(rows.rows.iter().any(|row| row["name"] == "Oak" && row["file"] == "level.nmo"));
}
