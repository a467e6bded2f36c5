"""Finds functions in Swift sources, and expressions and statements in their bodies.

It reads tokens and brackets, not grammar: as much as Scripts/mutate.py needs to name a place in a function in a way
that survives renames and new formatting elsewhere.
"""

import collections
import difflib
import re
import sys

sys.dont_write_bytecode = True  # before our own modules: the source tree stays clean

import messages

HOLE = "…"  # in a pattern or a change: the expression or statement that is found there
WORD = re.compile(r"[#@]?[^\W\d]\w*|\$\w+")
NUMBER = re.compile(r"\d\w*(?:\.\d\w*)?(?:(?<=[eEpP])[+-]?\d+)?")
OPERATOR = re.compile(r"\.\.[.<]|[-/=+!*%<>&|^~?]+")
SPACE = re.compile(r"\s+")
OPENING = {"(": ")", "[": "]", "{": "}"}
CLOSING = set(OPENING.values())
ASSIGNMENT = re.compile(r"(?![=!<>]=$|[=!]==$|~=$).*=$")
SEPARATORS = {",", ";", ":", "&&", "||", "->"}  # besides assignments and the question mark of `a ? b : c`
COMPARISON = {"==", "!=", "<", "<=", ">", ">=", "===", "!==", "~="}
TYPES = {"struct", "class", "enum", "actor", "protocol", "extension"}
HEADERS = {"if", "guard", "while", "for", "switch", "catch"}
# What a wrapped expression may follow, or end before.
BEFORE = HEADERS | {
    "return", "throw", "try", "await", "in", "case", "where", "else", "let", "var", "default", "do", "defer", "repeat",
}
AFTER = {"else", "where", "in", "case", "catch"}
# Words with which a line goes on the statement of the line before.
ONWARD = {"else", "catch", "where", "as", "is", "in"}
BODILESS = {"func", "var", "let", "init", "subscript", "case", "deinit", "associatedtype", "typealias"} | TYPES

Token = collections.namedtuple("Token", "text start end is_binary starts_line kind")
Parameter = collections.namedtuple("Parameter", "label type")  # the type is a tuple of token texts, or None
Part = collections.namedtuple("Part", "name parameters")  # the parameters are None if there are none, or any do
Function = collections.namedtuple("Function", "path first last")  # the body's tokens; `last` is not one of them


class SwiftError(Exception):
    """A source, a name or a pattern that leads to nothing, or to more than one place."""


# MARK: Tokens

def tokenized(text):
    """The tokens of a Swift source or of a pattern. Comments are left out. A string literal is one token, with its interpolations."""
    tokens, position, is_spaced, is_new_line = [], 0, True, True
    while position < len(text):
        if space := SPACE.match(text, position):
            position, is_spaced, is_new_line = space.end(), True, is_new_line or "\n" in space.group()
            continue
        start, kind = position, "other"
        special = messages.START.match(text, position)
        if special and special.group() in ("//", "/*"):
            position, is_spaced = messages.end_of_comment(text, position), True
            continue
        if special and special.group(2):
            position, kind = messages.literal(text, special).end, "string"
        elif special and special.group().startswith("#"):
            position = text.index("/" + "#" * (len(special.group()) - 1), special.end()) + len(special.group())
        elif special:
            position, kind = special.end(), "word" if special.group().startswith("`") else "other"
        elif word := WORD.match(text, position):
            position, kind = word.end(), "word"
        elif number := NUMBER.match(text, position):
            position = number.end()
        elif operator := OPERATOR.match(text, position):
            # Marks of optionals and angle brackets follow without a space, and may be followed by others.
            is_mark = not is_spaced and operator.group()[0] in "<>?!" and operator.group() not in ("!=", "!==")
            position, kind = start + 1 if is_mark else operator.end(), "operator"
        else:
            position = start + 1
        is_followed_by_space = position == len(text) or text[position].isspace()
        is_binary = kind == "operator" and is_spaced and is_followed_by_space
        tokens.append(Token(text[start:position], start, position, is_binary, is_new_line, kind))
        is_spaced = is_new_line = False
    return tokens


