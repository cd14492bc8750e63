//! What codes mean.

use crate::output::{LABEL, Session, TITLE};
use serde_json::{Value, json};
use spelunk::{
    Code, Error, Result, codes,
    registry::{self, Known},
};
use std::path::Path;

/// Tells of the code with this id.
pub fn tell(id: &str, session: &mut Session) -> Result<()> {
    if let Some((number, codes)) = registry::native(id) {
        return native(&number.to_string(), number.0, &codes, session);
    }
    let Some(known) = registry::find(id) else {
        let close = registry::close(id);
        let expected = match (Path::new(id).exists(), close.is_empty()) {
            (true, _) => format!(
                "an offset behind the file, or --map or --hex: `spelunk explain {id} --map`"
            ),
            (false, false) => format!("{}, perhaps", close.join(" or ")),
            (false, true) => "a code such as VT012, or a file and an offset".to_owned(),
        };
        return Err(Error::new(&codes::NO_CODE).expected(expected).found(format!("`{id}`")));
    };
    if session.common.json {
        return session.json(&line(&known));
    }
    let code = known.code;
    let out = session.out();
    writeln!(out, "{TITLE}{}{TITLE:#}: {} ({})", code.id, code.title, code.class.name())?;
    writeln!(out, "  {}", code.help)?;
    let mut line = |label: &str, text: &str| -> Result<()> {
        Ok(writeln!(out, "  {LABEL}{label:<8}{LABEL:#} {text}")?)
    };
    line("class", &format!("{}: {}", code.class.name(), known.meaning()))?;
    if let Some((rule, of)) = known.rule {
        line("rule", &format!("about {}; {}", of.about, registry::at_most(rule.severity)))?;
    }
    line("told by", &known.told_by().replace('`', ""))?;
    if let Some(fix) = known.fix() {
        line("--fix", fix)?;
    }
    if let Some((name, number)) = code.native {
        line("native", &format!("{name} ({number}) in the original software"))?;
    }
    line("see", &known.link())
}

/// Where the error numbers of the original software are told.
const NUMBERS: &str = "docs/formats/virtools-runtime.md#error-numbers";

/// Tells which codes stand for an error number of the original software.
fn native(name: &str, number: i32, codes: &[&'static Code], session: &mut Session) -> Result<()> {
    let help = "An error number of the original software, which its functions return; programs that stand in for it \
                return the same.";
    if session.common.json {
        let name = name.split(' ').next().unwrap_or_default();
        return session.json(&json!({
            "native": { "name": name, "number": number },
            "help": help,
            "codes": codes.iter().map(|code| code.id).collect::<Vec<_>>(),
            "page": NUMBERS,
        }));
    }
    let out = session.out();
    writeln!(out, "{TITLE}{name}{TITLE:#}")?;
    writeln!(out, "  {help}")?;
    for code in codes {
        writeln!(out, "  {LABEL}{}{LABEL:#}    {}", code.id, code.title)?;
    }
    Ok(writeln!(out, "  {LABEL}see     {LABEL:#} {NUMBERS}")?)
}

/// Lists all codes.
pub fn all(session: &mut Session) -> Result<()> {
    list(registry::all(), session)
}

/// Lists codes, a line each.
pub fn list(codes: impl Iterator<Item = Known>, session: &mut Session) -> Result<()> {
    for known in codes {
        if session.common.json {
            session.json(&line(&known))?;
            continue;
        }
        let code = known.code;
        let kind = known.severity().map_or(code.class.name(), |severity| severity.name());
        let fix = if known.fix().is_some() { "  (--fix)" } else { "" };
        writeln!(session.out(), "{LABEL}{}{LABEL:#}  {kind:<12}  {}{fix}", code.id, code.title)?;
    }
    Ok(())
}

fn line(known: &Known) -> Value {
    let code = known.code;
    json!({
        "code": code.id,
        "class": code.class.name(),
        "title": code.title,
        "help": code.help,
        "native": code.native.map(|(name, number)| json!({ "name": name, "number": number })),
        "severity": known.severity().map(|severity| severity.name()),
        "about": known.rule.map(|(_, of)| of.about),
        "fix": known.fix(),
        "told_by": known.told_by().replace('`', ""),
        "page": known.link(),
    })
}
