public import Foundation

/// What a document of the service's can hold: a value of this module, or a list of them.
///
/// ```swift
/// let feed = try CosmFormat.xml.decode(Feed.self, from: document)
/// let csv = try feed.encoded(as: .csv)
/// print(String(decoding: csv.data, as: UTF8.self))  // temp,2013-02-01T09:00:02.000000Z,20.5
/// print(csv.losses.map(\.path))  // ["title"]
/// ```
///
/// Feeds come in a ``FeedPage``; lists of the others are arrays.
public protocol CosmDocument: Hashable, Sendable {
    /// Reads a document.
    ///
    /// - Throws: ``CosmDocumentError`` with the place and the reason.
    static func read(_ data: Data, as format: CosmFormat, dialect: CosmDialect) throws -> ReadDocument<Self>

    /// Writes a document.
    ///
    /// - Throws: ``CosmDocumentError`` if the format holds no such document at all; `EncodingError` for a number that is none.
    func encoded(as format: CosmFormat) throws -> EncodedDocument
}

/// An element of lists that are documents.
public protocol CosmListElement: CosmDocument {
    /// Reads a list.
    ///
    /// - Throws: ``CosmDocumentError`` with the place and the reason.
    static func readList(_ data: Data, as format: CosmFormat, dialect: CosmDialect) throws -> ReadDocument<[Self]>

    /// Writes a list.
    ///
    /// - Throws: ``CosmDocumentError`` if the format holds no such list at all; `EncodingError` for a number that is none.
    static func encodedList(_ list: [Self], as format: CosmFormat) throws -> EncodedDocument
}

extension Array: CosmDocument where Element: CosmListElement {
    /// Reads a list.
    ///
    /// - Throws: ``CosmDocumentError`` with the place and the reason.
    public static func read(
        _ data: Data,
        as format: CosmFormat,
        dialect: CosmDialect
    ) throws -> ReadDocument<[Element]> {
        try Element.readList(data, as: format, dialect: dialect)
    }

    /// Writes a list.
    ///
    /// - Throws: ``CosmDocumentError`` if the format holds no such list at all; `EncodingError` for a number that is none.
    public func encoded(as format: CosmFormat) throws -> EncodedDocument {
        try Element.encodedList(self, as: format)
    }
}

extension CosmFormat {
    /// The value of a document.
    ///
    /// - Throws: ``CosmDocumentError`` with the place and the reason.
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
    /// What it says.
    public var value: Value

    /// Members that stand around the value and that nothing keeps, such as those beside `keys` in `{"keys": […]}`.
    public var membersAround: [String]

    /// A document.
    public init(value: Value, membersAround: [String] = []) {
        self.value = value
        self.membersAround = membersAround
    }
}

/// A document that was written.
public struct EncodedDocument: Hashable, Sendable {
    /// The document, as UTF-8.
    public var data: Data

    /// What the format has no place for, in the order of the members: empty if reading the document gives the value again.
    public var losses: [Loss]

    /// A document.
    public init(data: Data, losses: [Loss] = []) {
        self.data = data
        self.losses = losses
    }

    /// Something of a value that a document does not say.
    public struct Loss: Hashable, Sendable, CustomStringConvertible {
        /// The way to it, by the members' names in JSON: `datastreams[2].unit`.
        public var path: String

        /// What becomes of it.
        public var reason: String

        /// A loss.
        public init(path: String, reason: String) {
            self.path = path
            self.reason = reason
        }

        /// `datastreams[2].unit: CSV has no place for it`.
        public var description: String { path.isEmpty ? reason : "\(path): \(reason)" }
    }
}
