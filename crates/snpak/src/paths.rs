//! Paths of assets and bulk chunks, and the way back.
//!
//! An asset's path is its name, `name@variant` where it has a variant, and `#POSITION` where it has no
//! name. `#SEMANTIC/SUB` behind it names a bulk chunk. Asset ids are accepted wherever a path is.

use crate::{index::BulkEntry, pack::Pack};
use spelunk_core::{Node, text::CodePages};
use std::{borrow::Cow, fmt::Write};

/// What a node of a pack is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Id {
    /// Position of the asset in the active index.
    pub(crate) row: usize,
    /// Position of the bulk chunk among those of the asset; `None` for the asset itself.
    pub(crate) bulk: Option<usize>,
}

impl Id {
    pub(crate) const fn asset(row: usize) -> Id {
        Id { row, bulk: None }
    }

    pub(crate) const fn bulk(row: usize, nth: usize) -> Id {
        Id { row, bulk: Some(nth) }
    }

    /// Both positions are below 2^32: the low half is the asset, the high half counts its bulk chunks
    /// from 1.
    pub(crate) fn node(self) -> Node {
        let high = self.bulk.map_or(0, |nth| (nth as u64).saturating_add(1));
        Node((high << 32) | self.row as u64)
    }

    pub(crate) fn of(node: Node) -> Option<Id> {
        let row = usize::try_from(node.0 & u64::from(u32::MAX)).ok()?;
        let bulk = usize::try_from(node.0 >> 32).ok()?.checked_sub(1);
        Some(Id { row, bulk })
    }
}

/// Appends the path of the asset at `row`.
pub(crate) fn push_asset(pack: &Pack, row: usize, pages: &CodePages, out: &mut String) {
    let start = out.len();
    let entry = pack.entry(row);
    if let Some((entry, name)) = entry.and_then(|entry| Some((entry, pack.name(entry)?))) {
        pages.path(name, out);
        if let Some(variant) = pack.variant(entry) {
            out.push('@');
            pages.path(variant, out);
        }
    }
    if out.len() == start {
        // Writing to a string cannot fail.
        let _ = write!(out, "#{row}");
    }
}

/// Appends what names a bulk chunk behind the path of its asset.
pub(crate) fn push_bulk(bulk: &BulkEntry, out: &mut String) {
    let _ = write!(out, "#{}/{}", bulk.semantic.get(), bulk.sub_index.get());
}

/// The entries that a path names.
pub(crate) fn find(pack: &Pack, path: &str, pages: &CodePages) -> Vec<Node> {
    let (rows, bulk) = match path.strip_prefix('#') {
        Some(rest) => {
            let (number, bulk) = split(rest);
            let row = number.parse().ok().filter(|row| pack.entry(*row).is_some());
            (row.into_iter().collect(), bulk)
        }
        None => {
            let (base, bulk) = split(path);
            (assets(pack, base, pages), bulk)
        }
    };
    let Some(bulk) = bulk else {
        return rows.into_iter().map(|row| Id::asset(row).node()).collect();
    };
    let Some(wanted) = numbers(bulk) else { return Vec::new() };
    let in_asset = |row: usize| {
        let entry = pack.entry(row);
        let bulk = entry.map(|entry| pack.bulk(entry)).unwrap_or_default().iter().enumerate();
        let same = bulk.filter(|(_, bulk)| (bulk.semantic.get(), bulk.sub_index.get()) == wanted);
        same.map(move |(nth, _)| Id::bulk(row, nth).node()).collect::<Vec<_>>()
    };
    rows.into_iter().flat_map(in_asset).collect()
}

/// Splits at the first `#`: names hold it only in its escaped form.
fn split(path: &str) -> (&str, Option<&str>) {
    path.split_once('#').map_or((path, None), |(base, bulk)| (base, Some(bulk)))
}

fn numbers(text: &str) -> Option<(u32, u32)> {
    let (semantic, sub_index) = text.split_once('/')?;
    Some((semantic.parse().ok()?, sub_index.parse().ok()?))
}

/// The assets with this path; where there is none, the asset with this id.
fn assets(pack: &Pack, path: &str, pages: &CodePages) -> Vec<usize> {
    let named =
        if *pages == CodePages::utf8() { by_bytes(pack, path) } else { by_text(pack, path, pages) };
    if named.is_empty() {
        return uuid(path).and_then(|id| pack.by_id(&id)).into_iter().collect();
    }
    named
}

