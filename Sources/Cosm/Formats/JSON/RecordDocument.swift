internal import Foundation
internal import HeliumCore
internal import HeliumJSON

/// A JSON document with one record: `{"key": {…}}`, `{"keys": [{…}]}` or the record itself.
struct RecordDocument<Record: NamedRecord>: JSONReadable {
    let document: ReadDocument<Record>

    init(json: borrowing JSONReader) throws {
        let wrapping = try Wrapping(json, Record.self)
        switch wrapping.wrapped {
        case .one(let record):
            document = ReadDocument(value: try Record(json: record), membersAround: wrapping.others)
        case .list(let list) where list.elementCount == 1:
            var record: Record?
            try list.forEachElement { record = try Record(json: $0) }
            guard var record else { throw list.corrupted("expected one \(Record.wrapper), found none") }
            try wrapping.adopt(&record, list)
            document = ReadDocument(value: record, membersAround: wrapping.others)
        case .list(let list):
            throw list.corrupted("expected one \(Record.wrapper), found \(list.elementCount) elements")
        case nil:
            document = ReadDocument(value: try Record(json: json))
        }
    }

    init(from decoder: any Decoder) throws { document = ReadDocument(value: try Record(from: decoder)) }
}

/// A JSON document with several records: `{"keys": […]}` or an array. Each record may be wrapped as well.
struct ListDocument<Record: NamedRecord>: JSONReadable {
    private(set) var document = ReadDocument<[Record]>(value: [])
    /// The records that could not be read.
    private(set) var unreadable = UnreadableItems()
    /// The error of the first record that could not be read.
    private(set) var firstError: (any Error)?

    init(json: borrowing JSONReader) throws {
        guard json.kind != .array else {
            try read(json, wrapping: nil)
            return
        }
        let wrapping = try Wrapping(json, Record.self)
        switch wrapping.wrapped {
        case .one(let record):
            document = ReadDocument(value: [try Record(json: record)], membersAround: wrapping.others)
        case .list(let list):
            try read(list, wrapping: wrapping)
        case nil:
            throw json.corrupted("expected an array or a member \"\(Record.listWrapper)\"")
        }
    }

    init(from decoder: any Decoder) throws { document = ReadDocument(value: try [Record](from: decoder)) }

    private mutating func read(_ list: borrowing JSONReader, wrapping: Wrapping?) throws {
        var around = wrapping?.others ?? []
        var index = 0
        let records = try ReadableItems<Record>(json: list) { element in
            if element.isNull { return nil }
            defer { index += 1 }
            do {
                return try Self.record(element, wrapping, index, &around)
            } catch {
                firstError = firstError ?? error
                throw error
            }
        }
        unreadable = records.unreadable
        document = ReadDocument(value: records.elements, membersAround: around)
    }

    private static func record(
        _ element: borrowing JSONReader,
        _ wrapping: Wrapping?,
        _ index: Int,
        _ around: inout [String]
    ) throws -> Record {
        var record: Record
        if element.kind == .object, case let inner = try Wrapping(element, Record.self),
            case .one(let inside)? = inner.wrapped
        {
            record = try Record(json: inside)
            around += inner.others.map { "[\(index)].\($0)" }
        } else {
            record = try Record(json: element)
        }
        try wrapping?.adopt(&record, element)
        return record
    }
}

/// The wrapped record or list of an object.
private struct Wrapping {
    enum Wrapped {
        case one(JSONReader)
        case list(JSONReader)
    }

    var wrapped: Wrapped?
    /// The names of the other members, except a version, which is read.
    var others: [String] = []
    private var version: String?

    init<Record: NamedRecord>(_ json: borrowing JSONReader, _ type: Record.Type) throws {
        guard json.kind == .object else { return }
        var found: Wrapped?
        var others: [String] = []
        var version: String?
        try json.forEachMember { name, value in
            if Record.wrapper ~= name, value.kind == .object {
                found = .one(value)
            } else if Record.listWrapper ~= name, value.kind == .array {
                found = .list(value)
            } else if "version" ~= name, value.kind == .string {
                version = try String.read(value)
            } else {
                others.append(name.string)
            }
        }
        wrapped = found
        self.others = found == nil ? [] : others
        self.version = version
    }

    func adopt<Record: NamedRecord>(_ record: inout Record, _ json: borrowing JSONReader) throws {
        guard DocumentVersion.isVersion1(version) else { return }
        do {
            try record.adoptVersion1()
        } catch {
            throw json.corrupted(error.reason)
        }
    }
}

/// A JSON document with a page of feeds: the envelope of Docs/Protocols/Cosm.md §2.7, `{"feeds": […]}` or an array of
/// feeds.
struct FeedPageDocument: JSONReadable {
    let document: ReadDocument<FeedPage>

    init(json: borrowing JSONReader) throws {
        var hasResults = false
        if json.kind == .object {
            try json.forEachMember { name, value in if "results" ~= name { hasResults = true } }
        }
        if hasResults {
            document = ReadDocument(value: try FeedPage(json: json))
        } else {
            let list = try ListDocument<Feed>(json: json)
            var page = FeedPage(results: list.document.value)
            page.unreadable = list.unreadable
            document = ReadDocument(value: page, membersAround: list.document.membersAround)
        }
    }

    init(from decoder: any Decoder) throws { document = ReadDocument(value: try FeedPage(from: decoder)) }
}
