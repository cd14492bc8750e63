//! Tables of text, looked up by GUID.

use spelunk_core::value;

/// Characters of a GUID in a line: eight hexadecimal digits, `-`, eight more.
const GUID: usize = 17;

/// Lines of a GUID and columns, with tabs between them, in ascending order of the GUIDs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GuidTable(pub &'static str);

/// The columns of a line behind its GUID.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Row(&'static str);

impl GuidTable {
    /// The line of a GUID, by bisection of the text.
    pub fn row(&self, [d1, d2]: [u32; 2]) -> Option<Row> {
        let wanted = format!("{d1:08x}-{d2:08x}");
        let mut rest = self.0;
        while !rest.is_empty() {
            // The line around the middle; the text is ASCII, so that every offset is one of a character.
            let middle = rest.len() >> 1;
            let start = rest.get(..middle)?.rfind('\n').map_or(0, |at| at.saturating_add(1));
            let (before, from) = rest.split_at_checked(start)?;
            let (line, behind) = from.split_once('\n').unwrap_or((from, ""));
            let (guid, columns) = line.split_at_checked(GUID)?;
            match wanted.as_str().cmp(guid) {
                std::cmp::Ordering::Less => rest = before,
                std::cmp::Ordering::Equal => return Some(Row::of(columns)),
                std::cmp::Ordering::Greater => rest = behind,
            }
        }
        None
    }

    /// All lines, in ascending order of their GUIDs.
    pub fn rows(&self) -> impl Iterator<Item = ([u32; 2], Row)> + use<> {
        self.0.lines().filter_map(|line| {
            let (guid, columns) = line.split_at_checked(GUID)?;
            Some((value::guid(guid)?, Row::of(columns)))
        })
    }

    /// The GUID of the one line with this text in a column, ASCII case ignored.
    pub fn find(&self, column: usize, text: &str) -> Option<[u32; 2]> {
        let has = |row: &Row| row.column(column).is_some_and(|own| own.eq_ignore_ascii_case(text));
        let mut found = self.rows().filter(|(_, row)| has(row));
        let (guid, _) = found.next()?;
        found.next().is_none().then_some(guid)
    }
}

impl Row {
    fn of(columns: &'static str) -> Row {
        Row(columns.strip_prefix('\t').unwrap_or_default())
    }

    /// A column behind the GUID; `None` where it is empty or missing.
    pub fn column(self, nth: usize) -> Option<&'static str> {
        self.0.split('\t').nth(nth).filter(|text| !text.is_empty())
    }
}
