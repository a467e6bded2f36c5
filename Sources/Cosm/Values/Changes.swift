internal import HeliumJSON

extension Feed {
    /// The update that makes an `old` feed this one: only members that differ.
    ///
    /// ```swift
    /// let fetched = try await cosm.feed(504)
    /// var shed = fetched
    /// shed.title = "Shed"
    /// try await cosm.updateFeed(504, shed.changes(since: fetched))
    /// ```
    ///
    /// A text that was removed becomes an empty one, and removed tags an empty list, by which the server clears them (§3.3).
    /// Datastreams that were removed stay: deleting them is a call of its own. Members that only the server sets are left
    /// out.
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
    /// The update that makes an `old` datastream this one: its id and the members that differ.
    ///
    /// Removed tags become an empty list, by which the server clears them (§3.3). A new timestamp comes with its value.
    public func changes(since old: Datastream) -> Datastream {
        var changes = clientChanges(since: old)
        if at != old.at { changes.currentValue = currentValue }
        return changes
    }
}

extension CosmRecord {
    /// The members of the client that differ from an `old` record, and those by which the client identifies the record.
    fileprivate func clientChanges(since old: Self) -> Self {
        var members = ChangedMembers(new: self, old: old)
        Self.members(&members)
        for (name, value) in extra where old.extra[name] != value { members.changes.extra[name] = value }
        return members.changes
    }
}

/// Gathers the members that differ between two records.
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
        let value = new[keyPath: path]?.clientMembers
        if value != old[keyPath: path]?.clientMembers { changes[keyPath: path] = value }
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
