"""A headless Chromium spoken to over its debugging pipe: no port, no driver, no network."""

from __future__ import annotations

import base64
import fcntl
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

CHROMIUM = next(
    (path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), None
)

_FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--no-first-run",
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--remote-debugging-pipe",
)


class Browser:
    """One browser with one page. Everything the page asked the network for, or logged, is kept."""

    def __init__(self, profile: Path) -> None:
        to_browser, self._write = os.pipe()
        self._read, from_browser = os.pipe()
        ends = [fcntl.fcntl(end, fcntl.F_DUPFD, 20) for end in (to_browser, from_browser)]
        words = [CHROMIUM or "chromium", *_FLAGS, f"--user-data-dir={profile}"]
        rewire = f"import os, sys; os.dup2({ends[0]}, 3); os.dup2({ends[1]}, 4); os.execv(sys.argv[1], sys.argv[1:])"
        command = [sys.executable, "-c", rewire, *words]
        self._process = subprocess.Popen(command, pass_fds=ends, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for end in (to_browser, from_browser, *ends):
            os.close(end)
        self._buffer = b""
        self._number = 0
        self._session: str | None = None
        self.requests: list[str] = []
        self.console: list[str] = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(f"{domain}.enable")

    def close(self) -> None:
        os.close(self._write)
        self._process.terminate()
        self._process.wait(timeout=10)
        os.close(self._read)

    def open(self, page: Path, place: str = "", *, width: int = 1280, dark: bool = False) -> None:
        """Loads a page afresh and waits until it has drawn what `place` asks for."""
        self.call(
            "Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=width < 500
        )
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", features=[scheme])
        self.call("Page.navigate", url="about:blank")
        self.requests.clear()
        self.console.clear()
        self.call("Page.navigate", url=page.as_uri() + place)
        self.wait("document.readyState === 'complete'")
        if place.startswith("#case-"):
            self.wait("document.querySelector('.case')?.childElementCount > 0")
        elif place.startswith("#cases"):
            self.wait("document.querySelector('.list') !== null")

    def go(self, place: str, until: str) -> None:
        """Follows an address inside the page."""
        self.run(f"location.hash = {json.dumps(place)}")
        self.wait(until)

    def run(self, expression: str) -> Any:
        """The value of a JavaScript expression in the page."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise AssertionError(json.dumps(answer["exceptionDetails"], indent=1))
        return answer["result"].get("value")

    def wait(self, condition: str) -> None:
        """Waits until a JavaScript condition holds; the page looks again with every frame."""
        look = f"({condition}) ? done(true) : left-- ? setTimeout(look, 16) : done(false)"
        loop = f"new Promise((done) => {{ let left = 600; const look = () => {look}; look(); }})"
        assert self.run(loop), f"never came true: {condition}"

    def press(self, key: str) -> None:
        """Presses one key."""
        text = key if len(key) == 1 else {"Enter": "\r"}.get(key, "")
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, text=text if kind == "keyDown" else "")

    def picture(self, path: Path, *, height: int = 900, width: int = 1280) -> None:
        """Writes a PNG of the page."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        path.write_bytes(base64.b64decode(self.call("Page.captureScreenshot")["data"]))

    def paper(self, path: Path) -> None:
        """Writes a PDF of the page."""
        path.write_bytes(base64.b64decode(self.call("Page.printToPDF", printBackground=False)["data"]))

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """One command of the debugging protocol."""
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._next()
            if answer.get("id") == self._number:
                assert "error" not in answer, f"{method}: {answer}"
                return answer["result"]
            self._keep(answer)

    def _next(self) -> dict[str, Any]:
        while b"\0" not in self._buffer:
            piece = os.read(self._read, 1 << 20)
            assert piece, "the browser went away"
            self._buffer += piece
        message, _, self._buffer = self._buffer.partition(b"\0")
        return json.loads(message)

    def _keep(self, event: dict[str, Any]) -> None:
        match event.get("method"):
            case "Network.requestWillBeSent":
                self.requests.append(event["params"]["request"]["url"])
            case (
                "Runtime.consoleAPICalled"
                | "Runtime.exceptionThrown"
                | "Log.entryAdded"
                | "Page.javascriptDialogOpening"
            ):
                self.console.append(json.dumps(event["params"]))
            case _:
                pass