def is_same(token, other):
    """Whether two tokens are the same. Angle brackets are not the operators that look like them."""
    return token.text == other.text and (token.text not in ("<", ">") or token.is_binary == other.is_binary)


class Source:
    """A Swift source: its tokens, the bracket around each, and its functions."""

    def __init__(self, text):
        self.text, self.tokens = text, tokenized(text)
        self.partner, self.parent = {}, []
        openings = []
        for index, token in enumerate(self.tokens):
            if token.text in CLOSING:
                if not openings or OPENING[self.tokens[openings[-1]].text] != token.text:
                    raise SwiftError(f"line {self.line(index)}: {token.text} closes nothing")
                opening = openings.pop()
                self.partner[opening], self.partner[index] = index, opening
            self.parent.append(openings[-1] if openings else -1)
            if token.text in OPENING:
                openings.append(index)
        if openings:
            raise SwiftError(f"line {self.line(openings[-1])}: {self.tokens[openings[-1]].text} is not closed")
        self.functions = functions(self)

    def line(self, index):
        """The number of the line of a token."""
        return self.text.count("\n", 0, self.tokens[index].start) + 1

    def word(self, index):
        """The text of a token; empty before the first and after the last."""
        return self.tokens[index].text if 0 <= index < len(self.tokens) else ""

    def slice(self, first, last):
        """The text from the first token to the one before the last."""
        return self.text[self.tokens[first].start:self.tokens[last - 1].end] if first < last else ""

    def next(self, index):
        """The token after this one, or after the bracket that it opens."""
        return (self.partner[index] if self.word(index) in OPENING else index) + 1

    def previous(self, index):
        """The token before this one; the opening one of a pair of brackets that ends there."""
        before = index - 1
        return self.partner[before] if self.word(before) in CLOSING else before

    def goes_on(self, index):
        """Whether a token at the beginning of a line belongs to the statement of the line before."""
        token, before = self.tokens[index], self.tokens[index - 1]
        return token.text in (".", "{", "?", ":") or token.text in ONWARD or token.is_binary \
            or before.text == "," or before.is_binary

    def begins(self, index):
        """Whether a token is the first of its statement."""
        parent = self.parent[index]
        if parent >= 0 and self.word(parent) != "{":
            return False
        if index == parent + 1 or self.word(index - 1) == ";":
            return True
        return self.tokens[index].starts_line and not self.goes_on(index)

    # MARK: Expressions and statements

    def is_separator(self, index):
        """Whether a token separates expressions that can be replaced each by itself."""
        token = self.tokens[index]
        return token.text in SEPARATORS or token.text == "?" and token.is_binary \
            or token.kind == "operator" and bool(ASSIGNMENT.match(token.text))

    def is_in_header(self, index):
        """Whether a token is in the head of an `if`, `guard`, `while`, `for` or `switch`, which ends at its brace."""
        parent = self.parent[index]
        while self.word(index) not in HEADERS:
            if self.begins(index):
                return False
            index = self.previous(index)
            if index <= parent or self.word(index) == "{":
                return False
        return True

    def left(self, index):
        """The first token of the expression around a token."""
        while True:
            before = index - 1
            if before == self.parent[index] or self.begins(index) or self.is_separator(before):
                return index
            # The mark of `try?` and `try!` is a token of its own.
            word = before - 1 if self.word(before) in ("?", "!") and self.word(before - 1) == "try" else before
            if self.word(word) in BEFORE and self.word(word - 1) != ".":
                return index
            index = self.previous(index)

    def right(self, index):
        """The token after the expression around a token."""
        is_in_header = self.is_in_header(index)
        while True:
            index = self.next(index)
            if index >= len(self.tokens) or self.word(index) in CLOSING:
                return index
            if self.begins(index) or self.is_separator(index):
                return index
            if self.word(index) in AFTER or (is_in_header and self.word(index) == "{"):
                return index

    def statement(self, index):
        """The first token of the statement around a token, and the one after its last."""
        first, last = index, index
        while not self.begins(first):
            before = first - 1
            # What is after the parameters of a closure, or after the colon of a case, may be in the same line.
            if self.word(before) == "in" and not self.is_in_header(before) or self.ends_case(before):
                break
            first = self.previous(first)
        while True:
            last = self.next(last)
            if last >= len(self.tokens) or self.word(last) in CLOSING or self.word(last) == ";" or self.begins(last):
                return first, last

    def ends_case(self, index):
        """Whether a token is the colon of a `case` or `default`."""
        if self.word(index) != ":":
            return False
        parent, first = self.parent[index], index
        while not self.begins(first):
            first = self.previous(first)
            if first <= parent:
                return False
        colons = [place for place in range(first, index) if self.parent[place] == parent and self.word(place) == ":"]
        return self.word(first) in ("case", "default") and not colons

    # MARK: Patterns

    def matches(self, pattern, function):
        """The places of a pattern in a function: for each, the ranges of tokens of the whole and of its hole, if it has one."""
        tokens = tokenized(pattern)
        holes = [index for index, token in enumerate(tokens) if token.text == HOLE]
        if len(holes) > 1 or len(tokens) == len(holes):
            raise SwiftError(f"`{pattern}` needs tokens, and at most one {HOLE}")
        if not holes:
            return [(place, place + len(tokens), None) for place in range(function.first, function.last)
                    if self.has(tokens, place, function)]
        prefix, suffix = tokens[:holes[0]], tokens[holes[0] + 1:]
        found = []
        for place in range(function.first, function.last):
            if prefix:
                first = place + len(prefix)
                if not self.has(prefix, place, function) or first >= function.last or self.word(first) in CLOSING:
                    continue
                last = self.right(first)
                if not self.has(suffix, last, function):
                    continue
            else:
                last = place
                if not self.has(suffix, last, function) or self.word(last - 1) in OPENING or self.begins(last):
                    continue
                first = self.left(self.previous(last))
            found.append((place if prefix else first, last + len(suffix), (first, last)))
        return found

    def has(self, tokens, place, function):
        """Whether the function has these tokens at a place."""
        if place + len(tokens) > function.last:
            return False
        return all(is_same(token, self.tokens[place + offset]) for offset, token in enumerate(tokens))

    def place(self, pattern, function):
        """The one place of a pattern in a function; raises SwiftError if it has none or several."""
        found = self.matches(pattern, function)
        if len(found) != 1:
            lines = ", ".join(str(self.line(first)) for first, _, _ in found)
            raise SwiftError(f"`{pattern}` occurs {len(found)} times in {name(function.path)}, not once"
                             + (f" (lines {lines})" if found else ""))
        return found[0]

    def expression(self, pattern, function):
        """The tokens of the expression that a pattern names: its hole, or the smallest that contains what it matches."""
        first, last, hole = self.place(pattern, function)
        if hole:
            first, last = hole
            # Comparisons are what binds least between separators.
            if self.left(first) != first and self.word(first - 1) not in COMPARISON \
                    or self.right(first) != last and self.word(last) not in COMPARISON:
                raise SwiftError(f"`{pattern}`: {HOLE} is only a part of `{self.slice(*self.around(first))}`")
        else:
            pivot = self.pivot(first, last)
            if self.is_separator(pivot) or self.word(pivot) in BEFORE:
                raise SwiftError(f"`{pattern}` ends before the expression; add {HOLE}")
            first, last = self.around(pivot)
        return first, last

    def pivot(self, first, last):
        """The last of the outermost tokens of a range: brackets that only open in it do not matter."""
        outermost = min(self.depth(index) for index in range(first, last))
        pivot = max(index for index in range(first, last) if self.depth(index) == outermost)
        if self.word(pivot) in CLOSING and self.partner[pivot] < first:
            raise SwiftError(f"`{self.slice(first, last)}` closes a bracket that it does not open")
        return pivot

    def around(self, index):
        """The tokens of the expression around a token."""
        if self.word(index) in CLOSING:
            index = self.partner[index]
        return self.left(index), self.right(index)

    def depth(self, index):
        depth = 0
        while (index := self.parent[index]) >= 0:
            depth += 1
        return depth

    def statements(self, pattern, function):
        """The tokens of the statements that contain what a pattern matches."""
        first, last, _ = self.place(pattern, function)
        outermost = min(self.depth(index) for index in range(first, last))
        inner = [index for index in range(first, last) if self.depth(index) == outermost]
        return self.statement(inner[0])[0], self.statement(inner[-1])[1]


