#!/usr/bin/env python3
"""Runs the tests that were built, in three processes at once, and prints one report.

  Scripts/test.py [--filter TEXT]… [--skip TEXT]… [--tag NAME] [--order SEED] [--jobs N] [--repeat N] [--limit SECONDS]

Each process runs one test after the other. The suites are given to the processes as these become free, the longest first,
so that all processes end together. Suites and tests with `.tags(.alone)` come last, with no other process beside them.
What the processes print is in .build/test-logs; the durations of the suites are in .build/test-durations.json.

The exit status is 1 if a test fails, crashes, hangs or does not run. It is 2 if the arguments are wrong, no test matches, or
another run uses the folder of the logs.
The last line is `N passed, N failed`, followed by `, N skipped` if tests were skipped.
"""

import argparse
import collections
import json
import os
import platform
import random
import re
import shutil
import signal
import subprocess
import sys
import time

sys.dont_write_bytecode = True  # before our own modules: the source tree stays clean
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import messages
import processes

PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BINARY = ".build/debug/heliumPackageTests.xctest"
FOLDER = ".build"
DURATIONS = "test-durations.json"
TESTS = "test-list.json"
TAGS = ("alone", "random")
MOST_SECONDS = 2  # what a test may take on a quiet machine (CONTRIBUTING.md)
SLOWEST = 10
RUN_LIMIT = 3600  # seconds for everything: for hangs only
TEST_LIMIT = 600  # the same for one test
LIST_LIMIT = 600  # the same for the list of the tests
MOST_FILTER = 100_000  # bytes of one argument; Linux takes 128 KiB
PROOF_LENGTH = re.compile(r"\bProofLength\.(?:count|rounds|seeds)\(")
GUESS = 0.1  # seconds of a test whose duration is unknown
JOBS = 3  # one more than the least number of processors: many tests wait
LEAST_BATCH = 4  # seconds: a shorter batch is not worth the start of a process
POLL = 0.05
FAILURE = 1  # the exit status of a process with a test that failed
MOST_MISSING = 60  # tests that did not run are listed up to this number
LONGEST_TEXT = 40  # lines of a message; of a longer one the middle is left out

Test = collections.namedtuple("Test", "id title unit tags")
# `status` is passed, failed or skipped; `texts` are messages of failures, or the reason of a skip.
Outcome = collections.namedtuple("Outcome", "status seconds texts")


class UsageError(Exception):
    """Wrong arguments, or nothing to run."""


# MARK: The tests

def tags_at(source, line):
    """The tags in the attribute that begins on a line, counted from 1, of a Swift source."""
    start = 0
    for _ in range(line - 1):
        start = source.index("\n", start) + 1
    attribute = re.compile(r"[^\n]*?@(?:Suite|Test)\b\s*(\(?)").match(source, start)
    if not attribute or not attribute.group(1):
        return frozenset()
    end, literals = messages.interpolation(source, attribute.end())
    # Names of tests may contain anything.
    code, position = "", attribute.end()
    for literal in literals:
        code += source[position:literal.start]
        position = literal.end
    return tags_in(code + source[position:end])


def tags_in(code):
    return frozenset(name for tags in re.findall(r"\.tags\(([^)]*)\)", code) for name in re.findall(r"\.(\w+)", tags))


def own_tags(tags):
    return tags.intersection(TAGS)


def read_tests(lines, read_source):
    """The tests in the records that the test binary wrote while it listed them; `read_source` returns a file's text."""
    records = [record["payload"] for record in map(json.loads, lines) if record["kind"] == "test"]
    found = {}  # the tags of suites, and where tags were found
    places = set()
    for record in records:
        location = record["sourceLocation"]
        path = location.get("filePath") or location["_filePath"]
        tags = own_tags(tags_at(read_source(path), location["line"]))
        found[record["id"]] = tags
        if tags:
            places.add((path, location["line"]))
    check_tags(records, places, read_source)
    tests = []
    for record in records:
        if record["kind"] != "function":
            continue
        suite = parent(record)
        tags = set(found[record["id"]])
        parts = suite.split("/")
        for count in range(1, len(parts) + 1):
            tags |= found.get("/".join(parts[:count]), frozenset())
        tests.append(Test(record["id"], record.get("displayName") or record["name"], parts[0], frozenset(tags)))
    return tests


