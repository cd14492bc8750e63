"""Work that is shared out: by Ray to the machines of a cluster, or to processes of this one."""

from __future__ import annotations

import importlib
import multiprocessing
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from typing import Any

from ._call import settings
from ._spelunk import API_VERSION, VERSION, Session

TRIES = 3
"""How often something is tried that ended the process which did it."""


@dataclass(frozen=True)
class Task:
    """What one process does at a time."""

    arguments: tuple[Any, ...]
    sizes: Sequence[int]
    """Sizes in bytes of the files that are looked at."""

    @property
    def memory(self) -> int:
        """The bytes of memory that it takes at the most: one file is open at a time."""
        return (64 << 20) + 8 * max(self.sizes, default=0)


@dataclass(frozen=True)
class Lost:
    """What came of a task that ended its process each time."""

    message: str


@dataclass(frozen=True)
class Progress:
    """How far the work is."""

    files: int
    all_files: int
    bytes: int
    all_bytes: int
    seconds: float
    """Time since the begin."""

    def __str__(self) -> str:
        text = f"{self.files:,} of {self.all_files:,} files, {self.bytes / 1e6:,.0f} of {self.all_bytes / 1e6:,.0f} MB"
        if 0 < self.bytes < self.all_bytes and self.seconds > 2:
            left = self.seconds * (self.all_bytes - self.bytes) / self.bytes
            text += f", {left:,.0f} s left"
        return text


Report = Callable[[Progress], object] | bool | None


def run(
    function: Callable[..., Any],
    tasks: Sequence[Task],
    *,
    processes: int | None,
    remote: Mapping[str, Any] | None = None,
    progress: Report = None,
) -> Iterator[tuple[int, Any]]:
    """Calls a function for each task in other processes, and hands out what comes of it with the number of the task, as it comes. Tasks with
    large files come last. What ends its process is tried again, up to three times, and is ``Lost`` then."""
    order = sorted(range(len(tasks)), key=lambda nth: tasks[nth].memory)
    done = _by_ray(function, tasks, order, remote or {}) if processes is None else _by_processes(function, tasks, order, processes)
    show, begun = _shown(progress), time.monotonic()
    all_files, all_bytes = sum(len(task.sizes) for task in tasks), sum(sum(task.sizes) for task in tasks)
    files = size = 0
    for nth, result in done:
        files, size = files + len(tasks[nth].sizes), size + sum(tasks[nth].sizes)
        show(Progress(files, all_files, size, all_bytes, time.monotonic() - begun))
        yield nth, result


def _shown(progress: Report) -> Callable[[Progress], object]:
    if callable(progress):
        return progress
    if progress is False or (progress is None and not sys.stderr.isatty()):
        return lambda _: None
    shown = -1.0

    def show(now: Progress) -> None:
        nonlocal shown
        is_last = now.files == now.all_files
        if is_last or now.seconds > shown + 0.2:
            shown = now.seconds
            print(f"\r\033[K{now}", end="\n" if is_last else "", file=sys.stderr, flush=True)

    return show


# Processes of this machine.


def _by_processes(
    function: Callable[..., Any], tasks: Sequence[Task], order: Sequence[int], processes: int
) -> Iterator[tuple[int, Any]]:
    left = deque(order)
    doubtful: list[int] = []
    _check_processes()
    while left or doubtful:
        running: dict[Future[Any], int] = {}
        with _pool(processes) as pool:
            try:
                while left or running:
                    # Few wait, so that few are in doubt when a process ends.
                    while left and len(running) <= processes:
                        running[pool.submit(function, *tasks[left[0]].arguments)] = left[0]
                        left.popleft()
                    for future in wait(running, return_when=FIRST_COMPLETED).done:
                        result = future.result()
                        yield running.pop(future), result
            except BrokenProcessPool:
                doubtful = list(running.values())
        # Each by itself: so the one that ended the process is found, and the others are done.
        for nth in doubtful:
            yield nth, _alone(function, tasks[nth])
        doubtful = []


