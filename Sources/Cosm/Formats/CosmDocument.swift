public import Foundation

/// The content of a Cosm document: a value of this module or a list of values.
///
/// ```swift
/// let feed = try CosmFormat.xml.decode(Feed.self, from: document)
/// let csv = try feed.encoded(as: .csv)
/// print(String(decoding: csv.data, as: UTF8.self))  // temp,2013-02-01T09:00:02.000000Z,20.5
/// print(csv.losses.map(\.path))  // ["title"]
/// ```
///
/// Lists of feeds are read and written as a ``FeedPage``. Lists of other values are arrays. These types already conform.
/// Apps do not need to add conformances.
public protocol CosmDocument: Hashable, Sendable {
    /// Reads a document.
    ///
    /// - Throws: ``CosmDocumentError`` with the position and the reason.
    static func read(_ data: Data, as format: CosmFormat, dialect: CosmDialect) throws -> ReadDocument<Self>

    /// Writes a document.
    ///
    /// CSV holds a datastream without its id, and of a datapoint only its value.
    ///
    /// - Throws: ``CosmDocumentError`` if the format does not support this kind of document, as CSV does not support
    ///   triggers, keys and users; `EncodingError` for a number that is not finite.
    func encoded(as format: CosmFormat) throws -> EncodedDocument
}

/// A value of this module that is a document.
package protocol CosmValue: CosmDocument {
    /// Reads a document.
    ///
    /// - Throws: ``CosmDocumentError`` with the position and the reason.
    static func readValue(_ data: Data, as format: CosmFormat, dialect: CosmDialect) throws -> ReadDocument<Self>

    /// Writes a document.
    ///
    /// - Throws: ``CosmDocumentError`` if the format does not support this kind of document; `EncodingError` for a
    ///   number that is not finite.
    func encodedValue(as format: CosmFormat) throws -> EncodedDocument
}

// These members are the same for all values. They are public because they fulfil requirements of a public protocol.
extension CosmValue {
    /// Reads a document.
    ///
    /// - Throws: ``CosmDocumentError`` with the position and the reason.
    public static func read(_ data: Data, as format: CosmFormat, dialect: CosmDialect) throws -> ReadDocument<Self> {
        try readValue(data, as: format, dialect: dialect)
    }

    /// Writes a document.
    ///
    /// - Throws: ``CosmDocumentError`` if the format does not support this kind of document; `EncodingError` for a
    ///   number that is not finite.
    public func encoded(as format: CosmFormat) throws -> EncodedDocument { try encodedValue(as: format) }
}

/// A value whose lists are documents.
package protocol CosmListElement: CosmValue {
    /// Reads a list.
    ///
    /// - Throws: ``CosmDocumentError`` with the position and the reason.
    static func readList(_ data: Data, as format: CosmFormat, dialect: CosmDialect) throws -> ReadDocument<[Self]>

    /// Reads a list without the values that cannot be read, which are named.
    ///
    /// - Throws: ``CosmDocumentError`` with the position and the reason if the document is not a list, or if none of its
    ///   values can be read and none has an id.
    static func readItems(_ data: Data, as format: CosmFormat, dialect: CosmDialect) throws -> ReadDocument<
        CosmList<Self>
    >

    /// Writes a list.
    ///
    /// - Throws: ``CosmDocumentError`` if the format does not support this kind of list; `EncodingError` for a number
    ///   that is not finite.
    static func encodedList(_ list: [Self], as format: CosmFormat) throws -> EncodedDocument
}

extension Array: CosmDocument, CosmValue where Element: CosmListElement {
    package static func readValue(
        _ data: Data,
        as format: CosmFormat,
        dialect: CosmDialect
    ) throws -> ReadDocument<[Element]> {
        try Element.readList(data, as: format, dialect: dialect)
    }

    package func encodedValue(as format: CosmFormat) throws -> EncodedDocument {
        try Element.encodedList(self, as: format)
    }
}

extension CosmFormat {
    /// Decodes a document.
    ///
    /// - Throws: ``CosmDocumentError`` with the position and the reason.
    public func decode<Document: CosmDocument>(
        _ type: Document.Type = Document.self,
        from data: Data,
        dialect: CosmDialect = .stated
    ) throws -> Document {
        try Document.read(data, as: self, dialect: dialect).value
    }
}

/// A document that was read.
public struct ReadDocument<Value: Sendable>: Sendable {
    /// The decoded value.
    public var value: Value

    /// The names of members outside of the value that are dropped, such as those beside `keys` in `{"keys": […]}`.
    public var membersAround: [String]

    /// Creates a document.
    package init(value: Value, membersAround: [String] = []) {
        self.value = value
        self.membersAround = membersAround
    }
}

/// A document that was written.
public struct EncodedDocument: Hashable, Sendable {
    /// The document, as UTF-8.
    public var data: Data

    /// The parts of the value that the format cannot hold, in the order of the members. If it is empty, reading the
    /// document gives an equal value.
    public var losses: [Loss]

    /// Creates a document.
    package init(data: Data, losses: [Loss] = []) {
        self.data = data
        self.losses = losses
    }

    /// A part of a value that the document does not contain.
    public struct Loss: Hashable, Sendable, CustomStringConvertible {
        /// The path to the part, with the names of the members in JSON: `datastreams[2].unit`.
        public var path: String

        /// The reason for the loss.
        public var reason: String

        /// Creates a loss.
        package init(path: String, reason: String) {
            self.path = path
            self.reason = reason
        }

        /// The path and the reason: `datastreams[2].unit: CSV can't represent it`.
        public var description: String { path.isEmpty ? reason : "\(path): \(reason)" }
    }
}
