//! Names and sentences as C# writes them.

/// A text with a full stop: those of options have none.
pub(super) fn sentence(text: &str) -> String {
    let text = text.trim_end();
    if text.ends_with(['.', '!', '?', ':']) { text.to_owned() } else { format!("{text}.") }
}

/// A name as C# writes those of classes and members.
pub(super) fn words(name: &str) -> String {
    let mut made = String::new();
    for word in name.split(|letter: char| !letter.is_ascii_alphanumeric()) {
        let mut letters = word.chars();
        made.extend(letters.next().map(|first| first.to_ascii_uppercase()));
        made.push_str(letters.as_str());
    }
    if made.starts_with(|first: char| first.is_ascii_digit()) { format!("N{made}") } else { made }
}

/// Letters of a line of a comment at the most.
const WIDTH: usize = 120;

/// A comment that documents something, broken into lines.
pub(super) fn summary(indent: &str, about: &str) -> String {
    let about = about.trim().replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    if about.is_empty() {
        return String::new();
    }
    let (mut lines, mut line) = (Vec::new(), "<summary>".to_owned());
    for (nth, word) in about.split_whitespace().enumerate() {
        let len = [indent, &line, word].iter().map(|part| part.len()).sum::<usize>();
        if len.saturating_add(usize::from(nth > 0)) > WIDTH {
            lines.push(std::mem::take(&mut line));
        } else if nth > 0 {
            line.push(' ');
        }
        line.push_str(word);
    }
    lines.push(line + "</summary>");
    lines.iter().map(|line| format!("{indent}/// {line}\n")).collect()
}
