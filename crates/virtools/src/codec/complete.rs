//! Facts about a value besides its fields, from which the same chunk can be made.

use super::{Extras, Unknown, tree::Tree};
use crate::{
    chunk::{
        Form,
        buffer::{ChunkBuf, Header},
    },
    codes,
    file::leaf,
};
use spelunk_core::{Error, Field, Group, Record, Result, Span, Ty, Val, Walk, Walked, field::Role};
use zerocopy::{FromBytes, IntoBytes, little_endian::U32};

const PAGE: &str = "docs/formats/virtools.md#11-chunks";

/// The key of the group that describes the chunk itself.
pub(super) const CHUNK: &str = "chunk";
/// The key of dwords behind what is known of a section.
pub(super) const REST: &str = "rest";

static HEADER: Record = Record::group(CHUNK, PAGE, "What stands before the data, and their order.");
static ORDER: Record = Record::group("order", PAGE, "The identifiers in the order of the data.");
static LIST: Record = Record::group("list", PAGE, "Indexes in the words.");
static CLASS_ID: Field = Field::new("class_id", Ty::U32, "Class of the object or manager.");
static VERSIONS: Field = Field::new("versions", Ty::Word, "Data version, chunk version, options.");
static EXTRA: Field = Field::new("extra", Ty::Word, "Reserved, or HasFile.");
static FILE_MODE: Field = Field::new("file_mode", Ty::Bool, "References are positions.");
static IDENTIFIER: Field = Field::new("identifier", Ty::Word, "An identifier.");
static BEHIND: Field = Field::new("behind", Ty::Bytes, "Bytes behind the lists.");
static WORDS: Field = Field::new("words", Ty::Bytes, "Dwords as stored.").role(Role::Opaque);
static ENTRY: Field = Field::new("entry", Ty::Word, "An index, or the sentinel.");

fn nowhere() -> Span {
    Span::file(0, 0)
}

/// Walks the header of a chunk, and what else it holds besides sections.
pub(super) fn header(header: &Header, extras: Option<&Extras>, walk: &mut dyn Walk) -> Walked {
    walk.group(&Group::record(CHUNK, &HEADER, None), |walk| {
        walk.field(&CLASS_ID, None, Val::U(header.class_id.into()))?;
        walk.field(&VERSIONS, None, Val::Word(header.versions))?;
        if header.extra != 0 {
            walk.field(&EXTRA, None, Val::Word(header.extra))?;
        }
        walk.field(&FILE_MODE, None, Val::Bool(header.file_mode))?;
        let Some(extras) = extras else { return Ok(()) };
        walk.group(&Group::list("order", &ORDER, None), |walk| {
            let order = &mut extras.order.iter();
            order.try_for_each(|identifier| walk.field(&IDENTIFIER, None, Val::Word(*identifier)))
        })?;
        if extras.rest.is_empty() { Ok(()) } else { leaf(&BEHIND, nowhere(), &extras.rest, walk) }
    })
}

/// Walks dwords with the lists that name them.
pub(super) fn content(content: &ChunkBuf, walk: &mut dyn Walk) -> Walked {
    leaf(&WORDS, nowhere(), content.data.as_bytes(), walk)?;
    let lists =
        [("ids", &content.ids), ("chunks", &content.chunks), ("managers", &content.managers)];
    for (name, list) in lists {
        let Some(list) = list else { continue };
        walk.group(&Group::list(name, &LIST, None), |walk| {
            list.iter().try_for_each(|word| walk.field(&ENTRY, None, Val::Word(word.get())))
        })?;
    }
    if content.rest.is_empty() { Ok(()) } else { leaf(&BEHIND, nowhere(), &content.rest, walk) }
}

type Entries<'t> = Vec<(std::borrow::Cow<'t, str>, Tree<'t>)>;

fn take<'t>(entries: &mut Entries<'t>, name: &str) -> Option<Tree<'t>> {
    let index = entries.iter().position(|(key, _)| key == name)?;
    Some(entries.swap_remove(index).1)
}

fn wrong(field: &Field) -> Error {
    Error::new(&spelunk_core::codes::VALUE).field(field.name).expected(field.expected())
}

fn encode(field: &Field, value: &Val<'_>) -> Result<Vec<u8>> {
    field.encode(value, &[]).map_err(|error| error.field(field.name))
}

fn bytes(entries: &mut Entries<'_>, field: &Field) -> Result<Option<Vec<u8>>> {
    match take(entries, field.name) {
        None => Ok(None),
        Some(Tree::Val(value)) => encode(field, &value).map(Some),
        Some(_) => Err(wrong(field)),
    }
}

fn word(entries: &mut Entries<'_>, field: &Field, value: &mut u32) -> Result<()> {
    if let Some(bytes) = bytes(entries, field)? {
        *value = bytes.first_chunk().map_or(*value, |bytes| u32::from_le_bytes(*bytes));
    }
    Ok(())
}

