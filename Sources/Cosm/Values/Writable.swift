extension Feed {
    /// A copy of the feed without the members that only the server sets, and without an empty location or unit.
    ///
    /// This is what ``CosmClient/createFeed(_:format:)`` and ``CosmClient/updateFeed(_:_:format:)`` send.
    package var writable: Feed { clientMembers }
}

extension Datastream {
    /// A copy of the datastream without the members that only the server sets, and without an empty unit.
    ///
    /// This is what ``CosmClient/createDatastreams(_:in:format:)`` and ``CosmClient/updateDatastream(_:in:_:format:)`` send.
    package var writable: Datastream { clientMembers }
}

extension Trigger {
    /// A copy of the trigger without the members that only the server sets.
    ///
    /// This is what ``CosmClient/createTrigger(_:format:)`` and ``CosmClient/updateTrigger(_:_:format:)`` send.
    package var writable: Trigger { clientMembers }
}

extension APIKey {
    /// A copy of the key without the members that only the server sets, which include the secret.
    ///
    /// This is what ``CosmClient/createKey(_:format:)`` and ``CosmClient/updateKey(_:_:format:)`` send.
    package var writable: APIKey { clientMembers }
}

extension CosmRecord {
    /// A copy of the record without the members of the service. Inner records that are empty then are left out, because
    /// the service ignores them (Docs/Protocols/Cosm.md §3.3).
    var clientMembers: Self {
        var members = ClientMembers(record: self)
        Self.members(&members)
        return members.record
    }
}

/// Removes the members of the service.
private struct ClientMembers<Record: CosmRecord>: MemberVisitor {
    var record: Record

    mutating func member<Value: WireText>(
        _ name: StaticString,
        _ path: MemberPath<Record, Value>,
        _ facts: MemberFacts
    ) {
        if !facts.writer.isClient { record[keyPath: path] = nil }
    }

    mutating func alias<Value: WireText>(_ name: StaticString, _ path: MemberPath<Record, Value>) {}

    mutating func list<Value: WireText>(
        _ name: StaticString,
        of element: StaticString,
        _ path: MemberPath<Record, [Value]>,
        _ facts: MemberFacts
    ) {
        if !facts.writer.isClient { record[keyPath: path] = nil }
    }

    mutating func tags(_ name: StaticString, _ path: MemberPath<Record, [String]>, _ facts: MemberFacts) {
        if !facts.writer.isClient { record[keyPath: path] = nil }
    }

    mutating func record<Inner: CosmRecord>(
        _ name: StaticString,
        _ path: MemberPath<Record, Inner>,
        _ facts: MemberFacts
    ) {
        let inner = facts.writer.isClient ? record[keyPath: path]?.clientMembers : nil
        record[keyPath: path] = inner == Inner() ? nil : inner
    }

    mutating func records<Inner: CosmRecord>(
        _ name: StaticString,
        of element: StaticString,
        _ path: MemberPath<Record, [Inner]>,
        _ facts: MemberFacts
    ) {
        record[keyPath: path] = facts.writer.isClient ? record[keyPath: path]?.map(\.clientMembers) : nil
    }
}
