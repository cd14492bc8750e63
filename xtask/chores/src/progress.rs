//! How far long work is, where a terminal is there to show it.

use indicatif::{ProgressBar, ProgressStyle};
use std::time::Duration;

/// A bar over so many of something, with the time that it has taken and `rest`, a template, behind it. On anything but a terminal
/// nothing is shown. What is printed meanwhile is printed within [`ProgressBar::suspend`].
pub fn bar(total: u64, what: &str, rest: &str) -> ProgressBar {
    let bar = ProgressBar::new(total);
    let template = format!("{{bar:30}} {{pos}}/{{len}} {what}  {{elapsed}}{rest}");
    if let Ok(style) = ProgressStyle::with_template(&template) {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_secs(1));
    bar
}
