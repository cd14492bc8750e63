//! `mount`: containers as folders of the system.

use crate::{args::Mount, output::CommandSession};
use spelunk::Result;

#[cfg(not(all(target_os = "linux", feature = "mount")))]
pub fn run(args: &Mount, _: &mut CommandSession) -> Result<()> {
    // Nothing is to be known of them.
    let Mount { subject, point, shown } = args;
    let _ = (subject, point, shown);
    Err(spelunk::Error::new(&spelunk::open::codes::NO_MOUNT))
}

#[cfg(all(target_os = "linux", feature = "mount"))]
pub fn run(args: &Mount, session: &mut CommandSession) -> Result<()> {
    linux::run(args, session)
}

#[cfg(all(target_os = "linux", feature = "mount"))]
mod linux {
    use crate::{
        args::Mount,
        interrupts, network,
        output::{CommandSession, complain},
    };
    use serde::Serialize;
    use spelunk::{
        Class, Error, Finding, Result, Severity,
        verbs::{FileName, Outcome},
    };
    use spelunk_mount::{Prepared, Said, Settings};

    /// What is mounted, and where.
    #[derive(Serialize)]
    struct Row<'a> {
        /// The container or the folder.
        file: &'a FileName,
        /// The whole path of the folder at which it is mounted.
        point: &'a FileName,
        /// Number of files: those of the container, or the containers and other files right in the folder.
        entries: u64,
    }

    /// Says what is wrong with files while they are mounted.
    struct Speaker {
        /// The least severity of findings that are said.
        from: Severity,
    }

    impl Said for Speaker {
        fn found(&self, file: &str, finding: &Finding) {
            if finding.severity >= self.from {
                complain(finding.severity, file, &finding.error);
            }
        }

        fn failed(&self, file: &str, error: &Error) {
            complain(Severity::Error, file, error);
        }
    }

    pub fn run(args: &Mount, session: &mut CommandSession) -> Result<()> {
        let (own, network) = network::session(&session.common);
        let own = own.with_options(session.options()?).lenient(session.common.lenient);
        let own = own.showing(&args.shown)?;
        let from = match (session.common.quiet, session.common.verbose) {
            (true, _) => Severity::Error,
            (_, true) => Severity::Info,
            _ => Severity::Warning,
        };
        let settings = Settings { subject: args.subject.clone(), point: args.point.clone() };
        let mounted = Prepared::new(own, &settings, Speaker { from }).and_then(|prepared| {
            // What is interrupted before this ends, and from now on it is unmounted.
            let stop = prepared.stop();
            interrupts::instead(move || stop.stop());
            prepared.mount()
        });
        let mount = match mounted {
            Ok(mount) => mount,
            Err(error) if matches!(error.code().class, Class::Usage | Class::Unsupported) => {
                return Err(error);
            }
            Err(error) => {
                let mut outcome = Outcome::default();
                outcome.unopened(&error);
                session.take(outcome);
                session.complain(Severity::Error, &args.subject.to_string(), &error);
                return Ok(());
            }
        };
        if session.common.json {
            let point = FileName::from(mount.point().as_os_str());
            session.json(&Row { file: &args.subject, point: &point, entries: mount.entries() })?;
        }
        let (subject, point) = (&args.subject, FileName::from(&args.point));
        session
            .say(&format!("{subject} is mounted at {point}; Ctrl-C or `umount {point}` ends it"));
        session.out().flush()?;
        mount.wait()?;
        network.report(session);
        Ok(())
    }
}
