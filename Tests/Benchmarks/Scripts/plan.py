"""What is measured: clients, groups of runs that alternate, and the goals that the ratios are held against."""

from dataclasses import dataclass, field
from typing import Optional

import server
import websocket

RAW = "raw libcurl in C"
ENGINE = "engine in C"
AHC = "AsyncHTTPClient"
URLSESSION = "URLSession"
TRANSPORT = "Helium transport"
SDK = "Helium SDK"
SDK_LOOP = "Helium SDK on its loop"
SDK_STATIC = "Helium SDK, static runtime"
GO = "Go net/http"

# Each client is an executable, so that CPU time and memory are its own.
EXECUTABLES = {
    RAW: "RawCurl",
    ENGINE: "RawEngine",  # HTTP of its own on connections that libcurl made; the floor
    AHC: "PeerAsyncHTTPClient",
    URLSESSION: "PeerURLSession",
    TRANSPORT: "HeliumTransport",
    SDK: "HeliumSDK",
    SDK_LOOP: "HeliumSDK",
    SDK_STATIC: "HeliumSDK",  # built in a folder of its own
    GO: "PeerGo",
}
# What is given to a client besides what describes the run.
EXTRA_ARGUMENTS = {SDK_LOOP: ["--executor", "1"]}
# Executables that compare operations by themselves.
OPERATIONS = {"signing": "Signing", "json": "JSONCoding", "cosm": "CosmCoding",
              "cosm-server": "CosmServing", "appnet": "AppNetCoding", "beast": "BeastStore",
              "jetstream": "JetstreamTrees", "jetstream-server": "JetstreamServing",
              "conair": "ConAirSeries"}
# How much more an object of Jetstream may cost in a tree of ten times as many.
JETSTREAM_GROWTH = 2.5
# Those that are built with testability, in a folder of their own.
TESTABLE = {"beast"}
# What they measure in processes of their own, besides what they measure without an argument.
OPERATION_RUNS = {"json": ["HeliumJSONDecoder", "JSONDecoder"], "beast": ["lookup", "channel", "sync"], "conair": ["polling"]}


@dataclass(frozen=True)
class Run:
    """One client in one group; `label` names it in the tables."""

    label: str
    client: str
    requests: int
    idle_streams: int = 0


@dataclass(frozen=True)
class Group:
    """Runs that alternate, so that their ratios hold."""

    name: str
    title: str
    document: str
    body_bytes: int
    concurrency: int
    rounds: int
    runs: list = field(default_factory=list)
    http2: bool = False
    transfer: str = ""  # "download" or "upload": large bodies, one at a time, instead of requests


@dataclass(frozen=True)
class Goal:
    """A ratio of two runs of one group, or one operation's time, and what it must not exceed."""

    title: str
    group: str
    metric: str
    measured: str
    against: Optional[str]
    must: Optional[float]
    stretch: Optional[float] = None


