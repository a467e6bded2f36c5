/// Writes a parsed text in another layout.
struct LayoutWriter {
    let source: UnsafePointer<UInt8>
    let words: UnsafePointer<UInt64>
    let isPretty: Bool
    let sorts: Bool
    private var out = TextBuffer(capacity: 1024)
    private var indentation = 0
    /// The members of all objects that are being written, the innermost last.
    private(set) var members = RawStack<LayoutMember>(capacity: 64)

    init(source: UnsafePointer<UInt8>, words: UnsafePointer<UInt64>, isPretty: Bool, sorts: Bool) {
        self.source = source
        self.words = words
        self.isPretty = isPretty
        self.sorts = sorts
    }

    func word(_ index: Int) -> TapeWord { TapeWord(bits: words[index]) }
    private func next(_ index: Int) -> Int { index + word(index).span }

    /// Writes the whole text.
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

    /// Copies a number, or a string with its quotes.
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
        // Foundation writes an empty line in empty containers.
        if isEmpty { out.append(0x0A) }
        breakLine()
    }

    private mutating func breakLine() {
        out.append(0x0A)
        for _ in 0..<indentation { out.append("  ") }
    }

    /// Adds an object's members in the order in which they are written.
    private mutating func collect(_ object: Int) {
        let first = members.count
        var index = object + 1
        while index < next(object) {
            members.append(LayoutMember(prefix: prefix(index), name: UInt32(index), value: UInt32(index + 1)))
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
