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
        return writer.write(reserving: text.count)
    }
}

private struct LayoutWriter {
    let source: UnsafePointer<UInt8>
    let words: UnsafePointer<UInt64>
    let isPretty: Bool
    let sorts: Bool
    private var out = TextBuffer(capacity: 1024)
    private var indentation = 0
    /// Members of all objects that are being written, the innermost last.
    private var members = RawStack<Member>(capacity: 64)

    init(source: UnsafePointer<UInt8>, words: UnsafePointer<UInt64>, isPretty: Bool, sorts: Bool) {
        self.source = source
        self.words = words
        self.isPretty = isPretty
        self.sorts = sorts
    }

    private func word(_ index: Int) -> TapeWord { TapeWord(bits: words[index]) }
    private func next(_ index: Int) -> Int { index + word(index).span }

    /// The whole text.
    mutating func write(reserving capacity: Int) -> TextBuffer {
        out.reserve(capacity)
        write(0)
        members.deallocate()
        return out
    }

    private mutating func write(_ index: Int) {
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
            copy(word(Int(members[index].name)))
            if isPretty { out.append(" : ") } else { out.append(0x3A) }
            write(Int(members[index].value))
        }
        endLines(isEmpty: word(object).span == 1)
        out.append(0x7D)
        members.count = first
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
            members.append(Member(prefix: prefix(index), name: UInt32(index), value: UInt32(index + 1)))
            index = next(index + 1)
        }
        sort(from: first) { $0.order($1, $2) ?? ($1.name < $2.name) }
        var count = first
        for index in first..<members.count {
            if count > first, order(members[count - 1], members[index]) == nil {
                members.base[count - 1].value = members[index].value
            } else {
                members[count] = members[index]
                count += 1
            }
        }
        members.count = count
        if !sorts { sort(from: first) { $1.name < $2.name } }
    }
}

// MARK: Order

/// A member, by indices on the tape.
private struct Member: BitwiseCopyable {
    /// The first bytes of its name, which decide mostly.
    let prefix: UInt64
    let name: UInt32
    /// Its value: that of the last with this name.
    var value: UInt32
}

extension LayoutWriter {
    @inline(__always)
    private func sort(from first: Int, _ precedes: (LayoutWriter, Member, Member) -> Bool) {
        var members = UnsafeMutableBufferPointer(start: members.base + first, count: members.count - first)
        guard members.count <= 24 else { return members.sort { precedes(self, $0, $1) } }
        for index in stride(from: 1, to: members.count, by: 1) {
            let member = members[index]
            var place = index
            while place > 0, precedes(self, member, members[place - 1]) {
                members[place] = members[place - 1]
                place -= 1
            }
            members[place] = member
        }
    }

    /// Whether the first one's name comes before the other's by its bytes; `nil`: they are the same.
    @inline(__always)
    private func order(_ first: Member, _ second: Member) -> Bool? {
        first.prefix == second.prefix ? orderByAll(first, second) : first.prefix < second.prefix
    }

    private func orderByAll(_ first: Member, _ second: Member) -> Bool? {
        withName(Int(first.name)) { first in
            withName(Int(second.name)) { second in
                for index in 0..<min(first.count, second.count) where first[index] != second[index] {
                    return first[index] < second[index]
                }
                return first.count == second.count ? nil : first.count < second.count
            }
        }
    }

    /// The first eight bytes of a name, the first highest, zeros behind a shorter one.
    @inline(__always)
    private func prefix(_ index: Int) -> UInt64 {
        let word = word(index)
        guard word.kind == .plainString else { return withName(index) { Self.prefix($0) } }
        // The text goes on behind a name: a quote, a colon and a value, not always eight bytes.
        if word.length >= 8 { return UInt64(bigEndian: Bytes.load8(source + word.offset)) }
        return Self.prefix(UnsafeBufferPointer(start: source + word.offset, count: word.length))
    }

    private static func prefix(_ name: UnsafeBufferPointer<UInt8>) -> UInt64 {
        var prefix: UInt64 = 0
        for index in 0..<8 { prefix = prefix << 8 | (index < name.count ? UInt64(name[index]) : 0) }
        return prefix
    }

    /// A name without its escapes.
    @inline(__always)
    private func withName<Result>(_ index: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        let word = word(index)
        let text = UnsafeBufferPointer(start: source + word.offset, count: word.length)
        if word.kind == .plainString { return body(text) }
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: max(1, text.count)) { name in
            let length = name.baseAddress.map { Unescaper.write(text, to: $0) } ?? 0
            return body(UnsafeBufferPointer(rebasing: name[..<length]))
        }
    }
}
