internal import HeliumCore

/// A value with lists whose unreadable records are left out and named.
protocol HoldsUnreadable {
    /// Whether a list of the value has unreadable records.
    var hasUnreadable: Bool { get }

    /// Calls `body` with the path and the unreadable records of each list that has some, and stores what it leaves.
    mutating func updateUnreadable(at path: String, _ body: (String, inout UnreadableItems) -> Void)
}

extension HoldsUnreadable {
    /// Writes the value without its unreadable records, which are losses.
    func encoded(by write: (Self) throws -> EncodedDocument) rethrows -> EncodedDocument {
        var readable = self
        let losses = readable.takeUnreadable()
        var document = try write(readable)
        document.losses += losses
        return document
    }

    /// Removes the unreadable records and returns the losses that writing the value without them is.
    private mutating func takeUnreadable() -> [EncodedDocument.Loss] {
        var losses: [EncodedDocument.Loss] = []
        updateUnreadable(at: "") { path, items in
            losses.append(EncodedDocument.Loss(path: path, reason: "\(items)"))
            items = UnreadableItems()
        }
        return losses
    }

    /// Returns the value with secrets masked, which a service may repeat in an unreadable record.
    func redacted(by redactor: Redactor) -> Self {
        guard hasUnreadable else { return self }
        var copy = self
        copy.updateUnreadable(at: "") { _, items in items = items.redacted(by: redactor) }
        return copy
    }
}

extension Datastream: HoldsUnreadable {
    var hasUnreadable: Bool { !unreadable.isEmpty }

    mutating func updateUnreadable(at path: String, _ body: (String, inout UnreadableItems) -> Void) {
        if !unreadable.isEmpty { body("\(path)datapoints", &unreadable) }
    }
}

extension Feed: HoldsUnreadable {
    var hasUnreadable: Bool { !unreadable.isEmpty || datastreams?.hasUnreadable == true }

    mutating func updateUnreadable(at path: String, _ body: (String, inout UnreadableItems) -> Void) {
        if !unreadable.isEmpty { body("\(path)datastreams", &unreadable) }
        datastreams?.updateUnreadable(at: "\(path)datastreams", body)
    }
}

extension FeedPage: HoldsUnreadable {
    var hasUnreadable: Bool { !unreadable.isEmpty || results.hasUnreadable }

    mutating func updateUnreadable(at path: String, _ body: (String, inout UnreadableItems) -> Void) {
        if !unreadable.isEmpty { body("\(path)results", &unreadable) }
        results.updateUnreadable(at: "\(path)results", body)
    }
}

extension CosmList: HoldsUnreadable {
    var hasUnreadable: Bool { !unreadable.isEmpty }

    mutating func updateUnreadable(at path: String, _ body: (String, inout UnreadableItems) -> Void) {
        if !unreadable.isEmpty { body(path, &unreadable) }
    }
}

extension Array: HoldsUnreadable where Element: HoldsUnreadable {
    var hasUnreadable: Bool { contains(where: \.hasUnreadable) }

    mutating func updateUnreadable(at path: String, _ body: (String, inout UnreadableItems) -> Void) {
        for index in indices where self[index].hasUnreadable {
            self[index].updateUnreadable(at: "\(path)[\(index)].", body)
        }
    }
}
