//! Files that trip rules of `lint`, and what is told and mended of them.

#![allow(dead_code, reason = "every test file uses another part")]

use super::{
    errors, open,
    scene::{HERE, Mesh, TRIANGLE, entity, file, material},
};
use spelunk::{
    Collect, Opened, WriteOptions,
    check::lint::{self, Mended, Mending, Missing, Selection},
    entries::search::Search,
};
use spelunk_fixtures::chunk::Chunk;
use std::collections::BTreeMap;
use test_support::findings::{codes, tally};

pub type Objects = Vec<(u32, &'static str, Chunk)>;

/// The rules that say something, by their codes, once for each finding.
pub fn told(opened: &mut Opened, folders: &Search) -> Vec<&'static str> {
    drop(opened.take_findings());
    let mut codes = codes(&found(opened, folders));
    codes.sort_unstable();
    codes
}

/// Numbers of findings of opening and of all rules, by their codes.
pub fn counted(bytes: &[u8]) -> BTreeMap<&'static str, usize> {
    tally(&found(&mut open("a file", bytes), &Search::default()))
}

fn found(opened: &mut Opened, folders: &Search) -> Collect {
    let mut missing = Missing::new();
    lint::lint(opened, "a file", &Selection::default(), folders, None, &mut missing).unwrap();
    opened.take_findings()
}

pub fn lint(bytes: &[u8]) -> Vec<&'static str> {
    told(&mut open("a file", bytes), &Search::default())
}

/// Mends all there is to mend, at the cost of names.
pub fn everything() -> Mending {
    Mending { selection: Selection::default(), merge_names: true, remove_unused: true }
}

/// The bytes of a file that was mended in a way, and what was done and left.
pub fn mended_so(bytes: &[u8], mending: &Mending) -> (Vec<u8>, Mended) {
    let mut opened = open("a file", bytes);
    let mended = lint::fix(&mut opened, mending).unwrap();
    assert!(opened.findings().findings.is_empty(), "{:?}", opened.findings().findings);
    (written(&mut opened), mended)
}

