//! Addresses of files on servers.

use http::{HeaderValue, Uri, header::InvalidHeaderValue};
use object_store::path::Path;
use percent_encoding::percent_decode_str;
use spelunk_core::{Error, Result};
use spelunk_open::{codes, files::FileName};
use std::path::PathBuf;
use url::{Position, Url};

/// The kind of a place that keeps files.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Scheme {
    /// A web server, and whether it is asked over TLS.
    Web { tls: bool },
    /// S3 of Amazon, and what speaks like it.
    Amazon,
    /// Cloud Storage of Google.
    Google,
    /// Blob Storage of Azure.
    Azure,
}

/// Address of a file, or of a folder of an object store.
#[derive(Clone, Debug)]
pub(crate) struct Address {
    pub(crate) scheme: Scheme,
    /// The address up to the path: which store it is.
    pub(crate) store: String,
    /// The key of the file in an object store. On web servers it says nothing.
    pub(crate) key: Path,
    /// Whether the name ends as those of folders do.
    pub(crate) is_folder: bool,
    /// What a web server is asked for, to the letter.
    pub(crate) uri: Option<Uri>,
    /// The name and password of the address, as web servers take them.
    pub(crate) login: Option<HeaderValue>,
}

/// What a name means.
pub(crate) enum Place {
    /// A file that the files below know by this name.
    Below(FileName),
    /// A file on a server.
    Remote(Box<Address>),
}

fn bad(name: &FileName, why: impl std::fmt::Display) -> Error {
    Error::new(&codes::REMOTE_ADDRESS).found(format!("{name}: {why}"))
}

impl Place {
    /// Finds out what a name means.
    ///
    /// # Errors
    /// [`REMOTE_ADDRESS`](codes::REMOTE_ADDRESS) for an address that leads to no file.
    pub(crate) fn of(name: &FileName) -> Result<Place> {
        let Some(text) = name.as_url() else { return Ok(Place::Below(name.clone())) };
        let url = Url::parse(text).map_err(|error| bad(name, error))?;
        let scheme = match url.scheme() {
            "http" => Scheme::Web { tls: false },
            "https" => Scheme::Web { tls: true },
            "gs" => Scheme::Google,
            "s3" | "s3a" => Scheme::Amazon,
            "file" => {
                let path: PathBuf = url
                    .to_file_path()
                    .map_err(|()| bad(name, "a path of this machine is expected"))?;
                return Ok(Place::Below(path.into()));
            }
            _ => Scheme::Azure,
        };
        match scheme {
            Scheme::Web { .. } => Address::of_web(name, url, scheme),
            _ => Address::of_store(name, &url, scheme),
        }
        .map(|address| Place::Remote(Box::new(address)))
    }
}

impl Address {
    fn of_web(name: &FileName, mut url: Url, scheme: Scheme) -> Result<Address> {
        url.set_fragment(None);
        let login = login(&url).map_err(|_| bad(name, "name and password are no text"))?;
        // What is asked for never holds them: proxies and logs of servers keep addresses.
        if url.set_username("").and_then(|()| url.set_password(None)).is_err() {
            return Err(bad(name, "no host"));
        }
        let uri = url.as_str().parse().map_err(|_| bad(name, "no address of a web server"))?;
        Ok(Address {
            scheme,
            store: url[..Position::BeforePath].to_owned(),
            key: Path::from("file"),
            is_folder: url.path().ends_with('/') && url.query().is_none(),
            uri: Some(uri),
            login,
        })
    }

    fn of_store(name: &FileName, url: &Url, scheme: Scheme) -> Result<Address> {
        if url.host_str().is_none_or(str::is_empty) {
            return Err(bad(name, "no bucket"));
        }
        let has_login = url.password().is_some() || !url.username().is_empty();
        // Names in front of hosts are the containers of Azure.
        if has_login && (scheme != Scheme::Azure || url.password().is_some()) {
            return Err(bad(name, "credentials of stores are taken from the environment"));
        }
        if url.query().is_some() {
            return Err(bad(name, "keys of object stores have no `?`; %3F means the character"));
        }
        let key = percent_decode_str(url.path().strip_prefix('/').unwrap_or_default());
        let key = key.decode_utf8().map_err(|_| bad(name, "a key is UTF-8"))?;
        let is_folder = key.is_empty() || key.ends_with('/');
        let parts = key.strip_suffix('/').unwrap_or(&key);
        let parts = Some(parts).filter(|_| !key.starts_with('/')).map(Path::parse);
        let key = parts
            .and_then(std::result::Result::ok)
            .ok_or_else(|| bad(name, "a key has no empty parts, and none that is `.` or `..`"))?;
        let store = url[..Position::BeforePath].to_owned();
        Ok(Address { scheme, store, key, is_folder, uri: None, login: None })
    }

    /// The file of a key in the same store, as a name.
    pub(crate) fn sibling(&self, key: &str) -> FileName {
        FileName::from(&*self.store).join(key)
    }

