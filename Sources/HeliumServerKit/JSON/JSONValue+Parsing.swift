package import HeliumJSON

extension JSONValue {
    /// The maximum nesting depth that is parsed. Parsing is recursive, so a client must not control the depth.
    package static let maximumDepth = 128

    private static let decoder = {
        var decoder = HeliumJSONDecoder()
        decoder.limits = JSONLimits(maximumDepth: maximumDepth, maximumNameMarks: .max)
        return decoder
    }()

    /// Parses a document as JavaScript does. The last of several members with the same name is used, at the position of
    /// the first. Numbers are doubles or 64-bit integers, and `null` beyond the range of a double. Half of a surrogate
    /// pair becomes U+FFFD.
    /// - Returns: `nil` if `text` is not JSON (RFC 8259), begins with a byte order mark, is nested deeper than
    ///   ``maximumDepth``, or has a string or a name with more than ``MarkRun/maximum`` combining marks in a row.
    package static func parse(_ text: String) -> JSONValue? {
        guard text.unicodeScalars.first != "\u{FEFF}" else { return nil }
        let repaired = LoneSurrogates.replaced(in: text.utf8).map { String(decoding: $0, as: UTF8.self) }
        return try? decoder.decode(ScriptDocument.self, from: repaired ?? text).value
    }

    /// The document, indented by four spaces, with a line break at its end.
    package var prettyText: String {
        text(formatting: .pretty).split(separator: "\n")
            .map { line in String(repeating: " ", count: line.utf8.prefix { $0 == 0x20 }.count) + line + "\n" }
            .joined()
    }
}

/// A document with the values that JavaScript would parse.
private struct ScriptDocument: JSONReadable {
    let value: JSONValue

    private struct LongMarkRun: Error {}

    init(json: borrowing JSONReader) throws {
        switch json.kind {
        case .null: value = .null
        case .bool: value = .bool(try json.read())
        case .number: value = Self.number(try json.read())
        case .string: value = .string(try Self.checked(json.read()))
        case .array:
            var elements: [JSONValue] = []
            try json.forEachElement { elements.append(try $0.read(Self.self).value) }
            value = .array(elements)
        case .object:
            var members = JSONObject()
            try json.forEachMemberWithRepeated { name, value in
                members[try Self.checked(name.string)] = try value.read(Self.self).value
            }
            value = .object(members)
        }
    }

    private static func checked(_ text: String) throws(LongMarkRun) -> String {
        if text.holdsLongMarkRun { throw LongMarkRun() }
        return text
    }

    private static func number(_ number: JSONNumber) -> JSONValue {
        if let whole = Int64(number.description) { return .count(whole) }
        return number.doubleValue.map { .number($0) } ?? .null
    }
}
