#!/usr/bin/env python3
"""Echo over WebSockets: the server of the comparison, and its peer with PyPI's websockets.

websocket_echo.py serve PORT [CERTIFICATE KEY]
websocket_echo.py client URL COUNT BYTES WINDOW   prints microseconds of CPU per message, one for each round

The server reads frames by hand and answers all that it has read with one write, so that it is faster than its clients:
behind a server that sends each answer by itself, a client that is faster than the server wakes for every message, and
what is measured are its wake-ups. It answers requests that ask for no upgrade too, for clients of both kinds.
"""
import asyncio
import base64
import hashlib
import resource
import socket
import ssl
import sys
import threading

MAGIC = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"  # RFC 6455 section 1.3
CLOSE = 8


class SecuredConnection:
    """A connection over TLS which, like a socket, gives all that has arrived and sends all at once, whatever the records are."""

    def __init__(self, connection, context):
        self.connection = connection
        self.incoming, self.outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        self.tls = context.wrap_bio(self.incoming, self.outgoing, server_side=True)
        while True:
            try:
                self.tls.do_handshake()
                return self._flush()
            except ssl.SSLWantReadError:
                if not self._fill():
                    raise ConnectionError("the client ends the handshake") from None

    def recv(self, size):
        parts = []
        while True:
            try:
                parts.append(self.tls.read(size))
                if not parts[-1]:
                    break
            except ssl.SSLWantReadError:
                if parts or not self._fill():
                    break
            except ssl.SSLError:  # the client's end, with an alert or without
                break
        return b"".join(parts)

    def sendall(self, data):
        self.tls.write(data)
        self._flush()

    def _fill(self):
        self._flush()
        data = self.connection.recv(1 << 18)
        self.incoming.write(data)
        return bool(data)

    def _flush(self):
        if self.outgoing.pending:
            self.connection.sendall(self.outgoing.read())


def accept(connection):
    """Answers the upgrade, and all requests before it. Returns what came behind it; `None` at the end of the connection."""
    data = b""
    while True:
        while b"\r\n\r\n" not in data:
            more = connection.recv(1 << 16)
            if not more:
                return None
            data += more
        head, _, data = data.partition(b"\r\n\r\n")
        fields = {name.lower(): value.strip() for name, _, value in (line.partition(b":") for line in head.split(b"\r\n"))}
        key = fields.get(b"sec-websocket-key")
        if key is not None:
            break
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\nok")
    answer = base64.b64encode(hashlib.sha1(key + MAGIC).digest())
    connection.sendall(
        b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: "
        + answer + b"\r\n\r\n")
    return data


def echoes(data):
    """The frames that answer all whole frames of `data`, what is left of it, and whether the client said goodbye."""
    out = []
    at = 0
    while len(data) - at >= 6:
        length = data[at + 1] & 127
        if length > 125:
            raise ValueError("this server takes messages of up to 125 bytes")
        end = at + 6 + length
        if len(data) < end:
            break
        mask = (data[at + 2:at + 6] * (length // 4 + 1))[:length]
        payload = int.from_bytes(data[at + 6:end], "big") ^ int.from_bytes(mask, "big")
        out.append(bytes((data[at], length)) + payload.to_bytes(length, "big"))
        if data[at] & 15 == CLOSE:
            return out, b"", True
        at = end
    return out, data[at:], False


def serve_one(connection, context):
    with connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        try:
            echo(SecuredConnection(connection, context) if context else connection)
        except (ConnectionError, ssl.SSLError):
            pass  # a client that only connects


def echo(connection):
    data = accept(connection)
    is_over = data is None
    while not is_over:
        out, data, is_over = echoes(data)
        if out:
            connection.sendall(b"".join(out))
        if not is_over:
            more = connection.recv(1 << 18)
            is_over = not more
            data += more


def run_server(port, *certificate):
    context = None
    if certificate:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*certificate)
    threading.stack_size(512 << 10)  # there may be a thousand of them
    with socket.create_server(("127.0.0.1", port), backlog=1024) as listener:
        print("ready", flush=True)
        while True:
            connection, _ = listener.accept()
            threading.Thread(target=serve_one, args=(connection, context), daemon=True).start()


def cpu_time():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


async def round_of(socket, message, count, window):
    sent = received = 0
    while received < count:
        while sent < count and sent - received < window:
            await socket.send(message)
            sent += 1
        assert await socket.recv() == message
        received += 1


async def run_client(url, count, size, window):
    from websockets.asyncio.client import connect

    message = "x" * size
    async with connect(url, compression=None) as socket:
        await round_of(socket, message, count // 10, window)
        for _ in range(5):
            before = cpu_time()
            await round_of(socket, message, count, window)
            print((cpu_time() - before) / count * 1e6)


if sys.argv[1] == "serve":
    run_server(int(sys.argv[2]), *sys.argv[3:5])
else:
    asyncio.run(run_client(sys.argv[2], *map(int, sys.argv[3:6])))
