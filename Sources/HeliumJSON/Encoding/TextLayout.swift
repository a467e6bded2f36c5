/// Lays out text that is done: sorts members, breaks lines, keeps one of the members with one name.
///
/// The text is parsed for it, which costs little beside encoding; so it need not matter while values are encoded, and what
/// values wrote as text of their own is laid out too.
struct TextLayout {
    private let isPretty: Bool
    private let sorts: Bool

    /// `nil` if the text is to stay as it is.
    init?(formatting: HeliumJSONEncoder.OutputFormatting, mergesNames: Bool) {
        isPretty = formatting.contains(.prettyPrinted)
        sorts = formatting.contains(.sortedKeys)
        guard isPretty || sorts || mergesNames else { return nil }
    }

    /// The text in this layout; the caller frees it.
    func text<Value>(of text: TextBuffer, value: Value) throws -> TextBuffer {
        let bytes = UnsafeBufferPointer(start: text.base, count: text.count)
        var limits = JSONLimits()
        // Types that write their own text see to their depth themselves.
        limits.maximumDepth = 2 * EncodingSession.maximumDepth
        let words: UnsafeMutablePointer<UInt64>
        do {
            words = try JSONParser.parse(bytes, limits: limits).words
        } catch {
            let reason = JSONError(error, in: bytes)
            throw EncodingError.invalidValue(
                value,
                EncodingError.Context(
                    codingPath: [],
                    debugDescription: "the text can't be laid out: \(reason)",
                    underlyingError: reason
                )
            )
        }
        defer { words.deallocate() }
        var writer = LayoutWriter(source: text.base, words: words, isPretty: isPretty, sorts: sorts)
        writer.out.reserve(text.count)
        writer.write(0)
        return writer.out
    }
}

private struct LayoutWriter {
    let source: UnsafePointer<UInt8>
    let words: UnsafePointer<UInt64>
    let isPretty: Bool
    let sorts: Bool
    var out = TextBuffer(capacity: 1024)
    private var indentation = 0
    /// Members of all objects that are being written, the innermost last.
    private var members: [Member] = []

    init(source: UnsafePointer<UInt8>, words: UnsafePointer<UInt64>, isPretty: Bool, sorts: Bool) {
        self.source = source
        self.words = words
        self.isPretty = isPretty
        self.sorts = sorts
    }

    private func word(_ index: Int) -> TapeWord { TapeWord(bits: words[index]) }
    private func next(_ index: Int) -> Int { index + word(index).span }

    mutating func write(_ index: Int) {
        let word = word(index)
        switch word.kind {
        case .array: writeArray(index)
        case .object: writeObject(index)
        case .null: out.append("null")
        case .true, .false: out.append(bool: word.kind == .true)
        default: copy(word)
        }
    }

    /// A number or a string with its quotes.
    private mutating func copy(_ word: TapeWord) {
        let quotes = word.isString ? 1 : 0
        out.append(UnsafeBufferPointer(start: source + word.offset - quotes, count: word.length + 2 * quotes))
    }

    private mutating func writeArray(_ array: Int) {
        out.append(0x5B)
        indentation += 1
        var element = array + 1
        while element < next(array) {
            beginLine(isFirst: element == array + 1)
            write(element)
            element = next(element)
        }
        endLines(isEmpty: word(array).span == 1)
        out.append(0x5D)
    }

    private mutating func writeObject(_ object: Int) {
        let first = members.count
        collect(object)
        out.append(0x7B)
        indentation += 1
        for index in first..<members.count {
            beginLine(isFirst: index == first)
            copy(word(members[index].index))
            if isPretty { out.append(" : ") } else { out.append(0x3A) }
            write(members[index].value)
        }
        endLines(isEmpty: word(object).span == 1)
        out.append(0x7D)
        members.removeSubrange(first...)
    }

    private mutating func beginLine(isFirst: Bool) {
        if !isFirst { out.append(0x2C) }
        if isPretty { breakLine() }
    }

    private mutating func endLines(isEmpty: Bool) {
        indentation -= 1
        guard isPretty else { return }
        // Foundation leaves an empty line in what is empty.
        if isEmpty { out.append(0x0A) }
        breakLine()
    }

    private mutating func breakLine() {
        out.append(0x0A)
        for _ in 0..<indentation { out.append("  ") }
    }

    /// Adds an object's members as they are to come out.
    private mutating func collect(_ object: Int) {
        let first = members.count
        var index = object + 1
        while index < next(object) {
            members.append(Member(word(index), at: index, in: source))
            index = next(index + 1)
        }
        members[first...].sort { Member.order($0, $1) ?? ($0.index < $1.index) }
        var count = first
        for index in first..<members.count {
            if count > first, Member.order(members[count - 1], members[index]) == nil {
                members[count - 1].value = members[index].value
            } else {
                members[count] = members[index]
                count += 1
            }
        }
        members.removeSubrange(count...)
        if !sorts { members[first...].sort { $0.index < $1.index } }
    }
}

private struct Member {
    /// Its name's index on the tape.
    let index: Int
    /// Its value's: that of the last with this name.
    var value: Int
    private let text: UnsafeBufferPointer<UInt8>
    /// The name, if that is not the text.
    private let unescaped: [UInt8]?

    init(_ word: TapeWord, at index: Int, in source: UnsafePointer<UInt8>) {
        self.index = index
        value = index + 1
        let text = UnsafeBufferPointer(start: source + word.offset, count: word.length)
        self.text = text
        unescaped =
            word.kind == .plainString
            ? nil
            : Array(unsafeUninitializedCapacity: text.count) { out, count in
                count = out.baseAddress.map { Unescaper.write(text, to: $0) } ?? 0
            }
    }

    /// Whether the first one's name comes before the other's by its bytes; `nil`: they are the same.
    static func order(_ first: Member, _ second: Member) -> Bool? {
        first.withName { first in
            second.withName { second in
                for index in 0..<min(first.count, second.count) where first[index] != second[index] {
                    return first[index] < second[index]
                }
                return first.count == second.count ? nil : first.count < second.count
            }
        }
    }

    @inline(__always)
    private func withName<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        unescaped?.withUnsafeBufferPointer(body) ?? body(text)
    }
}
