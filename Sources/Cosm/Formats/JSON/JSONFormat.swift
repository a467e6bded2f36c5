internal import Foundation
internal import HeliumCore
internal import HeliumJSON

/// Reads and writes documents in JSON (Docs/Protocols/Cosm.md §10).
enum JSONFormat {
    static func read<Record: NamedRecord>(
        _ type: Record.Type,
        _ data: Data,
        _ dialect: CosmDialect
    ) throws -> ReadDocument<Record> {
        let list = Record.innerList.map(\.description)
        // The document of a record is the record itself, or an object around it.
        let paths = list.map { [[$0], [Record.wrapper.description, $0]] } ?? []
        return try reading(data, lists: paths) { decoder, data in
            var document = try decoder.decode(RecordDocument<Record>.self, from: data).document
            if dialect == .version1 { try document.value.adoptVersion1() }
            return document
        }
    }

    static func readList<Record: NamedRecord>(
        _ type: Record.Type,
        _ data: Data,
        _ dialect: CosmDialect
    ) throws -> ReadDocument<[Record]> {
        try reading(data) { decoder, data in
            let list = try decoder.decode(ListDocument<Record>.self, from: data)
            if let error = list.firstError { throw error }
            var document = list.document
            if dialect == .version1 {
                for index in document.value.indices { try document.value[index].adoptVersion1() }
            }
            return document
        }
    }

    /// Reads a list without the records that cannot be read.
    static func readItems<Record: NamedRecord>(
        _ type: Record.Type,
        _ data: Data,
        _ dialect: CosmDialect
    ) throws -> ReadDocument<CosmList<Record>> {
        try reading(data, lists: [[], [Record.listWrapper.description]]) { decoder, data in
            let list = try decoder.decode(ListDocument<Record>.self, from: data)
            var items = CosmList<Record>([], unreadable: list.unreadable)
            var firstFault: MemberFault?
            for var record in list.document.value {
                do throws(MemberFault) {
                    if dialect == .version1 { try record.adoptVersion1() }
                    items.elements.append(record)
                } catch {
                    firstFault = firstFault ?? error
                    items.unreadable.add(id: nil, Record.self, error)
                }
            }
            if items.isEmpty, !items.unreadable.hasUsableID, let firstFault { throw firstFault }
            return ReadDocument(value: items, membersAround: list.document.membersAround)
        }
    }

    static func readPage(_ data: Data, _ dialect: CosmDialect) throws -> ReadDocument<FeedPage> {
        try reading(data, lists: [[], ["results"], [Feed.listWrapper.description]]) { decoder, data in
            var document = try decoder.decode(FeedPageDocument.self, from: data).document
            if dialect == .version1 { try document.value.adoptVersion1() }
            return document
        }
    }

    /// Reads a document.
    ///
    /// - Parameter lists: The paths at which the document may have a list whose records are left out if they cannot be
    ///   read. This includes those that are nested too deep for the decoder.
    private static func reading<Value>(
        _ data: Data,
        lists: [[String]] = [],
        _ body: (HeliumJSONDecoder, Data) throws -> Value
    ) throws -> Value {
        let decoder = HeliumJSONDecoder()
        do {
            do {
                return try body(decoder, data)
            } catch let error as DecodingError {
                guard case .dataCorrupted = error, !lists.isEmpty,
                    let shallow = ReadableItems<JSONValue>.withoutDeepItems(data, at: lists)
                else { throw error }
                return try body(decoder, shallow)
            }
        } catch let error as DecodingError {
            throw CosmDocumentError(error)
        } catch let fault as MemberFault {
            throw CosmDocumentError(format: .json, reason: fault.reason)
        }
    }

    /// Writes a value in the form of a request body.
    static func write(_ value: some Encodable) throws -> EncodedDocument {
        var encoder = HeliumJSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes]
        return EncodedDocument(data: try encoder.encode(value))
    }

    /// Writes a value inside of a member: `{"key": {…}}`.
    static func write(_ value: some Encodable, in wrapper: StaticString) throws -> EncodedDocument {
        try write(Wrapped(name: MemberName(wrapper), version: nil, value: value))
    }

    /// Writes datastreams in the form of a feed: `{"version": "1.0.0", "datastreams": […]}`
    /// (Docs/Protocols/Cosm.md §5).
    static func write(environmentOf datastreams: [Datastream]) throws -> EncodedDocument {
        try write(Wrapped(name: MemberName(Datastream.listWrapper), version: "1.0.0", value: datastreams))
    }

    private struct Wrapped<Value: Encodable>: Encodable {
        let name: MemberName
        let version: String?
        let value: Value

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: MemberName.self)
            if let version { try container.encode(version, forKey: MemberName("version")) }
            try container.encode(value, forKey: name)
        }
    }
}