def parent(record):
    """The id of a test's suite, or for a function outside of suites its id without its place."""
    location = record["sourceLocation"]
    path = record["id"].removesuffix(f"/{os.path.basename(location['fileID'])}:{location['line']}:{location['column']}")
    return path.removesuffix("/" + record["name"])


def check_tags(records, places, read_source):
    """Raises UsageError if a source has tags where none was found: tests that must run alone would run beside others.

    A source whose tests are longer in `make prove` needs the tag by which that finds them."""
    for path in sorted({record["sourceLocation"].get("filePath") or record["sourceLocation"]["_filePath"]
                        for record in records}):
        text = read_source(path)
        expected = sum(1 for tags in re.findall(r"\.tags\([^)]*\)", text) if own_tags(tags_in(tags)))
        count = sum(1 for place in places if place[0] == path)
        if PROOF_LENGTH.search(text) and not any("random" in tags_in(tags) for tags in re.findall(r"\.tags\([^)]*\)", text)):
            raise UsageError(f"{path} uses ProofLength, but none of its tests has `.tags(.random)`: `make prove` would not run them")
        if expected != count:
            raise UsageError(f"{path} has {expected} times tags for this script, but {count} of its tests have them: "
                             "write `.tags(…)` into the attributes @Suite and @Test, and build again after a change")


def contains(test, texts):
    return any(text in test.id or text in test.title for text in texts)


def selected(tests, filters, skipped, tag):
    """The tests whose id or name contains one of the filters and no text to skip, with the tag if one is given.

    A filter that matches nothing is an error: it is the name of what is gone."""
    for text in filters:
        if not any(contains(test, [text]) for test in tests):
            raise UsageError(f"no test matches {text}")
    chosen = [test for test in tests if tag is None or tag in test.tags]
    if filters:
        chosen = [test for test in chosen if contains(test, filters)]
    chosen = [test for test in chosen if not contains(test, skipped)]
    if not chosen:
        raise UsageError("no test matches all options")
    return chosen


# MARK: Division into batches

def patterns(tests, everything):
    """Regular expressions that match exactly the given tests of all tests: whole units as far as possible."""
    counts = collections.Counter(test.unit for test in everything)
    units = {}
    for test in tests:
        units.setdefault(test.unit, []).append(test)
    by_module, single = {}, []
    for unit, group in units.items():
        if len(group) == counts[unit]:
            module, _, name = unit.partition(".")
            by_module.setdefault(module, []).append(re.escape(name))
        else:
            single += [re.escape(test.id) for test in group]
    found = [rf"^{re.escape(module)}\.(?:{'|'.join(part)})/" for module, names in by_module.items() for part in parts(names)]
    return found + [f"^(?:{'|'.join(part)})$" for part in parts(single)]


def parts(names, most=MOST_FILTER):
    """The names in lists of at most so many bytes, with one more for each name."""
    found, left = [], 0
    for name in names:
        size = len(name.encode()) + 1
        if size > left:
            found.append([])
            left = most
        found[-1].append(name)
        left -= size
    return found


def guessed_seconds(units, durations):
    """The expected seconds of each unit, a dictionary from names to tests."""
    return {name: durations.get(name, GUESS * len(tests)) for name, tests in units.items()}


class Queue:
    """The units that wait for a process. Each batch takes a share of what is left, so that the last ones are short."""

    def __init__(self, tests, durations, jobs, order=None, is_one_by_one=False):
        self.units, self.is_one_by_one = {}, is_one_by_one
        for test in tests:
            self.units.setdefault(test.unit, []).append(test)
        self.seconds = guessed_seconds(self.units, durations)
        self.jobs = jobs
        self.waiting = sorted(self.units, key=lambda name: (-self.seconds[name], name))
        if order is not None:
            self.waiting.sort()
            order.shuffle(self.waiting)
        self.left = sum(self.seconds.values())

    def next(self):
        """The tests of the next batch; empty if none is left."""
        if self.is_one_by_one:
            share = 0
        elif self.jobs == 1:
            share = self.left
        else:
            share = max(LEAST_BATCH, self.left / (2 * self.jobs))
        batch, total = [], 0
        while self.waiting and (not batch or total + self.seconds[self.waiting[0]] <= share * 1.001):
            name = self.waiting.pop(0)
            total += self.seconds[name]
            batch += self.units[name]
        self.left -= total
        return batch