/// The words of a list.
fn words(
    entries: &mut Entries<'_>,
    name: &'static str,
    field: &'static Field,
) -> Result<Option<Vec<U32>>> {
    match take(entries, name) {
        None => Ok(None),
        Some(Tree::List(items)) => {
            let word = |item: &Tree<'_>| match item {
                Tree::Val(value) => {
                    let bytes = encode(field, value)?;
                    U32::read_from_bytes(&bytes).map_err(|_| wrong(field))
                }
                _ => Err(wrong(field)),
            };
            items.iter().map(word).collect::<Result<Vec<U32>>>().map(Some)
        }
        Some(_) => Err(wrong(field)),
    }
}

/// The order of identifiers and what is behind the lists, where they are given.
type OrderAndRest = (Option<Vec<u32>>, Option<Vec<u8>>);

/// Changes a header; returns what else is given beside it.
pub(super) fn fill_header(tree: Tree<'_>, header: &mut Header) -> Result<OrderAndRest> {
    let Tree::Map(mut entries) = tree else { return Err(wrong(&WORDS)) };
    word(&mut entries, &CLASS_ID, &mut header.class_id)?;
    word(&mut entries, &VERSIONS, &mut header.versions)?;
    word(&mut entries, &EXTRA, &mut header.extra)?;
    match take(&mut entries, FILE_MODE.name) {
        None => {}
        Some(Tree::Val(Val::Bool(value))) => header.file_mode = value,
        Some(_) => return Err(wrong(&FILE_MODE)),
    }
    if let Form::A | Form::B | Form::C = header.form {
        header.form = Form::of_version(header.chunk_version());
    }
    let order = words(&mut entries, "order", &IDENTIFIER)?;
    let behind = bytes(&mut entries, &BEHIND)?;
    used_up(&entries)?;
    Ok((order.map(|order| order.iter().map(|word| word.get()).collect()), behind))
}

/// Changes content to that of a tree.
fn fill_content(mut entries: Entries<'_>, content: &mut ChunkBuf) -> Result<()> {
    if let Some(bytes) = bytes(&mut entries, &WORDS)? {
        let words = <[U32]>::ref_from_bytes(&bytes).map_err(|_| wrong(&WORDS))?;
        content.data = words.to_vec();
    }
    let lists = [
        ("ids", &mut content.ids),
        ("chunks", &mut content.chunks),
        ("managers", &mut content.managers),
    ];
    for (name, list) in lists {
        if let Some(words) = words(&mut entries, name, &ENTRY)? {
            *list = Some(words);
        }
    }
    if let Some(rest) = bytes(&mut entries, &BEHIND)? {
        content.rest = rest;
    }
    used_up(&entries)
}

/// A chunk of which nothing is known: what the tree gives, where it has header and words, and else the `known` one with
/// what the tree changes.
pub(super) fn fill_opaque(
    tree: Tree<'_>,
    known: Option<ChunkBuf>,
    mut header: Header,
) -> Result<ChunkBuf> {
    let Tree::Map(mut entries) = tree else { return Err(wrong(&WORDS)) };
    let has = |name: &str| entries.iter().any(|(key, _)| key == name);
    let known = known.filter(|_| !(has(CHUNK) && has(WORDS.name)));
    header = known.as_ref().map_or(header, |known| known.header);
    if let Some(tree) = take(&mut entries, CHUNK) {
        fill_header(tree, &mut header)?;
    }
    let mut content = known.unwrap_or_else(|| ChunkBuf::new(header));
    content.header = header;
    fill_content(entries, &mut content)?;
    Ok(content)
}

/// The identifier that a key such as `0x4fae17d7` names.
pub(super) fn identifier(key: &str) -> Option<u32> {
    u32::from_str_radix(key.strip_prefix("0x")?, 16).ok()
}

/// Changes the section that a key names, such as `0x4fae17d7`, or adds it; null takes it away. Returns whether the key
/// is one of a section.
pub(super) fn fill_unknown(
    key: &str,
    tree: Tree<'_>,
    header: Header,
    sections: &mut Vec<Unknown>,
) -> Result<bool> {
    let Some(identifier) = identifier(key) else { return Ok(false) };
    let index = sections.iter().position(|section| section.identifier == identifier);
    match (tree, index.and_then(|index| sections.get_mut(index))) {
        (Tree::Map(entries), Some(section)) => fill_content(entries, &mut section.content)?,
        (Tree::Map(entries), None) => {
            let mut content = ChunkBuf::new(header);
            fill_content(entries, &mut content)?;
            sections.push(Unknown { identifier, content });
        }
        (Tree::Val(Val::None), _) => sections.retain(|section| section.identifier != identifier),
        _ => return Err(wrong(&WORDS)),
    }
    Ok(true)
}

/// Dwords behind what is known of a section.
pub(super) fn fill_rest(tree: Tree<'_>, header: Header) -> Result<ChunkBuf> {
    let mut content = ChunkBuf::new(header);
    let entries = match tree {
        Tree::Map(entries) => entries,
        value => vec![(WORDS.name.into(), value)],
    };
    fill_content(entries, &mut content)?;
    Ok(content)
}

fn used_up(entries: &Entries<'_>) -> Result<()> {
    match entries.first() {
        Some((name, _)) => Err(Error::new(&codes::NO_FIELD).found(name.to_string())),
        None => Ok(()),
    }
}
