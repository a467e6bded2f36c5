#!/usr/bin/env python3
"""Echo over WebSockets with PyPI's websockets: the server of the comparison, and its peer.

websocket_echo.py serve PORT
websocket_echo.py client URL COUNT BYTES WINDOW   prints microseconds of CPU per message, one for each round
"""
import asyncio
import resource
import sys

from websockets.asyncio.client import connect
from websockets.asyncio.server import serve


def cpu_time():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


async def echo(socket):
    async for message in socket:
        await socket.send(message)


async def run_server(port):
    async with serve(echo, "127.0.0.1", port, compression=None) as server:
        print("ready", flush=True)
        await server.serve_forever()


async def round_of(socket, message, count, window):
    sent = received = 0
    while received < count:
        while sent < count and sent - received < window:
            await socket.send(message)
            sent += 1
        assert await socket.recv() == message
        received += 1


async def run_client(url, count, size, window):
    message = "x" * size
    async with connect(url, compression=None) as socket:
        await round_of(socket, message, count // 10, window)
        for _ in range(5):
            before = cpu_time()
            await round_of(socket, message, count, window)
            print((cpu_time() - before) / count * 1e6)


if sys.argv[1] == "serve":
    asyncio.run(run_server(int(sys.argv[2])))
else:
    asyncio.run(run_client(sys.argv[2], *map(int, sys.argv[3:6])))
