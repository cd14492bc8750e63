//! Work side by side: interleaved, repeated until it can be timed, medians over the rounds.

use std::{
    array,
    time::{Duration, Instant},
};

/// Rounds for each line.
pub const ROUNDS: usize = 15;
/// Nothing that is timed is shorter than this.
const SHORTEST: Duration = Duration::from_millis(2);

/// Seconds that each of some loops took, round by round.
pub struct Rounds<const N: usize>(Vec<[f64; N]>);

impl<const N: usize> Rounds<N> {
    /// Runs the loops interleaved, `count` times, after each was run twice to warm up.
    pub fn run(count: usize, mut loops: [&mut dyn FnMut(); N]) -> Rounds<N> {
        let once = |work: &mut dyn FnMut()| {
            let started = Instant::now();
            work();
            started.elapsed()
        };
        let warm = loops.iter_mut().map(|work| once(*work).min(once(*work)));
        let fastest = warm.min().unwrap_or_default();
        let repeat = (SHORTEST.as_nanos() / fastest.as_nanos().max(1) + 1).min(1_000_000) as u32;
        let mut rounds = Vec::with_capacity(count);
        for round in 0..count {
            let mut times = [0.0; N];
            // None always goes first.
            for turn in 0..N {
                let nth = (round + turn) % N;
                let started = Instant::now();
                for _ in 0..repeat {
                    (loops[nth])();
                }
                times[nth] = (started.elapsed() / repeat).as_secs_f64();
            }
            rounds.push(times);
        }
        Rounds(rounds)
    }

    /// The same for work that takes its own time, so that it can make ready and clear up before and after.
    pub fn timed(count: usize, mut loops: [&mut dyn FnMut() -> Duration; N]) -> Rounds<N> {
        for work in &mut loops {
            work();
        }
        let round = |round: usize| {
            let mut times = [0.0; N];
            for turn in 0..N {
                let nth = (round + turn) % N;
                times[nth] = (loops[nth])().as_secs_f64();
            }
            times
        };
        Rounds((0..count).map(round).collect())
    }

    /// The median time of each loop.
    pub fn medians(&self) -> [f64; N] {
        array::from_fn(|nth| self.median(|times| times[nth]))
    }

    /// The median of what follows from the times of each round.
    pub fn median(&self, of: impl Fn(&[f64; N]) -> f64) -> f64 {
        let mut values: Vec<f64> = self.0.iter().map(of).collect();
        values.sort_by(f64::total_cmp);
        values[values.len() / 2]
    }
}

/// Runs both sides interleaved and prints the medians and the median ratio.
pub fn line(name: &str, len: usize, mut ours: impl FnMut(), mut bare: impl FnMut()) {
    let rounds = Rounds::run(ROUNDS, [&mut ours, &mut bare]);
    let [ours, bare] = rounds.medians().map(seconds);
    let ratio = rounds.median(|[ours, bare]| bare / ours);
    println!("{name:<56} {len:>10} {ours:>11} {bare:>11} {ratio:>6.2}");
}

/// A time as it is printed.
pub fn time(duration: Duration) -> String {
    seconds(duration.as_secs_f64())
}

/// Seconds as they are printed.
pub fn seconds(seconds: f64) -> String {
    format!("{:.1} us", seconds * 1e6)
}
