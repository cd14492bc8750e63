//! Entries are gone over in the orders that tools ask for, and what a container does not do in a way of its own follows from
//! the rest.

use spelunk_core::{
    Bytes, Cancel, Container, Each, Entry, Error, Field, Halt, Node, Of, Profile, Result, Span,
    Step, Task, Ty, Val, Walk, Walked, WriteOptions, codes,
    entries::{At, MAX_DEPTH, Order, Traversal, Visit},
    text::CodePages,
};
use test_support::{findings, task::with_task};

static PROFILE: Profile = Profile::new("tree", "Trees");
static BYTE: Field = Field::new("byte", Ty::U8, "A byte.");
static REST: Field = Field::new("rest", Ty::Bytes, "All bytes behind it.");

/// A tree of entries: each has its path, and the positions of those below it. The first ones are the listing.
struct Tree {
    entries: Vec<(&'static str, Vec<usize>)>,
    listed: usize,
    file: Vec<u8>,
    /// Whether the layout says what the first byte is.
    is_told: bool,
}

fn tree() -> Tree {
    let entries = vec![
        ("a", vec![2, 3]),
        ("b", vec![5]),
        ("a/x", vec![4]),
        ("a/y", vec![]),
        ("a/x/deep", vec![]),
        ("b/Z", vec![]),
    ];
    Tree { entries, listed: 2, file: b"\x07bytes".to_vec(), is_told: true }
}

impl Container for Tree {
    fn profile(&self) -> &'static Profile {
        &PROFILE
    }

    fn size(&self) -> u64 {
        self.file.len() as u64
    }

    fn children(&self, of: Of, _: &CodePages, task: &mut Task<'_>, each: Each<'_>) -> Walked {
        let below = match of {
            Of::Listing | Of::Root => (0..self.listed).collect(),
            Of::Node(node) => self.entries[node.0 as usize].1.clone(),
            Of::Parts(_) => Vec::new(),
        };
        below.into_iter().try_for_each(|nth| {
            let details = |_: &mut Task<'_>, walk: &mut dyn Walk| {
                walk.field(&BYTE, Some(Span::file(0, 1)), Val::U(nth as u64))
            };
            let path = self.entries[nth].0;
            each(&Entry::new(Node(nth as u64), path, "entry", 1, &details), task)
        })
    }

    fn bytes(&self, node: Node, task: &mut Task<'_>) -> Result<Bytes> {
        task.budget.steps(1)?;
        match node.0 {
            1 => Err(Error::new(&codes::UNREADABLE)),
            _ => Ok(Bytes::from_static(b"x")),
        }
    }

    fn layout(&self, _: &mut Task<'_>, walk: &mut dyn Walk) -> Walked {
        if self.is_told {
            walk.field(&BYTE, Some(Span::file(0, 1)), Val::U(self.file[0].into()))?;
        }
        let rest = Span::file(1, self.size() - 1);
        walk.field(&REST, Some(rest), Val::Bytes((&self.file[1..]).into()))
    }
}

/// Writes down what it sees; the entry `over` is not gone into, and `stop` ends it.
#[derive(Default)]
struct Seen {
    over: &'static str,
    stop: &'static str,
    lines: Vec<String>,
}

impl Visit for Seen {
    fn entry(
        &mut self,
        entry: &Entry<'_>,
        at: At,
        _: &mut Task<'_>,
    ) -> std::result::Result<Step, Halt> {
        self.lines.push(format!("{}{}", entry.path, at.depth));
        if entry.path == self.stop {
            return Err(Halt::Stop);
        }
        Ok(if entry.path == self.over { Step::Over } else { Step::Into })
    }

    fn leave(&mut self, entry: &Entry<'_>, _: &mut Task<'_>) -> Walked {
        self.lines.push(format!("/{}", entry.path));
        Ok(())
    }

    fn level(&mut self, inner: &mut [Node], _: &mut Task<'_>) -> Walked {
        inner.reverse();
        self.lines.push("|".to_owned());
        Ok(())
    }
}

fn seen(entries: Traversal<'_>, mut seen: Seen) -> String {
    with_task(0, |task| entries.visit(&tree(), &[Of::Root], task, &mut seen).unwrap());
    seen.lines.join(" ")
}

