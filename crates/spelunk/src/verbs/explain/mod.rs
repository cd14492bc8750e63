//! Explanations: the field that a byte belongs to, the whole of a file as a map or as bytes, or the meaning of a code.

mod codes;
mod layout;
mod request;

pub use codes::{CodeDetails, CodeRow, Native, NativeNumber, NativeRow};
pub use layout::{BranchRow, BytesRow, FoldedRow, HeadRow, LabelRow, LaidOutRow};
pub use request::Request;

use super::{
    input::Input,
    output::{Outcome, Output},
    run::Run,
    session::Session,
};
use crate::{
    Error, Opened, Result, Seg, Space, Span, core::walk::Located, explain, open::json::FieldRow,
};
use schemars::JsonSchema;
use serde::Serialize;

/// Explanation of a byte, a part of a file or a code.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Row<'a> {
    /// The field that a byte belongs to.
    Byte(ByteRow<'a>),
    /// A code, one of `lint`'s rules among them.
    Code(CodeRow),
    /// An error number of the original software.
    Native(NativeRow),
    /// A field of a file or of a part of it, in the order of their bytes.
    Field(LaidOutRow<'a>),
    /// For people: the file.
    Head(HeadRow<'a>),
    /// For people: a group or a field of the map.
    Branch(BranchRow<'a>),
    /// For people: that a field begins here.
    Label(LabelRow<'a>),
    /// For people: bytes of the field that began last.
    Bytes(BytesRow<'a>),
    /// For people: bytes that are folded.
    Folded(FoldedRow<'a>),
}

/// The field that a byte belongs to.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ByteRow<'a> {
    /// The file.
    pub file: &'a str,
    /// The place that was asked for.
    pub asked: Asked,
    /// The field.
    #[serde(flatten)]
    pub field: FieldRow<'a>,
    /// Description of the field.
    pub doc: &'static str,
    /// Page of the documentation, from the root of the repository on.
    pub page: Option<&'static str>,
    /// For people: the value as people read it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shown: Option<String>,
    /// For people: the groups that the field is in, the outermost first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub groups: Option<Vec<GroupRow>>,
}

/// A place that was asked for.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Asked {
    /// `file`, or the name of an inflated section.
    pub space: String,
    /// Offset in bytes.
    pub offset: u64,
}

/// A group of fields.
#[derive(Debug, Serialize, JsonSchema)]
pub struct GroupRow {
    /// Name of the group.
    pub name: String,
    /// Description of the group.
    pub doc: &'static str,
}

/// Lists the rules of `lint`.
pub(super) fn rules(run: &mut Run<'_>) -> Result<()> {
    codes::rules(run)
}

/// Hands out a row for the field of a byte, for each field of a file or of a part of it, or for each code.
///
/// # Errors
/// Those of the output, and of what the request names beside the file; [`NO_CODE`](crate::open::codes::NO_CODE).
pub fn run(session: &Session, request: &Request, out: &mut dyn Output) -> Result<Outcome> {
    let mut run = Run::new("explain", session, out);
    run.show(&request.shown)?;
    if request.codes {
        codes::all(&mut run)?;
        return run.finish();
    }
    let subject = request.subject.clone().unwrap_or_default();
    let is_laid_out = request.map || request.hex || request.entry.is_some();
    if request.place.is_none() && !is_laid_out {
        codes::show(&subject, request, &mut run)?;
        return run.finish();
    }
    let file = run.name(&subject)?;
    let (mut opened, source) = match run.open_bytes(&Input::named(&subject))? {
        Some((opened, Some(source))) => (opened, source),
        Some((_, None)) => {
            let error = Error::new(&crate::open::codes::core::NO_SUCH_OPERATION);
            let error = error.expected("one of its archives").found("a folder of archives");
            run.failed(&file, error);
            return run.finish();
        }
        None => return run.finish(),
    };
    if is_laid_out {
        layout::show(request, &file, &mut opened, source, &mut run)?;
        return run.finish();
    }
    let place = request.place.as_deref().unwrap_or_default();
    match explain::place(opened.container(), place) {
        Ok(place) => byte(&file, &mut opened, place, request, &mut run)?,
        Err(error) => run.failed(&file, error),
    }
    run.finish()
}

/// Hands out the row about one byte.
fn byte(
    file: &str,
    opened: &mut Opened,
    (space, offset): (Space, u64),
    request: &Request,
    run: &mut Run<'_>,
) -> Result<()> {
    let pages = opened.code_pages();
    let found = opened.run(|container, task| explain::locate(container, space, offset, task));
    run.settle(file, &opened.take_findings());
    let Located { field, groups } = match found {
        Ok(Some(located)) => located,
        Ok(None) => {
            // The walk covers every byte; what it does not reach lies behind damage.
            let place = Span::new(space, offset, 1);
            run.failed(file, Error::new(&crate::open::codes::core::UNREADABLE).at(place));
            return Ok(());
        }
        Err(error) => {
            run.failed(file, error);
            return Ok(());
        }
    };
    let (mut shown, mut around) = (None, None);
    if request.for_people {
        shown = Some(field.field.print(&field.value, &pages).to_string());
        let group = |name: &Seg<'_>, doc: &'static str| {
            let name = match name {
                Seg::Field(name) => (*name).to_owned(),
                Seg::Index(index) => format!("[{index}]"),
                Seg::Key(key) => key.clone().into_owned(),
            };
            GroupRow { name, doc }
        };
        around = Some(groups.iter().map(|(name, record)| group(name, record.doc)).collect());
    }
    run.row(&ByteRow {
        file,
        asked: Asked { space: space.to_string(), offset },
        field: FieldRow::of(&field, &pages),
        doc: field.field.doc,
        page: field.record.map(|record| record.page),
        shown,
        groups: around,
    })
}
