//! Prototypes of building blocks (`docs/formats/virtools-registered.md#building-blocks`).

use super::table::Row;
use crate::class::parameter_type;
use spelunk_core::value;

/// Name of a building block, and the parts that are made with each behaviour of its kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Prototype {
    /// The name under which the block is registered.
    pub name: &'static str,
    /// Group in the list of blocks, with `/` between levels; empty where there is none.
    pub category: &'static str,
    row: Row,
}

/// A parameter of a prototype.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pin {
    /// Name of the parameter.
    pub name: &'static str,
    /// Type of its values, as `d1` and `d2`.
    pub parameter_type: [u32; 2],
}

impl Prototype {
    pub(super) fn of(row: Row) -> Option<Prototype> {
        let category = row.column(1).unwrap_or_default();
        Some(Prototype { name: row.column(0)?, category, row })
    }

    /// The names of the inputs, in their order.
    pub fn inputs(&self) -> impl Iterator<Item = &'static str> + use<> {
        self.list(2)
    }

    /// The names of the outputs, in their order.
    pub fn outputs(&self) -> impl Iterator<Item = &'static str> + use<> {
        self.list(3)
    }

    /// The input parameters, in their order.
    pub fn input_parameters(&self) -> impl Iterator<Item = Pin> + use<> {
        self.list(4).filter_map(Pin::of)
    }

    /// The output parameters, in their order.
    pub fn output_parameters(&self) -> impl Iterator<Item = Pin> + use<> {
        self.list(5).filter_map(Pin::of)
    }

    /// The settings, in their order.
    pub fn settings(&self) -> impl Iterator<Item = Pin> + use<> {
        self.list(6).filter_map(Pin::of)
    }

    /// The local parameters that are no settings and have names, in their order.
    pub fn local_parameters(&self) -> impl Iterator<Item = Pin> + use<> {
        self.list(7).filter_map(Pin::of)
    }

    fn list(&self, column: usize) -> impl Iterator<Item = &'static str> + use<> {
        self.row.column(column).into_iter().flat_map(|all| all.split(';'))
    }
}

impl Pin {
    /// A parameter from `NAME:TYPE`; the type stands as its constant, or as its GUID where it has none.
    pub(crate) fn of(text: &'static str) -> Option<Pin> {
        let (name, kind) = text.rsplit_once(':')?;
        let parameter_type = parameter_type::guid(kind).or_else(|| value::guid(kind))?;
        Some(Pin { name, parameter_type })
    }
}

#[cfg(test)]
mod tests {
    use crate::registered::{prototype, prototypes};

    #[test]
    fn pins_have_names_and_known_types() {
        let translate = prototype([0x000D_000D, 0x000D_000D]).unwrap();
        assert_eq!((translate.name, translate.category), ("Translate", "3D Transformations/Basic"));
        assert!(translate.inputs().eq(["In"]) && translate.outputs().eq(["Out"]));
        let pins: Vec<_> = translate
            .input_parameters()
            .map(|pin| (pin.name, crate::class::parameter_type::name(pin.parameter_type).unwrap()))
            .collect();
        let expected =
            [("Translate Vector", "VECTOR"), ("Referential", "3DENTITY"), ("Hierarchy", "BOOL")];
        assert_eq!(pins, expected);
        let mut count = [0; 6];
        for (_, prototype) in prototypes() {
            let parameters = [
                prototype.input_parameters().count(),
                prototype.output_parameters().count(),
                prototype.settings().count(),
                prototype.local_parameters().count(),
            ];
            let stored = [4, 5, 6, 7].map(|column| prototype.list(column).count());
            assert_eq!(parameters, stored, "{}: every type is known", prototype.name);
            for (sum, found) in count.iter_mut().zip(parameters) {
                *sum += found;
            }
            count[4] += prototype.inputs().count();
            count[5] += prototype.outputs().count();
        }
        assert_eq!(count, COUNTS);
    }

    /// Input parameters, output parameters, settings, local parameters, inputs and outputs of all prototypes.
    const COUNTS: [usize; 6] = [2041, 399, 330, 154, 886, 982];
}
