/// An object in a document that was parsed. Its members are read when they are asked for.
///
/// Use it where a value may be read straight into its place later, or not at all. It keeps the whole document: the bytes, and a
/// word for each value.
///
/// The functions here, and those of the readers that ``forEachMember(_:)`` passes on which do not throw, only read the bytes and
/// the words of the document. Those do not change any more when the decoder has returned, and nothing else of the document is
/// touched: that makes it Sendable. A reader's functions that throw look up the place of an error in tables of the document,
/// which two tasks must not do at the same time.
package struct ParsedObject: @unchecked Sendable {
    @usableFromInline let reader: JSONReader

    /// The object at a reader's place; `nil` if there is another value.
    package init?(_ json: borrowing JSONReader) {
        guard json.kind == .object else { return nil }
        reader = JSONReader(document: json.document, index: json.index)
    }

    /// The object as a value.
    package var object: JSONObject { reader.document.jsonObject(at: reader.index) }

    /// The length of the object's text, in bytes.
    package var byteCount: Int {
        let (first, last) = (reader.document.word(reader.index), reader.document.word(lastIndex))
        // The last word is a value's, or the object's own. A container there is empty. A string's text has no quotes.
        let end = last.offset + (last.isContainer ? 2 : last.length + (last.isString ? 1 : 0))
        return end - first.offset + (lastIndex == reader.index ? 0 : 1)
    }

    /// The length of the whole document's text, in bytes, which the object keeps.
    package var documentByteCount: Int { reader.document.byteCount }

    private var lastIndex: Int { reader.document.next(reader.index) - 1 }

    /// Calls `body` with each member's name and value, in the order of the document. Of two members with one name only the
    /// first comes.
    @inlinable @inline(__always)
    package func forEachMember(_ body: (JSONName, JSONReader) -> Void) {
        // It is an object, and only other values throw.
        try? reader.forEachMember(body)
    }
}

extension JSONReader {
    /// The value here.
    package var value: JSONValue { document.jsonValue(at: index) }

    /// The string here; `nil` for anything else.
    package var string: String? {
        let word = document.word(index)
        return word.isString ? document.string(word) : nil
    }

    /// The truth value here; `nil` for anything else.
    package var bool: Bool? {
        switch document.word(index).kind {
        case .true: true
        case .false: false
        default: nil
        }
    }

    /// The number here as the nearest double, if that can be found in a few steps; `nil` for anything else. It is the
    /// `doubleValue` of ``value``.
    package var simpleDouble: Double? {
        let word = document.word(index)
        return word.isNumber ? NumberText.double(document.text(word)) : nil
    }

    /// The number here, if it is written without fraction and exponent and has at most 18 digits; `nil` for anything else.
    package var simpleInteger: Int64? {
        let word = document.word(index)
        return word.kind == .integer ? NumberText.smallInteger(document.text(word)) : nil
    }

    /// Whether an array or object without contents stands here.
    package var isEmptyContainer: Bool {
        let word = document.word(index)
        return word.isContainer && word.length == 1
    }

    /// Whether a string with these bytes stands here.
    package func isString(_ bytes: [UInt8]) -> Bool {
        let word = document.word(index)
        return word.isString && bytes.withUnsafeBufferPointer { document.isEqual(word, $0) }
    }

    /// Calls `body` with each element until that returns `false`.
    ///
    /// - Returns: Whether this is an array and `body` never returned `false`.
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
    /// Whether the name has these bytes.
    @inlinable @inline(__always)
    package func hasBytes(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        document.isEqual(document.word(index), bytes)
    }
}
