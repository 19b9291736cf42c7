from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

T = TypeVar("T")


def apart(call: Coroutine[Any, Any, T]) -> T:
    """The result of `call`, from a thread with an event loop of its own: the caller may be inside a running one."""
    with ThreadPoolExecutor(max_workers=1) as thread:
        return thread.submit(asyncio.run, call).result()
