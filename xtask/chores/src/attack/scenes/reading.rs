//! What is done with the verbs that read.

use super::{Stage, Step, words};
use spelunk_fixtures::{generate::Kind, random::Random};
use std::{fs, io};

/// The steps of a verb, if it is one that reads.
pub fn steps(verb: &str, stage: &mut Stage<'_>, r: &mut Random) -> io::Result<Option<Vec<Step>>> {
    let a = stage.a().to_owned();
    let kind = stage.kind;
    let path = stage.path(r);
    let path = path.as_str();
    let glob = words::GLOBS[r.below(words::GLOBS.len())];
    let step = Step::new(verb);
    Ok(Some(vec![match verb {
        "info" => step.arg(a).one_of(r, &["", "", "--missing-plugins", "--strict", "-v"]).json(r),
        "ls" => {
            let step = step.arg(a).one_of(
                r,
                &[
                    "",
                    "",
                    "--sort size",
                    "--sort name --reverse",
                    "--limit 5",
                    "--columns path,size,type,name",
                    "--generation 1",
                    "--generation merged",
                ],
            );
            match r.below(5) {
                0 => step.arg("--blocks").json(r),
                1 => step.arg("--language").arg("de").json(r),
                2 => step.arg(glob).json(r),
                3 => step.arg(format!("{path}/**")).json(r),
                _ => step.json(r),
            }
        }
        "tree" if r.below(2) == 0 => step.arg(a).arg(path).json(r),
        "tree" => step.arg(a).json(r),
        "show" => step.arg(a).arg(path).one_of(r, &["", "", "--generation merged"]).json(r),
        "cat" => step.arg(a).arg(path),
        "verify" => {
            let step =
                step.arg(a).one_of(r, &["", "--roundtrip", "--coverage", "--roundtrip --coverage"]);
            let step = step.one_of(r, &["", "", "--strict", "--lenient"]).json(r);
            if r.below(3) == 0 { step.arg(stage.other(r)?) } else { step }
        }
        "refs" => {
            let step = match r.below(4) {
                0 => step.arg(a).arg("--missing"),
                1 => step.arg(a).arg(path).arg("--missing"),
                2 => step.arg(a).arg(path).arg("--closure"),
                _ => step.arg(a).arg(path),
            };
            let step = step.one_of(r, &["", "", "--no-optional"]).json(r);
            let with = kind == Kind::Pack && r.below(3) == 0;
            if with { step.arg("--with").arg(stage.other(r)?) } else { step }
        }
        "find" => {
            let pattern = words::PATTERNS[r.below(words::PATTERNS.len())];
            let step = step.arg(pattern).arg(a).one_of(r, &["", "", "--names", "--whole"]).json(r);
            if r.below(3) == 0 { step.arg(stage.other(r)?) } else { step }
        }
        "overlay" => {
            let step = match kind {
                Kind::Archive => step.arg("."),
                _ if r.below(2) == 0 => step.arg(a).arg(stage.other(r)?),
                _ => step.arg(a).arg(format!("dlc={}", stage.other(r)?)),
            };
            step.one_of(r, &["", "--conflicts", "--prefer de,mobile", "--only *1*"]).json(r)
        }
        "lint" => {
            let step = step.arg(&a);
            match r.below(5) {
                0 => {
                    step.arg("--fix").one_of(r, &["", "--remove-unused", "--merge-names"]).to(r, &a)
                }
                1 => step.arg("--missing-report").json(r),
                2 if kind == Kind::Map => {
                    let game = stage.generator.file(Kind::GameData, r).bytes;
                    fs::write(stage.dir.join("game.cff"), game)?;
                    step.arg("--gamedata").arg("game.cff").json(r)
                }
                _ => step
                    .one_of(r, &["", "-v", "--write-suppressions known.txt"])
                    .json(r)
                    .writes("known.txt"),
            }
        }
        "diff" => {
            let step = step.arg(&a);
            let step = if r.below(5) == 0 { step.arg(&a) } else { step.arg(stage.other(r)?) };
            let options = [
                "",
                "",
                "",
                "--stat",
                "--blocks",
                "--max-items 100000",
                "--old-generation 1",
                "--patch p.json",
            ];
            step.one_of(r, &options).json(r).writes("p.json")
        }
        "query" => {
            let step = step.arg(a);
            let step = if r.below(4) == 0 { step.arg(stage.other(r)?) } else { step };
            if r.below(10) == 0 {
                return Ok(Some(vec![step.arg("--tables").json(r)]));
            }
            let step = step.arg(words::statement(kind, r));
            if r.below(4) == 0 { step.arg("--csv") } else { step.json(r) }
        }
        "catalog" => {
            let b = stage.other(r)?;
            let step = step.arg(a).arg(b).arg("-o").arg("catalogue").writes("catalogue");
            let again = step.clone().one_of(r, &["", "--full"]);
            return Ok(Some(vec![step, again]));
        }
        "explain" => {
            let step = step.arg(a);
            match r.below(6) {
                0 => step.arg("--map").json(r),
                1 => step.arg("--map").arg("--full").json(r),
                2 => step.arg("--hex").one_of(r, &["", "0x20 64", "0 1000000"]).json(r),
                3 => step
                    .arg("--map")
                    .arg(["header1:", "data:", "chunk1:", "chunk12:"][r.below(4)])
                    .json(r),
                4 => step.arg("--map").arg("--entry").arg(path).json(r),
                _ => step
                    .arg(
                        ["0", "0x10", "0x64", "100000", "header1:4", "data:8", "chunk1:3"]
                            [r.below(7)],
                    )
                    .json(r),
            }
        }
        _ => return Ok(None),
    }]))
}
