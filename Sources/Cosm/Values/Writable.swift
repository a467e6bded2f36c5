// What of a value the server takes on input (§3.3, §5, §7, §8): the rest it ignores.

extension Feed {
    /// The feed with what a server takes: without what only it sets, and without an empty location.
    public var writable: Feed {
        var feed = self
        feed.id = nil
        feed.feedURL = nil
        feed.autoFeedURL = nil
        feed.status = nil
        feed.updated = nil
        feed.created = nil
        feed.creator = nil
        feed.user = nil
        feed.version = nil
        feed.productID = nil
        feed.deviceSerial = nil
        feed.location?.waypoints = nil
        if feed.location == Location() { feed.location = nil }
        feed.datastreams = feed.datastreams?.map(\.writable)
        return feed
    }
}

extension Datastream {
    /// The datastream with what a server takes: without what only it sets.
    public var writable: Datastream {
        var datastream = self
        datastream.version = nil
        datastream.datapointsFunction = nil
        return datastream
    }
}

extension Trigger {
    /// The trigger with what a server takes: without what only it sets.
    public var writable: Trigger {
        var trigger = self
        trigger.id = nil
        trigger.notifiedAt = nil
        trigger.user = nil
        return trigger
    }
}

extension APIKey {
    /// The key with what a server takes: without what only it sets.
    public var writable: APIKey {
        var key = self
        key.key = nil
        key.id = nil
        key.user = nil
        return key
    }
}
