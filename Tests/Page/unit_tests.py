"""Runs the unit tests of the page's modules in Chromium, from a small server of static files."""

import http.server
import pathlib
import threading

from devtools import Browser, Failure, wait

HERE = pathlib.Path(__file__).resolve().parent
PAGE = HERE.parent.parent / "Sources/Web/Page"
TYPES = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".html": "text/html; charset=utf-8"}


class Files(http.server.BaseHTTPRequestHandler):
    """`/` the page of the tests, `/unit/…` the tests, `/assets/…` what they test."""

    def do_GET(self):
        folder, _, name = self.path.lstrip("/").partition("/")
        path = {"": HERE / "unit/index.html", "unit": HERE / "unit" / name, "assets": PAGE / name}.get(folder)
        if path is None or ".." in name or not path.is_file():
            self.send_error(404)
            return
        data = path.read_bytes()
        self.send_response(200)
        self.send_header("Content-Type", TYPES[path.suffix])
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        pass


def unit(only):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Files)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    modules = sorted(path.name for path in (HERE / "unit").glob("*-tests.js"))
    failed = 0
    with Browser() as browser:
        page = browser.page(f"http://127.0.0.1:{server.server_address[1]}/")
        try:
            wait(lambda: page.js("typeof window.runTests === 'function'"), "the tests to load")
            results = page.js(f"runTests({modules!r})")
        except Failure as fault:
            print(f"FAILED    unit tests: {fault}; {page.faults}")
            return 1
    for result in results:
        if only not in result["name"]:
            continue
        if result["fault"]:
            failed += 1
            print(f'FAILED    {result["name"]}: {result["fault"]}')
    print(f"{'ok  ' if not failed else 'FAILED'}      {len(results)} unit tests of {len(modules)} files, {failed} failed")
    return failed + (not results)
