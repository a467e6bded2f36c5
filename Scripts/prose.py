#!/usr/bin/env python3
"""Checks the text of comments, messages and pages, as far as a script can (rules: CONTRIBUTING.md, "Text").

  Scripts/prose.py            checks the sources, DocC articles and Docs

It reports summaries of doc comments that begin with an interrogative, words that the project does not use, section signs
whose page is not named, and links to pages and files that do not exist. Exit status 1 if there are any. Messages are the
literals that Scripts/messages.py lists.
"""

import os
import re
import subprocess
import sys

sys.dont_write_bytecode = True  # before our own modules: the source tree stays clean

import messages

# "Whether" begins the summary of a Boolean value, as in the standard library.
INTERROGATIVE = re.compile(r"^\s*/// (What|Who|Whom|Whose|Where|When|How|Why|Which|As|That|For whom)\b")
WORDS = re.compile(r"\b(anew|in vain|for good|at hand|nobody|everybody|whom|goodbye)\b", re.IGNORECASE)
# "X is no Y" in a message should be "X is not a Y".
MESSAGE_WORDS = re.compile(WORDS.pattern + r"|(?<!there )\bis no\b(?! longer)", re.IGNORECASE)
SECTION = re.compile(r"§")
# What names the page of a section: a file, or an RFC, in the same comment or paragraph.
PAGE = re.compile(r"[A-Za-z]+\.md|RFC \d+|^\s*/// \d{4} §|WHATWG|SP 800|Unicode Standard|UAX|POSIX|FIPS")
LINK = re.compile(r"\[[^\]]*\]\(([^)#\s]+)(#[^)]*)?\)")


def files(*patterns):
    listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", *patterns],
                            check=True, capture_output=True, text=True).stdout
    return [name for name in listed.split("\0") if name and os.path.isfile(name)]


def comments(text):
    """The comments that take whole lines: number of the first line, and the lines."""
    block, start = [], 0
    for number, line in enumerate(text.split("\n"), 1):
        if re.match(r"^\s*//", line):
            if not block:
                start = number
            block.append(line)
        elif block:
            yield start, block
            block = []
    if block:
        yield start, block


def prose(lines):
    """The lines outside of fenced code, with what stands in code spans taken out."""
    is_code = False
    for offset, line in enumerate(lines):
        if "```" in line:
            is_code = not is_code
        elif not is_code:
            yield offset, re.sub(r"`[^`]*`", "``", line)


def check_comment(name, start, block):
    if INTERROGATIVE.match(block[0]):
        yield f"{name}:{start}: the summary begins with an interrogative: {block[0].strip()}"
    for offset, line in prose(block):
        for word in WORDS.findall(line):
            yield f"{name}:{start + offset}: \"{word}\""
    if any(SECTION.search(line) for line in block) and not any(PAGE.search(line) for line in block):
        yield f"{name}:{start}: a section without its page: {next(l for l in block if '§' in l).strip()}"


def check_messages(name, source):
    for message in messages.messages(source):
        for word in MESSAGE_WORDS.finditer(message.prose):
            yield f"{name}:{source.count(chr(10), 0, message.start) + 1}: \"{word.group()}\""


def check_page(name, text):
    for offset, line in prose(text.split("\n")):
        # The last column of the threat model has names of tests.
        checked = line.rsplit("|", 2)[0] if name.endswith("ThreatModel.md") and line.startswith("|") else line
        for word in WORDS.findall(checked):
            yield f"{name}:{offset + 1}: \"{word}\""
        for target, _ in LINK.findall(line):
            if "://" in target or target.startswith("mailto:"):
                continue
            if not os.path.exists(os.path.normpath(os.path.join(os.path.dirname(name), target))):
                yield f"{name}:{offset + 1}: a link that leads nowhere: {target}"
    # Pages of a protocol cite their own sections.
    if name.startswith("Docs/Protocols/"):
        return
    for number, paragraph in enumerate(text.split("\n\n"), 1):
        if SECTION.search(paragraph) and not PAGE.search(paragraph) and "](Protocols/" not in text:
            yield f"{name}: paragraph {number}: a section without its page: {paragraph.strip()[:100]}"


def main():
    os.chdir(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    faults = []
    for name in files("Sources/*.swift", "Tests/*.swift", "Examples/*.swift"):
        with open(name, encoding="utf-8") as file:
            source = file.read()
        for start, block in comments(source):
            faults += check_comment(name, start, block)
        if name.startswith("Sources/"):
            faults += check_messages(name, source)
    for name in files("*.md"):
        with open(name, encoding="utf-8") as file:
            faults += check_page(name, file.read())
    for fault in faults:
        print(f"prose: {fault}", file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
