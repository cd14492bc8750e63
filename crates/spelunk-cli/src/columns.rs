//! Rows in columns: as wide as they need to be when they go to another program, within the terminal otherwise.

use crate::styles::TITLE;
use anstyle::Style;
use spelunk::Result;
use std::{borrow::Cow, io::Write};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Number of rows that decide how wide columns are. The rows behind them take more where they need it.
const LOOKED_AT: usize = 1000;
/// Fewer where their texts are longer than this together.
const LONGEST: usize = 1 << 20;
/// No column is made wider than this for the sake of one row.
const WIDEST: usize = 60;
/// No column is made narrower than this to fit the terminal.
const NARROWEST: usize = 8;

/// A value of a row.
pub struct TextCell {
    pub text: String,
    /// Numbers stand at the right, and are never cut.
    pub is_number: bool,
}

impl TextCell {
    pub fn text(text: impl Into<String>) -> TextCell {
        TextCell { text: text.into(), is_number: false }
    }

    pub fn number(text: impl Into<String>) -> TextCell {
        TextCell { text: text.into(), is_number: true }
    }
}

/// Form of a column, known once the first rows were seen.
struct ColumnFormat {
    width: usize,
    is_number: bool,
}

/// Prints rows in columns. The first ones are kept until it is known how wide those are.
pub struct Columns {
    /// Headings of the columns; empty for rows without them.
    heads: Vec<String>,
    styles: Vec<Style>,
    /// Width of the terminal, where there is one.
    terminal: Option<usize>,
    kept: Vec<Vec<TextCell>>,
    /// Bytes of their texts.
    held: usize,
    columns: Option<Vec<ColumnFormat>>,
}

impl Columns {
    /// Columns for a terminal of this width, or for none.
    pub fn new(terminal: Option<usize>) -> Columns {
        let (heads, styles, kept) = (Vec::new(), Vec::new(), Vec::new());
        Columns { heads, styles, terminal, kept, held: 0, columns: None }
    }

    /// With a line above them that says what they are called.
    pub fn headed(mut self, heads: impl IntoIterator<Item = impl Into<String>>) -> Columns {
        self.heads = heads.into_iter().map(Into::into).collect();
        self
    }

    /// Sets the headings of the columns, where they are known with the first row only.
    pub fn head(&mut self, heads: &[String]) {
        if self.heads.is_empty() {
            self.heads = heads.to_vec();
        }
    }

    /// With a style for each column.
    pub fn styled(mut self, styles: impl Into<Vec<Style>>) -> Columns {
        self.styles = styles.into();
        self
    }

    /// Takes up a row.
    pub fn add(&mut self, mut row: Vec<TextCell>, out: &mut dyn Write) -> Result<()> {
        // One line for each row, whatever is in its texts.
        for cell in row.iter_mut().filter(|cell| cell.text.contains(char::is_control)) {
            cell.text = cell.text.replace(char::is_control, " ");
        }
        if self.columns.is_some() {
            return self.line(&row, &self.styles, out);
        }
        self.held = row.iter().map(|cell| cell.text.len()).fold(self.held, usize::saturating_add);
        self.kept.push(row);
        let enough = self.kept.len() >= LOOKED_AT || self.held > LONGEST;
        if enough { self.end(out) } else { Ok(()) }
    }

    /// Prints what was kept.
    pub fn end(&mut self, out: &mut dyn Write) -> Result<()> {
        if self.columns.is_some() {
            return Ok(());
        }
        let kept = std::mem::take(&mut self.kept);
        let count = kept.iter().map(Vec::len).fold(self.heads.len(), usize::max);
        let mut columns: Vec<ColumnFormat> =
            (0..count).map(|nth| self.column(nth, &kept)).collect();
        self.fit(&mut columns);
        self.columns = Some(columns);
        if !self.heads.is_empty() {
            let head = |nth: usize, name: &String| TextCell {
                text: name.clone(),
                is_number: self.is_number(nth),
            };
            let heads: Vec<TextCell> =
                self.heads.iter().enumerate().map(|(nth, name)| head(nth, name)).collect();
            self.line(&heads, &vec![TITLE; heads.len()], out)?;
        }
        kept.iter().try_for_each(|row| self.line(row, &self.styles, out))
    }

    fn is_number(&self, nth: usize) -> bool {
        let column = self.columns.as_ref().and_then(|columns| columns.get(nth));
        column.is_some_and(|column| column.is_number)
    }

