//! What is saved of scenes: the same as engines saved.

use spelunk_core::{Budget, Bytes, Collect, Limits, Task, WriteOptions};
use spelunk_fixtures::corpus;
use std::collections::BTreeMap;
use virtools::{
    File,
    class::{self, Value},
    file::data::Owner,
    scene::Scene,
};

/// Everything that stands in space of all real files goes through the scene and back into the same bytes: places and
/// flags, the choice between one value and many, and which normals are left out.
#[test]
fn real_objects_come_back_from_the_scene() {
    let Some(files) = corpus::files("virtools", &["nmo", "cmo", "nms"]) else { return };
    let (mut same, mut wrong) = (BTreeMap::<String, usize>::new(), Vec::new());
    for real in files {
        let mut sink = Collect::default();
        let limits = Limits::for_len(1 << 28);
        let mut task = Task::new(Budget::new(limits), &mut sink);
        let file = File::read_from(&Bytes::from(real.bytes), &mut task).unwrap();
        let scene = Scene::of(&file, &mut task).unwrap();
        for index in 0..file.table().objects.len() as u32 {
            let owner = Owner::Object(index);
            let Some(mut saved) = file.value(owner, &mut Vec::new(), &mut task.budget).unwrap()
            else {
                continue;
            };
            if let (Value::Mesh(value), Some(mesh)) = (&mut saved.value, scene.meshes.get(&index)) {
                mesh.save(value, &mut task.budget).unwrap();
            } else if let (Value::Material(value), Some(material)) =
                (&mut saved.value, scene.materials.get(&index))
            {
                material.save(value);
            } else if let Some(entity) = scene.entities.get(&index) {
                assert!(entity.save(&mut saved.value), "an entity is one");
            } else {
                continue;
            }
            let stored = file.records(&mut task.budget).unwrap();
            let stored = stored.chunk(owner, &mut task.budget).unwrap();
            let class = scene.class(index);
            if saved.write().unwrap().to_bytes().unwrap() == stored {
                *same.entry(class.into_owned()).or_default() += 1;
            } else {
                wrong.push(format!("{} #{index} {class}", real.name));
            }
        }
    }
    println!("{same:?}");
    assert!(wrong.is_empty(), "{} others: {:?}", wrong.len(), &wrong[..wrong.len().min(20)]);
    assert!(same["CKMesh"] > 1000 && same["CK3dObject"] > 1000, "{same:?}");
}

/// A file that is begun is one that opens, and says the versions of Virtools 2.1.
#[test]
fn a_new_file_opens() {
    let mut sink = Collect::default();
    let mut task = Task::new(Budget::new(Limits::for_len(1 << 20)), &mut sink);
    let mut file = File::new();
    let index =
        file.add_object_as(class::MATERIAL, b"Wood", Bytes::new(), &mut task.budget).unwrap();
    let owner = Owner::Object(index);
    let mut value = file.empty_value(owner, &mut task.budget).unwrap();
    file.set_value(owner, &mut value, &mut task.budget).unwrap();
    for file in [File::new(), file] {
        let mut bytes = Vec::new();
        file.write(&mut bytes, &WriteOptions::default(), &mut task).unwrap();
        let opened = File::read_from(&Bytes::from(bytes.clone()), &mut task).unwrap();
        opened.verify(&mut task).unwrap();
        assert_eq!(opened.head().version(), 8);
        assert_eq!(opened.head().product(), [2, 1, 0, 14]);
        assert_eq!(opened.table().objects.len(), file.table().objects.len());
        assert!(opened.table().plugins.is_some() && opened.table().stub.is_some());
        let mut again = Vec::new();
        opened.write(&mut again, &WriteOptions::default(), &mut task).unwrap();
        assert_eq!(bytes, again);
    }
    drop(task);
    assert!(sink.findings.is_empty(), "{:?}", sink.findings);
}
