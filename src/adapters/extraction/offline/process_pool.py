"""Worker processes that survive the death of one."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_all_start_methods, get_context, parent_process
from threading import Thread
from typing import TypeVar

from domain.errors import WorkFailed

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")
_ATTEMPTS = 3


class ProcessPool:
    """Runs a pure function over batches, in ``workers`` processes, or in one thread of this process for 0.

    ``imports`` names a module that the workers need: it is imported once, by the process that forks them.

    Nothing starts before the first call. A killed child breaks its pool: the pool is rebuilt and the batches that
    were lost run again, at most twice; then Unavailable is raised. However the starting process ends, its workers and
    the process that forks them end too.
    """

    def __init__(self, workers: int, imports: str) -> None:
        self._workers = workers
        self._imports = imports
        self._executor: Executor | None = None

    async def map(
        self, function: Callable[[str, Sequence[_Item]], list[_Result]], name: str, batches: Sequence[Sequence[_Item]]
    ) -> list[list[_Result]]:
        """``function(name, batch)`` for each batch, in order."""
        done: dict[int, list[_Result]] = {}
        for _ in range(_ATTEMPTS):
            executor = self._running()
            left = [at for at in range(len(batches)) if at not in done]
            try:
                futures = [(at, executor.submit(function, name, batches[at])) for at in left]
            except BrokenProcessPool:
                self._drop(executor)
                continue
            results = await asyncio.gather(
                *(asyncio.wrap_future(future) for _, future in futures), return_exceptions=True
            )
            for (at, _), result in zip(futures, results, strict=True):
                if isinstance(result, BrokenProcessPool):
                    self._drop(executor)
                elif isinstance(result, BaseException):
                    raise result
                else:
                    done[at] = result
            if len(done) == len(batches):
                return [done[at] for at in range(len(batches))]
        raise WorkFailed(
            f"the extraction processes died {_ATTEMPTS} times in a row; see whether memory ran out, or set 0 workers"
        )

    def _running(self) -> Executor:
        if self._executor is None:
            self._executor = self._start()
        return self._executor

    def _start(self) -> Executor:
        if self._workers == 0:
            return ThreadPoolExecutor(1, thread_name_prefix="extraction")
        method = "forkserver" if "forkserver" in get_all_start_methods() else "spawn"
        context = get_context(method)
        context.set_forkserver_preload(["__main__", self._imports])
        return ProcessPoolExecutor(self._workers, mp_context=context, initializer=_end_with_parent)

    def _drop(self, broken: Executor) -> None:
        """Forget a broken pool, once, so that a newer one is not dropped for it."""
        if self._executor is broken:
            self._executor = None
            broken.shutdown(wait=False, cancel_futures=True)

    async def aclose(self) -> None:
        """Stop the processes. A later call starts them anew."""
        executor, self._executor = self._executor, None
        if executor is not None:
            await asyncio.to_thread(executor.shutdown, wait=True, cancel_futures=True)


def _end_with_parent() -> None:
    """Watch the process that started the pool from a thread of this worker, which nothing else tells of its death.

    A worker holds the writing ends of its own queue and of the forking process's alive pipe, so that without this
    neither pipe ever closes.
    """
    Thread(target=_outlive_nobody, name="parent-watch", daemon=True).start()


def _outlive_nobody() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