    fn column(&self, nth: usize, rows: &[Vec<TextCell>]) -> ColumnFormat {
        let cells = || rows.iter().filter_map(|row| row.get(nth));
        let widths = cells().map(|cell| cell.text.width().min(WIDEST));
        let head = self.heads.get(nth).map_or(0, |head| head.width());
        let is_number = !rows.is_empty() && cells().all(|cell| cell.is_number);
        ColumnFormat { width: widths.fold(head, usize::max), is_number }
    }

    /// Makes the widest columns of texts narrower until all fit.
    fn fit(&self, columns: &mut [ColumnFormat]) {
        let Some(terminal) = self.terminal else { return };
        loop {
            let shown = columns.iter().filter(|column| column.width > 0);
            let width: usize = shown.map(|column| column.width + 2).sum();
            let texts = columns.iter_mut().filter(|column| !column.is_number);
            match texts.max_by_key(|column| column.width) {
                Some(widest) if width > terminal + 2 && widest.width > NARROWEST => {
                    widest.width -= 1;
                }
                _ => return,
            }
        }
    }

    /// Prints a row. No spaces stand behind its last text.
    fn line(&self, row: &[TextCell], styles: &[Style], out: &mut dyn Write) -> Result<()> {
        let mut gap = 0;
        let mut is_first = true;
        for (nth, column) in self.columns.iter().flatten().enumerate() {
            let cell = row.get(nth);
            let text = cell.map_or("", |cell| &cell.text);
            if column.width == 0 && text.is_empty() {
                continue;
            }
            gap += if is_first { 0 } else { 2 };
            is_first = false;
            let is_number = cell.is_some_and(|cell| cell.is_number);
            let cut = self.terminal.is_some() && !is_number && text.width() > column.width;
            let text: Cow<'_, str> =
                if cut { shortened(text, column.width).into() } else { text.into() };
            let rest = column.width.saturating_sub(text.width());
            if text.is_empty() {
                gap += rest;
                continue;
            }
            let before = gap + if is_number { rest } else { 0 };
            let style = styles.get(nth).copied().unwrap_or_default();
            write!(out, "{:before$}{style}{text}{style:#}", "")?;
            gap = if is_number { 0 } else { rest };
        }
        Ok(writeln!(out)?)
    }
}

/// As much of a text as fits, with a sign that there is more.
fn shortened(text: &str, width: usize) -> String {
    let mut left = width.saturating_sub(1);
    let fits = |c: &char| {
        let width = c.width().unwrap_or_default();
        let fits = width <= left;
        left = left.saturating_sub(width);
        fits
    };
    let mut short: String = text.chars().take_while(fits).collect();
    short.push('…');
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    fn printed(mut columns: Columns, rows: &[[&str; 3]]) -> String {
        let mut out = Vec::new();
        for [number, middle, last] in rows {
            let row =
                vec![TextCell::number(*number), TextCell::text(*middle), TextCell::text(*last)];
            columns.add(row, &mut out).unwrap();
        }
        columns.end(&mut out).unwrap();
        anstream::adapter::strip_bytes(&out).into_vec().try_into().unwrap()
    }

    #[test]
    fn columns_are_aligned_and_empty_ones_are_not_there() {
        let rows = [["7", "", "stone"], ["12", "", "a\tb"], ["", "", ""]];
        assert_eq!(printed(Columns::new(None), &rows), " 7  stone\n12  a b\n\n");
        let rows = [["7", "x", ""], ["12", "wide", "end"]];
        assert_eq!(printed(Columns::new(None), &rows), " 7  x\n12  wide  end\n");
        let headed = Columns::new(None).headed(["size", "name", "note"]);
        assert_eq!(printed(headed, &rows), "size  name  note\n   7  x\n  12  wide  end\n");
    }

    #[test]
    fn long_rows_are_not_kept_for_the_sake_of_widths() {
        let (mut columns, mut out) = (Columns::new(None), Vec::new());
        for _ in 0..20 {
            columns.add(vec![TextCell::text("x".repeat(LONGEST / 4))], &mut out).unwrap();
            assert!(
                columns.kept.iter().flatten().map(|cell| cell.text.len()).sum::<usize>() <= LONGEST
            );
        }
        assert_eq!(out.len(), 20 * (LONGEST / 4 + 1));
    }

    #[test]
    fn texts_are_cut_to_fit_a_terminal_and_nowhere_else() {
        let rows = [["1", "the middle one is long", "and the last is 很长的"]];
        let whole = "1  the middle one is long  and the last is 很长的\n";
        assert_eq!(printed(Columns::new(None), &rows), whole);
        let cut = printed(Columns::new(Some(30)), &rows);
        assert_eq!(cut.trim_end().width(), 30, "{cut}");
        assert_eq!(cut, "1  the middle o…  and the las…\n");
    }
}
