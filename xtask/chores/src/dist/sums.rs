//! The checksums of a release.

use sha2::{Digest, Sha256};
use std::{collections::BTreeMap, fs, io, path::Path};

/// Names of files, and their SHA-256 in hexadecimal digits.
pub type Sums = BTreeMap<String, String>;

/// Writes `SHA256SUMS`: all archives and packages of a version that are in a folder.
///
/// # Errors
/// Where they cannot be read, and where there are none.
pub fn write(folder: &Path, version: &str) -> io::Result<Sums> {
    let mut sums = Sums::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let is_of_version = ["spelunk-", "spelunk_"].iter().any(|start| {
            let rest = name.strip_prefix(start).and_then(|rest| rest.strip_prefix(version));
            rest.is_some_and(|rest| rest.starts_with('-'))
        });
        if is_of_version {
            let digest = Sha256::digest(fs::read(entry.path())?);
            sums.insert(name, digest.iter().map(|byte| format!("{byte:02x}")).collect());
        }
    }
    if sums.is_empty() {
        let message = format!("{} has no archive of version {version}", folder.display());
        return Err(io::Error::other(message));
    }
    let lines = sums.iter().map(|(name, sum)| format!("{sum}  {name}\n"));
    fs::write(folder.join("SHA256SUMS"), lines.collect::<String>())?;
    Ok(sums)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_those_of_the_version() {
        let folder = xtask::tools::target().join("sums-test");
        fs::create_dir_all(&folder).unwrap();
        for (name, content) in [
            ("spelunk-1.2.0-page.zip", "a"),
            ("spelunk_1.2.0-1_amd64.deb", "b"),
            ("spelunk-1.2.01-page.zip", "c"),
            ("spelunk.rb", "1.2.0"),
        ] {
            fs::write(folder.join(name), content).unwrap();
        }
        write(&folder, "1.2.0").unwrap();
        assert_eq!(
            fs::read_to_string(folder.join("SHA256SUMS")).unwrap(),
            "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb  spelunk-1.2.0-page.zip\n\
             3e23e8160039594a33894f6564e1b1348bbd7a0088d42c4acb73eeaed59c009d  spelunk_1.2.0-1_amd64.deb\n"
        );
        assert!(write(&folder, "3.0.0").is_err());
        fs::remove_dir_all(&folder).unwrap();
    }
}
