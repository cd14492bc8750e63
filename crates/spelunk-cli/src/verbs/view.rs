//! `view`: the page over files of this machine.

use crate::{args::View, output::CommandSession};
use spelunk::{Error, Result, open::codes, verbs::Session};
use spelunk_view::{Server, Settings};
use std::time::Duration;

pub fn run(args: &View, session: &mut CommandSession) -> Result<()> {
    if !spelunk_view::is_built_in() {
        return Err(Error::new(&codes::NO_PAGE));
    }
    let settings = Settings {
        subject: args.subject.clone().into(),
        port: args.port,
        is_read_only: args.read_only,
        idle: args.idle.map(|minutes| Duration::from_secs(minutes.saturating_mul(60))),
    };
    let (options, lenient) = (session.options()?, session.common.lenient);
    let server = Server::bind(&settings, |files| {
        Session::new(files).with_options(options).lenient(lenient)
    })?;
    let address = server.address();
    let out = session.out();
    writeln!(out, "{address}")?;
    out.flush()?;
    if !args.no_open && open::that_detached(&address).is_err() {
        session.say("no browser could be opened: open the address in one");
    }
    server.run()
}
