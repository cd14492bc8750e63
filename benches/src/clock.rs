//! Work side by side: interleaved, repeated until it can be measured, in process time and in wall time.

use nix::sys::{
    resource::{UsageWho, getrusage},
    time::TimeValLike,
};
use std::{
    io,
    time::{Duration, Instant},
};

/// Nothing that is measured is shorter than this.
const SHORTEST: Duration = Duration::from_millis(4);

/// Time that a piece of work took, in seconds.
#[derive(Clone, Copy, Debug, Default)]
pub struct Reading {
    /// User and system time of all threads of this process, and of the processes that it ran.
    pub cpu: f64,
    /// Time on the wall.
    pub wall: f64,
}

/// User and system time of this process and of those that it waited for, in seconds.
fn cpu() -> f64 {
    let microseconds = [UsageWho::RUSAGE_SELF, UsageWho::RUSAGE_CHILDREN].map(|who| {
        let usage = getrusage(who).expect("the system counts process time");
        usage.user_time().num_microseconds() + usage.system_time().num_microseconds()
    });
    microseconds.iter().sum::<i64>() as f64 / 1e6
}

/// Runs work once. Returns the time that it took.
pub fn measured(work: impl FnOnce()) -> Reading {
    let (before, started) = (cpu(), Instant::now());
    work();
    let wall = started.elapsed().as_secs_f64();
    Reading { cpu: cpu() - before, wall }
}

/// Times of work side by side, and what else was counted of it.
#[derive(Debug, Default)]
pub struct Measured {
    /// Times of the sides, round by round.
    pub rounds: Vec<Vec<Reading>>,
    /// Numbers that are no times, or that times are divided by.
    pub numbers: Vec<f64>,
    /// Name and size of what was measured with.
    pub input: String,
    /// Why nothing was measured, where that is so.
    pub absent: Option<String>,
}

impl Measured {
    /// Runs the sides interleaved, `count` times, after each was run twice to warm up. What is short is repeated within a round.
    pub fn of<const N: usize>(count: usize, sides: [&mut dyn FnMut(); N]) -> Measured {
        let mut sides = sides.map(|work| {
            work();
            let started = Instant::now();
            work();
            let once = started.elapsed().as_nanos().max(1);
            let repeat = (SHORTEST.as_nanos() / once + 1).min(1_000_000) as u32;
            move || {
                let all = measured(|| (0..repeat).for_each(|_| work()));
                let [cpu, wall] = [all.cpu, all.wall].map(|time| time / f64::from(repeat));
                Reading { cpu, wall }
            }
        });
        Measured { rounds: rounds(count, &mut sides), ..Measured::default() }
    }

    /// The same for work that is [measured] by itself, so that it can make ready before and clear up behind.
    pub fn timed<const N: usize>(
        count: usize,
        sides: [&mut dyn FnMut() -> Reading; N],
    ) -> Measured {
        let mut sides = sides;
        for work in &mut sides {
            work();
        }
        Measured { rounds: rounds(count, &mut sides), ..Measured::default() }
    }

    /// Nothing but numbers.
    pub fn numbers(numbers: Vec<f64>) -> Measured {
        Measured { numbers, ..Measured::default() }
    }

    /// Nothing, for this reason.
    pub fn absent(reason: impl Into<String>) -> io::Result<Measured> {
        Ok(Measured { absent: Some(reason.into()), ..Measured::default() })
    }

    /// The same with the name and the size of what was measured with.
    pub fn with(mut self, input: impl Into<String>) -> io::Result<Measured> {
        self.input = input.into();
        Ok(self)
    }

    /// The same with numbers.
    pub fn and(mut self, numbers: &[f64]) -> Measured {
        self.numbers.extend_from_slice(numbers);
        self
    }
}

/// Runs the sides in turns. None always goes first.
fn rounds(count: usize, sides: &mut [impl FnMut() -> Reading]) -> Vec<Vec<Reading>> {
    let len = sides.len();
    let round = |round: usize| {
        let mut times = vec![Reading::default(); len];
        for turn in 0..len {
            let nth = (round + turn) % len;
            times[nth] = (sides[nth])();
        }
        times
    };
    (0..count).map(round).collect()
}

/// The middle of some values, and how far apart they lie.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Stat {
    /// The median.
    pub median: f64,
    /// The distance between the quartiles as a part of the median.
    pub spread: f64,
}

impl Stat {
    /// Returns that of some values; `None` where there are none, or where one is no number.
    pub fn of(mut values: Vec<f64>) -> Option<Stat> {
        if values.is_empty() || values.iter().any(|value| !value.is_finite()) {
            return None;
        }
        values.sort_by(f64::total_cmp);
        let at = |part: f64| {
            let place = part * (values.len() - 1) as f64;
            let (low, high) = (values[place.floor() as usize], values[place.ceil() as usize]);
            low + (high - low) * place.fract()
        };
        let median = at(0.5);
        let apart = at(0.75) - at(0.25);
        let spread = if apart == 0.0 { 0.0 } else { (apart / median).abs() };
        Some(Stat { median, spread })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stat_is_the_median_and_the_distance_of_the_quartiles() {
        let stat = Stat::of(vec![4.0, 1.0, 3.0, 2.0, 5.0]).unwrap();
        assert_eq!(stat, Stat { median: 3.0, spread: 2.0 / 3.0 });
        assert_eq!(Stat::of(vec![7.0]).unwrap(), Stat { median: 7.0, spread: 0.0 });
        assert_eq!(Stat::of(vec![1.0, f64::NAN]), None);
        assert_eq!(Stat::of(Vec::new()), None);
    }

    #[test]
    fn sides_take_turns_and_their_times_stay_apart() {
        let mut turns = Vec::new();
        let [one, two] = [1, 2].map(|side| move |turns: &mut Vec<i32>| turns.push(side));
        let shared = std::cell::RefCell::new(&mut turns);
        let measured = Measured::timed(
            2,
            [
                &mut || {
                    one(&mut shared.borrow_mut());
                    Reading { cpu: 1.0, wall: 1.0 }
                },
                &mut || {
                    two(&mut shared.borrow_mut());
                    Reading { cpu: 2.0, wall: 2.0 }
                },
            ],
        );
        assert!(measured.rounds.iter().all(|round| round[0].cpu == 1.0 && round[1].cpu == 2.0));
        // Once to warm up, then in turns.
        assert_eq!(turns, [1, 2, 1, 2, 2, 1]);
    }
}
