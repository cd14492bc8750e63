//! The way of findings: what rules say becomes errors with places and paths, where it is wanted.

use crate::{
    index::RowError,
    lookup::AssetIdIndex,
    pack::Pack,
    paths::{Id, PathText},
};
use spelunk_core::{Code, Error, Result, Seg, Severity, Task, lint::Selection, text::CodePages};

/// Bytes of a name that a finding shows. Assets with longer paths are named by their positions.
const MAX_SHOWN: usize = 200;

/// Sink of the findings.
pub(super) struct PackLintSink<'p, 'a, 't> {
    pub(super) pack: &'p Pack,
    pub(super) ids: &'p AssetIdIndex,
    pub(super) selection: &'a Selection,
    pub(super) pages: &'a CodePages,
    pub(super) path: PathText,
    pub(super) task: &'a mut Task<'t>,
}

impl PackLintSink<'_, '_, '_> {
    /// Whether any of these rules counts.
    pub(super) fn wants(&self, codes: &[&Code]) -> bool {
        codes.iter().any(|code| self.selection.has(code))
    }

    /// Reports a finding.
    pub(super) fn report(&mut self, severity: Severity, error: Error) -> Result<()> {
        if !self.selection.has(error.code()) {
            return Ok(());
        }
        self.task.budget.steps(16)?;
        self.task.report(severity, error)
    }

    /// Reports a finding about the asset at `row`, whose entry is the place where no nearer one is known.
    pub(super) fn report_asset(
        &mut self,
        severity: Severity,
        row: usize,
        error: Error,
    ) -> Result<()> {
        if !self.selection.has(error.code()) {
            return Ok(());
        }
        let at = self.pack.index().place(0, row);
        let path = self.asset(row)?;
        self.report(severity, error.at(at).within(Seg::Key(path.into())))
    }

    /// Reports a finding about what the asset or bulk chunk `id` says of its chunk.
    pub(super) fn report_chunk(&mut self, severity: Severity, id: Id, error: Error) -> Result<()> {
        let Some(nth) = id.bulk else { return self.report_asset(severity, id.row, error) };
        let entry = self.pack.entry(id.row);
        let first = entry.map_or(0, |entry| self.pack.bulk_rows(entry).start);
        let at = self.pack.index().place(1, first.saturating_add(nth));
        self.report_asset(severity, id.row, error.at(at).item("bulk", nth))
    }

    /// The path of an asset; its position where that is long.
    pub(super) fn asset(&mut self, row: usize) -> Result<String> {
        let budget = &mut self.task.budget;
        let path = self.path.set(self.pack, self.ids, row, self.pages, budget)?;
        Ok(if path.len() > MAX_SHOWN { format!("#{row}") } else { path.clone() })
    }

    /// The path of an asset, or of its bulk chunk, in a list.
    pub(super) fn chunk(&mut self, id: Id) -> Result<String> {
        let asset = self.asset(id.row)?;
        Ok(match id.bulk {
            None => format!("`{asset}`"),
            Some(nth) => format!("bulk {nth} of `{asset}`"),
        })
    }
}

/// Bytes of a name for people: escaped, and cut where it is long.
pub(super) fn shown(name: &[u8]) -> String {
    let start = name.get(..MAX_SHOWN).unwrap_or(name);
    let more = if start.len() < name.len() { "..." } else { "" };
    format!("`{}{more}`", start.escape_ascii())
}
