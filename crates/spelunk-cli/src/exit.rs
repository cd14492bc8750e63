//! Exit codes, and how several results become one.

use spelunk::{Class, Error, codes};
use std::process::ExitCode;

/// The result of a run: the highest of 3, 4 and 5, else 2, else 1, else 0.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Exit {
    code: u8,
}

impl Exit {
    /// Error findings, differences or conflicts.
    pub fn findings(&mut self) {
        self.raise(1);
    }

    /// A file could not be opened.
    pub fn unopened(&mut self, error: &Error) {
        self.raise(match error.code().class {
            Class::Malformed | Class::Limit | Class::Rule => 3,
            Class::Io => 4,
            Class::Unsupported => 5,
            Class::Usage => 2,
        });
    }

    /// Something went wrong with a file that could be opened.
    pub fn failed(&mut self, error: &Error) {
        // A verb that ran out of memory or work says nothing of what it compared or changed.
        let ended = [&codes::core::MEMORY, &codes::core::STEPS].map(|code| code.id);
        self.raise(match error.code().class {
            Class::Limit if ended.contains(&error.code().id) => 3,
            Class::Malformed | Class::Limit | Class::Rule => 1,
            Class::Io => 4,
            Class::Unsupported => 5,
            Class::Usage => 2,
        });
    }

    /// What came of a verb of the library.
    pub fn raise(&mut self, code: u8) {
        self.code = self.code.max(code);
    }

    /// The code for the operating system.
    pub fn code(self) -> ExitCode {
        ExitCode::from(self.code)
    }
}
