#!/usr/bin/env python3
"""Finds tasks that are resumed or cancelled under a lock (Docs/Internals.md, "Resume outside of locks").

  Scripts/locks.py            checks the sources

It reports each call of `resume`, `yield`, `finish`, `settle`, `cancel` or `deliver` in a closure of `withLock`, except in the
body of a `Task` or a nested function, which run later. A call is correct if no cancellation handler of the task that it resumes can wait for the lock.
Then a comment with the reason, `// Under the lock: …`, is on the line before it. It does not see calls in functions that a closure calls.
"""

import re
import subprocess
import sys

sys.dont_write_bytecode = True  # before our own modules: the source tree stays clean

import swiftcode

CALLS = {"resume", "yield", "finish", "settle", "cancel", "deliver"}
REASON = re.compile(r"^\s*// Under the lock: \S")


def closing(tokens, opening):
    depth = 0
    for index in range(opening, len(tokens)):
        if tokens[index].text == "{":
            depth += 1
        elif tokens[index].text == "}":
            depth -= 1
            if depth == 0:
                return index
    return len(tokens)


def calls_under_lock(text):
    """The lines of the calls that have no reason."""
    tokens = swiftcode.tokenized(text)
    words = [token.text for token in tokens]
    lines, found = text.split("\n"), set()
    for start, word in enumerate(words):
        if word != "withLock" or start == 0 or words[start - 1] != ".":
            continue
        opening = start + 1
        if opening < len(words) and words[opening] == "(":
            opening += 1
        if opening >= len(words) or words[opening] != "{":
            continue
        end, index = closing(tokens, opening), opening
        while index < end:
            index += 1
            if words[index:index + 1] == ["Task"] and words[index + 1:index + 2] == ["{"]:
                index = closing(tokens, index + 1)
            elif words[index:index + 1] == ["func"]:
                index = closing(tokens, words.index("{", index))
            elif words[index:index + 1] == ["."] and words[index + 1] in CALLS and words[index + 2] == "(":
                # A pattern or a value of an enumeration, such as `.finish(x)`, follows no value. A method of the locked
                # state or of its type is not one of a task.
                follows = (re.match(r"[\w)\]?!}]", text[tokens[index].start - 1])
                           and words[index - 1] not in ("$0", "Self", "self"))
                number = text.count("\n", 0, tokens[index].start)
                if follows and not REASON.match(lines[number - 1]):
                    found.add(number + 1)
    return sorted(found)


def main():
    listed = subprocess.run(["git", "ls-files", "-z", "Sources/*.swift", "Tests/Support/*.swift"],
                            check=True, capture_output=True, text=True).stdout
    failed = False
    for name in filter(None, listed.split("\0")):
        with open(name, encoding="utf-8") as file:
            for line in calls_under_lock(file.read()):
                failed = True
                print(f"{name}:{line}: resumes or cancels a task under a lock; do it after the lock is released")
    sys.exit(failed)


if __name__ == "__main__":
    main()
