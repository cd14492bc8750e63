//! Styles of what people read.

use anstyle::{AnsiColor, Style};

/// Names of fields and places.
pub const LABEL: Style = AnsiColor::Cyan.on_default();
/// Headings.
pub const TITLE: Style = Style::new().bold();
/// Parts that matter less.
pub const FAINT: Style = Style::new().dimmed();
