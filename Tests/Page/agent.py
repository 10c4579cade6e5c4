"""An agent of `pinproof mcp`, and what it finds out: on a proxy that runs, when that has gone, and in a saved file."""

import json
import os
import socket
import stat
import subprocess

from sockets import WebSocket

# A row is in the page after 500 ms; machines that run tests are busy.
TOLD_WITHIN = 60


class Agent:
    """A client of the Model Context Protocol over standard input and output."""

    def __init__(self, proxy, *options):
        self.process = subprocess.Popen(
            [proxy.pinproof, "mcp", *map(str, options)], env=proxy.environment, cwd=proxy.folder,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )
        self.last = 0
        self.told = self.ask("initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}})
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def send(self, message):
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()

    def ask(self, method, parameters=None):
        self.last += 1
        self.send({"jsonrpc": "2.0", "id": self.last, "method": method, "params": parameters or {}})
        answer = json.loads(self.process.stdout.readline())
        assert answer["id"] == self.last, answer
        return answer.get("result", answer)

    def call(self, tool, **arguments):
        """What it said, and whether that is an error."""
        answer = self.ask("tools/call", {"name": tool, "arguments": arguments})
        if "error" in answer:
            return answer["error"]["message"], True
        return "\n".join(content.get("text", "") for content in answer["content"]), answer["isError"]

    def json(self, tool, **arguments):
        text, is_error = self.call(tool, **arguments)
        assert not is_error, text
        return json.loads("\n".join(text.split("\n")[1:-1]))

    def close(self):
        self.process.stdin.close()
        status = self.process.wait(60)
        said = self.process.stderr.read().decode()
        self.process.stdout.close()
        self.process.stderr.close()
        return status, said


def agents(proxy, api, port):
    """On a proxy that runs: the same as by the API and the command line; then what was saved."""
    surprises = []

    def expect(what, is_so, seen=""):
        if not is_so:
            surprises.append(f"{what}: {str(seen)[:400]}")

    # A secret to be left out. What is asked for is there once its end has been told.
    with WebSocket(api) as events:
        client = socket.create_connection(proxy.address)
        client.settimeout(30)
        client.sendall(
            f"GET http://127.0.0.1:{port}/agent?n=0&token=SECRET-7 HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n"
            "Authorization: Bearer SECRET-8\r\n\r\n".encode())
        got = client.makefile("rb")
        while got.readline().strip():
            pass
        got.read(2)
        client.close()
        is_over = events.row(lambda row: row.get("path", "").startswith("/agent?") and row.get("state") == "complete", TOLD_WITHIN)
    if not is_over:
        return ["the request of the agent is not told of"], None, 0
    reader = Agent(proxy, "--store", proxy.store)
    expect("its version", reader.told["protocolVersion"] == "2025-06-18", reader.told)
    tools = [tool["name"] for tool in reader.ask("tools/list")["tools"]]
    expect("it only reads", "list_flows" in tools and "delete_flows" not in tools, tools)
    status = reader.json("status")
    expect("it asks the proxy that runs", status["recording"] and status["ui"], status)
    listed = reader.json("list_flows", filter="path:/agent*", view="flow")["flows"]
    by_api = json.loads(api.ask("GET", "/api/flows?filter=path:/agent*")[2])["flows"]
    by_command = proxy.flows("path:/agent*")
    expect(
        "three ways to one flow", [len(listed), listed[0]["id"], listed[0]["status"]]
        == [len(by_api), by_api[0]["id"], by_api[0]["status"]] == [len(by_command), by_command[0]["id"], by_command[0]["status"]],
        [listed, by_api, by_command])
    number = listed[0]["id"]
    for tool, arguments in (
        ("list_flows", {}), ("get_flow", {"id": number}), ("search_flows", {"text": "SECRET"}), ("explain_flow", {"id": number}),
        ("export_flows", {"format": "har", "filter": f"id:{number}"}), ("compare_flows", {"first": number, "second": 1}),
    ):
        text, is_error = reader.call(tool, **arguments)
        expect(f"{tool} without secrets", "SECRET" not in text and not is_error, text)
    expect("an export through the socket", '"log"' in reader.call("export_flows", filter=f"id:{number}")[0])
    expect("the body", "\nok\n" in reader.call("get_response_body", id=number)[0])
    expect("a wrong filter", "did you mean method:" in reader.call("list_flows", filter="mehtod:GET")[0])
    expect("changes need --write", reader.call("set_host", host="a.test", action="tunnel")[1])
    writer = Agent(proxy, "--store", proxy.store, "--write", "--with-secrets")
    expect("secrets where they are allowed", "SECRET-8" in writer.call("get_flow", id=number)[0])
    writer.call("set_host", host="agent.test", action="tunnel")
    expect("a host is decided on", '"agent.test":"tunnel"' in api.ask("GET", "/api/status")[2].decode().replace(" ", ""))
    writer.call("annotate_flow", id=number, mark="agent")
    expect("a mark is everybody's", [flow["id"] for flow in proxy.flows("mark:agent")] == [number])
    expect("writer ends", writer.close() == (0, ""))
    folder = next((path for path in (proxy.folder / "home" / "live", *runtime(proxy)) if path.exists()), None)
    expect("the socket's folder is closed", folder and stat.S_IMODE(folder.stat().st_mode) == 0o700, folder)
    return surprises, reader, number


def runtime(proxy):
    """Where the socket is for users who have a folder for such things."""
    path = proxy.environment.get("XDG_RUNTIME_DIR")
    return [type(proxy.folder)(path) / "pinproof"] if path and os.path.isdir(path) else []


def agent_of_what_is_saved(proxy, reader, number):
    """The proxy has gone: the same session reads what was saved; a file that was exported will do as well."""
    surprises = []
    status = reader.json("status")
    if status["recording"] or status["flows"] == 0:
        surprises.append(f"after the proxy: {status}")
    if reader.json("get_flow", id=number)["id"] != number:
        surprises.append("the flow has gone with the proxy")
    if reader.close() != (0, ""):
        surprises.append("the reader did not end in peace")
    file = proxy.folder / "agent.har"
    proxy.run("flows", "export", f"id:{number}", "--format", "har", "--out", file)
    saved = Agent(proxy, file)
    flows = saved.json("list_flows")["flows"]
    if len(flows) != 1 or not flows[0]["path"].startswith("/agent"):
        surprises.append(f"the saved file has {flows}")
    saved.close()
    return surprises
