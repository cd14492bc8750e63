//! Lines: what is measured over what, with which goal, as data.

use crate::{
    clock::{Measured, Reading, Stat},
    work::Work,
};
use std::io;

/// Lines that are measured over one kind of files, and the section of docs/performance.md that has their figures.
pub struct Group {
    /// Name, as arguments name it.
    pub name: &'static str,
    /// Heading of the section.
    pub section: &'static str,
    /// What is measured.
    pub cases: &'static [&'static [Case]],
}

impl Group {
    /// Returns the cases.
    pub fn cases(&self) -> impl Iterator<Item = &'static Case> {
        self.cases.iter().copied().flatten()
    }
}

/// Work side by side, of which several lines may follow.
pub struct Case {
    /// Names of the sides, whose times lines are made of.
    pub sides: &'static [&'static str],
    /// What follows from the times.
    pub lines: &'static [Line],
    /// Runs the sides.
    pub measure: fn(&Work) -> io::Result<Measured>,
}

/// A figure.
pub struct Line {
    /// Name, as arguments name it.
    pub name: &'static str,
    /// What is measured.
    pub what: &'static str,
    /// What it is measured over; empty for what is no ratio.
    pub over: &'static str,
    /// The value that is wanted.
    pub goal: Goal,
    /// Unit of the value.
    pub unit: Unit,
    /// Time by which the goal is judged.
    pub clock: Clock,
    /// How the value follows from what was measured.
    pub value: Value,
}

impl Line {
    /// A ratio of process times.
    pub const fn ratio(name: &'static str, what: &'static str, over: &'static str) -> Line {
        let (goal, unit, clock) = (Goal::None, Unit::Ratio, Clock::Cpu);
        Line { name, what, over, goal, unit, clock, value: Value::Times(|t, _| t[0] / t[1]) }
    }

    /// A process time.
    pub const fn time(name: &'static str, what: &'static str, unit: Unit) -> Line {
        let (goal, clock, over) = (Goal::None, Clock::Cpu, "");
        Line { name, what, over, goal, unit, clock, value: Value::Times(|t, _| t[0]) }
    }

    /// The number at a place.
    pub const fn number(name: &'static str, what: &'static str, unit: Unit, nth: usize) -> Line {
        let (goal, clock, over) = (Goal::None, Clock::Cpu, "");
        Line { name, what, over, goal, unit, clock, value: Value::Number(nth) }
    }

    /// The same with a value that is not to be exceeded.
    pub const fn at_most(mut self, most: f64) -> Line {
        self.goal = Goal::AtMost(most);
        self
    }

    /// The same with a value that is to be reached.
    pub const fn at_least(mut self, least: f64) -> Line {
        self.goal = Goal::AtLeast(least);
        self
    }

    /// The same, judged by the time on the wall: what threads are for.
    pub const fn on_the_wall(mut self) -> Line {
        self.clock = Clock::Wall;
        self
    }

    /// The same with a value that follows from the times of the sides, and the numbers of the case.
    pub const fn by(mut self, value: fn(&[f64], &[f64]) -> f64) -> Line {
        self.value = Value::Times(value);
        self
    }
}

/// How the value of a line follows from what was measured.
#[derive(Clone, Copy)]
pub enum Value {
    /// From the times of the sides of a round, in seconds, and the numbers.
    Times(fn(&[f64], &[f64]) -> f64),
    /// It is the number at this place, which has no time.
    Number(usize),
}

/// Time by which a goal is judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clock {
    /// User and system time.
    Cpu,
    /// Time on the wall.
    Wall,
}

/// The value that is wanted, in the unit of the line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Goal {
    /// None.
    None,
    /// This or less.
    AtMost(f64),
    /// This or more.
    AtLeast(f64),
}

impl Goal {
    /// Returns it as text; empty where there is none.
    pub fn text(self, unit: Unit) -> String {
        let with_unit = |number: f64| format!("{number} {}", unit.name()).trim_end().to_owned();
        match self {
            Goal::None => String::new(),
            Goal::AtMost(most) => format!("at most {}", with_unit(most)),
            Goal::AtLeast(least) => format!("at least {}", with_unit(least)),
        }
    }
}

/// Unit of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// None: one time by another.
    Ratio,
    /// Milliseconds, of seconds that are measured.
    Milliseconds,
    /// Microseconds, of seconds that are measured.
    Microseconds,
    /// 1,048,576 bytes, of bytes that are counted.
    Mebibytes,
    /// Bytes.
    Bytes,
    /// Pages of 4096 bytes.
    Pages,
}

impl Unit {
    /// Returns what stands behind a value.
    pub const fn name(self) -> &'static str {
        match self {
            Unit::Ratio => "",
            Unit::Milliseconds => "ms",
            Unit::Microseconds => "µs",
            Unit::Mebibytes => "MiB",
            Unit::Bytes => "bytes",
            Unit::Pages => "pages",
        }
    }

    /// Returns by what seconds and bytes are multiplied.
    const fn scale(self) -> f64 {
        match self {
            Unit::Ratio | Unit::Bytes | Unit::Pages => 1.0,
            Unit::Milliseconds => 1e3,
            Unit::Microseconds => 1e6,
            Unit::Mebibytes => 1.0 / (1 << 20) as f64,
        }
    }
}

