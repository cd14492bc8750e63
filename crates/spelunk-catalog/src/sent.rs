//! Values of tasks and of written parts as they go to other processes and come back: exactly, unlike in rows for people.

/// The name of a file, with what of it lets somebody in, and what is no UTF-8.
pub(crate) mod file_name {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use spelunk::verbs::FileName;
    use std::ffi::OsString;

    #[derive(Serialize, Deserialize)]
    #[serde(untagged)]
    enum Name {
        Text(String),
        Other(OsString),
    }

    pub(crate) fn serialize<S: Serializer>(name: &FileName, to: S) -> Result<S::Ok, S::Error> {
        let name = name.as_os_str();
        let text = name.to_str().map(|name| Name::Text(name.to_owned()));
        text.unwrap_or_else(|| Name::Other(name.to_owned())).serialize(to)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<FileName, D::Error> {
        Ok(match Name::deserialize(from)? {
            Name::Text(name) => name.into(),
            Name::Other(name) => name.into(),
        })
    }
}

/// The code of an error, by its number.
pub(crate) mod code {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};
    use spelunk::{Code, check::registry};

    pub(crate) fn serialize<S: Serializer>(code: &Code, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(code.id)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<&'static Code, D::Error> {
        let id = String::deserialize(from)?;
        registry::code(&id).ok_or_else(|| D::Error::custom(format!("no error has the code {id}")))
    }
}

#[cfg(test)]
mod tests {
    use serde::{Deserialize, Serialize};
    use spelunk::{Code, open::codes, verbs::FileName};

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Sent {
        #[serde(with = "super::file_name")]
        file: FileName,
        #[serde(with = "super::code")]
        code: &'static Code,
    }

    #[track_caller]
    fn comes_back(file: FileName) {
        let sent = Sent { file, code: &codes::CATALOGUE_BUSY };
        let text = serde_json::to_string(&sent).unwrap();
        assert_eq!(serde_json::from_str::<Sent>(&text).unwrap(), sent, "{text}");
    }

    #[test]
    fn names_come_back_as_they_were() {
        comes_back("folder/level.nmo".into());
        comes_back("https://name:secret@localhost/level.nmo?signature=1".into());
    }

    #[cfg(unix)]
    #[test]
    fn names_that_are_no_text_come_back_too() {
        use std::{ffi::OsStr, os::unix::ffi::OsStrExt};
        comes_back(OsStr::from_bytes(b"level\xff.nmo").into());
    }

    #[test]
    fn unknown_codes_are_refused() {
        let sent = r#"{"file": "a", "code": "ZZ999"}"#;
        assert!(serde_json::from_str::<Sent>(sent).is_err());
    }
}