    /// The one name of the file, however it was written.
    pub(crate) fn name(&self, given: &FileName) -> FileName {
        if self.is_web() { given.clone() } else { self.sibling(self.key.as_ref()) }
    }

    /// The address of another key in the same store.
    ///
    /// # Errors
    /// [`REMOTE_ADDRESS`](codes::REMOTE_ADDRESS) for a key that leads to no file.
    pub(crate) fn with_key(&self, key: &str) -> Result<Address> {
        let parsed = Path::parse(key).ok().filter(|_| !key.ends_with('/'));
        let key = parsed.ok_or_else(|| bad(&self.sibling(key), "no key of a file"))?;
        Ok(Address { key, is_folder: false, ..self.clone() })
    }

    /// The key of a file in the folder of this address.
    pub(crate) fn key_in(&self, path: &str) -> String {
        match self.key.as_ref() {
            "" => path.to_owned(),
            folder => format!("{folder}/{path}"),
        }
    }

    pub(crate) fn is_web(&self) -> bool {
        matches!(self.scheme, Scheme::Web { .. })
    }
}

/// The name and password of an address as a header.
fn login(url: &Url) -> std::result::Result<Option<HeaderValue>, InvalidHeaderValue> {
    use base64::{Engine, prelude::BASE64_STANDARD};
    if url.username().is_empty() && url.password().is_none() {
        return Ok(None);
    }
    let decoded = |text: &str| percent_decode_str(text).collect::<Vec<u8>>();
    let both = [decoded(url.username()), decoded(url.password().unwrap_or_default())].join(&b':');
    let mut value = HeaderValue::try_from(format!("Basic {}", BASE64_STANDARD.encode(both)))?;
    value.set_sensitive(true);
    Ok(Some(value))
}

/// The name of the folder that a name lies in.
pub(crate) fn folder_of(name: &FileName) -> FileName {
    let shown = name.to_string();
    let start = shown.find("://").map_or(0, |at| at + 3);
    let path = shown[start..].trim_end_matches('/');
    match path.rfind('/') {
        Some(at) => format!("{}/", &shown[..start + at]).into(),
        None => format!("{}{path}/", &shown[..start]).into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn remote(name: &str) -> Address {
        match Place::of(&name.into()).unwrap() {
            Place::Remote(address) => *address,
            Place::Below(name) => panic!("{name} is no address"),
        }
    }

    #[test]
    fn web_servers_are_asked_to_the_letter_and_without_names_and_passwords() {
        let address = remote("https://me:pass%21@host:8443/a%2Fb//c.snpak?sig=x%20y#part");
        let uri = address.uri.unwrap().to_string();
        assert_eq!(uri, "https://host:8443/a%2Fb//c.snpak?sig=x%20y");
        assert_eq!(address.store, "https://host:8443");
        assert_eq!(address.login.unwrap().to_str().unwrap(), "Basic bWU6cGFzcyE=");
        assert!(!address.is_folder);
        assert!(remote("http://host/packs/").is_folder && !remote("http://host/?id=3").is_folder);
    }

    #[test]
    fn keys_are_what_addresses_say() {
        let address = remote("s3://bucket/a%20b/c%3Fd.snpak");
        assert_eq!(address.key.as_ref(), "a b/c?d.snpak");
        assert_eq!(address.sibling("x #1/y?").to_string(), "s3://bucket/x %231/y%3F");
        assert_eq!(remote("s3://bucket/x %231/y%3F").key.as_ref(), "x #1/y?");
        assert!(remote("s3://bucket").is_folder && remote("gs://bucket/packs/").is_folder);
        assert_eq!(remote("az://container/a/b").scheme, Scheme::Azure);
        for bad in [
            "s3://bucket/a//b",
            "s3:///a",
            "s3://bucket/a?b",
            "http://",
            "https:///",
            "s3://bucket//",
            "s3://key:hush@bucket/a",
        ] {
            let error = Place::of(&bad.into()).err().unwrap_or_else(|| panic!("{bad} is taken"));
            assert_eq!(error.code(), &codes::REMOTE_ADDRESS, "{bad}");
        }
    }

    #[test]
    fn other_names_are_for_the_files_below() {
        for name in ["a.snpak", "-", "ftp://host/a", "C:\\http", "http:", "s3:/bucket/a"] {
            assert!(
                matches!(Place::of(&name.into()), Ok(Place::Below(below)) if below == name.into())
            );
        }
        #[cfg(unix)]
        assert!(matches!(
            Place::of(&"file:///tmp/a%20b".into()),
            Ok(Place::Below(below)) if below == "/tmp/a b".into()
        ));
    }

    #[test]
    fn folders_are_found_without_a_request() {
        let folder = |name: &str| folder_of(&name.into()).to_string();
        assert_eq!(folder("s3://bucket/a/b.snpak"), "s3://bucket/a/");
        assert_eq!(folder("s3://bucket/a/"), "s3://bucket/");
        assert_eq!(folder("s3://bucket/"), "s3://bucket/");
        assert_eq!(folder("https://host/a?sig=/x/y"), "https://host/");
    }
}
