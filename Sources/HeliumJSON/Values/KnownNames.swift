/// The names of the members that a type reads itself.
struct KnownNames {
    private let text: [UInt8]
    private let ranges: [Range<Int>]
    /// One bit for each name's hash, which rules out most other names.
    private let bits: UInt64

    init<Known: CodingKey & CaseIterable>(_ type: Known.Type) {
        var text: [UInt8] = []
        var ranges: [Range<Int>] = []
        for key in type.allCases {
            let start = text.count
            text += key.stringValue.utf8
            ranges.append(start..<text.count)
        }
        self.text = text
        self.ranges = ranges
        bits = text.withUnsafeBufferPointer { text in
            ranges.reduce(0) { bits, range in
                let name = UnsafeBufferPointer(rebasing: text[range])
                return bits | (name.baseAddress.map { MemberCursor.bit($0, name.count) } ?? ~0)
            }
        }
    }

    /// Calls `body` with each member whose name is not one of these.
    func forEachUnknown(in document: JSONDocument, of object: Int, _ body: (String, Int) -> Void) {
        let areNamesKept = document.options.keys.isDefault
        let path = areNamesKept ? [] : document.path(to: object)
        text.withUnsafeBufferPointer { text in
            // Members usually have the order of the keys.
            var expected = 0
            document.forEachMember(of: object) { word, value in
                if areNamesKept {
                    if !isKnown(word, in: document, text, &expected) { body(document.string(word), value) }
                } else {
                    let name = document.key(document.string(word), at: path).stringValue
                    if !ranges.contains(where: { text[$0].elementsEqual(name.utf8) }) { body(name, value) }
                }
            }
        }
    }

    @inline(__always)
    private func isKnown(
        _ word: TapeWord,
        in document: JSONDocument,
        _ text: UnsafeBufferPointer<UInt8>,
        _ expected: inout Int
    ) -> Bool {
        func isEqual(_ index: Int) -> Bool {
            document.isEqual(word, UnsafeBufferPointer(rebasing: text[ranges[index]]))
        }
        if expected < ranges.count, isEqual(expected) {
            expected += 1
            return true
        }
        let isPlain = word.kind == .plainString
        if isPlain, bits & MemberCursor.bit(document.base + word.offset, word.length) == 0 { return false }
        guard let index = ranges.indices.first(where: isEqual) else { return false }
        expected = index + 1
        return true
    }
}

extension JSONDocument {
    /// Returns the members of the object at `index` whose names are not in `known`.
    func unknownMembers<Known: CodingKey & CaseIterable>(
        of index: Int,
        besides known: Known.Type
    ) throws -> JSONObject {
        guard word(index).kind == .object else { throw mismatch([String: Any].self, at: index) }
        let names: KnownNames
        if let found = knownNames[ObjectIdentifier(known)] {
            names = found
        } else {
            names = KnownNames(known)
            knownNames[ObjectIdentifier(known)] = names
        }
        var unknown = JSONObject()
        names.forEachUnknown(in: self, of: index) { name, value in
            if unknown.index(of: name) == nil { unknown.append(name, jsonValue(at: value)) }
        }
        return unknown
    }
}