/// With UTF-8 a path has exactly one stored form, so names are looked up.
fn by_bytes(pack: &Pack, path: &str) -> Vec<usize> {
    let stored = unescape(path);
    let variant = |row: &usize| pack.entry(*row).and_then(|entry| pack.variant(entry));
    let mut rows: Vec<usize> =
        pack.by_name(&stored).into_iter().filter(|row| variant(row).is_none()).collect();
    for (at, _) in stored.iter().enumerate().filter(|(_, byte)| **byte == b'@') {
        let (name, rest) = stored.split_at_checked(at).unwrap_or_default();
        let with_variant = pack.by_name(name).into_iter();
        rows.extend(with_variant.filter(|row| variant(row) == rest.get(1..)));
    }
    rows.retain(|row| !stored.is_empty() && pack.entry(*row).is_some());
    rows.sort_unstable();
    rows
}

/// In other code pages several byte strings may have the same path, so all paths are compared.
fn by_text(pack: &Pack, path: &str, pages: &CodePages) -> Vec<usize> {
    let mut own = String::new();
    let mut same = |row: &usize| {
        own.clear();
        push_asset(pack, *row, pages, &mut own);
        own == path
    };
    (0..pack.index().entries().len()).filter(|row| same(row)).collect()
}

/// The bytes that an escaped path stands for. A `%` without two digits stands for itself.
fn unescape(path: &str) -> Cow<'_, [u8]> {
    if !path.contains('%') {
        return Cow::Borrowed(path.as_bytes());
    }
    let mut out = Vec::with_capacity(path.len());
    let mut rest = path.as_bytes();
    while let Some((first, behind)) = rest.split_first() {
        let digits =
            behind.first_chunk::<2>().filter(|digits| digits.iter().all(u8::is_ascii_hexdigit));
        let byte = digits
            .filter(|_| *first == b'%')
            .and_then(|digits| std::str::from_utf8(digits).ok())
            .and_then(|digits| u8::from_str_radix(digits, 16).ok());
        match byte {
            Some(byte) => {
                out.push(byte);
                rest = behind.get(2..).unwrap_or_default();
            }
            None => {
                out.push(*first);
                rest = behind;
            }
        }
    }
    Cow::Owned(out)
}

/// An asset id in any of its forms: with or without dashes and braces, in either case.
fn uuid(text: &str) -> Option<[u8; 16]> {
    let inner = match text.strip_prefix('{') {
        Some(rest) => rest.strip_suffix('}')?,
        None => text,
    };
    let digits: String = match inner.len() {
        32 => inner.to_owned(),
        36 => {
            let parts: Vec<&str> = inner.split('-').collect();
            let lengths = parts.iter().map(|part| part.len());
            lengths.eq([8, 4, 4, 4, 12]).then(|| parts.concat())?
        }
        _ => return None,
    };
    let hex = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    hex.then(|| u128::from_str_radix(&digits, 16).ok()).flatten().map(u128::to_be_bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_read_in_every_form() {
        let id = Some([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]);
        for text in [
            "00010203-0405-0607-0809-0a0b0c0d0e0f",
            "{00010203-0405-0607-0809-0A0B0C0D0E0F}",
            "000102030405060708090a0b0c0d0e0f",
        ] {
            assert_eq!(uuid(text), id, "{text}");
        }
        for text in ["", "{}", "+0010203-0405-0607-0809-0a0b0c0d0e0f", "00010203", "ä"] {
            assert_eq!(uuid(text), None, "{text}");
        }
    }

    #[test]
    fn paths_unescape_to_the_bytes_they_came_from() {
        assert_eq!(*unescape("a%2Fb%FF"), *b"a/b\xff");
        assert_eq!(*unescape("100%"), *b"100%");
        assert_eq!(*unescape("%zz%4"), *b"%zz%4");
    }

    #[test]
    fn nodes_keep_asset_and_bulk_chunk() {
        for id in [Id::asset(0), Id::asset(9_999_999), Id::bulk(3, 0), Id::bulk(0, 99_999_999)] {
            assert_eq!(Id::of(id.node()), Some(id));
        }
    }
}