# MARK: Functions

def functions(source):
    """The functions, initializers, subscripts and properties of a source, those inside of others included."""
    found, scopes, index = [], [], 0  # a scope is its path, whether it is a type, a protocol, and its closing brace
    while index < len(source.tokens):
        while scopes and index >= scopes[-1][3]:
            scopes.pop()
        path, is_type, is_protocol, end = scopes[-1] if scopes else ((), True, False, len(source.tokens))
        parent = source.parent[index]
        is_declaration = source.word(index - 1) != "." and (parent < 0 or source.word(parent) == "{")
        # In a type, what is in braces of its own is part of a property or of a function.
        is_member = is_declaration and is_type and (parent < 0 or source.partner[parent] == end)
        word, following = source.word(index), source.word(index + 1)
        if is_declaration and word in TYPES and source.tokens[index].kind == "word" and is_type_name(source, index + 1):
            if body := opening_brace(source, index + 1):
                scopes.append((path + type_path(source, index + 1), True, word == "protocol", source.partner[body]))
                index = body
        elif is_declaration and word == "func" or is_member and (
                word in ("init", "subscript") and following in ("(", "<", "?", "!")):
            parameters = index + 1
            while source.word(parameters) != "(":
                parameters += 1
            label = following if word == "func" else word
            part = Part(label.strip("`"), parameters_of(source, parameters, word == "subscript"))
            index = source.partner[parameters]
            body = None if is_protocol else opening_brace(source, index + 1)
            if body:
                found.append(Function(path + (part,), body + 1, source.partner[body]))
                scopes.append((path + (part,), False, False, source.partner[body]))
                index = body
        elif is_member and word == "deinit" and following == "{":
            part, body = Part("deinit", None), index + 1
            found.append(Function(path + (part,), body + 1, source.partner[body]))
            scopes.append((path + (part,), False, False, source.partner[body]))
            index = body
        elif is_member and word in ("var", "let") and not is_protocol:
            part, last = Part(following.strip("`"), None), end_of_property(source, index + 2)
            if any(source.word(place) in ("=", "{") for place in range(index + 2, last)):
                found.append(Function(path + (part,), index + 2, last))
                scopes.append((path + (part,), False, False, last))
            index += 1
        index += 1
    return found