/// A judgement of a value by its goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// The goal is reached.
    Met,
    /// It is not.
    Missed,
    /// The values lie too far apart to say.
    Unsure,
    /// There is no goal.
    None,
    /// There is no value.
    Absent,
}

/// Spread above which no goal is judged.
pub const MOST_SPREAD: f64 = 0.1;

/// Figures of a line.
pub struct Figures {
    /// The line.
    pub line: &'static Line,
    /// Values by process time; `None` for numbers.
    pub cpu: Option<Stat>,
    /// Values by time on the wall; `None` for numbers.
    pub wall: Option<Stat>,
    /// The number of a line that has no times.
    pub number: Option<f64>,
}

impl Figures {
    /// Returns those of a line that follow from what was measured.
    pub fn of(line: &'static Line, measured: &Measured) -> Figures {
        let mut figures = Figures { line, cpu: None, wall: None, number: None };
        match line.value {
            Value::Number(nth) => {
                figures.number = measured.numbers.get(nth).map(|number| number * line.unit.scale());
            }
            Value::Times(value) => {
                let stat = |time: fn(&Reading) -> f64| {
                    let of_round = |round: &Vec<Reading>| {
                        let times: Vec<f64> = round.iter().map(time).collect();
                        value(&times, &measured.numbers) * line.unit.scale()
                    };
                    Stat::of(measured.rounds.iter().map(of_round).collect())
                };
                figures.cpu = stat(|reading| reading.cpu);
                figures.wall = stat(|reading| reading.wall);
            }
        }
        figures
    }

    /// Returns the value that counts.
    pub fn stat(&self) -> Option<Stat> {
        let of_clock = if self.line.clock == Clock::Cpu { self.cpu } else { self.wall };
        of_clock.or(self.number.map(|median| Stat { median, spread: 0.0 }))
    }

    /// Judges the value by the goal.
    pub fn verdict(&self) -> Verdict {
        let Some(stat) = self.stat() else { return Verdict::Absent };
        let is_met = match self.line.goal {
            Goal::None => return Verdict::None,
            _ if stat.spread > MOST_SPREAD => return Verdict::Unsure,
            Goal::AtMost(most) => stat.median <= most,
            Goal::AtLeast(least) => stat.median >= least,
        };
        if is_met { Verdict::Met } else { Verdict::Missed }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::GROUPS;
    use std::{collections::BTreeSet, fs, path::Path};

    fn verdict(line: &'static Line, times: &[[f64; 2]]) -> Verdict {
        let reading = |time: &f64| Reading { cpu: *time, wall: 1.0 };
        let rounds = times.iter().map(|round| round.iter().map(reading).collect()).collect();
        Figures::of(line, &Measured { rounds, ..Measured::default() }).verdict()
    }

    #[test]
    fn goals_are_judged_where_the_values_lie_together() {
        static LINE: Line = Line::ratio("a", "b", "c").at_most(1.5);
        assert_eq!(verdict(&LINE, &[[1.5, 1.0], [1.4, 1.0], [1.6, 1.0]]), Verdict::Met);
        assert_eq!(verdict(&LINE, &[[1.6, 1.0], [1.6, 1.0], [1.6, 1.0]]), Verdict::Missed);
        assert_eq!(verdict(&LINE, &[[1.0, 1.0], [1.2, 1.0], [1.6, 1.0]]), Verdict::Unsure);
        assert_eq!(verdict(&LINE, &[]), Verdict::Absent);
        static LEAST: Line = Line::ratio("a", "b", "c").at_least(0.9).on_the_wall();
        assert_eq!(verdict(&LEAST, &[[0.1, 1.0]]), Verdict::Met);
        static NUMBER: Line = Line::number("a", "b", Unit::Mebibytes, 1).at_most(2.0);
        let figures = Figures::of(&NUMBER, &Measured::numbers(vec![0.0, 3.0 * 1048576.0]));
        assert_eq!((figures.number, figures.verdict()), (Some(3.0), Verdict::Missed));
        assert_eq!(Goal::AtMost(0.5).text(Unit::Milliseconds), "at most 0.5 ms");
    }

    #[test]
    fn lines_have_names_of_their_own_and_values_that_follow_from_their_sides() {
        let mut names = BTreeSet::new();
        for group in GROUPS {
            assert!(names.insert(group.name), "{} is there twice", group.name);
            for case in group.cases() {
                let times = vec![1.0; case.sides.len()];
                for line in case.lines {
                    assert!(names.insert(line.name), "{} is there twice", line.name);
                    assert!(line.name.starts_with(group.name), "{} of {}", line.name, group.name);
                    if let Value::Times(value) = line.value {
                        assert!(value(&times, &[2.0; 32]).is_finite(), "{}", line.name);
                    }
                }
            }
        }
        assert!(names.len() > 100, "{}", names.len());
    }

    #[test]
    fn every_group_has_its_place_in_the_page() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/performance.md");
        let page = fs::read_to_string(path).unwrap();
        let sections: BTreeSet<&str> = GROUPS.iter().map(|group| group.section).collect();
        for section in &sections {
            assert!(page.contains(&format!("\n## {section}\n")), "{section}");
            assert!(page.contains(&format!("<!-- figures: {section} -->\n")), "{section}");
        }
        assert_eq!(page.matches("<!-- figures: ").count(), sections.len());
    }
}
