import Foundation
import HeliumJSON
import Testing

@testable import Cosm

/// A type of record.
struct RecordCase: Sendable, CustomTestStringConvertible {
    let testDescription: String
    fileprivate let run: @Sendable (any RecordCheck.Type) throws -> Void

    private init<Record: CosmRecord>(_ type: Record.Type) {
        testDescription = String(reflecting: type)
        run = { try $0.check(type) }
    }

    static let all = [
        Self(Feed.self), Self(FeedPage.self), Self(Location.self), Self(Location.Waypoint.self),
        Self(Datastream.self), Self(Datastream.Unit.self), Self(Datapoint.self), Self(Trigger.self),
        Self(APIKey.self), Self(APIKey.Permission.self), Self(APIKey.Resource.self), Self(User.self),
    ]
}

@Suite("Tables of Cosm's members")
struct MemberTableTests {
    @Test("each property is in the table of members once", arguments: RecordCase.all)
    func properties(record: RecordCase) throws { try record.run(Properties.self) }

    @Test("JSON has each member of the table, with every decoder and encoder", arguments: RecordCase.all)
    func json(record: RecordCase) throws { try record.run(JSONDocuments.self) }

    @Test("a request sends exactly the client's members", arguments: RecordCase.all)
    func requests(record: RecordCase) throws { try record.run(Requests.self) }

    @Test("XML has each member except those that the table excludes")
    func xml() throws {
        try checkXML(Feed.self)
        try checkXML(FeedPage.self)
        try checkXML(Datastream.self)
        try checkXML(Datapoint.self)
        try checkXML(Trigger.self)
        try checkXML(APIKey.self)
        try checkXML(User.self)
    }

    private func checkXML<Record: CosmRecord & CosmDocument>(_ type: Record.Type) throws {
        let document = try Record.filled.encoded(as: .xml)
        #expect(document.losses.map(\.path) == TableMembers<Record>.all.pathsAbsentInXML)
        #expect(try CosmFormat.xml.decode(Record.self, from: document.data).unknownMembers.isEmpty)
    }

    @Test("CSV reports each member that it lacks")
    func csv() throws {
        let losses = Set(try Feed.filled.encoded(as: .csv).losses.map(\.path))
        #expect(losses.isSuperset(of: TableMembers<Feed>.all.names.filter { $0 != "datastreams" }))
        let rest = TableMembers<Datastream>.all.names.filter { !["id", "datapoints"].contains($0) }
        #expect(losses.isSuperset(of: rest.map { "datastreams[0].\($0)" }))
    }

    @Test("a model sends the client's members, and clears each by an empty value")
    func models() throws {
        try checkModel(Feed.self)
        try checkModel(Datastream.self)
        try checkModel(Datapoint.self)
    }

    private func checkModel<Entity: ModelEntity>(_ type: Entity.Type) throws {
        let table = TableMembers<Entity>.all
        let edited = table.names { $0 == .client }
        let new = ModelState(Entity.filled, isKnown: false, at: 1)
        #expect(new.unsavedMembers == Set(edited))
        #expect(try new.draft(isNew: true).body.map(\.name) == edited)

        var known = ModelState(Entity.filled, isKnown: true, at: 1)
        for name in table.names { known.setMember(name, to: nil, at: 2) }
        #expect(known.unsavedMembers == Set(edited))
        let clearing = try known.draft(isNew: false).body
        for member in table where member.facts.writer == .client {
            let names = member.inner?.names(where: \.isClient) ?? []
            let empty: JSONValue =
                member.isList ? [] : names.isEmpty ? "" : .object(JSONObject(names.map { ($0, .string("")) }))
            #expect(clearing[member.name] == empty)
        }

        var emptied = ModelState(Entity.filled, isKnown: true, at: 1)
        _ = emptied.merge(Entity(), askedAt: 2)
        #expect(emptied.value.presentMembers == table.names { $0.isOptionalInDocuments })
    }

