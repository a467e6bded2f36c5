#!/usr/bin/env python3
"""Behaves as a test binary of Swift Testing does, for the tests of Scripts/test.py.

The environment variable FAKE_TESTS names a JSON file: {"tests": [[id, what it does]], "path": the source file}.
A test that does "pass", "fail", "skip", "known", "warn", "crash", "hang", "exit", "unlisted", "trait" or "suite" does as its word says.
One that does "late" records an issue after its end, "cancel" one before it is cancelled, and "status" makes the process end with 1.
FAKE_LOG names a file to which the id of each test that runs is appended.
"""

import json
import os
import re
import signal
import sys
import time


def options(name):
    return [sys.argv[index + 1] for index, argument in enumerate(sys.argv) if argument == name]


def write(kind, payload):
    OUTPUT.write(json.dumps({"version": 0, "kind": kind, "payload": payload}) + "\n")
    OUTPUT.flush()


def event(kind, test=None, texts=(), **more):
    payload = {"kind": kind, "instant": {"absolute": time.monotonic(), "since1970": time.time()},
               "messages": [{"symbol": "default", "text": text} for text in texts]}
    write("event", payload | ({"testID": test} if test else {}) | more)


def name_of(test):
    return re.search(r"([^/.]+\(\))/[^/]*$", test).group(1)


def run(test, action):
    if action == "unlisted":
        return
    with open(os.environ["FAKE_LOG"], "a", encoding="utf-8") as log:
        log.write(f"{test} {os.environ.get('SWIFT_DETERMINISTIC_HASHING', '-')}\n")
    if action == "skip":
        event("testSkipped", test, [f'Test {name_of(test)} skipped: "no tool: install it"'])
        return
    if action == "trait":
        event("issueRecorded", test, ["the trait failed"], issue={"isKnown": False})
        return
    event("testStarted", test)
    print(f"output of {test}", flush=True)
    if action in ("fail", "known", "warn", "cancel"):
        issue = {"isKnown": action == "known", "_severity": "warning" if action == "warn" else "error"}
        event("issueRecorded", test, ["Expectation failed: 1 == 2", "a comment"], issue=issue)
    elif action == "suite":
        event("issueRecorded", test.split("/")[0], ["the suite failed"], issue={"isKnown": False})
    elif action == "crash":
        print("Fatal error: index out of range", flush=True)
        os.kill(os.getpid(), signal.SIGSEGV)
    elif action == "hang":
        time.sleep(60)
    elif action == "exit":
        os._exit(7)
    if action == "cancel":
        event("testCancelled", test, [f'Test {name_of(test)} cancelled after 0.1 seconds: "enough"'])
        return
    event("testEnded", test)
    if action == "late":
        event("issueRecorded", test, ["the task failed"], issue={"isKnown": False})


with open(os.environ["FAKE_TESTS"], encoding="utf-8") as file:
    described = json.load(file)
with open(options("--event-stream-output-path")[0], "w", encoding="utf-8") as OUTPUT:
    for line, (test, action) in enumerate(described["tests"], 1):
        place = {"fileID": "M/File.swift", "line": line, "column": 6, "_filePath": described["path"]}
        write("test", {"kind": "function", "id": test, "name": name_of(test), "displayName": f"does {action}",
                       "sourceLocation": place})
    if "--list-tests" in sys.argv:
        sys.exit(0)
    event("runStarted")
    failed = False
    for _ in range(int((options("--repetitions") or ["1"])[0])):
        for test, action in described["tests"]:
            if any(re.search(pattern, test) for pattern in options("--filter")):
                run(test, action)
                failed = failed or action in ("fail", "suite", "trait", "late", "cancel", "status")
        if failed:
            break
    event("runEnded")
sys.exit(1 if failed else 0)
