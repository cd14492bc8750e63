//! Where the files of an archive lie once they are installed: packages of distributions are made of such a folder.

use super::archive::Entry;
use flate2::{Compression, GzBuilder};
use std::{
    fs,
    io::{self, Write},
    path::Path,
};

/// The folder beside a built command that holds what packages have besides. Both programs that make packages look for
/// `target/release/package` where the command was built.
pub const FOLDER: &str = "package";

/// Where a file of an archive is installed, below [`FOLDER`]: all of `share` goes to `/usr/share`, and `zsh` to where the
/// distribution has completions of that shell. The manual is packed there, as distributions want it.
pub fn installed(path: &str) -> String {
    match (path.split_once('/'), path) {
        (Some(("man", page)), _) => format!("share/man/man1/{page}.gz"),
        (_, "completions/spelunk.bash") => "share/bash-completion/completions/spelunk".to_owned(),
        (_, "completions/_spelunk") => "zsh/_spelunk".to_owned(),
        (_, "completions/spelunk.fish") => {
            "share/fish/vendor_completions.d/spelunk.fish".to_owned()
        }
        (_, "spelunk.xml") => "share/mime/packages/spelunk.xml".to_owned(),
        (_, "spelunk.magic") | (Some(("completions", _)), _) => format!("share/spelunk/{path}"),
        _ => format!("share/doc/spelunk/{path}"),
    }
}

/// Lays the files of an archive out below a folder, which is made anew.
///
/// # Errors
/// Where it cannot be written.
pub fn lay_out(files: &[Entry], folder: &Path) -> io::Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    for file in files {
        let place = folder.join(installed(&file.path));
        fs::create_dir_all(place.parent().unwrap_or(folder))?;
        if place.extension().is_some_and(|ending| ending == "gz") {
            let mut packed = GzBuilder::new().write(fs::File::create(place)?, Compression::best());
            packed.write_all(&file.bytes)?;
            packed.finish()?;
        } else {
            fs::write(place, &file.bytes)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;

    #[test]
    fn files_are_laid_out_as_they_are_installed() {
        let folder = xtask::tools::target().join("stage-test");
        let file = |path: &str| Entry::file(path, path.as_bytes().to_vec());
        let files = [
            file("man/spelunk-ls.1"),
            file("completions/_spelunk"),
            file("completions/spelunk.ps1"),
            file("spelunk.magic"),
            file("docs/guides/tour.md"),
            file("LICENSE-MIT"),
        ];
        lay_out(&[file("gone")], &folder).unwrap();
        lay_out(&files, &folder).unwrap();
        for (place, content) in [
            ("zsh/_spelunk", "completions/_spelunk"),
            ("share/spelunk/completions/spelunk.ps1", "completions/spelunk.ps1"),
            ("share/spelunk/spelunk.magic", "spelunk.magic"),
            ("share/doc/spelunk/docs/guides/tour.md", "docs/guides/tour.md"),
            ("share/doc/spelunk/LICENSE-MIT", "LICENSE-MIT"),
        ] {
            assert_eq!(fs::read_to_string(folder.join(place)).unwrap(), content);
        }
        let packed = fs::File::open(folder.join("share/man/man1/spelunk-ls.1.gz")).unwrap();
        let mut page = String::new();
        flate2::read::GzDecoder::new(packed).read_to_string(&mut page).unwrap();
        assert_eq!(page, "man/spelunk-ls.1");
        assert!(!folder.join("share/doc/spelunk/gone").exists());
        fs::remove_dir_all(&folder).unwrap();
    }
}