def is_type_name(source, index):
    """Whether the token can be the name in the declaration of a type; it can't in `class func`."""
    return index < len(source.tokens) and source.tokens[index].kind == "word" and source.word(index) not in BODILESS | {
        "override", "final", "public", "package", "private", "internal", "fileprivate", "open",
    }


def type_path(source, index):
    """The parts of the name of a type; an extension may name a nested one."""
    parts = [Part(source.word(index).strip("`"), None)]
    while source.word(index + 1) == ".":
        index += 2
        parts.append(Part(source.word(index).strip("`"), None))
    return tuple(parts)


def opening_brace(source, index):
    """The brace that opens the body of a declaration, looked for from `index`; `None` if it has no body."""
    while index < len(source.tokens) and source.word(index) not in CLOSING:
        if source.word(index) == "{":
            return index
        if source.word(index) in BODILESS and source.word(index - 1) != ".":
            return None
        index = source.next(index)
    return None


def end_of_property(source, index):
    while index < len(source.tokens) and source.word(index) not in CLOSING:
        if source.begins(index):
            return index
        index = source.next(index)
    return index


def parameters_of(source, opening, are_unlabelled):
    """The parameters in parentheses; those of subscripts have a label only if they also have a name."""
    parameters, first, angles = [], opening + 1, 0
    index = first
    while index <= source.partner[opening]:
        token = source.tokens[index]
        if not token.is_binary:
            angles += {"<": 1, ">": -1}.get(token.text, 0)
        if index == source.partner[opening] or token.text == "," and angles == 0:
            if index > first:
                parameters.append(parameter(source, first, index, are_unlabelled))
            first, angles = index + 1, 0
        index = source.next(index) if token.text in OPENING else index + 1
    return tuple(parameters)


