#!/usr/bin/env python3
"""Echo over WebSockets: the server of the comparison, and its peer with PyPI's websockets.

websocket_echo.py serve PORT
websocket_echo.py client URL COUNT BYTES WINDOW   prints microseconds of CPU per message, one for each round

The server reads frames by hand and answers all that it has read with one write, so that it is faster than its clients:
behind a server that sends each answer by itself, a client that is faster than the server wakes for every message, and
what is measured are its wake-ups.
"""
import asyncio
import base64
import hashlib
import resource
import socket
import sys
import threading

MAGIC = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"  # RFC 6455 section 1.3
CLOSE = 8


def accept(connection):
    """Answers the upgrade; returns what came behind it."""
    data = b""
    while b"\r\n\r\n" not in data:
        more = connection.recv(1 << 16)
        if not more:
            raise ConnectionError("no request")
        data += more
    head, _, rest = data.partition(b"\r\n\r\n")
    fields = {name.lower(): value.strip() for name, _, value in (line.partition(b":") for line in head.split(b"\r\n"))}
    answer = base64.b64encode(hashlib.sha1(fields[b"sec-websocket-key"] + MAGIC).digest())
    connection.sendall(
        b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: "
        + answer + b"\r\n\r\n")
    return rest


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


def serve_one(connection):
    with connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        data = accept(connection)
        is_over = False
        while not is_over:
            out, data, is_over = echoes(data)
            if out:
                connection.sendall(b"".join(out))
            if not is_over:
                more = connection.recv(1 << 18)
                is_over = not more
                data += more


def run_server(port):
    with socket.create_server(("127.0.0.1", port)) as listener:
        print("ready", flush=True)
        while True:
            connection, _ = listener.accept()
            threading.Thread(target=serve_one, args=(connection,), daemon=True).start()


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
    run_server(int(sys.argv[2]))
else:
    asyncio.run(run_client(sys.argv[2], *map(int, sys.argv[3:6])))
