#!/usr/bin/env python3
"""Writes each text of the sources that a user can read to Docs/Messages.txt, or checks that it is what that file says.

  Scripts/messages.py           writes the file
  Scripts/messages.py --check   exit status 1 and the differences if a text is not as the file says

A text is a string literal with a word and a space: errors, responses of the server, logs, help of the tool. Literals that are
joined by + are one text. Interpolations are kept as they are written. SQL, markup and scripts are left out.
A change of the file shows in the review of the change.
"""

import difflib
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
GOLDEN = "Docs/Messages.txt"

# The beginnings of comments and string literals; regular expressions, and names in backquotes.
QUOTES = r'(#*)("""(?=[ \t]*\n)|")'
START = re.compile(rf"//|/\*|{QUOTES}|#+/|(?<=[(,:=\[ ])/(?![ /*=])(?:\\.|[^/\\\n])+/|`[^`\n]*`")
COMMENT = re.compile(r"/\*|\*/")
INSIDE = re.compile(rf"[()]|//|/\*|{QUOTES}")
PLUS = re.compile(r"\s*\+\s*")
WORD = re.compile(r"[A-Za-z]{2}")
SPACE = re.compile(r"[ \n]")
# Literals that users do not read as text: SQL and parts of it, markup, scripts and generated code, heads of HTTP.
SQL = re.compile(
    r"\s*\(?(ALTER|AND|BEGIN|CASE|CAST|COALESCE|COMMIT|CREATE|DELETE|DROP|EXISTS|FROM|GROUP|INDEXED|INNER|INSERT|INTERSECT|JOIN|LEFT"
    r"|LIMIT|NOT|ON|OR|ORDER|PRAGMA|PRIMARY|REFERENCES|RELEASE|ROLLBACK|SAVEPOINT|SELECT|SET|UNION|UNIQUE|UPDATE|VALUES|WHERE|WITH)\b"
)
SQL_PART = re.compile(r"[=<>] ?[?:]|\bIS (NOT )?NULL\b|\b(IN|EXISTS) \(|\b(ORDER|INDEXED) BY\b|\b(AND|CROSS|MATCH|DESC|WHERE)\b")
MARKUP = re.compile(r"\s*<[/?!a-z]")
CODE = re.compile(r"[{;]\\n")
HEAD = re.compile(
    r"HTTP/1\.1 |(Basic|Bearer|Token) |[a-z]+/[a-z-]+; "
    r"|(Accept|Accept-Encoding|Connection|Content-[A-Za-z]+|Host|Location|Retry-After|Transfer-Encoding|User-Agent|X-[A-Z][A-Za-z]+)[:,] "
)


class Literal:
    """A string literal: where it begins and ends in the source, its text, and those parts of its text that are not code."""

    def __init__(self, start):
        self.start, self.end, self.text, self.prose = start, start, "", ""

    def append(self, other):
        """Joins a literal that follows after a plus."""
        self.end, self.text, self.prose = other.end, self.text + other.text, self.prose + other.prose


def end_of_comment(source, start):
    """The offset after the comment that begins at `start`. Block comments nest."""
    if source.startswith("//", start):
        end = source.find("\n", start)
        return len(source) if end < 0 else end
    depth = 0
    for match in COMMENT.finditer(source, start):
        depth += 1 if match.group() == "/*" else -1
        if depth == 0:
            return match.end()
    raise ValueError("a comment does not end")


def interpolation(source, start):
    """The offset after the parenthesis that closes the one before `start`, and the literals inside."""
    depth, position, inner = 1, start, []
    while match := INSIDE.search(source, position):
        position = match.end()
        if match.group() == "(":
            depth += 1
        elif match.group() == ")":
            depth -= 1
            if depth == 0:
                return position, inner
        elif match.group(2):
            inner.append(literal(source, match))
            position = inner[-1].end
        else:
            position = end_of_comment(source, match.start())
    raise ValueError("an interpolation does not end")