    @Test("a changed record sends the client's members that are not empty")
    func changes() {
        let (feed, stream) = (Feed.filled, Datastream.filled)
        #expect(feed.changes(since: Feed()) == feed.writable && feed.changes(since: feed) == Feed())
        #expect(stream.changes(since: Datastream()) == stream.writable)
        #expect(stream.changes(since: stream) == Datastream(id: stream.id))
        #expect(
            Feed(location: Location(), datastreams: [Datastream(unit: .init())]).writable
                == Feed(datastreams: [.init()])
        )
        var moved = feed
        moved.location?.waypoints = nil
        moved.autoFeedURL = nil
        #expect(moved.changes(since: feed) == Feed())
    }

    @Test("the service's members are those that it ignores in requests")
    func writers() {
        func service<Record: CosmRecord>(_ type: Record.Type) -> Set<String> {
            Set(TableMembers<Record>.all.names { !$0.isClient })
        }
        #expect(
            service(Feed.self) == [
                "id", "feed", "status", "creator", "created", "updated", "version", "auto_feed_url", "user",
                "product_id",
                "device_serial",
            ]
        )
        #expect(service(Location.self) == ["waypoints"])
        #expect(service(Datastream.self) == ["datapoints_function", "version"])
        #expect(service(Datastream.Unit.self).isEmpty && service(Datapoint.self).isEmpty)
        #expect(service(Trigger.self) == ["id", "notified_at", "user"])
        #expect(service(APIKey.self) == ["id", "api_key", "user"])
        #expect(service(APIKey.Permission.self).isEmpty && service(APIKey.Resource.self).isEmpty)
    }
}

/// A check that holds for records of every type.
private protocol RecordCheck {
    static func check<Record: CosmRecord>(_ type: Record.Type) throws
}

private enum Properties: RecordCheck {
    /// The properties that are not members of a document with a name of their own.
    private static let besides = ["extra", "unreadable"]

    /// The names of the properties that have a value.
    private static func present(_ record: some CosmRecord) -> Set<String> {
        let properties = Mirror(reflecting: record).children.filter { property in
            if case Optional<Any>.none = property.value { return false }
            return (property.value as? [Any])?.isEmpty != true
        }
        return Set(properties.compactMap(\.label)).subtracting(besides)
    }

    static func check<Record: CosmRecord>(_ type: Record.Type) throws {
        let names = TableMembers<Record>.all.names
        let properties = Set(Mirror(reflecting: Record()).children.compactMap(\.label)).subtracting(besides)
        #expect(Set(names).count == names.count && names.count == properties.count)
        #expect(present(Record.filled) == properties && present(Record()).isEmpty)
        let table = MemberTable<Record>()
        var seen: [String] = []
        for field in table.fields + [table.children].compactMap(\.self) {
            var record = Record()
            field.copy(from: Record.filled, to: &record)
            #expect(present(record).count == 1, "\(field.name)")
            seen += present(record)
        }
        #expect(seen.count == properties.count && Set(seen) == properties)
    }
}

private enum JSONDocuments: RecordCheck {
    static func check<Record: CosmRecord>(_ type: Record.Type) throws {
        let (record, names) = (Record.filled, TableMembers<Record>.all.names)
        let text = try HeliumJSONEncoder().encodeToString(record)
        let object = try #require(try JSONValue(parsing: text).objectValue)
        #expect(object.map(\.name) == names && record.presentMembers == names)
        // The fast reader, and any decoder.
        #expect(try Record(members: text) == record)
        #expect(try JSONDecoder().decode(Record.self, from: Data(text.utf8)) == record)
        #expect(try HeliumJSONDecoder().decode(Record.self, from: JSONEncoder().encode(record)) == record)
        let nulls = JSONValue.object(JSONObject(names.map { ($0, .null) })).data()
        #expect(try HeliumJSONDecoder().decode(Record.self, from: nulls) == Record())
        #expect(try JSONDecoder().decode(Record.self, from: nulls) == Record())
    }
}

private enum Requests: RecordCheck {
    static func check<Record: CosmRecord>(_ type: Record.Type) throws {
        let table = TableMembers<Record>.all
        let sent = try EntityJSON.object(of: Record.filled.clientMembers)
        // A page always has its list, if need be an empty one.
        #expect(sent.filter { $0.value != [] }.map(\.name) == table.names(where: \.isClient))
        for member in table where member.facts.writer.isClient {
            guard let inner = member.inner?.names(where: \.isClient), let value = sent[member.name] else { continue }
            let object = value.objectValue ?? value.arrayValue?.first?.objectValue
            #expect(object?.map(\.name) == inner, "\(member.name)")
        }
        #expect(Record().clientMembers == Record())
    }
}

/// Reads a record by the fast reader.
private struct FastDocument<Record: CosmRecord>: JSONReadable {
    let record: Record

    init(json: borrowing JSONReader) throws { record = try Record(members: json) }

    init(from decoder: any Decoder) throws { record = try Record(from: decoder) }
}

extension CosmRecord {
    fileprivate init(members text: String) throws {
        self = try HeliumJSONDecoder().decode(FastDocument<Self>.self, from: text).record
    }
}
