/** Edits up to which two stretches of other lengths are aligned byte by byte. */
const MOST_EDITS = 400;

/** Bytes of both sides that lie beside each other: as many on both, or on one side alone. */
export interface Stretch {
  old: number;
  new: number;
  oldLength: number;
  newLength: number;
}

/** A column of two texts of bytes beside each other: the offsets of both bytes, without that of a side that has none. */
export interface Column {
  old?: number;
  new?: number;
  isEqual: boolean;
}

/** Two texts of bytes beside each other, with gaps where one has nothing to put beside what the other has. */
export class Alignment {
  /** The column at which each stretch begins. */
  private readonly starts: number[] = [];
  /** The number of columns. */
  readonly length: number;
  /** The number of columns whose bytes differ, or of which one side has none. */
  readonly differing: number;

  constructor(
    readonly old: Uint8Array,
    readonly now: Uint8Array,
    readonly stretches: Stretch[],
  ) {
    let at = 0;
    let differing = 0;
    for (const { old: a, new: b, oldLength, newLength } of stretches) {
      this.starts.push(at);
      at += Math.max(oldLength, newLength);
      if (oldLength !== newLength) differing += Math.max(oldLength, newLength);
      else for (let nth = 0; nth < oldLength; nth += 1) if (old[a + nth] !== now[b + nth]) differing += 1;
    }
    this.length = at;
    this.differing = differing;
  }

  at(column: number): Column {
    const nth = this.find(column);
    const stretch = this.stretches[nth];
    if (stretch === undefined || column >= this.length) return { isEqual: true };
    const within = column - (this.starts[nth] ?? 0);
    const result: Column = { isEqual: false };
    if (within < stretch.oldLength) result.old = stretch.old + within;
    if (within < stretch.newLength) result.new = stretch.new + within;
    result.isEqual = result.old !== undefined && result.new !== undefined && this.old[result.old] === this.now[result.new];
    return result;
  }

  /** The first column from one on, in steps of a line of so many columns, whose line has something that differs. */
  nextLine(from: number, step: 1 | -1, perLine: number): number | undefined {
    const lines = Math.ceil(this.length / perLine);
    for (let line = from; line >= 0 && line < lines; line += step) {
      for (let column = line * perLine; column < Math.min(this.length, (line + 1) * perLine); column += 1) {
        if (!this.at(column).isEqual) return line;
      }
    }
    return undefined;
  }

  private find(column: number): number {
    let [low, high] = [0, this.starts.length];
    while (low + 1 < high) {
      const middle = (low + high) >> 1;
      if ((this.starts[middle] ?? 0) <= column) low = middle;
      else high = middle;
    }
    return low;
  }
}

/** Lays bytes beside each other: place by place where they are as many, else so that few of them differ. */
export function align(old: Uint8Array, now: Uint8Array): Alignment {
  if (old.length === now.length) return new Alignment(old, now, old.length === 0 ? [] : [{ old: 0, new: 0, oldLength: old.length, newLength: now.length }]);
  const most = Math.min(old.length, now.length);
  let prefix = 0;
  while (prefix < most && old[prefix] === now[prefix]) prefix += 1;
  let suffix = 0;
  while (suffix < most - prefix && old[old.length - 1 - suffix] === now[now.length - 1 - suffix]) suffix += 1;
  const [oldEnd, newEnd] = [old.length - suffix, now.length - suffix];
  const inner = equalRuns(old.subarray(prefix, oldEnd), now.subarray(prefix, newEnd)) ?? [];
  const runs: Run[] = [[0, 0, prefix], ...inner.map(([a, b, length]): Run => [prefix + a, prefix + b, length]), [oldEnd, newEnd, suffix]];
  return new Alignment(old, now, stretchesOf(runs, old.length, now.length));
}

/** Equal bytes: where they begin on both sides, and how many they are. */
type Run = [old: number, now: number, length: number];

/** The stretches of runs of equal bytes and of what lies between them. */
function stretchesOf(runs: Run[], oldLength: number, newLength: number): Stretch[] {
  const stretches: Stretch[] = [];
  const add = (a: number, b: number, fromOld: number, fromNew: number) => {
    if (fromOld + fromNew === 0) return;
    const last = stretches.at(-1);
    const isMore = last !== undefined && last.oldLength === last.newLength && fromOld === fromNew;
    if (isMore) {
      last.oldLength += fromOld;
      last.newLength += fromNew;
    } else stretches.push({ old: a, new: b, oldLength: fromOld, newLength: fromNew });
  };
  let [a, b] = [0, 0];
  for (const [atOld, atNew, length] of [...runs, [oldLength, newLength, 0] satisfies Run]) {
    const both = Math.min(atOld - a, atNew - b);
    add(a, b, both, both);
    add(a + both, b + both, atOld - a - both, 0);
    add(atOld, b + both, 0, atNew - b - both);
    add(atOld, atNew, length, length);
    [a, b] = [atOld + length, atNew + length];
  }
  return stretches;
}

/** The runs of equal bytes on the shortest way from one text to another (Myers), or nothing where it has too many edits. */
function equalRuns(old: Uint8Array, now: Uint8Array): Run[] | undefined {
  const rounds: Int32Array[] = [];
  const centre = MOST_EDITS + 1;
  const far = new Int32Array(2 * centre + 1);
  for (let edits = 0; edits <= MOST_EDITS; edits += 1) {
    rounds.push(far.slice());
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      let a = before(far, centre, edits, diagonal).next;
      while (a < old.length && a - diagonal < now.length && old[a] === now[a - diagonal]) a += 1;
      far[centre + diagonal] = a;
      if (a >= old.length && a - diagonal >= now.length) return runsOf(old.length, now.length, rounds, centre);
    }
  }
  return undefined;
}

/** How the way to a diagonal came there: from a byte of the old side on another diagonal, on to the next one. */
function before(far: Int32Array, centre: number, edits: number, diagonal: number): { from: number; diagonal: number; next: number } {
  if (edits === 0) return { from: 0, diagonal: 0, next: 0 };
  const [left, right] = [far[centre + diagonal - 1] ?? 0, far[centre + diagonal + 1] ?? 0];
  const isAdded = diagonal === -edits || (diagonal !== edits && left < right);
  return isAdded ? { from: right, diagonal: diagonal + 1, next: right } : { from: left, diagonal: diagonal - 1, next: left + 1 };
}

/** Goes the way back from its end. */
function runsOf(oldLength: number, newLength: number, rounds: Int32Array[], centre: number): Run[] {
  const runs: Run[] = [];
  let [a, b] = [oldLength, newLength];
  for (let edits = rounds.length - 1; edits >= 0; edits -= 1) {
    const way = before(rounds[edits] ?? new Int32Array(), centre, edits, a - b);
    const length = a - way.next;
    if (length > 0) runs.push([way.next, b - length, length]);
    [a, b] = [way.from, way.from - way.diagonal];
  }
  return runs.reverse();
}
