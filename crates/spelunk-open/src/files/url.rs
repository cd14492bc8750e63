//! Names that are URLs.

use std::borrow::Cow;

/// Beginnings of URLs that name files.
const SCHEMES: [&str; 10] =
    ["http", "https", "s3", "s3a", "gs", "az", "adl", "abfs", "abfss", "file"];

/// Whether a name is a URL of a kind that files are read by.
pub(super) fn is_url(name: &str) -> bool {
    let scheme = name.split_once("://").map_or("", |(scheme, _)| scheme);
    SCHEMES.iter().any(|known| known.eq_ignore_ascii_case(scheme))
}

/// Returns the last part of the path of a URL, or its host.
pub(super) fn last_part(url: &str) -> String {
    let shown = without_secrets(url);
    let path = shown.trim_end_matches('/');
    path.rsplit('/').next().unwrap_or_default().to_owned()
}

/// Returns the URL without name and password, and without what follows its path: signatures stand there.
pub(super) fn without_secrets(url: &str) -> Cow<'_, str> {
    let Some(start) = url.find("://").map(|at| at + 3) else { return Cow::Borrowed(url) };
    let (scheme, rest) = url.split_at(start);
    // In an object store a `?` is an error, and a `#` too.
    let rest = rest.split(['?', '#']).next().unwrap_or_default();
    let (host, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    match host.rsplit_once('@') {
        // The container of an address of Azure is no secret; a password is never without a name.
        Some((user, own)) if is_azure(scheme) && !user.contains(':') => {
            Cow::Owned(format!("{scheme}{user}@{own}{path}"))
        }
        Some((_, own)) => Cow::Owned(format!("{scheme}{own}{path}")),
        None => Cow::Owned(format!("{scheme}{rest}")),
    }
}

/// Returns the URL of a file in the folder of a URL. In the name stands what would mean something else in a URL as an escape.
pub(super) fn joined(folder: &str, name: &str) -> String {
    let path = folder.split(['?', '#']).next().unwrap_or_default();
    let mut url = format!("{}/", path.trim_end_matches('/'));
    for c in name.chars() {
        match c {
            '%' | '?' | '#' | '\\' | '\0'..' ' | '\x7f' => {
                url.push_str(&format!("%{:02X}", u32::from(c)));
            }
            _ => url.push(c),
        }
    }
    url
}

fn is_azure(scheme: &str) -> bool {
    ["az://", "adl://", "abfs://", "abfss://"].iter().any(|it| it.eq_ignore_ascii_case(scheme))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lets_somebody_in_is_not_shown() {
        for (url, shown) in [
            ("https://me:secret@host/a.snpak?sig=secret#secret", "https://host/a.snpak"),
            ("https://to:se@cret@host/a@b.snpak", "https://host/a@b.snpak"),
            ("https://host?sig=secret", "https://host"),
            ("s3://key:secret@bucket/a b", "s3://bucket/a b"),
            ("abfss://box@account.dfs/a?sig=secret", "abfss://box@account.dfs/a"),
            ("HTTP://secret@host/a", "HTTP://host/a"),
        ] {
            assert!(is_url(url));
            assert_eq!(without_secrets(url), shown);
        }
        for name in ["ftp://me:known@host/?", "a?b#c", "://", "s3:/a", "x=https://host"] {
            assert!(!is_url(name), "{name}");
        }
    }

    #[test]
    fn files_in_folders_are_urls() {
        for (folder, name, url) in [
            ("s3://bucket", "a b", "s3://bucket/a b"),
            ("s3://bucket/a/", "b/50%#1.png", "s3://bucket/a/b/50%25%231.png"),
            ("https://host/a?sig=x/y", "b?", "https://host/a/b%3F"),
        ] {
            assert_eq!(joined(folder, name), url);
        }
    }

    #[test]
    fn the_last_part_is_a_name() {
        for (url, last) in [
            ("https://host/a/b.snpak?at=x/y", "b.snpak"),
            ("s3://bucket/a/", "a"),
            ("https://host", "host"),
        ] {
            assert_eq!(last_part(url), last);
        }
    }
}