def parameter(source, first, last, is_unlabelled):
    while source.word(first).startswith("@"):
        first += 1
        if source.word(first) == "(" and source.tokens[first].start == source.tokens[first - 1].end:
            first = source.next(first)
    words = []
    while first < last and source.word(first) != ":":
        words.append(source.word(first).strip("`"))
        first += 1
    type_end = first + 1
    while type_end < last and source.word(type_end) != "=":
        type_end = source.next(type_end)
    label = "_" if is_unlabelled and len(words) == 1 else words[0] if words else "_"
    return Parameter(label, tuple(token.text for token in source.tokens[first + 1:min(type_end, last)]))


def name(path):
    """The name of a function, as mutations write it."""
    return ".".join(part.name + ("" if part.parameters is None
                                 else "(" + "".join(each.label + ":" for each in part.parameters) + ")") for part in path)


def parsed_name(text):
    """The parts of a name such as `Type.function(label:_:)`, `Type.property`, or `Type.function(_: Type)`."""
    try:
        source = Source(text)
    except SwiftError as error:
        raise SwiftError(f"`{text}`: {error}") from None
    parts, index = [], 0
    while index < len(source.tokens):
        label, index = source.word(index).strip("`"), index + 1
        parameters = None
        if source.word(index) == "(":
            last = source.partner[index]
            inner = source.tokens[index + 1:last]
            if inner and inner[-1].text != ":":
                parameters = parameters_of(source, index, False)
            else:
                parameters = tuple(Parameter(token.text, None) for token in inner if token.text != ":")
            index = last + 1
        parts.append(Part(label, parameters))
        if index < len(source.tokens) and source.word(index) != ".":
            raise SwiftError(f"`{text}` is not the name of a function: write Type.function(label:) or Type.property")
        index += 1
    return tuple(parts)


def is_named(function, parts):
    """Whether the name means the function. Parameters that it does not have may be any."""
    if len(parts) != len(function.path):
        return False
    for part, wanted in zip(function.path, parts):
        if part.name != wanted.name:
            return False
        if wanted.parameters is None:
            continue
        if part.parameters is None or len(part.parameters) != len(wanted.parameters):
            return False
        for parameter, other in zip(part.parameters, wanted.parameters):
            if parameter.label != other.label or other.type not in (None, parameter.type):
                return False
    return True


class Module:
    """The sources of a module, a dictionary from paths to texts."""

    def __init__(self, texts):
        self.texts, self.sources = texts, {}

    def source(self, path):
        if path not in self.sources:
            try:
                self.sources[path] = Source(self.texts[path])
            except (SwiftError, ValueError) as error:
                raise SwiftError(f"{path}: {error}") from None
        return self.sources[path]

    def function(self, text):
        """The path of the file with the one function of this name, and the function."""
        parts = parsed_name(text)
        words = [re.compile(rf"\b{re.escape(part.name)}\b") for part in parts[-2:] if re.fullmatch(r"\w+", part.name)]
        found = []
        for path in sorted(self.texts):
            # Most sources need not be read.
            if all(word.search(self.texts[path]) for word in words):
                found += [(path, each) for each in self.source(path).functions if is_named(each, parts)]
        if len(found) == 1:
            return found[0]
        if found:
            places = ", ".join(f"{name(each.path)} in {path}:{self.source(path).line(each.first)}" for path, each in found)
            raise SwiftError(f"{len(found)} functions are named `{text}`: {places}; add labels, or types: f(_: Int)")
        similar = "; ".join(self.similar(text)) or "none is similar"
        raise SwiftError(f"there is no function `{text}`; similar names: {similar}")

    def similar(self, text):
        """The names of functions of the module that are most similar."""
        parts = parsed_name(text)
        names = {name(each.path): each for path in self.texts for each in self.source(path).functions}
        short = {".".join(part.name for part in each.path): full for full, each in names.items()}
        wanted = ".".join(part.name for part in parts)
        close = [short[each] for each in difflib.get_close_matches(wanted, short, n=4, cutoff=0.75)]
        # The same name elsewhere, or other labels.
        same = sorted(full for full, each in names.items() if each.path[-1].name == parts[-1].name and parts[-1].name != "init")
        return list(dict.fromkeys(close + same))[:5]