def literal(source, opening):
    """The literal whose first quotation marks `opening` matched."""
    hashes, quotes = opening.groups()
    is_multiline = len(quotes) == 3
    special = re.compile(rf"\\{hashes}|{quotes}{hashes}" + ("" if is_multiline else r"|\n"))
    result, position, parts, prose = Literal(opening.start()), opening.end(), [], []
    while mark := special.search(source, position):
        parts.append(source[position:mark.start()])
        prose.append(parts[-1])
        position = mark.end()
        if mark.group() == "\n":
            break
        if not mark.group().startswith("\\"):
            result.end = position
            result.text, result.prose = ("".join(each) for each in (parts, prose))
            if is_multiline:
                result.text = dedented(result.text)
            result.text = result.text.replace("\n", "\\n")
            return result
        if source[position] == "(":
            position, inner = interpolation(source, position + 1)
            parts.append(source[mark.start():position])
            # The code is left out of the prose, except for the literals in it.
            prose += [each.prose for each in inner]
        elif is_multiline and (line_break := re.compile(r"[ \t]*\n").match(source, position)):
            parts.append("\0")  # a line that goes on
            position = line_break.end() - 1
        else:
            parts.append('"' if source[position] == '"' else source[mark.start():position + 1])
            position += 1
    raise ValueError(f"a string literal does not end: {source[opening.start():opening.start() + 60]!r}")


def dedented(text):
    """The contents of a multi-line literal, whose last line is the indentation of all."""
    lines = text.split("\n")[1:]
    indentation = lines.pop()
    return "\n".join(line.removeprefix(indentation) for line in lines).replace("\0\n", "")


def literals(source):
    """The literals of a Swift source outside of comments, in order. Those joined by + are one."""
    found, position = [], 0
    while match := START.search(source, position):
        if match.group(2):
            this = literal(source, match)
            position = this.end
            if found and PLUS.fullmatch(source, found[-1].end, this.start):
                found[-1].append(this)
            else:
                found.append(this)
        elif match.group() in ("//", "/*"):
            position = end_of_comment(source, match.start())
        elif match.group().startswith("#"):
            position = source.index("/" + "#" * (len(match.group()) - 1), match.end()) + len(match.group())
        else:
            position = match.end()
    return found


def is_message(this):
    """Whether users can read the literal as text."""
    if not WORD.search(this.prose) or not SPACE.search(this.prose):
        return False
    if any(pattern.match(this.text) for pattern in (SQL, MARKUP, HEAD)):
        return False
    return not SQL_PART.search(this.prose) and not CODE.search(this.text)


def messages(source):
    """The literals of a Swift source that users can read as text, in order."""
    return [this for this in literals(source) if is_message(this)]


def texts(source):
    """The texts of the messages of a Swift source, sorted."""
    return sorted({this.text for this in messages(source)})


def sources():
    """The Swift files of the libraries and the tool, sorted."""
    listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "Sources/*.swift"],
                            check=True, capture_output=True, text=True).stdout
    return sorted(name for name in listed.split("\0") if name and os.path.isfile(name))


def golden():
    """The lines of the golden file: the path of each source that has messages, and the messages."""
    lines = []
    for name in sources():
        with open(name, encoding="utf-8") as file:
            try:
                found = texts(file.read())
            except ValueError as error:
                raise SystemExit(f"messages: {name}: {error}") from None
        if found:
            lines += [name + "\n"] + [f"  {text}\n" for text in found]
    return lines


def main():
    os.chdir(ROOT)
    now = golden()
    if "--check" not in sys.argv[1:]:
        with open(GOLDEN, "w", encoding="utf-8") as file:
            file.writelines(now)
        print(f"messages: {GOLDEN}: {sum(line.startswith(' ') for line in now)} texts")
        return 0
    before = open(GOLDEN, encoding="utf-8").readlines() if os.path.exists(GOLDEN) else []
    changed = list(difflib.unified_diff(before, now, GOLDEN, "now", n=0))
    sys.stderr.writelines(changed)
    if changed:
        print(f"messages: the texts differ from {GOLDEN}; if that is meant, run: make messages", file=sys.stderr)
    return 1 if changed else 0


if __name__ == "__main__":
    sys.exit(main())
