/// An object in a parsed document. Its members are read on demand.
///
/// Use it if a value may be read later, directly into its destination, or not at all. It keeps the whole document in
/// memory: the bytes, and a word for each value.
///
/// `@unchecked Sendable`: the functions here, and the functions of the readers passed by ``forEachMember(_:)`` that do
/// not throw, only read the bytes and the words of the document, which do not change after the decoder has returned. A
/// reader's functions that throw look up the position of an error in tables of the document, which two tasks must not
/// do at the same time.
package struct ParsedObject: @unchecked Sendable {
    @usableFromInline let reader: JSONReader

    /// Creates the object at a reader's position. Returns `nil` if the value is not an object.
    package init?(_ json: borrowing JSONReader) {
        guard json.kind == .object else { return nil }
        reader = JSONReader(document: json.document, index: json.index)
    }

    /// The object as a value.
    package var object: JSONObject { reader.document.jsonObject(at: reader.index) }

    /// The length of the object's text, in bytes.
    package var byteCount: Int {
        let (first, last) = (reader.document.word(reader.index), reader.document.word(lastIndex))
        // The last word belongs to a value, or is the object's own. A container there is empty. The text of a string
        // does not include its quotes.
        let end = last.offset + (last.isContainer ? 2 : last.length + (last.isString ? 1 : 0))
        return end - first.offset + (lastIndex == reader.index ? 0 : 1)
    }

    /// The length of the whole document's text in bytes, which the object keeps in memory.
    package var documentByteCount: Int { reader.document.byteCount }

    private var lastIndex: Int { reader.document.next(reader.index) - 1 }

    /// Calls `body` with the name and value of each member, in document order. If a name occurs twice, only the first
    /// member is passed.
    @inlinable @inline(__always)
    package func forEachMember(_ body: (JSONName, JSONReader) -> Void) {
        // The value is an object, and only other values throw.
        try? reader.forEachMember(body)
    }
}

extension JSONReader {
    /// The value.
    package var value: JSONValue { document.jsonValue(at: index) }

    /// The string; `nil` for any other value.
    package var string: String? {
        let word = document.word(index)
        return word.isString ? document.string(word) : nil
    }

    /// The Boolean value; `nil` for any other value.
    package var bool: Bool? {
        switch document.word(index).kind {
        case .true: true
        case .false: false
        default: nil
        }
    }

    /// The number as the nearest double, if it can be computed in a few steps; `nil` otherwise. It equals the
    /// `doubleValue` of ``value``.
    package var simpleDouble: Double? {
        let word = document.word(index)
        return word.isNumber ? NumberText.double(document.text(word)) : nil
    }

    /// The number, if it is written without fraction and exponent and has at most 18 digits; `nil` otherwise.
    package var simpleInteger: Int64? {
        let word = document.word(index)
        return word.kind == .integer ? NumberText.smallInteger(document.text(word)) : nil
    }

    /// Whether the value is an empty array or object.
    package var isEmptyContainer: Bool {
        let word = document.word(index)
        return word.isContainer && word.length == 1
    }

    /// Returns whether the value is a string with these bytes.
    package func isString(_ bytes: [UInt8]) -> Bool {
        let word = document.word(index)
        return word.isString && bytes.withUnsafeBufferPointer { document.isEqual(word, $0) }
    }

    /// Returns whether the value is a string with this text.
    @inlinable @inline(__always)
    package func isString(_ text: StaticString) -> Bool {
        let word = document.word(index)
        let bytes = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
        return word.isString && document.isEqual(word, bytes)
    }

    /// Calls `body` with each element until it returns `false`.
    ///
    /// - Returns: Whether the value is an array and `body` never returned `false`.
    package func allElements(_ body: (JSONReader) -> Bool) -> Bool {
        guard document.word(index).kind == .array else { return false }
        let end = document.next(index)
        var element = index &+ 1
        while element < end {
            guard body(JSONReader(document: document, index: element)) else { return false }
            element = document.next(element)
        }
        return true
    }
}

extension JSONName {
    /// Returns whether the name has these bytes.
    @inlinable @inline(__always)
    package func hasBytes(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        document.isEqual(document.word(index), bytes)
    }
}
