//! Work that several threads share, with what comes of it in order.

use crate::error::{Error, Result};
use std::{
    collections::BTreeMap,
    io,
    sync::{Mutex, PoisonError, mpsc},
    thread,
};

/// A piece of work, or what came of one that needs no thread.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Job<J, R> {
    /// To be done.
    Do(J),
    /// Done already.
    Done(R),
}

/// Number of threads and weight with which work is shared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Share {
    /// Number of threads that work. A single one is the calling thread.
    pub threads: usize,
    /// Most weight of all jobs together that are in the works, or done and wait for their turn. A heavier job is done alone.
    pub weight: u64,
}

/// Into how many parts, for each thread, what may be in the works is divided at the least. Light jobs are handed over
/// together: waking a thread for each of them would take longer than they do.
const PARTS: u64 = 32;

/// Does the jobs, which come with what they weigh, and hands what comes of each to `each`, in the order of the jobs.
/// `start` makes what a thread keeps from job to job.
///
/// # Errors
/// The first one of `each`. What is in the works then is let go.
pub fn ordered<J: Send, R: Send, S>(
    share: Share,
    jobs: &mut dyn Iterator<Item = (u64, Job<J, R>)>,
    start: &(dyn Fn() -> S + Sync),
    work: &(dyn Fn(&mut S, J) -> R + Sync),
    each: &mut dyn FnMut(R) -> Result<()>,
) -> Result<()> {
    if share.threads <= 1 {
        let mut state = start();
        for (_, job) in jobs {
            each(match job {
                Job::Do(job) => work(&mut state, job),
                Job::Done(result) => result,
            })?;
        }
        return Ok(());
    }
    let part = (share.weight / PARTS).checked_div(share.threads as u64).unwrap_or_default();
    let (give, take) = mpsc::channel::<Vec<(u64, J)>>();
    let take = Mutex::new(take);
    thread::scope(|scope| {
        // Gone at the end of this closure, so that the threads end.
        let give = give;
        let (done, results) = mpsc::channel::<Vec<(u64, R)>>();
        for _ in 0..share.threads {
            let (take, done) = (&take, done.clone());
            scope.spawn(move || {
                let mut state = start();
                loop {
                    let next = take.lock().unwrap_or_else(PoisonError::into_inner).recv();
                    // Either side hangs up when it is done, or has failed.
                    let Ok(jobs) = next else { return };
                    let mut each = |(number, job)| (number, work(&mut state, job));
                    if done.send(jobs.into_iter().map(&mut each).collect()).is_err() {
                        return;
                    }
                }
            });
        }
        drop(done);
        let mut queue = Queue { waiting: BTreeMap::new(), next: 0, weight: 0, results, each };
        let (mut together, mut weight_together) = (Vec::new(), 0_u64);
        for (number, (weight, job)) in (0_u64..).zip(jobs) {
            while queue.weight > 0 && queue.weight.saturating_add(weight) > share.weight {
                if !together.is_empty() {
                    // The threads take until this side hangs up.
                    let _ = give.send(std::mem::take(&mut together));
                    weight_together = 0;
                }
                queue.wait()?;
            }
            queue.weight = queue.weight.saturating_add(weight);
            let result = match job {
                Job::Do(job) => {
                    together.push((number, job));
                    weight_together = weight_together.saturating_add(weight);
                    None
                }
                Job::Done(result) => Some(result),
            };
            queue.waiting.insert(number, (weight, result));
            if weight_together > part && !together.is_empty() {
                let _ = give.send(std::mem::take(&mut together));
                weight_together = 0;
            }
            queue.flush()?;
        }
        if !together.is_empty() {
            let _ = give.send(together);
        }
        drop(give);
        while !queue.waiting.is_empty() {
            queue.wait()?;
        }
        Ok(())
    })
}

/// Jobs in the works and those that are done and wait for their turn.
struct Queue<'e, R> {
    waiting: BTreeMap<u64, (u64, Option<R>)>,
    next: u64,
    weight: u64,
    results: mpsc::Receiver<Vec<(u64, R)>>,
    each: &'e mut dyn FnMut(R) -> Result<()>,
}

impl<R> Queue<'_, R> {
    /// Waits for something to be done, and hands on what is ready.
    fn wait(&mut self) -> Result<()> {
        let Ok(results) = self.results.recv() else {
            return Err(Error::io(io::Error::other("the threads have ended")));
        };
        for (number, result) in results {
            if let Some((_, waiting)) = self.waiting.get_mut(&number) {
                *waiting = Some(result);
            }
        }
        self.flush()
    }

    fn flush(&mut self) -> Result<()> {
        while let Some(entry) = self.waiting.first_entry() {
            if *entry.key() != self.next || entry.get().1.is_none() {
                break;
            }
            let (weight, result) = entry.remove();
            self.next = self.next.saturating_add(1);
            if let Some(result) = result {
                (self.each)(result)?;
            }
            self.weight = self.weight.saturating_sub(weight);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU64, Ordering};

    fn run(threads: usize, weight: u64, stop_at: Option<u64>) -> (Result<()>, Vec<u64>) {
        let mut seen = Vec::new();
        let mut jobs = (0..500_u64)
            .map(|n| (n % 7 + 1, if n % 5 == 0 { Job::Done(n * n) } else { Job::Do(n) }));
        let result = ordered(
            Share { threads, weight },
            &mut jobs,
            &|| 0_u64,
            &|done, n| {
                *done += 1;
                // The later ones are done first.
                if n % 3 == 0 {
                    thread::yield_now();
                }
                n * n
            },
            &mut |result| {
                if stop_at.is_some_and(|stop| result >= stop * stop) {
                    return Err(Error::io(io::Error::other("stopped")));
                }
                seen.push(result);
                Ok(())
            },
        );
        (result, seen)
    }

    #[test]
    fn results_come_in_the_order_of_the_jobs() {
        let all: Vec<u64> = (0..500).map(|n| n * n).collect();
        for threads in [0, 1, 2, 7] {
            for weight in [0, 3, 40, u64::MAX] {
                let (result, seen) = run(threads, weight, None);
                result.unwrap();
                assert_eq!(seen, all, "{threads} threads, {weight}");
            }
        }
    }

    #[test]
    fn the_first_error_ends_it() {
        for threads in [1, 2, 7] {
            let (result, seen) = run(threads, 100, Some(123));
            assert!(result.is_err());
            assert!(seen.iter().copied().eq((0..123).map(|n| n * n)));
        }
    }

    #[test]
    fn no_more_is_in_the_works_than_may_be() {
        let [now, most] = [AtomicU64::new(0), AtomicU64::new(0)];
        let mut jobs = (0..200_u64).map(|n| {
            most.fetch_max(now.fetch_add(10, Ordering::SeqCst) + 10, Ordering::SeqCst);
            (10, Job::<u64, u64>::Do(n))
        });
        let share = Share { threads: 4, weight: 50 };
        ordered(share, &mut jobs, &|| (), &|(), n| n, &mut |_| {
            now.fetch_sub(10, Ordering::SeqCst);
            Ok(())
        })
        .unwrap();
        // The one that waits for room was counted too.
        assert!(most.load(Ordering::SeqCst) <= 60);
    }
}
