//! Numbers that engines give errors (`docs/formats/virtools-runtime.md#error-numbers`), and those of ours among them.

use spelunk_core::{Class, Code, Error, codes as core};
use std::{fmt, io::ErrorKind};

/// The number of an error; 0 where there is none. Numbers that are not in the [`TABLE`] are kept.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct CkErr(pub i32);

impl CkErr {
    /// No error.
    pub const OK: CkErr = CkErr(0);
    /// An argument makes no sense.
    pub const INVALIDPARAMETER: CkErr = CkErr(-1);
    /// Memory is short, or a limit does not let more of it be used.
    pub const OUTOFMEMORY: CkErr = CkErr(-6);
    /// A failure without a code of its own.
    pub const NOTIMPLEMENTED: CkErr = CkErr(-7);
    /// Something looked for is not there.
    pub const NOTFOUND: CkErr = CkErr(-11);
    /// A file that is damaged, or that cannot be read.
    pub const INVALIDFILE: CkErr = CkErr(-22);
    /// The disk is full.
    pub const NOTENOUGHDISKPLACE: CkErr = CkErr(-49);
    /// A file that cannot be written.
    pub const CANTWRITETOFILE: CkErr = CkErr(-50);
    /// Plugins that a file needs are not there.
    pub const PLUGINSMISSING: CkErr = CkErr(-55);

    /// Name of the code, as `CKERR_INVALIDFILE`.
    pub fn name(self) -> Option<&'static str> {
        TABLE.iter().find(|(number, _)| *number == self.0).map(|(_, name)| *name)
    }

    /// Reads a number, as `-22` or `22`, or a name of the [`TABLE`], as `CKERR_INVALIDFILE`, in whatever case.
    pub fn parse(text: &str) -> Option<CkErr> {
        let named = TABLE.iter().find(|(_, name)| name.eq_ignore_ascii_case(text));
        let number =
            || text.parse::<i32>().ok().map(|number| number.saturating_abs().saturating_neg());
        let number = named.map(|(number, _)| *number).or_else(number)?;
        Some(CkErr(number)).filter(|number| number.name().is_some())
    }

    /// The number of an error: that of its code where engines have the same condition, which is how one that was
    /// cancelled is known, else one by its class. Never 0.
    pub fn of(error: &Error) -> CkErr {
        let code = error.code();
        if let Some((_, number)) = code.native {
            return CkErr(number);
        }
        let is = |others: &[&Code]| others.iter().any(|other| other.id == code.id);
        match code.class {
            Class::Io => error.io_error().map_or(CkErr::INVALIDFILE, |io| of_kind(io.kind())),
            Class::Limit => CkErr::OUTOFMEMORY,
            Class::Unsupported => CkErr::NOTIMPLEMENTED,
            Class::Usage if is(&[&core::NOT_FOUND]) => CkErr::NOTFOUND,
            Class::Usage if is(&[&core::EXISTS, &core::BAD_TARGET]) => CkErr::CANTWRITETOFILE,
            Class::Usage => CkErr::INVALIDPARAMETER,
            // A rule ends the work only where its subject cannot be used.
            Class::Malformed | Class::Rule => CkErr::INVALIDFILE,
        }
    }

    /// The number of an error that was met when a file was saved. The operating system does not always say whether
    /// reading or writing failed: what would be a file that cannot be read is one that cannot be written here.
    pub fn of_saving(error: &Error) -> CkErr {
        match CkErr::of(error) {
            CkErr::INVALIDFILE if error.code().class == Class::Io => CkErr::CANTWRITETOFILE,
            other => other,
        }
    }
}

fn of_kind(kind: ErrorKind) -> CkErr {
    match kind {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge => {
            CkErr::NOTENOUGHDISKPLACE
        }
        // These come of writing alone.
        ErrorKind::ReadOnlyFilesystem | ErrorKind::WriteZero | ErrorKind::BrokenPipe => {
            CkErr::CANTWRITETOFILE
        }
        ErrorKind::OutOfMemory => CkErr::OUTOFMEMORY,
        _ => CkErr::INVALIDFILE,
    }
}

