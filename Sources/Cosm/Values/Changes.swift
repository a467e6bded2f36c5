internal import HeliumJSON

extension Feed {
    /// Returns the update that changes an `old` feed into this one. It has only the members that differ.
    ///
    /// ```swift
    /// let fetched = try await cosm.feed(504)
    /// var shed = fetched
    /// shed.title = "Shed"
    /// try await cosm.updateFeed(504, shed.changes(since: fetched))
    /// ```
    ///
    /// A removed text becomes an empty text, and removed tags become an empty list, because the server deletes them
    /// then (Docs/Protocols/Cosm.md §3.3). Removed members of the location become empty texts too, those without a text
    /// property in ``Location/extra``: only JSON can represent these. Removed datastreams are not part of the update: delete them with a separate
    /// call. Members that only the server sets are left out.
    public func changes(since old: Feed) -> Feed {
        var changes = clientChanges(since: old)
        let before = Dictionary((old.datastreams ?? []).map { ($0.id, $0) }) { first, _ in first }
        let changed = (datastreams ?? []).compactMap { stream -> Datastream? in
            guard let old = before[stream.id] else { return stream.writable }
            return stream == old ? nil : stream.changes(since: old)
        }
        changes.datastreams = changed.isEmpty ? nil : changed
        return changes
    }
}

extension Datastream {
    /// Returns the update that changes an `old` datastream into this one. It has the id and the members that differ.
    ///
    /// Removed tags become an empty list, and removed parts of the unit become empty texts, because the server deletes
    /// them then (Docs/Protocols/Cosm.md §3.3). A new timestamp includes its value.
    public func changes(since old: Datastream) -> Datastream {
        var changes = clientChanges(since: old)
        if at != old.at { changes.currentValue = currentValue }
        return changes
    }
}

extension CosmRecord {
    /// Returns the client's members that differ from an `old` record, and those that identify the record.
    fileprivate func clientChanges(since old: Self) -> Self {
        var members = ChangedMembers(new: self, old: old)
        Self.members(&members)
        for (name, value) in extra where old.extra[name] != value { members.changes.extra[name] = value }
        return members.changes
    }
}

/// Collects the members that differ between two records.
private struct ChangedMembers<Record: CosmRecord>: MemberVisitor {
    let new: Record
    let old: Record
    var changes = Record()

    private mutating func take<Value: Equatable>(
        _ path: MemberPath<Record, Value>,
        _ facts: MemberFacts,
        cleared: Value?
    ) {
        let value = new[keyPath: path]
        if facts.writer == .clientAtCreation {
            changes[keyPath: path] = value
        } else if facts.writer.isClient, value != old[keyPath: path] {
            changes[keyPath: path] = value ?? cleared
        }
    }

    mutating func member<Value: WireText>(
        _ name: StaticString,
        _ path: MemberPath<Record, Value>,
        _ facts: MemberFacts
    ) {
        take(path, facts, cleared: Value.cleared)
    }

    mutating func alias<Value: WireText>(_ name: StaticString, _ path: MemberPath<Record, Value>) {}

    mutating func list<Value: WireText>(
        _ name: StaticString,
        of element: StaticString,
        _ path: MemberPath<Record, [Value]>,
        _ facts: MemberFacts
    ) {
        take(path, facts, cleared: [])
    }

    mutating func tags(_ name: StaticString, _ path: MemberPath<Record, [String]>, _ facts: MemberFacts) {
        take(path, facts, cleared: [])
    }

    mutating func record<Inner: CosmRecord>(
        _ name: StaticString,
        _ path: MemberPath<Record, Inner>,
        _ facts: MemberFacts
    ) {
        guard facts.writer.isClient else { return }
        let (value, before) = (new[keyPath: path]?.clientMembers, old[keyPath: path]?.clientMembers)
        if value == before { return }
        var cleared = ClearedMembers(new: value ?? Inner(), old: before ?? Inner())
        Inner.members(&cleared)
        changes[keyPath: path] = cleared.result
    }

    mutating func records<Inner: CosmRecord>(
        _ name: StaticString,
        of element: StaticString,
        _ path: MemberPath<Record, [Inner]>,
        _ facts: MemberFacts
    ) {
        take(path, facts, cleared: nil)
    }
}

/// Adds an empty value for each member that a record no longer has. The server merges the members of a record inside of
/// another one, so an absent member stays as it is.
private struct ClearedMembers<Record: CosmRecord>: MemberVisitor {
    let old: Record
    var result: Record

    init(new: Record, old: Record) {
        self.old = old
        result = new
        for (name, _) in old.extra where new.extra[name] == nil { result.extra[name] = "" }
    }

    mutating func member<Value: WireText>(
        _ name: StaticString,
        _ path: MemberPath<Record, Value>,
        _ facts: MemberFacts
    ) {
        guard facts.writer.isClient, result[keyPath: path] == nil, old[keyPath: path] != nil else { return }
        if let cleared = Value.cleared {
            result[keyPath: path] = cleared
        } else {
            result.extra[name.description] = ""
        }
    }

    mutating func alias<Value: WireText>(_ name: StaticString, _ path: MemberPath<Record, Value>) {}

    mutating func list<Value: WireText>(
        _ name: StaticString,
        of element: StaticString,
        _ path: MemberPath<Record, [Value]>,
        _ facts: MemberFacts
    ) {
        if facts.writer.isClient, result[keyPath: path] == nil, old[keyPath: path] != nil { result[keyPath: path] = [] }
    }

    mutating func tags(_ name: StaticString, _ path: MemberPath<Record, [String]>, _ facts: MemberFacts) {
        if facts.writer.isClient, result[keyPath: path] == nil, old[keyPath: path] != nil { result[keyPath: path] = [] }
    }

    mutating func record<Inner: CosmRecord>(
        _ name: StaticString,
        _ path: MemberPath<Record, Inner>,
        _ facts: MemberFacts
    ) {}

    mutating func records<Inner: CosmRecord>(
        _ name: StaticString,
        of element: StaticString,
        _ path: MemberPath<Record, [Inner]>,
        _ facts: MemberFacts
    ) {}
}