# MARK: Processes

def environment():
    """Random hashing, as programs of users have it."""
    return {name: value for name, value in os.environ.items() if name != "SWIFT_DETERMINISTIC_HASHING"}


class Process:
    """A process that runs some tests, and what it reported until now."""

    def __init__(self, command, tests, everything, log):
        self.tests = {test.id: test for test in tests}
        self.log, self.events = log + ".log", log + ".jsonl"
        self.started, self.is_at_end = {}, False
        self.has_other_failure = False  # of a suite, or of none
        self.position, self.rest = 0, b""
        self.changed = time.monotonic()
        arguments = ["--no-parallel", "--event-stream-output-path", self.events, "--event-stream-version", "0"]
        for pattern in patterns(tests, everything):
            arguments += ["--filter", pattern]
        with open(self.log, "wb") as output:
            # A session of its own, so that the processes that tests start end with them.
            self.process = subprocess.Popen(command + arguments, cwd=PACKAGE, env=environment(), stdout=output,
                                            stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, start_new_session=True)

    def records(self):
        """The events since the last call."""
        try:
            with open(self.events, "rb") as file:
                file.seek(self.position)
                data = file.read()
        except FileNotFoundError:
            return []
        if data:
            self.position += len(data)
            self.changed = time.monotonic()
        lines = (self.rest + data).split(b"\n")
        self.rest = lines.pop()
        return [record["payload"] for record in map(json.loads, filter(None, lines)) if record["kind"] == "event"]

    def end(self):
        """Ends the process and those that it started, and returns its status."""
        processes.send(self.process, signal.SIGKILL)
        return self.process.wait()

    def end_of_output(self, count=12):
        with open(self.log, encoding="utf-8", errors="replace") as file:
            lines = re.sub(r"\x1b\[[0-9;]*m", "", file.read()[-20_000:]).rstrip().split("\n")[-count:]
        return f"; the end of {os.path.relpath(self.log, PACKAGE)}:\n" + "\n".join(lines)


def ended_by(status):
    if status >= 0:
        return f"exit status {status}"
    try:
        return signal.Signals(-status).name
    except ValueError:
        return f"signal {-status}"


# MARK: The run

