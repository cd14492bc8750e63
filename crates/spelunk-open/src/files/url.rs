//! Names that are URLs.

use super::FileName;
use std::borrow::Cow;

/// Beginnings of URLs that name files.
const SCHEMES: [&str; 10] =
    ["http", "https", "s3", "s3a", "gs", "az", "adl", "abfs", "abfss", "file"];

impl FileName {
    /// Returns the name where it is a URL of a kind that files are read by; whether these [`Files`](super::Files) read it is
    /// another question.
    pub fn as_url(&self) -> Option<&str> {
        let text = self.as_os_str().to_str()?;
        let (scheme, _) = text.split_once("://")?;
        SCHEMES.iter().any(|known| known.eq_ignore_ascii_case(scheme)).then_some(text)
    }

    /// Returns the last part of the name, without folders; of a URL without what follows the path.
    #[must_use]
    pub fn last_part(&self) -> FileName {
        match self.as_url() {
            Some(url) => {
                let path = without_secrets(url).trim_end_matches('/').to_owned();
                path.rsplit('/').next().unwrap_or_default().into()
            }
            None => self.as_path().file_name().unwrap_or(self.as_os_str()).into(),
        }
    }
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

fn is_azure(scheme: &str) -> bool {
    ["az://", "adl://", "abfs://", "abfss://"].iter().any(|it| it.eq_ignore_ascii_case(scheme))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lets_somebody_in_is_not_shown() {
        for (name, shown) in [
            ("https://me:secret@host/a.snpak?sig=secret#secret", "https://host/a.snpak"),
            ("https://to:se@cret@host/a@b.snpak", "https://host/a@b.snpak"),
            ("https://host?sig=secret", "https://host"),
            ("s3://key:secret@bucket/a b", "s3://bucket/a b"),
            ("abfss://box@account.dfs/a?sig=secret", "abfss://box@account.dfs/a"),
            ("HTTP://secret@host/a", "HTTP://host/a"),
            ("ftp://me:known@host/?", "ftp://me:known@host/?"),
            ("a?b#c", "a?b#c"),
        ] {
            let name = FileName::from(name);
            assert_eq!(name.to_string(), shown);
            assert_eq!(serde_json::to_value(&name).unwrap(), shown);
        }
    }

    #[test]
    fn the_last_part_is_a_name() {
        for (name, last) in [
            ("https://host/a/b.snpak?at=x/y", "b.snpak"),
            ("s3://bucket/a/", "a"),
            ("https://host", "host"),
            ("a/b.nmo", "b.nmo"),
            ("-", "-"),
            ("..", ".."),
        ] {
            assert_eq!(FileName::from(name).last_part(), last.into(), "{name}");
        }
    }
}
