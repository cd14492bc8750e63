//! Loads assets in the background: threads work on a queue with priorities, a cache keeps what was loaded within a
//! budget of bytes, and the game asks once a frame what has arrived. To be copied and changed.
//!
//! `cargo run --example async_loading [PACK]`

mod common;

use snpak::{AssetId, Pack};
use spelunk_core::{Bytes, Error, Result};
use std::{
    cmp::Reverse,
    collections::{BTreeMap, BinaryHeap, HashMap, HashSet},
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, mpsc},
    thread,
    time::Duration,
};

/// Higher ones are loaded first; equal ones in the order in which they were asked for.
type Priority = u8;

/// What is waiting to be loaded: priority, number of the request, asset.
#[derive(Default)]
struct Queue {
    waiting: BinaryHeap<(Priority, Reverse<u64>, AssetId)>,
    closed: bool,
}

/// What the game and the threads share.
struct Shared {
    pack: Pack,
    queue: Mutex<Queue>,
    more: Condvar,
}

impl Shared {
    /// No thread panics while it holds the queue, so what is in it is sound.
    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for the next request; `None` when there will be no more.
    fn next(&self) -> Option<AssetId> {
        let mut queue = self.queue();
        loop {
            if queue.closed {
                return None;
            }
            if let Some((_, _, id)) = queue.waiting.pop() {
                return Some(id);
            }
            queue = self.more.wait(queue).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn load(&self, id: AssetId) -> Result<Bytes> {
        common::with_task(|task| {
            let row = self.pack.by_id(&id.0, &mut task.budget)?;
            let row = row.ok_or_else(|| Error::new(&spelunk_core::codes::NOT_FOUND))?;
            self.pack.payload(row, task)
        })
    }
}

/// Payloads by asset, within a budget: what was not used for the longest time goes first. What the game still holds
/// stays alive for as long as it does.
struct Cache {
    budget: usize,
    used: usize,
    clock: u64,
    payloads: HashMap<AssetId, (u64, Bytes)>,
    /// Assets by the time of their last use.
    by_use: BTreeMap<u64, AssetId>,
}

impl Cache {
    fn new(budget: usize) -> Cache {
        let (payloads, by_use) = (HashMap::new(), BTreeMap::new());
        Cache { budget, used: 0, clock: 0, payloads, by_use }
    }

    fn get(&mut self, id: AssetId) -> Option<Bytes> {
        let (used, payload) = self.payloads.get_mut(&id)?;
        self.clock += 1;
        self.by_use.remove(used);
        *used = self.clock;
        self.by_use.insert(self.clock, id);
        Some(payload.clone())
    }

    fn put(&mut self, id: AssetId, payload: Bytes) {
        if payload.len() > self.budget || self.payloads.contains_key(&id) {
            return;
        }
        self.used += payload.len();
        self.clock += 1;
        self.by_use.insert(self.clock, id);
        self.payloads.insert(id, (self.clock, payload));
        while self.used > self.budget {
            let Some((_, oldest)) = self.by_use.pop_first() else { return };
            if let Some((_, gone)) = self.payloads.remove(&oldest) {
                self.used -= gone.len();
            }
        }
    }
}

/// Loads in the background. Everything here is called from one thread and never waits for a disk.
struct Loader {
    shared: Arc<Shared>,
    arrived: mpsc::Receiver<(AssetId, Result<Bytes>)>,
    threads: Vec<thread::JoinHandle<()>>,
    cache: Cache,
    /// Asked for and not there yet, so that nothing is loaded twice.
    pending: HashSet<AssetId>,
    requests: u64,
}

impl Loader {
    fn new(pack: Pack, threads: usize, budget: usize) -> Loader {
        let (queue, more) = (Mutex::default(), Condvar::new());
        let shared = Arc::new(Shared { pack, queue, more });
        let (sender, arrived) = mpsc::channel();
        let spawn = |_| {
            let (shared, sender) = (shared.clone(), sender.clone());
            thread::spawn(move || {
                while let Some(id) = shared.next() {
                    if sender.send((id, shared.load(id))).is_err() {
                        return;
                    }
                }
            })
        };
        let threads = (0..threads).map(spawn).collect();
        let (cache, pending) = (Cache::new(budget), HashSet::new());
        Loader { shared, arrived, threads, cache, pending, requests: 0 }
    }

    /// The payload, where the cache has it. Otherwise it is asked for and arrives in a later frame.
    fn request(&mut self, id: AssetId, priority: Priority) -> Option<Bytes> {
        if let Some(payload) = self.cache.get(id) {
            return Some(payload);
        }
        if self.pending.insert(id) {
            self.requests += 1;
            let request = (priority, Reverse(self.requests), id);
            self.shared.queue().waiting.push(request);
            self.shared.more.notify_one();
        }
        None
    }

    /// What has arrived since the last frame.
    fn poll(&mut self) -> Vec<(AssetId, Result<Bytes>)> {
        let arrived: Vec<_> = self.arrived.try_iter().collect();
        for (id, payload) in &arrived {
            self.pending.remove(id);
            if let Ok(payload) = payload {
                self.cache.put(*id, payload.clone());
            }
        }
        arrived
    }
}

impl Drop for Loader {
    /// What is still waiting is not loaded any more.
    fn drop(&mut self) {
        self.shared.queue().closed = true;
        self.shared.more.notify_all();
        for thread in self.threads.drain(..) {
            // A thread that panicked has said so itself.
            let _ = thread.join();
        }
    }
}

fn main() -> Result<()> {
    let pack = common::open()?;
    let entries = pack.index().entries();
    let mut ids: Vec<AssetId> = entries.iter().map(|entry| entry.asset_id.into()).collect();
    ids.sort_unstable();
    ids.dedup();
    let mut loader = Loader::new(pack, 2, 64 << 10);

    // What the player is about to see goes before what may be needed later.
    for (nth, id) in ids.iter().enumerate() {
        let priority = if nth < 3 { 255 } else { 10 };
        loader.request(*id, priority);
    }
    let (mut frames, mut loaded, mut failed) = (0, 0, 0);
    while loaded + failed < ids.len() {
        frames += 1;
        for (id, payload) in loader.poll() {
            match payload {
                Ok(payload) => {
                    loaded += 1;
                    println!("frame {frames}: {id}, {} bytes", payload.len());
                }
                Err(error) => {
                    failed += 1;
                    eprintln!("frame {frames}: {id}: {error}");
                }
            }
        }
        // Here a game simulates and draws.
        thread::sleep(Duration::from_millis(1));
    }
    let kept = ids.iter().filter(|id| loader.cache.get(**id).is_some()).count();
    println!("{loaded} loaded, {failed} failed, {kept} in the cache, {} bytes", loader.cache.used);
    Ok(())
}