class Run:
    """All processes of a run, and the outcomes of the tests."""

    def __init__(self, tests, everything, command, folder, options, say=print):
        self.chosen = {test.id: test for test in tests}
        self.everything, self.command, self.folder, self.options, self.say = everything, command, folder, options, say
        self.outcomes, self.issues, self.known, self.warnings = {}, {}, [], []
        self.ends = collections.Counter()
        self.others = {}  # failures of suites, or of none
        self.begun, self.interrupted = set(), set()
        self.running, self.count, self.told = [], 0, time.monotonic()
        self.start = time.monotonic()
        self.deadline = self.start + options.limit
        self.is_out_of_time = False
        self.stop = None if options.stop_after is None else self.start + options.stop_after

    def perform(self, durations):
        """Runs all tests: those that can share the machine, then those that are alone."""
        order = None if self.options.order is None else random.Random(self.options.order)
        together = [test for test in self.chosen.values() if "alone" not in test.tags]
        alone = [test for test in self.chosen.values() if "alone" in test.tags]
        try:
            for tests, jobs in ((together, self.options.jobs), (alone, 1)):
                self.perform_phase(Queue(tests, durations, jobs, order, self.stop is not None), jobs)
        finally:
            for process in self.running:
                process.end()
            self.progress(is_last=True)

    def perform_phase(self, queue, jobs):
        while True:
            while len(self.running) < jobs and not self.is_stopped():
                batch = queue.next()
                if not batch:
                    break
                self.begin(batch)
            if not self.running:
                return
            time.sleep(POLL)
            for process in list(self.running):
                self.look_at(process)
            self.progress()

    def is_stopped(self):
        return self.is_out_of_time or (self.stop is not None and time.monotonic() > self.stop)

    def begin(self, batch):
        self.count += 1
        self.begun.update(test.id for test in batch)
        log = os.path.join(self.folder, f"{self.count:03}")
        self.running.append(Process(self.command + self.options.repetition, batch, self.everything, log))

    def look_at(self, process):
        status = process.process.poll()
        for event in process.records():
            self.take(event, process)
        now = time.monotonic()
        if status is not None:
            process.end()
            self.running.remove(process)
            self.take_end(process, status)
        elif now > self.deadline:
            self.is_out_of_time = True
            self.kill(process, f"was running when the limit of {self.options.limit:.0f} s for all tests was over")
        elif now - process.changed > self.options.test_limit:
            self.kill(process, f"did not end within {self.options.test_limit:.0f} s")

    def kill(self, process, reason):
        process.end()
        self.running.remove(process)
        for event in process.records():
            self.take(event, process)
        self.take_end(process, None, reason)

    # MARK: Events

    def take(self, event, process):
        kind, test = event["kind"], event.get("testID")
        texts = [message["text"] for message in event.get("messages", [])]
        if kind == "runEnded":
            process.is_at_end = True
        elif kind == "issueRecorded":
            self.take_issue(event, texts, test, process)
        elif test not in process.tests:
            return
        elif kind == "testStarted":
            process.started[test] = event["instant"]["absolute"]
        elif kind in ("testSkipped", "testCancelled"):
            process.started.pop(test, None)
            reason = re.sub(r"^.*? (?:was )?(?:skipped|cancelled)[^:]*:? ?", "", texts[0] if texts else "", flags=re.S)
            self.finish(test, "skipped", 0, [reason.strip('"') or "no reason given"])
        elif kind == "testEnded" and test in process.started:
            seconds = event["instant"]["absolute"] - process.started.pop(test)
            self.finish(test, "passed", seconds, [])

    def take_issue(self, event, texts, test, process):
        issue = event.get("issue", {})
        text = "\n".join(texts) or "an issue without a message"
        if issue.get("isKnown"):
            self.known.append((test, text))
        elif issue.get("isFailure") is False or "warning" in (issue.get("severity"), issue.get("_severity")):
            self.warnings.append((test, text))
        else:
            if test in self.chosen:
                self.issues.setdefault(test, []).append(text)
                # A task that outlives its test records an issue after the test's end.
                if before := self.outcomes.get(test):
                    self.outcomes[test] = Outcome("failed", before.seconds, self.issues[test])
            else:
                self.others.setdefault(test or "no test", []).append(text)
                process.has_other_failure = True
            self.tell_failure(test, text)

    def tell_failure(self, test, text):
        if self.ends and sys.stdout.isatty():
            self.say("\r\033[K", end="")
        self.say(f"failed: {self.title(test)}\n{indented(text)}", flush=True)

    def finish(self, test, status, seconds, texts):
        """Takes the end of a test. One with an issue has failed, though it was cancelled or skipped afterwards."""
        self.ends[test] += 1
        if test in self.issues:
            status, texts = "failed", self.issues[test]
        before = self.outcomes.get(test)
        if before and before.status == "failed":
            return
        self.outcomes[test] = Outcome(status, seconds + (before.seconds if before else 0), texts)

    # MARK: Ends

    def take_end(self, process, status, reason=None):
        # A test whose traits fail has an issue, but neither begins nor ends.
        for test in process.tests:
            if test in self.issues and test not in self.outcomes and test not in process.started:
                self.finish(test, "failed", 0, self.issues[test])
        has_failed = process.has_other_failure or any(
            self.outcomes[test].status == "failed" for test in process.tests if test in self.outcomes)
        if has_failed or status != 0:
            self.interrupted.update(process.tests)
        if process.is_at_end and status == 0:
            return
        if process.is_at_end and reason is None:
            if not has_failed or status != FAILURE:
                suffix = "" if has_failed else ", but reported no failure"
                self.add_other(process, f"the process ended with {ended_by(status)}{suffix}{process.end_of_output()}")
            return
        text = (reason or f"the process ended with {ended_by(status)}") + process.end_of_output()
        for test, begun in process.started.items():
            self.issues.setdefault(test, []).append(text)
            self.tell_failure(test, text)
            self.finish(test, "failed", 0, self.issues[test])
        if not process.started:
            self.add_other(process, text)
        # The rest goes on in a new process, unless that would end in the same way.
        rest = [test for name, test in process.tests.items() if name not in self.outcomes]
        if rest and len(rest) < len(process.tests) and not self.is_stopped():
            self.begin(rest)

    def add_other(self, process, text):
        names = sorted({test.unit for test in process.tests.values()})
        name = f"{names[0]} and {len(names) - 1} other suites" if len(names) > 1 else names[0]
        self.others.setdefault(name, []).append(text)
        self.tell_failure(name, text)

    def missing(self):
        """Tests that did not run although they should."""
        expected = self.chosen if self.stop is None else self.begun
        return [self.chosen[name] for name in expected if name not in self.outcomes]

    def repeated(self):
        """Tests that ran another number of times than they should. A failure ends the repetitions of its whole process."""
        return [test for name, test in self.chosen.items()
                if name in self.outcomes and self.ends[name] != self.options.repeat
                and not (name in self.interrupted and self.ends[name] < self.options.repeat)
                and self.outcomes[name].status == "passed"]

    # MARK: Report

    def title(self, test):
        found = self.chosen.get(test)
        return f'"{found.title}" ({found.unit})' if found else str(test)

    def progress(self, is_last=False):
        is_terminal = sys.stdout.isatty()
        now = time.monotonic()
        if is_last or now - self.told < (0.5 if is_terminal else 30):
            if is_last and is_terminal:
                self.say("\r\033[K", end="", flush=True)
            return
        self.told = now
        failed = sum(1 for outcome in self.outcomes.values() if outcome.status == "failed")
        text = f"test: {len(self.outcomes)} of {len(self.chosen)} tests, {failed} failed, {now - self.start:.0f} s"
        if is_terminal:
            running = [self.chosen[name].title for process in self.running for name in process.started]
            text = "\r\033[K" + (text + "; " + " | ".join(running))[:shutil.get_terminal_size().columns - 1]
        self.say(text, end="" if is_terminal else "\n", flush=True)

    def report(self):
        """Prints what happened, and returns whether all is well."""
        by_status = collections.Counter(outcome.status for outcome in self.outcomes.values())
        missing, wrong = self.missing(), self.repeated()
        for test, text in self.warnings:
            self.say(f"warning: {self.title(test)}\n{indented(text)}")
        for test, text in self.known:
            self.say(f"known issue: {self.title(test)}\n{indented(text)}")
        for test, outcome in sorted(self.outcomes.items()):
            if outcome.status == "skipped":
                self.say(f"skipped: {self.title(test)}: {outcome.texts[0]}")
        if not self.options.filter or len(self.outcomes) > SLOWEST:
            self.report_slowest()
        # At the end, because CI shows only the last lines.
        self.report_failures(missing, wrong)
        seconds = time.monotonic() - self.start
        order = "" if self.options.order is None else f", order {self.options.order}"
        self.say(f"test: {len(self.outcomes)} tests, {self.count} processes, {seconds:.0f} s{order}; logs: "
                 f"{os.path.relpath(self.folder, PACKAGE)}")
        failures = by_status["failed"] + len(self.others) + len(missing) + len(wrong)
        text = f"{by_status['passed'] - len(wrong)} passed, {failures} failed"
        if by_status["skipped"]:
            text += f", {by_status['skipped']} skipped"
        self.say(text, flush=True)
        return failures == 0

    def report_failures(self, missing, wrong):
        failed = {self.title(test): outcome.texts for test, outcome in self.outcomes.items()
                  if outcome.status == "failed"} | self.others
        if failed:
            self.say("\ntest: error: failed:")
        for title, texts in failed.items():
            self.say(title)
            for text in texts:
                self.say(indented(text))
        if missing:
            self.say(f"test: error: {len(missing)} tests did not run:")
            for test in missing[:MOST_MISSING]:
                self.say(f"    {test.id}")
        for test in wrong:
            self.say(f"test: error: {test.id} ran {self.ends[test.id]} times")

    def report_slowest(self):
        slowest = sorted(self.outcomes.items(), key=lambda pair: -pair[1].seconds)[:SLOWEST]
        self.say(f"test: the {len(slowest)} slowest tests (! above {MOST_SECONDS} s, which belong to `make prove`):")
        for test, outcome in slowest:
            mark = "!" if outcome.seconds > MOST_SECONDS * self.options.repeat else " "
            self.say(f"{outcome.seconds:8.2f} s {mark} {self.title(test)}")

    def durations(self, before):
        """The durations of the units without a failure, and those that were known of the others."""
        units = {}
        for name, test in self.chosen.items():
            units.setdefault(test.unit, []).append(self.outcomes.get(name))
        counts = collections.Counter(test.unit for test in self.everything)
        new = {unit: round(sum(outcome.seconds for outcome in group) / self.options.repeat, 3)
               for unit, group in units.items()
               if len(group) == counts[unit] and all(outcome and outcome.status != "failed" for outcome in group)}
        return {unit: seconds for unit, seconds in (before | new).items() if unit in counts}


