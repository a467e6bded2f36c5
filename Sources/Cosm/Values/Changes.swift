internal import HeliumJSON

extension Feed {
    /// What an update has to say so that a feed which is `old` becomes this one: nothing that stayed as it was.
    ///
    /// ```swift
    /// let fetched = try await cosm.feed(504)
    /// var shed = fetched
    /// shed.title = "Shed"
    /// try await cosm.updateFeed(504, shed.changes(since: fetched))
    /// ```
    ///
    /// A text that is gone becomes an empty one, tags that are gone an empty list: so the server clears them (§3.3).
    /// Datastreams that are gone stay: deleting them is a call of its own. What only the server sets is left out.
    public func changes(since old: Feed) -> Feed {
        var changes = Feed()
        changes.title = Change.text(title, old.title)
        changes.description = Change.text(description, old.description)
        changes.website = Change.text(website, old.website)
        changes.email = Change.text(email, old.email)
        changes.icon = Change.text(icon, old.icon)
        changes.tags = tags == old.tags ? nil : tags ?? []
        changes.isPrivate = Change.value(isPrivate, old.isPrivate)
        changes.location = Change.value(location, old.location)
        changes.location?.waypoints = nil
        for (name, value) in extra where old.extra[name] != value { changes.extra[name] = value }

        let before = Dictionary((old.datastreams ?? []).map { ($0.id, $0) }) { first, _ in first }
        let changed = (datastreams ?? []).compactMap { stream -> Datastream? in
            guard let old = before[stream.id] else { return stream.writable }
            return stream == old ? nil : stream.changes(since: old)
        }
        if !changed.isEmpty { changes.datastreams = changed }
        return changes
    }
}

extension Datastream {
    /// What an update has to say so that a datastream which is `old` becomes this one, and its id.
    ///
    /// Tags that are gone become an empty list: so the server clears them (§3.3). A value comes with its stamp.
    public func changes(since old: Datastream) -> Datastream {
        var changes = Datastream(id: id)
        if currentValue != old.currentValue || at != old.at {
            changes.currentValue = currentValue
            // The old stamp belongs to the old value.
            changes.at = at == old.at && currentValue != old.currentValue ? nil : at
        }
        changes.maximumValue = Change.value(maximumValue, old.maximumValue)
        changes.minimumValue = Change.value(minimumValue, old.minimumValue)
        changes.tags = tags == old.tags ? nil : tags ?? []
        changes.unit = Change.value(unit, old.unit)
        changes.datapoints = Change.value(datapoints, old.datapoints)
        for (name, value) in extra where old.extra[name] != value { changes.extra[name] = value }
        return changes
    }
}

private enum Change {
    static func value<Value: Equatable>(_ new: Value?, _ old: Value?) -> Value? { new == old ? nil : new }

    static func text(_ new: String?, _ old: String?) -> String? { new == old ? nil : new ?? "" }
}
