#!/usr/bin/env python3
"""Checks the text of comments, messages and pages, as far as a script can (rules: CONTRIBUTING.md, "Text").

  Scripts/prose.py            checks the sources, DocC articles and Docs

It reports summaries of doc comments that begin with an interrogative, words that the project does not use, section signs
whose page is not named, links to pages and files that do not exist, and doc comments whose parameters are not those
of the declaration. Exit status 1 if there are any. Messages are the literals that Scripts/messages.py lists.
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

PARAMETER = re.compile(r"^\s*///\s*- Parameter\s+`?(\w+)`?\s*:", re.IGNORECASE)
PARAMETERS = re.compile(r"^\s*///(\s*)- Parameters\s*:\s*$", re.IGNORECASE)
ITEM = re.compile(r"^\s*///(\s*)- `?(\w+)`?\s*:")
# Swift, as far as a list of parameters needs it. Comments and string literals are single tokens.
TOKEN = re.compile(r'//[^\n]*|/\*.*?\*/|(#*)""".*?"""\1|(#*)"(?:\\.|[^"\\\n])*"\2|`\w+`|\w+|->|\S', re.DOTALL)
MODIFIERS = {
    "public", "package", "internal", "fileprivate", "private", "open", "static", "class", "final", "override", "required",
    "convenience", "mutating", "nonmutating", "consuming", "borrowing", "nonisolated", "isolated", "dynamic", "distributed",
    "indirect", "prefix", "postfix", "infix",
}
DECLARATIONS = {"func", "init", "subscript", "macro", "case"}


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
    """The lines outside of fenced code, without the contents of code spans."""
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


def documented(block):
    """The parameters that a doc comment documents: offset of the line, and name."""
    outer = inner = None
    for offset, line in enumerate(block):
        if single := PARAMETER.match(line):
            outer = None
            yield offset, single[1]
        elif several := PARAMETERS.match(line):
            outer, inner = len(several[1]), None
        elif outer is not None and (item := ITEM.match(line)):
            depth = len(item[1])
            if depth <= outer:
                outer = None
            elif inner is None or depth <= inner:
                inner = depth
                yield offset, item[2]


def after_parentheses(tokens, index):
    """The index behind the parenthesis that closes the one at `index`; `index` itself if none opens there."""
    depth = 0
    for place in range(index, len(tokens)):
        depth += {"(": 1, ")": -1}.get(tokens[place], 0)
        if depth == 0:
            return place + 1 if place > index else index
    return index


def after_attributes(tokens, index):
    while tokens[index] == "@":
        index += 2
        while tokens[index] == ".":
            index += 2
        index = after_parentheses(tokens, index)
    return index


def declared(text):
    """Whether the declaration at the beginning of `text` is marked public, and the names of its parameters; `None` instead
    of the names for a declaration that has no parameters."""
    # The last tokens are empty, so that those behind an index can be read.
    tokens = [match[0] for match in TOKEN.finditer(text) if not match[0].startswith(("//", "/*"))] + [""] * 4
    index, is_public = after_attributes(tokens, 0), False
    while tokens[index] in MODIFIERS:
        is_public = is_public or tokens[index] in ("public", "open")
        index = after_attributes(tokens, after_parentheses(tokens, index + 1))
    if tokens[index] not in DECLARATIONS or "(" not in tokens[index:]:
        return is_public, None
    opening = tokens.index("(", index)
    if tokens[index] == "case" and opening != index + 2:
        return is_public, None
    names, depth = [], 0
    for place in range(opening, len(tokens)):
        depth += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(tokens[place], 0)
        if depth == 0:
            break
        if depth == 1 and tokens[place] in ("(", ","):
            # A label and a name, or one word that is both.
            first = after_attributes(tokens, place + 1)
            last = first + 1 if tokens[first + 2] == ":" else first
            if re.match(r"[`\w]", tokens[first]) and tokens[last + 1] == ":":
                names.append(tokens[last].strip("`"))
    return is_public, names


def indentation(line):
    return len(line) - len(line.lstrip())


def is_in_public_protocol(lines, index):
    """Whether the declaration at `index` is a requirement of a public protocol. Sources are formatted: the nearest line
    above that is indented less begins the type."""
    for line in reversed(lines[:index]):
        if line.strip() and not line.startswith("#") and indentation(line) < indentation(lines[index]):
            return "public protocol " in line
    return False


def check_parameters(name, lines, start, block):
    """The parameters of a doc comment are those of the declaration below it. A comment of a public declaration that
    documents one parameter documents all of them, as DocC demands; others may document those that need it."""
    parameters = list(documented(block))
    if not parameters:
        return
    below = start - 1 + len(block)
    is_public, names = declared("\n".join(lines[below:below + 100]))
    if names is None:
        yield f"{name}:{start + parameters[0][0]}: parameters of a declaration that has none"
        return
    seen = set()
    for offset, parameter in parameters:
        if parameter in seen:
            yield f"{name}:{start + offset}: parameter {parameter} is documented twice"
        elif parameter not in names:
            yield f"{name}:{start + offset}: parameter {parameter} is documented but not declared"
        seen.add(parameter)
    if is_public or is_in_public_protocol(lines, start - 1):
        for parameter in names:
            if parameter not in seen and parameter != "_":
                yield f"{name}:{start + parameters[0][0]}: parameter {parameter} is not documented"


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
            text = file.read()
        for start, block in comments(text):
            faults += check_comment(name, start, block)
            faults += check_parameters(name, text.split("\n"), start, block)
        if name.startswith("Sources/"):
            faults += check_messages(name, text)
    for name in files("*.md"):
        with open(name, encoding="utf-8") as file:
            faults += check_page(name, file.read())
    for fault in faults:
        print(f"prose: {fault}", file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
