//! `CKParameterOperation` (`docs/formats/classes/parameters.md#ckparameteroperation`).

use super::{
    fresh::{Fresh, Host},
    object::Object,
    parameter_in::ParameterIn,
    parameter_out::ParameterOut,
    renew::{Old, Renew, Renewed},
};
use crate::codec::{Array, Codec, Coded, Layout, Reference, Saved, field, group};
use spelunk_core::{Field, Ty};
use zerocopy::little_endian::U32;

const PAGE: &str = "docs/formats/classes/parameters.md#ckparameteroperation";

/// An operation: makes one value of one or two others.
#[derive(Clone, Debug, Default)]
pub struct ParameterOperation {
    /// State that every object saves.
    pub object: Object,
    /// Operation and its parameters.
    pub operation: Option<Operation>,
    /// In states and old files: what it does, as `d1` and `d2`.
    pub old_operation: Option<[u32; 2]>,
    /// In states and old files: what it belongs to.
    pub old_owner: Option<Reference>,
    /// In states and old files: its result.
    pub old_output: Option<Held<ParameterOut>>,
    /// In states and old files: its two inputs.
    pub old_inputs: Option<[Held<ParameterIn>; 2]>,
}

/// An operation and its parameters.
#[derive(Clone, Debug, Default)]
pub struct Operation {
    /// GUID of the operation, as `d1` and `d2`.
    pub operation: [u32; 2],
    /// First input, second input and result, as references are stored; below data version 5 what it belongs to
    /// stands before them.
    pub parameters: Array<U32>,
    /// Below data version 5: the result, where the count does not count it.
    pub uncounted: Option<Reference>,
}

impl Operation {
    /// The first input.
    pub fn first(&self) -> Option<Reference> {
        self.last(2)
    }

    /// The second input.
    pub fn second(&self) -> Option<Reference> {
        self.last(1)
    }

    /// The result.
    pub fn output(&self) -> Option<Reference> {
        self.last(0)
    }

    /// Object that the operation belongs to; below data version 5 only.
    pub fn owner(&self) -> Option<Reference> {
        self.last(3)
    }

    fn last(&self, nth: usize) -> Option<Reference> {
        let counted = self.parameters.iter().rev().map(|word| Reference::index(word.get()));
        self.uncounted.into_iter().chain(counted).nth(nth)
    }
}

/// A parameter of an operation, with its content where that is not saved elsewhere.
#[derive(Clone, Debug, Default)]
pub struct Held<T> {
    /// Parameter of the operation.
    pub parameter: Reference,
    /// Content of the parameter; not in file mode. `Some(None)` is a null sub-chunk.
    pub content: Option<Option<Box<Saved<T>>>>,
}

static OPERATION: Field =
    Field::new("operation", Ty::Guid, "What it does.").guids(&crate::registered::OPERATION_NAMES);
static INPUT: Field = Field::new("input", Ty::U32, "An input.");
static OUTPUT: Field = Field::new("output", Ty::U32, "The result.");

impl Layout for ParameterOperation {
    fn layout<C: Codec>(&mut self, c: &mut C) -> Coded<C> {
        self.object.layout(c)?;
        c.section(
            0x400,
            group!("operation", "What it does with which parameters."),
            &mut self.operation,
            operation,
        )?;
        c.section(
            0x100,
            group!("old_operation", "What it does."),
            &mut self.old_operation,
            |c, guid| c.item(&OPERATION, guid),
        )?;
        c.section(
            0x200,
            group!("old_owner", "What it belongs to."),
            &mut self.old_owner,
            |c, owner| c.object(field!("owner", Ty::U32, "What it belongs to."), owner),
        )?;
        c.section(0x80, group!("old_output", "Its result."), &mut self.old_output, |c, output| {
            c.object(&OUTPUT, &mut output.parameter)?;
            let there = c.detect("content", output.content.is_some(), |words| !words.is_empty());
            content(c, there, &mut output.content)
        })?;
        c.section(
            0x40,
            group!("old_inputs", "Its two inputs."),
            &mut self.old_inputs,
            |c, [first, second]| {
                c.group(group!("first", "The first one."), |c| {
                    c.object(&INPUT, &mut first.parameter)?;
                    // One reference is left, of one dword or marked, unless there are sub-chunks.
                    let there = c.detect("content", first.content.is_some(), |words| {
                        !matches!(words.len(), 1 | 4)
                    });
                    content(c, there, &mut first.content)
                })?;
                c.group(group!("second", "The second one."), |c| {
                    c.object(&INPUT, &mut second.parameter)?;
                    let known = second.content.is_some();
                    let there = c.detect("content", known, |words| !words.is_empty());
                    content(c, there, &mut second.content)
                })
            },
        )
    }
}

fn operation<C: Codec>(c: &mut C, value: &mut Operation) -> Coded<C> {
    let Operation { operation, parameters, uncounted } = value;
    c.item(&OPERATION, operation)?;
    let field = field!(
        "parameters",
        Ty::U32,
        "First input, second input, result; before them the owner below data version 5.",
    );
    c.parallel(field, parameters)?;
    let old = c.version() < 5;
    let more = old && c.detect("output", uncounted.is_some(), |words| !words.is_empty());
    if c.when(more, "data version below 5, and counted without the last") {
        c.object(&OUTPUT, uncounted.get_or_insert_default())?;
    }
    Ok(())
}

fn content<C: Codec, T: Layout>(
    c: &mut C,
    there: bool,
    value: &mut Option<Option<Box<Saved<T>>>>,
) -> Coded<C> {
    if c.when(there, "saved on its own") {
        c.sub_chunk(group!("content", "The parameter itself."), value.get_or_insert_default())?;
    }
    Ok(())
}

/// The operation that most of real files have: one type from another.
const CONVERT: [u32; 2] = [0x4280_09B4, 0x1CAA_5C78];

impl Fresh for ParameterOperation {
    fn fresh(host: &Host) -> ParameterOperation {
        // Two inputs and the result.
        let parameters = vec![U32::new(host.null().value); 3].into();
        let operation = Operation { operation: CONVERT, parameters, uncounted: None };
        ParameterOperation { operation: Some(operation), ..ParameterOperation::default() }
    }
}

impl Renew for ParameterOperation {
    fn renew(&mut self, old: &Old) -> Renewed {
        self.object.renew(old)?;
        // What it belongs to names it in turn.
        if let Some(operation) = self.operation.as_mut().filter(|_| old.version < 5) {
            let all = (operation.first(), operation.second(), operation.output());
            let (Some(first), Some(second), Some(output)) = all else {
                return Err("an input or its result is missing");
            };
            operation.parameters =
                [first, second, output].map(|it| U32::new(it.value)).to_vec().into();
            operation.uncounted = None;
        }
        let all = (self.old_operation.take(), self.old_output.take(), self.old_inputs.take());
        self.old_owner = None;
        let (operation, output, [first, second]) = match all {
            (None, None, None) => return Ok(()),
            _ if self.operation.is_some() => return Ok(()),
            (Some(operation), Some(output), Some(inputs)) => (operation, output, inputs),
            _ => return Err("an input, its result or what it does is missing"),
        };
        let is_held = [&first.content, &second.content].iter().any(|it| it.is_some());
        if is_held || output.content.is_some() {
            return Err("it holds its parameters itself");
        }
        let parameters = [first.parameter, second.parameter, output.parameter];
        let parameters = parameters.map(|it| U32::new(it.value)).to_vec().into();
        self.operation = Some(Operation { operation, parameters, uncounted: None });
        Ok(())
    }
}
