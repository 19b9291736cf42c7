"""What a run writes about an endpoint that repeats its key."""

import base64
import json
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import quote

import polars as pl
from tests.runs.make import case, dataset, plan

from ragvet.report import write_report
from ragvet.runs import start
from ragvet.targets import HttpEndpoint, HttpTarget

KEY = "s3cret/value+1"
SENT = "Basic " + base64.b64encode(f"ann:{KEY}".encode()).decode()
ECHO = f"{SENT} {KEY} {quote(KEY, safe='')} {json.dumps({'sent': SENT})}"


class _Echo(BaseHTTPRequestHandler):
    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["question"]
        assert self.headers["Authorization"] == SENT
        hits = [{"id": "d1", "text": ECHO}, {"id": f"key={KEY}"}]
        good = {"text": ECHO, "retrieved": hits, "versions": {"sent": SENT}}
        bodies = {
            "good?": json.dumps(good),
            "refused?": ECHO,
            "broken?": ECHO,
            "unknown?": json.dumps({KEY: ECHO}),
        }
        body = bodies[asked].encode()
        self.send_response(403 if asked == "refused?" else 200, ECHO)
        self.send_header("X-Echo", ECHO)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


@contextmanager
def _serving():
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Echo)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/ask"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def test_the_key_an_endpoint_repeats_stands_in_nothing_that_is_written(tmp_path, monkeypatch):
    monkeypatch.setenv("SHOP_LOGIN", SENT)
    golden = dataset(*(case(name, "d1") for name in ("good", "refused", "broken", "unknown")))
    with _serving() as url:
        target = HttpTarget(HttpEndpoint(url=url, headers={"Authorization": "SHOP_LOGIN"}))
        run = start(plan(golden, target), runs=tmp_path / "runs")
    assert run.manifest.counts.failed == {"TargetRefused": 1, "TargetReplyInvalid": 2}
    write_report(run)
    files = [path for path in run.folder.rglob("*") if path.suffix in {".parquet", ".html", ".json"}]
    assert len(files) == 14
    for path in files:
        text = pl.read_parquet(path).write_json() if path.suffix == ".parquet" else path.read_text()
        assert not any(form in text for form in ("s3cret", SENT[6:], SENT[10:-4], "ann:")), path.name
