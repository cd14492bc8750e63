//! The command line of `overlay`, and of packs that are mounted.

use super::At;
use clap::Args;
use spelunk::refs::Needs;
use std::{ffi::OsString, path::PathBuf};

// `overlay`.
#[derive(Args, Debug)]
pub struct Overlay {
    /// The packs in the order in which they are mounted, the later ones over the earlier; or one folder of SpellForce
    /// archives
    #[arg(value_name = "[PREFIX=]PACK|DIR", required = true)]
    pub packs: Vec<Mounted>,
    /// Only assets that match this; repeatable
    #[arg(long, value_name = "GLOB")]
    pub only: Vec<String>,
    /// What each name means to a game that prefers these variants, in this order
    #[arg(long, value_name = "VARIANT,...", value_delimiter = ',', conflicts_with = "conflicts")]
    pub prefer: Option<Vec<String>>,
    /// Only what contradicts: one id with different content or names, one name with different ids, one path with files
    /// that differ
    #[arg(long)]
    pub conflicts: bool,
    /// Only the paths of LIST, a pakdata.dat or a text with a path a line, that no archive of the folder has, nor a loose file
    #[arg(long, value_name = "LIST", conflicts_with_all = ["only", "prefer", "conflicts"])]
    pub missing: Option<PathBuf>,
    #[command(flatten)]
    pub at: At,
}

/// A pack, and what stands before the names in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mounted {
    pub prefix: String,
    pub path: PathBuf,
}

impl From<OsString> for Mounted {
    /// A file that is there is meant as a whole. Otherwise the first `=` counts behind which the name of a file stands, or
    /// the first one at all.
    fn from(text: OsString) -> Mounted {
        let whole = Mounted { prefix: String::new(), path: PathBuf::from(&text) };
        let Some(text) = text.to_str().filter(|_| !whole.path.exists()) else { return whole };
        let split = |(at, _): (usize, &str)| {
            let (prefix, rest) = text.split_at(at);
            Mounted { prefix: prefix.to_owned(), path: PathBuf::from(&rest[1..]) }
        };
        let mut all = text.match_indices('=').map(split);
        let there = all.clone().find(|mounted| mounted.path.is_file());
        there.or_else(|| all.next()).unwrap_or(whole)
    }
}

// Which dependencies of packs are followed.
#[derive(Args, Debug, Clone, Copy)]
pub struct Following {
    /// Leave out what assets of packs work without
    #[arg(long)]
    pub no_optional: bool,
    /// Leave out what only tools want of packs
    #[arg(long)]
    pub no_auxiliary: bool,
}

impl Following {
    /// The same for the library.
    pub const fn needs(self) -> Needs {
        Needs { optional: !self.no_optional, auxiliary: !self.no_auxiliary }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prefix_is_told_from_a_file_by_what_is_there() {
        let dir = tempfile::tempdir().unwrap();
        let file = |name: &str| {
            let path = dir.path().join(name);
            std::fs::write(&path, b"").unwrap();
            path.to_str().unwrap().to_owned()
        };
        let (plain, odd) = (file("a.snpak"), file("x=y.snpak"));
        let mounted = |text: &str| {
            let Mounted { prefix, path } = Mounted::from(OsString::from(text));
            (prefix, path.to_str().unwrap().to_owned())
        };
        let with = |prefix: &str, path: &str| (prefix.to_owned(), path.to_owned());
        assert_eq!(mounted(&plain), with("", &plain));
        assert_eq!(mounted(&odd), with("", &odd));
        assert_eq!(mounted(&format!("dlc={plain}")), with("dlc", &plain));
        assert_eq!(mounted(&format!("dlc={odd}")), with("dlc", &odd));
        assert_eq!(mounted(&format!("a=b={plain}")), with("a=b", &plain));
        assert_eq!(mounted(&format!("={odd}")), with("", &odd));
        assert_eq!(mounted("dlc=not/there=.snpak"), with("dlc", "not/there=.snpak"));
        assert_eq!(mounted("not/there.snpak"), with("", "not/there.snpak"));
    }
}