def groups(quick):
    def requests(client, concurrency, tls=False):
        if client == URLSESSION:
            return 300 if quick else (2_000 if concurrency == 1 else 5_000)
        if quick:
            return 2_000
        if tls and client == AHC:
            return 10_000
        return 40_000 if concurrency == 16 and not tls else 20_000

    def runs(clients, concurrency, tls=False):
        return [Run(client, client, requests(client, concurrency, tls)) for client in clients]

    # The ratios scatter most at 16 (performance.md §1), so it gets more rounds.
    rounds = lambda concurrency: 3 if quick else (7 if concurrency == 16 else 5)
    result = []
    for c in (1, 16, 64):
        # The runtime inside changes memory, which is measured at 64.
        clients = (RAW, ENGINE, GO, AHC, URLSESSION, TRANSPORT, SDK, SDK_LOOP) + ((SDK_STATIC,) if c == 64 else ())
        result.append(Group(f"h1-c{c}", f"HTTP/1.1, 1 KB, {c} at a time", "small.json", server.SMALL_BYTES, c, rounds(c),
                            runs(clients, c)))
    for c in (1, 16, 64):
        result.append(Group(f"h2-c{c}", f"HTTP/2 over TLS, 1 KB, {c} at a time", "small.json", server.SMALL_BYTES, c,
                            rounds(c), runs((RAW, ENGINE, GO, AHC, TRANSPORT, SDK, SDK_LOOP), c, tls=True), http2=True))
    large = 1_000 if quick else 10_000
    result.append(Group("large", "HTTP/1.1, 112 KB, 16 at a time", "large.json", server.LARGE_BYTES, 16, rounds(16),
                        [Run(client, client, large) for client in (RAW, ENGINE, GO, AHC, TRANSPORT, SDK, SDK_LOOP)]))
    few = 1_000 if quick else 5_000
    result.append(Group("idle", "HTTP/1.1, 1 KB, 1 at a time, without and with 200 idle streams", "small.json",
                        server.SMALL_BYTES, 1, rounds(1),
                        [Run(f"{client}{suffix}", client, few, idle)
                         for client in (RAW, AHC, TRANSPORT, SDK)
                         for suffix, idle in (("", 0), (IDLE_SUFFIX, 200))]))
    size = server.BULK_BYTES // (16 if quick else 1)
    for transfer, title in (("download", "read as a stream"), ("upload", "sent from a file")):
        result.append(Group(f"bulk-{transfer}", f"HTTP/1.1, {size >> 20:,} MiB {title}", "bulk", size, 1, rounds(1),
                            [Run(client, client, 1) for client in (AHC, SDK)], transfer=transfer))
        for mebibytes, count in BODIES.items():
            result.append(Group(f"bulk-{transfer}-{mebibytes}", f"HTTP/1.1, bodies of {mebibytes} MiB {title}", "bulk",
                                mebibytes << 20, 1, rounds(16),
                                [Run(client, client, max(1, count // 10) if quick else count)
                                 for client in (RAW, ENGINE, SDK, SDK_LOOP)], transfer=transfer))
    return result


IDLE_SUFFIX = ", 200 idle"
# How many bodies of each size one run sends, by their MiB.
BODIES = dict(zip((size >> 20 for size in server.BODY_BYTES), (1_000, 10)))
CPU = "cpuMicroseconds"
GROWN = "grownKibibytes"
# The loads at which the SDK is held against Go's net/http and against the engine in C.
LOADS = {"h1-c1": "HTTP/1.1, 1 at a time", "h1-c16": "HTTP/1.1, 16 at a time", "h1-c64": "HTTP/1.1, 64 at a time",
         "h2-c16": "HTTP/2 with TLS, 16 at a time"}


def goals():
    result = []
    for protocol, title, limits in (
        ("h1", "HTTP/1.1", ((1, 0.60, 0.45), (16, 0.75, 0.55), (64, 0.65, 0.50))),
        ("h2", "HTTP/2 with TLS", ((1, 0.60, 0.40), (16, 0.65, 0.50), (64, 0.60, 0.45))),
    ):
        for c, must, stretch in limits:
            result.append(Goal(f"CPU, SDK / AsyncHTTPClient, {title}, {c} at a time",
                               f"{protocol}-c{c}", CPU, SDK, AHC, must, stretch))
    for c, must, stretch in ((1, 2.0, 1.4), (16, 1.75, 1.45), (64, 1.75, 1.25)):
        result.append(Goal(f"CPU, SDK / raw libcurl in C, {c} at a time", f"h1-c{c}", CPU, SDK, RAW, must, stretch))
    result += go_goals()
    result += floor_goals()
    for c, must, stretch in ((1, 0.22, 0.13), (16, 0.12, 0.05), (64, 0.12, 0.05)):
        result.append(Goal(f"CPU, SDK / URLSession, {c} at a time", f"h1-c{c}", CPU, SDK, URLSESSION, must, stretch))
    for c in (1, 16, 64):
        result.append(Goal(f"CPU, SDK / its own bare transport, {c} at a time",
                           f"h1-c{c}", CPU, SDK, TRANSPORT, 1.25, 1.10))
    result.append(Goal("CPU, 112 KB bodies, SDK / raw libcurl in C, 16 at a time", "large", CPU, SDK, RAW, 1.4, 1.3))
    result.append(Goal("CPU, SDK with 200 idle streams / with none, 1 at a time",
                       "idle", CPU, SDK + IDLE_SUFFIX, SDK, 3.0, 2.4))
    result.append(Goal("peak memory, SDK / raw libcurl in C, 64 at a time",
                       "h1-c64", "peakResidentKibibytes", SDK, RAW, 1.4))
    result.append(Goal("peak memory, SDK with a static runtime / raw libcurl in C, 64 at a time",
                       "h1-c64", "peakResidentKibibytes", SDK_STATIC, RAW, 1.4, 1.3))
    result.append(Goal("p99 latency, SDK / AsyncHTTPClient, 64 at a time", "h1-c64", "p99Microseconds", SDK, AHC, 1.0))
    result.append(Goal("CPU per MiB, large download, SDK / AsyncHTTPClient", "bulk-download", CPU, SDK, AHC, 0.95, 0.65))
    result.append(Goal("CPU per MiB, large upload, SDK / AsyncHTTPClient", "bulk-upload", CPU, SDK, AHC, None))
    for transfer in ("download", "upload"):
        result.append(Goal(f"memory grown by a large {transfer}, SDK, KiB", f"bulk-{transfer}", GROWN, SDK, None, 8_192))
        result.append(Goal(f"memory grown by a large {transfer}, AsyncHTTPClient, KiB",
                           f"bulk-{transfer}", GROWN, AHC, None, None))
    result.append(Goal("SHA-256 of 200 B, Helium / swift-crypto",
                       "signing-200", "nanoseconds", "HeliumCrypto SHA-256", "swift-crypto SHA-256", None))
    result.append(Goal("SHA-256 of 64 KB, Helium / swift-crypto",
                       "signing-65536", "nanoseconds", "HeliumCrypto SHA-256", "swift-crypto SHA-256", None))
    result.append(Goal("whole signature, Helium / strings and swift-crypto", "signing-200", "nanoseconds",
                       "Helium whole signature", "whole signature by strings and swift-crypto", None))
    result.append(Goal("whole signature of a 200-byte request, ns",
                       "signing-200", "nanoseconds", "Helium whole signature", None, 1_500, 700))
    result += json_goals()
    result += cosm_goals()
    result += websocket_goals()
    result += appnet_goals()
    result += beast_goals()
    result += jetstream_goals()
    result += conair_goals()
    return result


def go_goals():
    """What somebody who would take Go's net/http compares: on the client's own loop, and by default."""
    result = []
    for client, title, limits in ((SDK_LOOP, "SDK on its loop", (0.5, 0.55, 0.5, 0.65)), (SDK, "SDK", (0.8, 0.8, 0.7, 0.85))):
        for (group, load), must in zip(LOADS.items(), limits):
            result.append(Goal(f"CPU, {title} / Go net/http, {load}", group, CPU, client, GO, must))
    for c in (16, 64):
        result.append(Goal(f"CPU, SDK on its loop / raw libcurl in C, {c} at a time", f"h1-c{c}", CPU, SDK_LOOP, RAW, 1.5, 1.3))
    result.append(Goal("CPU, SDK on its loop / SDK, HTTP/1.1, 1 at a time", "h1-c1", CPU, SDK_LOOP, SDK, None))
    result.append(Goal("p99 latency, SDK on its loop / Go net/http, 64 at a time", "h1-c64", "p99Microseconds", SDK_LOOP, GO, 1.0))
    result.append(Goal("p99 latency, SDK / Go net/http, 64 at a time", "h1-c64", "p99Microseconds", SDK, GO, 1.0))
    return result


def floor_goals():
    """What the client may cost besides what HTTP on connections of libcurl's costs in C, and of large bodies what libcurl itself costs."""
    result = []
    for group, load in LOADS.items():
        result.append(Goal(f"CPU, SDK on its loop / engine in C, {load}", group, CPU, SDK_LOOP, ENGINE, 1.7, 1.4))
    for transfer in ("download", "upload"):
        for mebibytes in BODIES:
            group = f"bulk-{transfer}-{mebibytes}"
            for client, title in ((SDK, "SDK"), (SDK_LOOP, "SDK on its loop")):
                result.append(Goal(f"CPU per MiB, {transfer} of {mebibytes} MiB, {title} / raw libcurl in C", group, CPU,
                                   client, RAW, 1.0))
    return result


def json_goals():
    """performance.md §4: what decoding and encoding may cost, in parts of what Foundation's coders cost."""
    foundation, helium = "JSONDecoder", "HeliumJSONDecoder"
    result = []
    for measured, title, must, stretch in (
        (helium, "Codable", 0.22, None),
        (f"{helium}, JSONReadable", "JSONReadable", 0.07, None),
        (f"{helium}, parsing only", "parsing only", 0.04, None),
    ):
        result.append(Goal(f"decoding a page of 100 messages, {title} / JSONDecoder", "json-page", "nanoseconds",
                           measured, foundation, must, stretch))
    for name, title in (("single", "one message of 1 KB"), ("numbers", "1 MB of numbers"),
                        ("escapes", "1 MB of text with escapes"), ("deep", "values nested 400 deep"),
                        ("feeds", "Cosm feeds")):
        result.append(Goal(f"decoding {title}, Codable / JSONDecoder", f"json-{name}", "nanoseconds", helium,
                           foundation, 1.0))
    result.append(Goal("encoding a page of 100 messages, HeliumJSONEncoder / JSONEncoder", "json-encoding",
                       "nanoseconds", "HeliumJSONEncoder", "JSONEncoder", 0.5))
    result.append(Goal("memory grown by decoding 16 MiB / the document", "json-memory", "bytes", helium,
                       "the document", 3.0))
    result.append(Goal("memory grown by decoding 16 MiB, JSONDecoder / the document", "json-memory", "bytes", foundation,
                       "the document", None))
    return result


def cosm_goals():
    """What Cosm's documents and messages may cost: JSON in parts of what JSONDecoder takes for the same types, CSV in ns for each point."""
    result = []
    for name, title in (("feeds", "a list of 100 feeds"), ("history", "a history of 10,000 points")):
        result.append(Goal(f"decoding {title}, HeliumJSONDecoder / JSONDecoder", f"cosm-{name}", "nanoseconds",
                           "HeliumJSONDecoder", "JSONDecoder", 0.3))
    for operation in ("reading", "writing"):
        result.append(Goal(f"{operation} a point as CSV, ns", "cosm-csv", "nanoseconds", f"{operation} a point", None, 1_000))
    for operation in ("storing a point, 500 a request", "storing a point, 1 a request", "reading a week by the hour"):
        result.append(Goal(f"server: {operation}, 16 at a time, ns", "cosm-server", "nanoseconds", operation, None, None))
    return result


def websocket_goals():
    """What a small message over a WebSocket may cost, in parts of what the peers take, and what an idle connection may."""
    result = []
    for window, must, stretch in ((1, 0.3, None), (32, 0.5, 0.2)):
        result.append(Goal(f"CPU of a WebSocket message, HeliumWebSocket / Python websockets, {window} under way",
                           f"websocket-{window}", "nanoseconds", websocket.HELIUM, websocket.PYTHON, must, stretch))
    for window in websocket.WINDOWS:
        result.append(Goal(f"CPU of a WebSocket message, HeliumWebSocket / epoll in C, {window} under way",
                           f"websocket-{window}", "nanoseconds", websocket.HELIUM, websocket.RAW, 1.5, 1.25))
    for window in websocket.WINDOWS:
        result.append(Goal(f"CPU of a WebSocket message over TLS, HeliumWebSocket / OpenSSL and epoll in C, {window} under way",
                           f"websocket-tls-{window}", "nanoseconds", websocket.HELIUM, websocket.RAW_TLS, 1.4))
    for group, title in (("websocket-idle", ""), ("websocket-idle-tls", " over TLS")):
        count = f"{websocket.IDLE_COUNT:,} idle WebSockets{title}"
        result.append(Goal(f"{count}: memory of one besides libcurl's, bytes", group, "bytes", websocket.OURS, None, 8 << 10))
        result.append(Goal(f"{count}: memory of one besides libcurl's with a connection cache each, bytes", group, "bytes",
                           websocket.OURS_ALONE, None, None))
        for label in websocket.IDLE_CLIENTS:
            result.append(Goal(f"{count}: memory of one, {label}, bytes", group, "bytes", label, None, None))
        for label in (websocket.HELIUM, websocket.LIBCURL):
            result.append(Goal(f"{count}: CPU of a second, {label}, µs", group, "microseconds", label, None, None))
        result.append(Goal(f"peak memory of a client with requests and a WebSocket{title}, KiB", group,
                           "peakResidentKibibytes", websocket.HELIUM, None, None))
    return result


def appnet_goals():
    """What a page of App.net's messages may cost, in parts of what JSONDecoder takes for the same structs."""
    plain, ours = "JSONDecoder", "JSONDecoder, AppNet's types"
    return [
        Goal(f"decoding a page of 200 messages of App.net, {title}", "appnet-page", "nanoseconds", measured, against, must)
        for measured, against, title, must in (
            ("HeliumJSONDecoder", plain, "Codable / JSONDecoder", 0.28),
            ("HeliumJSONDecoder, AppNet's types", ours, "AppNet's types / JSONDecoder", 0.10),
            ("HeliumJSONDecoder, AppNet's types", plain, "AppNet's types / JSONDecoder with plain structs", None),
            ("HeliumJSONDecoder, parsing only", plain, "parsing only / JSONDecoder", None),
        )
    ]


def beast_goals():
    """What MessageBeast's store may cost: rows against bare C with a trigger a row, look-ups in milliseconds as nanoseconds."""
    ours, bare = "MessageBeast", "bare C, a trigger a row"
    million = 1_000_000
    result = [
        # 1.5 times the rows in a second are two thirds of the time for a row.
        Goal("storing a message, text alone, MessageBeast / bare C", "beast-ingest-text", "nanoseconds", ours, bare,
             1 / 1.5, 1 / 1.9),
        Goal("storing a message with all that is extracted, MessageBeast / bare C", "beast-ingest-all", "nanoseconds",
             ours, bare, 1.0),
        Goal("storing an unchanged message, MessageBeast / bare C", "beast-ingest-text", "nanoseconds",
             f"{ours}, unchanged messages", bare, None),
        Goal("encoding a message of 1 KB, ns", "beast-encoding", "nanoseconds", "encoding a message", None, None),
    ]
    for operation, limit in (("a rare term, newest first", 5), ("a term in 1 %, newest first", 50),
                             ("a term in half of the messages, newest first", 10), ("opening", 50)):
        result.append(Goal(f"1,000,000 messages: {operation}, ns", "beast-lookup", "nanoseconds", operation, None,
                           limit * million))
    result.append(Goal("1,000,000 messages: a ranked page, MessageBeast / bare C", "beast-ranked", "nanoseconds", ours,
                       "bare C", 1.2))
    for page in ("a page in the middle", "a page at the end"):
        result.append(Goal(f"1,000,000 messages: {page} / the first", "beast-page", "nanoseconds", page,
                           "the first page", 1.2))
    for operation, limit in (("the newest page", 10), ("a hashtag", 50), ("an annotation type", 50), ("a place", 50),
                             ("a text with 1,000 hits", 50)):
        result.append(Goal(f"100,000 messages in one of 50 channels: {operation}, ns", "beast-channel", "nanoseconds",
                           operation, None, limit * million))
    for operation, limit in (("the list of the drafts", 5), ("a draft by its id", 2), ("writing and removing a draft", 20)):
        result.append(Goal(f"drafts among 1,000,000 messages: {operation}, ns", "beast-drafts", "nanoseconds", operation,
                           None, limit * million))
    result.append(Goal("peak memory of a full sync of 100,000 messages, bytes", "beast-sync", "bytes",
                       "peak memory of a full sync", None, 100 << 20))
    return result


def jetstream_goals():
    """What Jetstream's trees may cost against Swift's observation, plain objects and JSON values, and its server against bare frames."""
    result = [
        Goal("setting a property, no observer, model / @Observable", "jetstream-sets", "nanoseconds",
             "model, no observer", "@Observable, no observer", 1.5),
        Goal("setting a property, an observer a turn of 100, model / @Observable", "jetstream-sets", "nanoseconds",
             "model, a coalesced observer", "@Observable, an observer a turn", 3.0),
    ]
    # The same limits at each size: nothing grows faster than what it is held against.
    for count in (1_000, 10_000, 100_000):
        for measured, against, must in (("objects in a scope", "plain objects", 10.0),
                                        ("a state to a tree", "a state to JSONValue", 2.0),
                                        ("a tree to text", "JSONValue to text", 2.0)):
            result.append(Goal(f"{count:,} objects: {measured} / {against}", f"jetstream-{count}", "nanoseconds",
                               measured, against, must))
        result.append(Goal(f"{count:,} objects: objects to a recording root / plain objects", f"jetstream-{count}",
                           "nanoseconds", "objects to a recording root", "plain objects", None))
    # Linear is 1, and quadratic 10. More objects than the caches hold cost up to twice as much each.
    for operation in ("objects in a scope", "objects to a recording root", "a state to a tree", "a tree to text"):
        for larger, smaller in ((10_000, 1_000), (100_000, 10_000)):
            result.append(Goal(f"{operation}: an object of {larger:,} / an object of {smaller:,}", "jetstream-growth",
                               "nanoseconds", f"{operation}, an object of {larger}",
                               f"{operation}, an object of {smaller}", JETSTREAM_GROWTH))
    result.append(Goal("memory of an object in a scope, bytes", "jetstream-memory", "bytes", "an object in a scope",
                       None, 400))
    # Half of the changes in a second is twice the time for a change.
    result.append(Goal("server: a change to 10 clients / bare fan-out of the frames", "jetstream-serving", "nanoseconds",
                       "a change to 10 clients", "bare fan-out", 2.0))
    return result


def conair_goals():
    """What a series of a million points may cost, choosing the points to draw against the same in C, and polling."""
    result = [
        Goal("1,000,000 points: append, window, largest triangles and picture, ns", "conair-million", "nanoseconds",
             "append, window, largest triangles and picture", None, 150_000_000),
    ]
    for part in ("append", "window", "largest triangles", "model of a chart", "picture"):
        result.append(Goal(f"1,000,000 points: {part}, ns", "conair-million", "nanoseconds", part, None, None))
    result.append(Goal("1,000,000 points: largest triangles, ConAir / C", "conair-triangles", "nanoseconds", "ConAir",
                       "in C", 1.5))
    result.append(Goal("a reply of 10,000 points, ConAir / JSONDecoder with DateFormatter", "conair-reply", "nanoseconds",
                       "ConAir", "JSONDecoder with DateFormatter", 0.15))
    result.append(Goal("memory of a point, bytes", "conair-memory", "bytes", "a point", None, 24))
    result.append(Goal("polling 1,000 series every 10 s, % of a core", "conair-polling", "percent", "1,000 series", None, 5))
    return result