def indented(text):
    """A message for the report. An expectation may print whole files."""
    lines = text.split("\n")
    if len(lines) > LONGEST_TEXT:
        half = LONGEST_TEXT // 2
        lines[half:-half] = [f"… {len(lines) - 2 * half} lines, which are in the logs …"]
    return "\n".join("    " + line for line in lines)


# MARK: The command

def parse(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--filter", action="append", default=[], metavar="TEXT",
                        help="only tests whose name, or name with module, suite and file, contains the text")
    parser.add_argument("--skip", action="append", default=[], metavar="TEXT", help="but not those that contain this text")
    parser.add_argument("--tag", choices=TAGS, help="only tests with the tag")
    parser.add_argument("--order", type=int, metavar="SEED", help="run the suites in another order")
    parser.add_argument("--jobs", type=int, default=JOBS, metavar="N", help=f"processes at once (default: {JOBS})")
    parser.add_argument("--repeat", type=int, default=1, metavar="N", help="run each test N times, or until one fails")
    parser.add_argument("--limit", type=float, default=RUN_LIMIT, metavar="SECONDS", help="end everything after this time")
    parser.add_argument("--test-limit", type=float, default=TEST_LIMIT, metavar="SECONDS",
                        help="end a process that does not start or end a test for this time")
    parser.add_argument("--stop-after", type=float, metavar="SECONDS",
                        help="begin no suites after this time; tests that did not run are not failures")
    parser.add_argument("--list", action="store_true", help="print the tests instead of running them")
    parser.add_argument("--logs", default=os.path.join(FOLDER, "test-logs"), metavar="FOLDER", help=argparse.SUPPRESS)
    parser.add_argument("--binary", default=BINARY, help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.jobs < 1 or options.repeat < 1:
        parser.error("--jobs and --repeat are 1 or more")
    options.repetition = []
    if options.repeat > 1:
        options.repetition = ["--repetitions", str(options.repeat), "--repeat-until", "fail"]
    return options


def list_tests(command, folder):
    """All tests of the binary."""
    path = os.path.join(folder, "list.jsonl")
    arguments = ["--list-tests", "--event-stream-output-path", path, "--event-stream-version", "0"]
    try:
        result = subprocess.run(command + arguments, cwd=PACKAGE, env=environment(), stdout=subprocess.DEVNULL,
                                stderr=subprocess.PIPE, text=True, timeout=LIST_LIMIT)
    except subprocess.TimeoutExpired:
        raise UsageError(f"the tests cannot be listed: no end after {LIST_LIMIT} s") from None
    if result.returncode != 0 or not os.path.exists(path):
        raise UsageError(f"the tests cannot be listed ({ended_by(result.returncode)}): {result.stderr.strip()[-2000:]}")
    sources = {}

    def read_source(path):
        if path not in sources:
            with open(path, encoding="utf-8") as file:
                sources[path] = file.read()
        return sources[path]

    with open(path, encoding="utf-8") as file:
        return read_tests(file.read().splitlines(), read_source)


def state(binary):
    """The facts of a test binary that change with each build."""
    status = os.stat(binary)
    return [binary, status.st_mtime_ns, status.st_size]


def known_tests(binary, folder):
    """The tests of an earlier run with the same build. The sources may have changed since."""
    known = read_json(os.path.join(folder, TESTS))
    if known.get("binary") != state(binary):
        return None
    return [Test(name, title, unit, frozenset(tags)) for name, title, unit, tags in known["tests"]]


def remember_tests(tests, binary, folder):
    value = {"binary": state(binary), "tests": [[*test[:3], sorted(test.tags)] for test in tests]}
    write_json(os.path.join(folder, TESTS), value)


def read_json(path):
    try:
        with open(path, encoding="utf-8") as file:
            return json.load(file)
    except (OSError, ValueError):
        return {}


def write_json(path, value):
    with open(path + ".new", "w", encoding="utf-8") as file:
        json.dump(value, file, indent=0, sort_keys=True)
    os.replace(path + ".new", path)


def run_in_one_process(options):
    """Runs the tests with SwiftPM where the test bundle is not a program: one process, and its own report.

    Only that process ends what hangs, by the time limits of the tests; a longer limit changes nothing."""
    refused = {"--tag": options.tag is not None, "--order": options.order is not None, "--list": options.list,
               "--stop-after": options.stop_after is not None, "--limit": options.limit < RUN_LIMIT,
               "--test-limit": options.test_limit < TEST_LIMIT}
    if names := [name for name, is_given in refused.items() if is_given]:
        raise UsageError(f"{' and '.join(names)} cannot be used on macOS, where SwiftPM runs the tests: run this on Linux")
    command = ["swift", "test", "--skip-build", "--disable-xctest", "--no-parallel"]
    command += ["--enable-swift-testing", "--scratch-path", options.binary.split("/")[0]]
    if "helium-examples" in options.binary:
        command += ["--package-path", "Examples"]
    for text in options.filter:
        command += ["--filter", re.escape(text)]
    for text in options.skip:
        command += ["--skip", re.escape(text)]
    return subprocess.run(command + options.repetition, cwd=PACKAGE, env=environment()).returncode


def main(arguments):
    options = parse(arguments)
    if platform.system() == "Darwin":
        return run_in_one_process(options)
    binary = os.path.join(PACKAGE, options.binary)
    if not os.path.exists(binary):
        raise UsageError(f"{options.binary} does not exist: run `swift build --build-tests` first")
    folder = os.path.join(PACKAGE, options.logs)
    with processes.lock(folder):
        return run_with_logs(options, binary, folder)


def run_with_logs(options, binary, folder):
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    command = [binary, "--testing-library", "swift-testing"]
    everything = known_tests(binary, os.path.dirname(folder)) or list_tests(command, folder)
    remember_tests(everything, binary, os.path.dirname(folder))
    tests = selected(everything, options.filter, options.skip, options.tag)
    if options.list:
        for test in tests:
            print(test.id, *sorted(f".{tag}" for tag in test.tags))
        return 0
    # Beside the logs: a sanitizer, and the load of Scripts/flaky.py, make other durations.
    path = os.path.join(os.path.dirname(folder), DURATIONS)
    before = read_json(path) or read_json(os.path.join(PACKAGE, FOLDER, DURATIONS))
    run = Run(tests, everything, command, folder, options)
    run.perform(before)
    is_well = run.report()
    if "HELIUM_PROOF_SECONDS" not in os.environ:
        write_json(path, run.durations(before))
    write_json(os.path.join(folder, "results.json"), {
        "failed": sorted([test for test, outcome in run.outcomes.items() if outcome.status == "failed"]
                         + list(run.others) + [test.id for test in run.missing() + run.repeated()]),
        "seconds": {test: round(outcome.seconds, 3) for test, outcome in run.outcomes.items()},
    })
    return 0 if is_well else 1


if __name__ == "__main__":
    # So that the processes of the tests end with this one.
    processes.exit_at_signals()
    # A shell ignores SIGINT for what it starts in the background. The tests interrupt their processes, which inherit that
    # unless it is handled here.
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        signal.signal(signal.SIGINT, lambda *_: None)
    try:
        sys.exit(main(sys.argv[1:]))
    except (UsageError, processes.LockedError, OSError) as error:
        print(f"test: error: {error}", file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(130)