impl fmt::Display for CkErr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name() {
            Some(name) => write!(f, "{name} ({})", self.0),
            None => write!(f, "{}", self.0),
        }
    }
}

/// All numbers and their names, from 0 down.
pub const TABLE: &[(i32, &str)] = &[
    (0, "CK_OK"),
    (-1, "CKERR_INVALIDPARAMETER"),
    (-2, "CKERR_INVALIDPARAMETERTYPE"),
    (-3, "CKERR_INVALIDSIZE"),
    (-4, "CKERR_INVALIDOPERATION"),
    (-5, "CKERR_OPERATIONNOTIMPLEMENTED"),
    (-6, "CKERR_OUTOFMEMORY"),
    (-7, "CKERR_NOTIMPLEMENTED"),
    (-11, "CKERR_NOTFOUND"),
    (-13, "CKERR_NOLEVEL"),
    (-14, "CKERR_CANCREATERENDERCONTEXT"),
    (-16, "CKERR_NOTIFICATIONNOTHANDLED"),
    (-17, "CKERR_ALREADYPRESENT"),
    (-18, "CKERR_INVALIDRENDERCONTEXT"),
    (-19, "CKERR_RENDERCONTEXTINACTIVE"),
    (-20, "CKERR_NOLOADPLUGINS"),
    (-21, "CKERR_NOSAVEPLUGINS"),
    (-22, "CKERR_INVALIDFILE"),
    (-23, "CKERR_INVALIDPLUGIN"),
    (-24, "CKERR_NOTINITIALIZED"),
    (-25, "CKERR_INVALIDMESSAGE"),
    (-28, "CKERR_INVALIDPROTOTYPE"),
    (-29, "CKERR_NODLLFOUND"),
    (-30, "CKERR_ALREADYREGISTREDDLL"),
    (-31, "CKERR_INVALIDDLL"),
    (-34, "CKERR_INVALIDOBJECT"),
    (-35, "CKERR_INVALIDCONDSOLEWINDOW"),
    (-36, "CKERR_INVALIDKINEMATICCHAIN"),
    (-37, "CKERR_NOKEYBOARD"),
    (-38, "CKERR_NOMOUSE"),
    (-39, "CKERR_NOJOYSTICK"),
    (-40, "CKERR_INCOMPATIBLEPARAMETERS"),
    (-44, "CKERR_NORENDERENGINE"),
    (-45, "CKERR_NOCURRENTLEVEL"),
    (-46, "CKERR_SOUNDDISABLED"),
    (-47, "CKERR_DINPUTDISABLED"),
    (-48, "CKERR_INVALIDGUID"),
    (-49, "CKERR_NOTENOUGHDISKPLACE"),
    (-50, "CKERR_CANTWRITETOFILE"),
    (-51, "CKERR_BEHAVIORADDDENIEDBYCB"),
    (-52, "CKERR_INCOMPATIBLECLASSID"),
    (-53, "CKERR_MANAGERALREADYEXISTS"),
    (-54, "CKERR_PAUSED"),
    (-55, "CKERR_PLUGINSMISSING"),
    (-56, "CKERR_OBSOLETEVIRTOOLS"),
    (-57, "CKERR_FILECRCERROR"),
    (-58, "CKERR_ALREADYFULLSCREEN"),
    (-59, "CKERR_CANCELLED"),
    (-121, "CKERR_NOANIMATIONKEY"),
    (-122, "CKERR_INVALIDINDEX"),
    (-123, "CKERR_INVALIDANIMATION"),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codes;
    use std::io;

    #[test]
    fn the_table_is_that_of_the_page() {
        let page = include_str!("../../../../docs/formats/virtools-runtime.md");
        let (_, section) = page.split_once("\n## Error numbers\n").unwrap();
        let section = section.split_once("\n## ").map_or(section, |(section, _)| section);
        let rows = section.lines().filter(|row| row.starts_with("| 0 ") || row.starts_with("| -"));
        let cells: Vec<&str> = rows
            .flat_map(|row| row.trim_matches('|').split('|').map(str::trim))
            .filter(|cell| !cell.is_empty())
            .collect();
        let mut listed: Vec<(i32, &str)> =
            cells.chunks(2).map(|pair| (pair[0].parse().unwrap(), pair[1])).collect();
        listed.sort_by_key(|(number, _)| -number);
        assert_eq!(listed, TABLE);
    }

    #[test]
    fn numbers_of_codes_have_their_names() {
        let natives = codes::CODES.iter().filter_map(|code| code.native);
        let mut count = 0;
        for (name, number) in natives {
            assert_eq!(CkErr(number).name(), Some(name));
            count += 1;
        }
        assert!(count > 8);
        assert_eq!(
            codes::PLUGINS_MISSING.native.map(|(_, number)| CkErr(number)),
            Some(CkErr::PLUGINSMISSING)
        );
        assert_eq!(CkErr(-22).to_string(), "CKERR_INVALIDFILE (-22)");
        for text in ["-22", "22", "CKERR_INVALIDFILE", "ckerr_invalidfile"] {
            assert_eq!(CkErr::parse(text), Some(CkErr::INVALIDFILE), "{text}");
        }
        assert!(["-8", "VT001", "CKERR_", "", "-"].iter().all(|it| CkErr::parse(it).is_none()));
        assert_eq!((CkErr(-8).name(), CkErr(-8).to_string()), (None, "-8".to_owned()));
    }

    #[test]
    fn every_class_has_a_number() {
        // As a code for work that was cancelled would be.
        static CANCELLED: Code = Code {
            id: "XX001",
            class: Class::Usage,
            title: "cancelled",
            help: "",
            native: Some(("CKERR_CANCELLED", -59)),
        };
        for (code, name) in [
            (&codes::CHECKSUM, "CKERR_FILECRCERROR"),
            (&codes::OBSOLETE, "CKERR_OBSOLETEVIRTOOLS"),
            (&codes::PLUGINS_MISSING, "CKERR_PLUGINSMISSING"),
            (&CANCELLED, "CKERR_CANCELLED"),
            (&core::TRUNCATED, "CKERR_INVALIDFILE"),
            (&core::MEMORY, "CKERR_OUTOFMEMORY"),
            (&core::NOT_FOUND, "CKERR_NOTFOUND"),
            (&core::EXISTS, "CKERR_CANTWRITETOFILE"),
            (&core::BAD_PATH, "CKERR_INVALIDPARAMETER"),
            (&codes::COMPRESSION, "CKERR_NOTIMPLEMENTED"),
            (&codes::COUNTS, "CKERR_INVALIDFILE"),
        ] {
            assert_eq!(CkErr::of(&Error::new(code)).name(), Some(name), "{}", code.id);
            assert_eq!(CkErr::of_saving(&Error::new(code)).name(), Some(name), "{}", code.id);
        }
    }

    #[test]
    fn errors_of_the_system_tell_reading_from_writing_where_they_can() {
        for (kind, reading, saving) in [
            (ErrorKind::StorageFull, "CKERR_NOTENOUGHDISKPLACE", "CKERR_NOTENOUGHDISKPLACE"),
            (ErrorKind::ReadOnlyFilesystem, "CKERR_CANTWRITETOFILE", "CKERR_CANTWRITETOFILE"),
            (ErrorKind::PermissionDenied, "CKERR_INVALIDFILE", "CKERR_CANTWRITETOFILE"),
            (ErrorKind::NotFound, "CKERR_INVALIDFILE", "CKERR_CANTWRITETOFILE"),
            (ErrorKind::OutOfMemory, "CKERR_OUTOFMEMORY", "CKERR_OUTOFMEMORY"),
        ] {
            let error = Error::io(io::Error::from(kind));
            assert_eq!(CkErr::of(&error).name(), Some(reading), "{kind}");
            assert_eq!(CkErr::of_saving(&error).name(), Some(saving), "{kind}");
        }
    }
}