def _check_processes() -> None:
    """Raises ``RuntimeError`` where processes end before they do anything: without this that would look like the work of bad files."""
    with _pool(1) as pool:
        try:
            pool.submit(version).result()
        except BrokenProcessPool as error:
            how = "a script that calls this has to do so below `if __name__ == \"__main__\":`, since each process imports it"
            raise RuntimeError(f"no process could be started; {how}") from error


def _pool(processes: int) -> ProcessPoolExecutor:
    # What is forked has locks of threads that it has not.
    return ProcessPoolExecutor(processes, mp_context=multiprocessing.get_context("spawn"))


def _alone(function: Callable[..., Any], task: Task) -> Any:
    message = ""
    for _ in range(TRIES):
        with _pool(1) as pool:
            try:
                return pool.submit(function, *task.arguments).result()
            except BrokenProcessPool as error:
                message = str(error)
    return Lost(message)


# Ray.


def ray_module() -> Any:
    """Ray, which this package does without."""
    try:
        return importlib.import_module("ray")
    except ImportError as error:
        raise ImportError("Ray is not installed (pip install 'ray[data]'); processes=N does without it, on this machine") from error


def _by_ray(
    function: Callable[..., Any], tasks: Sequence[Task], order: Sequence[int], remote: Mapping[str, Any]
) -> Iterator[tuple[int, Any]]:
    ray = ray_module()
    check_versions(ray, remote)
    lost = tuple(getattr(ray.exceptions, name) for name in ("WorkerCrashedError", "OutOfMemoryError", "NodeDiedError", "LocalRayletDiedError"))
    nodes = [node["Resources"] for node in ray.nodes() if node["Alive"]]
    # What asks for more than any machine has would wait for ever.
    most = int(max((node.get("memory", 0) for node in nodes), default=0))
    task = ray.remote(function)
    usual = {"num_cpus": 1, "max_retries": TRIES, **remote}
    # So many wait that no machine does, and that what is sent does not fill the memory of this one.
    window = 16 + 4 * int(sum(node.get("CPU", 0) for node in nodes))
    left = iter(order)
    running: dict[Any, int] = {}
    try:
        while True:
            while len(running) < window and (nth := next(left, None)) is not None:
                here = task.options(**{**usual, "memory": min(tasks[nth].memory, most)})
                running[here.remote(*tasks[nth].arguments)] = nth
            if not running:
                return
            for reference in ray.wait(list(running))[0]:
                nth = running.pop(reference)
                try:
                    yield nth, ray.get(reference)
                except lost as error:
                    yield nth, Lost(str(error))
                except ray.exceptions.RayTaskError as error:
                    raise error.as_instanceof_cause() from None
    finally:
        for reference in running:
            ray.cancel(reference)


def version() -> tuple[str, int, str]:
    """What has to be the same on all machines."""
    return VERSION, API_VERSION, f"Python {sys.version_info[0]}.{sys.version_info[1]}"


def check_versions(ray: Any, remote: Mapping[str, Any]) -> None:
    """Raises ``RuntimeError`` where a machine of the cluster has another version of this package, or none."""
    if not ray.is_initialized():
        ray.init()
    strategy = importlib.import_module("ray.util.scheduling_strategies").NodeAffinitySchedulingStrategy
    given = {key: value for key, value in remote.items() if key == "runtime_env"}
    ask = ray.remote(version)
    nodes = [node["NodeID"] for node in ray.nodes() if node["Alive"]]
    there = {node: strategy(node, soft=False) for node in nodes}
    asked = {node: ask.options(num_cpus=0, scheduling_strategy=it, **given).remote() for node, it in there.items()}
    others: list[str] = []
    for node, answer in asked.items():
        try:
            other = ray.get(answer)
        except ray.exceptions.RayError as error:
            other = error
        if other != version():
            others.append(f"{node}: {other}")
    if others:
        raise RuntimeError(f"not all machines have spelunk {version()}, which this one has: {'; '.join(others)}")


def session(options: tuple[tuple[str, Any], ...]) -> Session:
    """A session for one task."""
    # The processes are what runs at the same time.
    return Session(settings(**{**dict(options), "threads": 1}))
