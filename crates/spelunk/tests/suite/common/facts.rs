//! What objects say, whatever their positions and ids and the numbers of managers are: to compare files whose objects
//! stand elsewhere.

use spelunk::{Bytes, Field, Limits};
use std::collections::HashMap;
use test_support::task::{unlimited, with_limits};
use virtools::{
    File,
    chunk::buffer::ChunkBuf,
    class::{Value, attribute_manager, message_manager},
    codec::{Array, Reference, visit::Refs},
    file::data::Owner,
};
use zerocopy::little_endian::U32;

/// An object of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fact {
    pub class_id: u32,
    pub name: Vec<u8>,
    /// The chunk with zeros in the place of references and numbers.
    pub content: Vec<u8>,
    /// The positions of what it refers to, in order, with the fields that do.
    pub references: Vec<(&'static str, Option<usize>)>,
    /// Numbers of managers, and what they mean.
    pub numbers: Vec<([u32; 2], String)>,
    /// Whether it is no more than an entry for others to refer to.
    pub is_reference: bool,
}

/// Reads a file.
pub fn open(bytes: &[u8]) -> File {
    let source = Bytes::copy_from_slice(bytes);
    with_limits(Limits::unlimited(), |task| File::read_from(&source, task)).0.unwrap()
}

/// The names of attributes and messages, by their numbers.
#[derive(Default)]
pub struct Tables {
    pub attributes: Vec<Option<attribute_manager::Attribute>>,
    pub categories: Vec<Option<Vec<u8>>>,
    pub messages: Vec<Vec<u8>>,
}

pub fn tables(file: &File) -> Tables {
    let mut tables = Tables::default();
    let count = file.records(&mut unlimited()).unwrap().managers.len() as u32;
    for index in 0..count {
        let value = file.value(Owner::Manager(index), &mut Vec::new(), &mut unlimited()).unwrap();
        match value.map(|saved| saved.value) {
            Some(Value::AttributeManager(value)) => {
                let read = value.tables.unwrap_or_default();
                tables.attributes = read.attributes.into_iter().map(|slot| slot.value).collect();
                let name = |it: attribute_manager::Category| it.name.text().to_vec();
                let categories = read.categories.into_iter();
                tables.categories = categories.map(|slot| slot.value.map(name)).collect();
            }
            Some(Value::MessageManager(value)) => {
                let messages = value.messages.unwrap_or_default();
                tables.messages = messages.iter().map(|name| name.text().to_vec()).collect();
            }
            _ => {}
        }
    }
    tables
}

/// The objects of a file.
pub fn facts(file: &File) -> Vec<Fact> {
    let tables = tables(file);
    let objects = &file.table().objects;
    let mut ids = HashMap::new();
    for (position, object) in objects.iter().enumerate() {
        ids.entry(object.id.cast_unsigned() & 0x7FFF_FFFF).or_insert(position);
    }
    let mut all = Vec::new();
    for (index, object) in (0..).zip(objects) {
        let name = file.table().name(object).to_vec();
        let mut taken = Take {
            count: objects.len(),
            ids: &ids,
            tables: &tables,
            references: vec![],
            numbers: vec![],
        };
        let owner = Owner::Object(index);
        let content = match file.value(owner, &mut Vec::new(), &mut unlimited()) {
            Ok(None) => Vec::new(),
            Ok(Some(mut saved)) => {
                saved.visit(&mut taken).unwrap();
                saved.write().unwrap().to_bytes().unwrap()
            }
            Err(_) => file
                .records(&mut unlimited())
                .unwrap()
                .chunk(owner, &mut unlimited())
                .unwrap()
                .to_vec(),
        };
        all.push(Fact {
            class_id: object.class_id,
            name,
            content,
            references: taken.references,
            numbers: taken.numbers,
            is_reference: object.id < 0,
        });
    }
    all
}

/// Takes references and numbers out of a value.
struct Take<'t> {
    count: usize,
    ids: &'t HashMap<u32, usize>,
    tables: &'t Tables,
    references: Vec<(&'static str, Option<usize>)>,
    numbers: Vec<([u32; 2], String)>,
}

impl Take<'_> {
    fn reference(&mut self, field: &'static str, file_mode: bool, value: u32) {
        let position = match file_mode {
            true => Some(value as usize).filter(|at| *at < self.count),
            false => self.ids.get(&value).copied(),
        };
        self.references.push((field, position));
    }

    /// Reads a list of indexes into the data as `docs/formats/virtools.md#113-lists` tells.
    fn listed(&mut self, chunk: &mut ChunkBuf) {
        let mut list = chunk.ids.clone().unwrap_or_default().into_iter().map(U32::get);
        let mut places = Vec::new();
        while let Some(at) = list.next() {
            if at < 0x8000_0000 {
                places.push(at as usize);
            } else if let Some(at) = list.next() {
                let count = chunk.data[at as usize].get() as usize;
                places.extend((1..=count).map(|nth| at as usize + nth));
            }
        }
        for at in places {
            self.reference("listed", false, chunk.data[at].get());
            chunk.data[at] = U32::new(0);
        }
    }
}

impl Refs for Take<'_> {
    fn object(
        &mut self,
        field: &'static Field,
        file_mode: bool,
        value: &mut Reference,
    ) -> spelunk::Result<()> {
        self.reference(field.name, file_mode, value.value);
        *value = Reference { value: 0, listed: !file_mode };
        Ok(())
    }

    fn objects(
        &mut self,
        field: &'static Field,
        file_mode: bool,
        value: &mut Array<U32>,
        _: bool,
    ) -> spelunk::Result<()> {
        value.iter().for_each(|it| self.reference(field.name, file_mode, it.get()));
        value.to_mut().fill(U32::new(0));
        Ok(())
    }

    fn manager_int(&mut self, manager: [u32; 2], value: &mut u32) -> spelunk::Result<()> {
        let at = *value as usize;
        let name = match manager {
            attribute_manager::GUID => {
                let it = self.tables.attributes.get(at).and_then(Option::as_ref);
                it.map(|it| it.name.text().to_vec())
            }
            message_manager::GUID => self.tables.messages.get(at).cloned(),
            _ => None,
        };
        let meant = name.map(|name| format!("`{}`", name.escape_ascii()));
        self.numbers.push((manager, meant.unwrap_or_else(|| value.to_string())));
        *value = 0;
        Ok(())
    }

    fn opaque(&mut self, chunk: &mut ChunkBuf) -> spelunk::Result<()> {
        self.listed(chunk);
        Ok(())
    }
}
