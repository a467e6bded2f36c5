/// Writes values as JSON text. Open containers are kept on a separate stack, so nesting costs only memory.
struct JSONTextWriter {
    private enum Open {
        case array([JSONValue], next: Int)
        case object([JSONObject.Element], next: Int)
    }

    private let formatting: JSONValue.Formatting
    private let escapesSlashes: Bool
    private var open: [Open] = []

    /// The depth up to which lines are indented. Deeper nesting would consist mostly of spaces.
    private static let deepestIndentation = 512

    /// Appends a value.
    static func write(
        _ value: JSONValue,
        formatting: JSONValue.Formatting = [],
        escapingSlashes: Bool = false,
        into text: inout TextBuffer
    ) {
        var writer = JSONTextWriter(formatting: formatting, escapesSlashes: escapingSlashes)
        writer.write(value, into: &text)
    }

    /// Appends a value. A writer can be used for several values, for which it allocates its stack once.
    mutating func write(_ value: JSONValue, into text: inout TextBuffer) {
        begin(value, &text)
        while let innermost = open.popLast() { goOn(innermost, &text) }
    }

    init(formatting: JSONValue.Formatting = [], escapesSlashes: Bool = false) {
        self.formatting = formatting
        self.escapesSlashes = escapesSlashes
    }

    /// Writes a scalar, or the opening of an array or object.
    private mutating func begin(_ value: JSONValue, _ text: inout TextBuffer) {
        switch value {
        case .null: text.append("null")
        case .bool(let value): text.append(value ? "true" : "false")
        case .number(let number): text.append(number: number)
        case .string(let string): text.append(quoting: string, escapingSlashes: escapesSlashes)
        case .array(let elements):
            text.append(0x5B)
            if elements.isEmpty { text.append(0x5D) } else { open.append(.array(elements, next: 0)) }
        case .object(let object):
            text.append(0x7B)
            let members = formatting.contains(.sortedMembers) ? object.sortedMembers : object.members
            if members.isEmpty { text.append(0x7D) } else { open.append(.object(members, next: 0)) }
        }
    }

    /// Writes the rest of the innermost array or object, up to the next one that is opened.
    private mutating func goOn(_ innermost: Open, _ text: inout TextBuffer) {
        let depth = open.count
        switch innermost {
        case .array(let elements, var next):
            while next < elements.count {
                let element = elements[next]
                startLine(isFirst: next == 0, depth: depth + 1, &text)
                next += 1
                if element.isContainer { open.append(.array(elements, next: next)) }
                begin(element, &text)
                if open.count > depth + 1 { return }
                if element.isContainer { open.removeLast() }
            }
            newLine(depth: depth, &text)
            text.append(0x5D)
        case .object(let members, var next):
            while next < members.count {
                let (name, value) = members[next]
                startLine(isFirst: next == 0, depth: depth + 1, &text)
                next += 1
                text.append(quoting: name, escapingSlashes: escapesSlashes)
                text.append(0x3A)
                if formatting.contains(.pretty) { text.append(0x20) }
                if value.isContainer { open.append(.object(members, next: next)) }
                begin(value, &text)
                if open.count > depth + 1 { return }
                if value.isContainer { open.removeLast() }
            }
            newLine(depth: depth, &text)
            text.append(0x7D)
        }
    }

    private func startLine(isFirst: Bool, depth: Int, _ text: inout TextBuffer) {
        if !isFirst { text.append(0x2C) }
        newLine(depth: depth, &text)
    }

    private func newLine(depth: Int, _ text: inout TextBuffer) {
        guard formatting.contains(.pretty) else { return }
        text.append(0x0A)
        for _ in 0..<min(depth, Self.deepestIndentation) { text.append("  ") }
    }
}

extension TextBuffer {
    /// Appends the text of a number.
    mutating func append(number: JSONNumber) {
        switch number.storage {
        case .integer(let value): append(integer: value)
        case .text(let digits): append(plain: digits)
        }
    }
}

extension JSONValue {
    fileprivate var isContainer: Bool {
        switch self {
        case .array, .object: true
        default: false
        }
    }
}

extension JSONObject {
    /// The members, sorted by the bytes of their names.
    fileprivate var sortedMembers: [Element] {
        members.sorted { $0.name.bytesPrecede($1.name) }
    }
}
