"""Looks at the proxy from outside: memory, descriptors, threads, time, its folder, and whether its API answers."""

import dataclasses
import http.client
import json
import os
import threading
import time
import urllib.parse

TICKS = os.sysconf("SC_CLK_TCK")
# Seconds until the API is said not to answer.
PATIENCE = 60


@dataclasses.dataclass
class Sample:
    """Sizes in MB, times in seconds; `latency` is the API's last one, None where it did not answer."""

    at: float
    pss: float
    rss: float
    anonymous: float
    descriptors: int
    sockets: int
    threads: int
    cpu: float
    store: float
    latency: float | None
    flows: int
    dropped: int


class Gone(ConnectionError):
    """There is none, or none any more."""


class API:
    """The page's API, as scripts use it."""

    def __init__(self, page, token):
        self.address, self.token = urllib.parse.urlsplit(page).netloc, token

    def raw(self, path, limit=30):
        connection = http.client.HTTPConnection(self.address, timeout=limit)
        try:
            connection.request("GET", path, headers={"Authorization": f"Bearer {self.token}"})
            answer = connection.getresponse()
            data = answer.read()
            if answer.status == 404:
                raise Gone(f"{path}: {answer.status} {data[:200]!r}")
            if answer.status != 200:
                raise ConnectionError(f"{path}: {answer.status} {data[:200]!r}")
            return data
        finally:
            connection.close()

    def get(self, path, limit=30):
        return json.loads(self.raw(path, limit))


class Pulse(threading.Thread):
    """Asks the API again and again, so that nobody else has to wait for an answer."""

    def __init__(self, api, seconds=10):
        super().__init__(daemon=True)
        self.api, self.seconds = api, seconds
        self.latencies, self.status, self.is_over = [], {}, threading.Event()

    def run(self):
        while not self.is_over.is_set():
            began, latency = time.monotonic(), None
            try:
                self.status = self.api.get("/api/status", PATIENCE)
                latency = time.monotonic() - began
            except (OSError, ValueError, http.client.HTTPException):
                pass
            self.latencies.append(latency)
            self.is_over.wait(max(0, began + self.seconds - time.monotonic()))


class Gauge:
    """Takes samples of a process, and keeps them."""

    def __init__(self, pid, folder, api):
        self.pid, self.folder, self.api = pid, folder, api
        self.began, self.samples, self.pulse = time.time(), [], Pulse(api)
        self.pulse.start()

    def take(self):
        sizes = {}
        with open(f"/proc/{self.pid}/smaps_rollup") as file:
            for line in list(file)[1:]:
                name, value = line.split(":")
                sizes[name] = int(value.split()[0]) / 1024
        with open(f"/proc/{self.pid}/stat") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        links = self.links()
        latency = self.pulse.latencies[-1] if self.pulse.latencies else None
        status = self.pulse.status
        sample = Sample(
            round(time.time() - self.began, 1),
            sizes["Pss"],
            sizes["Rss"],
            sizes["Anonymous"],
            len(links),
            sum(link.startswith("socket:") for link in links),
            int(fields[17]),
            (int(fields[11]) + int(fields[12])) / TICKS,
            size_of(self.folder) / 1e6,
            latency,
            status.get("flows", -1),
            status.get("dropped", -1),
        )
        self.samples.append(sample)
        return sample

    def links(self):
        """What each descriptor is."""
        found = []
        for name in os.listdir(f"/proc/{self.pid}/fd"):
            try:
                found.append(os.readlink(f"/proc/{self.pid}/fd/{name}"))
            except OSError:
                pass
        return found

    def connections(self):
        """The proxy's TCP sockets that are no listeners, as (local, remote, state)."""
        own = {link[8:-1] for link in self.links() if link.startswith("socket:")}
        found = []
        with open(f"/proc/{self.pid}/net/tcp") as file:
            for line in list(file)[1:]:
                words = line.split()
                if words[9] in own and words[3] != "0A":
                    found.append((_address(words[1]), _address(words[2]), STATES.get(words[3], words[3])))
        return found


STATES = {
    "01": "ESTABLISHED",
    "04": "FIN_WAIT1",
    "05": "FIN_WAIT2",
    "08": "CLOSE_WAIT",
    "09": "LAST_ACK",
    "02": "SYN_SENT",
}


def _address(text):
    host, port = text.split(":")
    return ".".join(str(byte) for byte in reversed(bytes.fromhex(host))) + f":{int(port, 16)}"


def size_of(folder):
    total = 0
    for place, _, files in os.walk(folder):
        for name in files:
            try:
                total += os.stat(os.path.join(place, name)).st_blocks * 512
            except OSError:
                pass
    return total


def slope_per_hour(points):
    """Least squares of (seconds, value): the slope an hour, and three times its standard error."""
    if len(points) < 3:
        return 0.0, 0.0
    middle = sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points)
    width = sum((x - middle[0]) ** 2 for x, _ in points)
    slope = sum((x - middle[0]) * (y - middle[1]) for x, y in points) / width
    apart = sum((y - middle[1] - slope * (x - middle[0])) ** 2 for x, y in points)
    return slope * 3600, 3 * (apart / (len(points) - 2) / width) ** 0.5 * 3600