/// The bytes of a file in which everything was mended, and how often rules were applied.
pub fn mended(bytes: &[u8]) -> (Vec<u8>, Vec<(&'static str, u64)>) {
    let (bytes, Mended { fixed, left }) = mended_so(bytes, &everything());
    assert_eq!(left, []);
    (bytes, fixed.iter().map(|(code, count)| (code.id, *count)).collect())
}

pub fn written(opened: &mut Opened) -> Vec<u8> {
    let mut out = Vec::new();
    opened
        .run(|container, task| container.write(&mut out, &WriteOptions::default(), task))
        .unwrap();
    out
}

/// Mends a file, and sees that it passes then.
pub fn passes_mended(bytes: &[u8], expected: &[(&str, u64)]) -> Vec<u8> {
    let (bytes, fixed) = mended(bytes);
    assert_eq!(fixed, expected);
    assert_eq!(lint(&bytes), Vec::<&str>::new());
    assert_eq!(errors(&mut open("mended", &bytes)), Vec::<&str>::new());
    assert_eq!(mended(&bytes), (bytes.clone(), vec![]), "a second time");
    bytes
}

pub fn group(members: &[u32]) -> Chunk {
    let members: Vec<_> = members.iter().copied().map(Some).collect();
    Chunk::object(23).identifier(0xF_FFFF).object_sequence(&members)
}

/// A textless material and a mesh that has it, which an entity has.
pub fn clean() -> Objects {
    let mesh = Mesh { slots: &[None, Some(0)], ..TRIANGLE };
    vec![
        (30, "Wood", material(0xFFFF_FFFF, 0, 0, None)),
        (32, "Floor_Mesh", mesh.chunk()),
        (33, "Floor", entity(HERE, Some(1), None)),
    ]
}

pub fn with_wood(bytes: &[u8]) -> Opened {
    let mut opened = open("level", bytes);
    opened
        .edit(|edit, task| {
            let table = edit.table("included").unwrap();
            edit.insert(table, &[spelunk::Val::Str("Wood.bmp".into())], task).unwrap();
        })
        .unwrap();
    opened
}

/// A floor with a mesh of four vertices.
pub fn floor(faces: &[[u32; 4]], far: f32) -> Vec<u8> {
    let positions = [[0.0, 0.0, 1.0], [0.0, 1.0, 1.0], [1.0, 0.0, 1.0], [far, 0.0, 1.0]];
    let uv = [[0.0, 0.0], [0.0, 1.0], [1.0, 0.25], [0.5, 0.5]];
    let mesh = Mesh { faces, positions: &positions, uv: &uv, ..TRIANGLE };
    file(vec![(32, "Mesh", mesh.chunk()), (33, "Floor", entity(HERE, Some(0), None))])
}

/// A map with so many sectors, in which each group has what it should have: positions 1 is a floor, and then points.
pub struct Map {
    pub objects: Vec<(u32, String, Chunk)>,
    groups: Vec<(String, Vec<u32>)>,
}

impl Map {
    pub fn new(sectors: u32) -> Map {
        let mut map = Map { objects: Vec::new(), groups: Vec::new() };
        map.objects.push((32, "Mesh".into(), TRIANGLE.chunk()));
        let other_side = Mesh { faces: &[[0, 2, 1, 0]], ..TRIANGLE };
        map.objects.push((32, "Module_Mesh".into(), other_side.chunk()));
        map.add("Floor", HERE, &["Phys_Floors"]);
        map.add("PS_FourFlames_01", HERE, &["PS_Levelstart"]);
        map.add("PE_Balloon_01", HERE, &["PE_Levelende"]);
        for number in 1..=sectors {
            let (module, sector) =
                (format!("P_Modul_03_{number:02}"), format!("Sector_{number:02}"));
            map.add(&module, HERE, &["P_Modul_03", &sector]);
            map.add(&format!("PR_Resetpoint_{number:02}"), HERE, &["PR_Resetpoints"]);
            if number < sectors {
                map.add(&format!("PC_TwoFlames_{number:02}"), HERE, &["PC_Checkpoints"]);
            }
        }
        map
    }

    pub fn add(&mut self, name: &str, rows: [f32; 12], groups: &[&str]) -> &mut Map {
        let index = self.objects.len() as u32;
        // Modules share their meshes with nothing else.
        let is_module = |group: &&str| {
            ["P_", "PS_", "PE_", "PC_", "PR_"].iter().any(|start| group.starts_with(start))
        };
        let mesh = u32::from(groups.iter().any(is_module));
        self.objects.push((33, name.into(), entity(rows, Some(mesh), None)));
        for group in groups {
            match self.groups.iter_mut().find(|(known, _)| known == group) {
                Some((_, members)) => members.push(index),
                None => self.groups.push(((*group).into(), vec![index])),
            }
        }
        self
    }

    /// Adds what a group of no meaning refers to.
    pub fn put(&mut self, class_id: u32, name: &str, chunk: Chunk) -> &mut Map {
        self.add(name, HERE, &["Others"]);
        *self.objects.last_mut().unwrap() = (class_id, name.into(), chunk);
        self
    }

    /// Adds a mesh with a material, perhaps with a texture of a file; gives their positions.
    pub fn looks(&mut self, name: &'static str, file: Option<&str>) -> [u32; 3] {
        let at = self.objects.len() as u32;
        if let Some(file) = file {
            let named = |c: Chunk| c.identifier(0x1_0000).word(1).string(file.as_bytes());
            self.put(31, name, saved_texture(3, named));
        } else {
            self.put(31, name, saved_texture(3, stored));
        }
        let texture = file.map(|_| at);
        self.put(30, name, material(0xFFFF_FFFF, 0, 0, texture));
        let slots = [None, Some(at + 1)];
        self.put(32, name, Mesh { slots: &slots, ..TRIANGLE }.chunk());
        [at, at + 1, at + 2]
    }

    /// Adds an entity with this mesh.
    pub fn with_mesh(&mut self, name: &str, mesh: u32, groups: &[&str]) -> &mut Map {
        self.add(name, HERE, groups);
        self.objects.last_mut().unwrap().2 = entity(HERE, Some(mesh), None);
        self
    }

    pub fn rename(&mut self, old: &str, new: &str) -> &mut Map {
        let names = self.objects.iter_mut().map(|(_, name, _)| name);
        let mut names = names.chain(self.groups.iter_mut().map(|(name, _)| name));
        *names.find(|name| *name == old).unwrap() = new.into();
        self
    }

    pub fn lint(&self) -> Vec<&'static str> {
        lint(&self.bytes())
    }

    pub fn bytes(&self) -> Vec<u8> {
        let groups = self.groups.iter().map(|(name, members)| (23, name, group(members)));
        let objects = self.objects.iter().map(|(class, name, chunk)| (*class, name, chunk.clone()));
        let objects = objects.chain(groups);
        let objects = objects.map(|(class, name, chunk)| (class, name.as_str(), chunk));
        file(objects.collect())
    }
}

pub const NONE: [&str; 0] = [];

/// A texture that is saved in a way.
pub fn saved_texture(option: u32, content: impl Fn(Chunk) -> Chunk) -> Chunk {
    content(Chunk::object(31)).identifier(0x2F_F000).words(&[option << 16 | 0x201, 0, 0, 6])
}

/// A name of a file.
pub fn named(c: Chunk) -> Chunk {
    c.identifier(0x1_0000).word(1).string(b"wood.bmp")
}

/// A picture of one pixel.
pub fn stored(c: Chunk) -> Chunk {
    let c = c.identifier(0x2_0000).words(&[1, 32, 1, 1, 0xFF00_0000, 0xFF_0000, 0xFF00, 0xFF, 0]);
    c.buffer(&[1]).buffer(&[2]).buffer(&[3]).buffer(&[])
}