#[test]
fn orders_and_depths() {
    let pages = CodePages::utf8();
    let all = Traversal::new(&pages);
    assert_eq!(
        seen(all, Seen::default()),
        "a0 a/x1 a/x/deep2 /a/x/deep /a/x a/y1 /a/y /a b0 b/Z1 /b/Z /b"
    );
    assert_eq!(seen(all.depth(0), Seen::default()), "a0 /a b0 /b");
    // What is gone into next is in the order that the visitor gives: here the last one first.
    let siblings = seen(all.order(Order::Siblings), Seen::default());
    assert_eq!(siblings, "a0 b0 | b/Z1 | | a/x1 a/y1 | | a/x/deep2 | |");
    let levels = seen(all.order(Order::Levels), Seen::default());
    assert_eq!(levels, "a0 b0 | b/Z1 | a/x1 a/y1 | | | a/x/deep2 | |");
    let over = Seen { over: "a", ..Seen::default() };
    assert_eq!(seen(all, over), "a0 b0 b/Z1 /b/Z /b");
    let stop = Seen { stop: "a/x", ..Seen::default() };
    assert_eq!(seen(all, stop), "a0 a/x1");
}

#[test]
fn circles_end() {
    let pages = CodePages::utf8();
    let mut circle = tree();
    circle.entries[4].1 = vec![4];
    for order in [Order::Nested, Order::Siblings, Order::Levels] {
        let mut seen = Seen::default();
        let entries = Traversal::new(&pages).order(order);
        let (visited, _) =
            with_task(0, |task| entries.visit(&circle, &[Of::Root], task, &mut seen));
        visited.unwrap();
        let deep = seen.lines.iter().filter(|line| line.starts_with("a/x/deep"));
        assert_eq!(deep.count(), MAX_DEPTH - 1, "{order:?}");
    }
}

#[test]
fn the_rest_follows() {
    let pages = CodePages::utf8();
    let tree = tree();
    let find = |path| with_task(0, |task| tree.find(path, &pages, task)).0.unwrap();
    assert_eq!(find("b"), [Node(1)]);
    assert_eq!(find("a/x/deep"), [Node(4)]);
    assert_eq!(find("b/z"), [Node(5)], "whatever the case");
    assert_eq!(find("c"), []);
    let path = |node| {
        let mut path = String::new();
        let (given, _) = with_task(0, |task| {
            tree.entry(Node(node), &pages, task, &mut |entry, _| {
                path.push_str(entry.path);
                Ok(())
            })
        });
        match given {
            Err(Halt::Failed(error)) => error.code().id.to_owned(),
            // That it was found ends the search, as walkers end walks.
            Ok(()) | Err(Halt::Stop) => path,
        }
    };
    assert_eq!(path(4), "a/x/deep");
    assert_eq!(path(9), "SP022");
    // All paths are found as each of them is, in one look at the entries.
    let paths = ["B/z", "a", "a", "A/X", "a/x/deep", "b/Z", "none"];
    let (all, _) = with_task(0, |task| tree.find_all(&paths, &pages, task).unwrap());
    for (path, found) in paths.iter().zip(&all) {
        assert_eq!(*found, with_task(0, |task| tree.find(path, &pages, task).unwrap()).0, "{path}");
    }
    let ids: Vec<Vec<u64>> =
        all.iter().map(|all| all.iter().map(|node| node.0).collect()).collect();
    assert_eq!(ids, [vec![5], vec![0], vec![0], vec![2], vec![4], vec![5], vec![]]);
    let cost = |paths: &[&str]| {
        with_task(0, |task| {
            let before = task.budget.left().memory;
            assert!(tree.find_all(paths, &pages, task).unwrap().iter().all(Vec::is_empty));
            assert_eq!(task.budget.left().memory, before, "nothing is kept");
            task.budget.steps_taken()
        })
        .0
    };
    assert_eq!(cost(&["none"]), cost(&["none"; 100]));
    // The bytes of one entry cannot be read, which is a finding.
    let (verified, findings) = with_task(0, |task| tree.verify(task));
    verified.unwrap();
    assert_eq!(findings::codes(&findings), [codes::UNREADABLE.id]);
    // That somebody ended the work is none, whoever tells it.
    let cancel = Cancel::default();
    cancel.cancel();
    let (verified, findings) = with_task(0, |task| {
        task.budget = task.budget.clone().with_cancel(cancel);
        let verified = tree.verify(task).unwrap_err();
        let reported = task.error(Error::new(&codes::CANCELLED)).unwrap_err();
        [verified, reported]
    });
    for error in verified {
        assert_eq!(error.code(), &codes::CANCELLED);
    }
    assert_eq!(findings.counts(), []);
}

#[test]
fn what_the_layout_tells_is_written_and_nothing_else() {
    let written = |tree: &Tree| {
        let mut out = Vec::new();
        let options = WriteOptions::default();
        with_task(0, |task| tree.write(&mut out, &options, task)).0.map(|()| out)
    };
    let mut tree = tree();
    assert_eq!(written(&tree).unwrap(), tree.file);
    tree.is_told = false;
    let error = written(&tree).unwrap_err();
    assert_eq!((error.code().id, error.place()), ("SP026", Some(Span::file(1, 5))));
}
