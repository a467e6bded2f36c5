internal import GRDB
internal import HeliumServerKit

/// Applies writes to one feed inside of a transaction, and records their effects.
struct FeedWriter {
    let database: Database
    let maxima: CosmMaxima
    let rules: AccessRules
    let now: ServerInstant
    /// The keys of triggers.
    private let keys: CachedKeys
    private(set) var feed: FeedRecord
    private(set) var effect = WriteEffect()

    init(
        _ feed: FeedRecord,
        database: Database,
        maxima: CosmMaxima,
        rules: AccessRules,
        keys: CachedKeys,
        now: ServerInstant
    ) {
        self.feed = feed
        self.database = database
        self.maxima = maxima
        self.rules = rules
        self.keys = keys
        self.now = now
    }

    /// Applies a merge (Docs/Protocols/Cosm.md §3.3): only named members change, and unknown datastreams are created.
    mutating func apply(_ input: FeedInput) throws {
        var title: String? = feed.title
        input.title.applied(to: &title)
        feed.title = title ?? feed.title
        input.description.applied(to: &feed.description)
        input.website.applied(to: &feed.website)
        input.email.applied(to: &feed.email)
        input.icon.applied(to: &feed.icon)
        if !input.tags.isUnchanged { feed.tags = input.tags.newValue ?? [] }
        feed.isPrivate = input.isPrivate.newValue ?? feed.isPrivate
        input.location.applied(to: &feed.location)
        feed.updated = now
        try FeedTable(database: database).update(feed)
        if !input.location.latitude.isUnchanged || !input.location.longitude.isUnchanged { try noteWaypoint() }
        effect.feed = feed.id
        for stream in input.datastreams { try apply(stream, creates: true) }
    }

    private func noteWaypoint() throws {
        let location = feed.location
        guard location.isMobile, let latitude = location.latitude, let longitude = location.longitude else { return }
        try FeedTable(database: database).append(
            Waypoint(at: now, latitude: latitude, longitude: longitude, elevation: location.elevation),
            to: feed.id,
            maximum: maxima.waypoints
        )
    }

    /// Applies the content of a request to one datastream.
    ///
    /// - Throws: ``CosmFailure``: 404 if the datastream is unknown and `creates` is `false`, 403 beyond a limit.
    mutating func apply(_ input: DatastreamInput, creates: Bool) throws {
        let table = DatastreamTable(database: database)
        if let stream = try table.datastream(input.id, of: feed.id) {
            try store(StreamUpdate(input, to: stream, at: now), previous: stream)
        } else if creates {
            try create(input)
        } else {
            throw CosmFailure.notFound
        }
    }

    /// Creates a datastream. It must not exist yet.
    mutating func create(_ input: DatastreamInput) throws {
        let table = DatastreamTable(database: database)
        if try table.count(of: feed.id) >= maxima.datastreams { throw CosmFailure.full("datastreams") }
        var stream = DatastreamRecord(number: 0, feed: feed.id, id: input.id)
        try table.insert(&stream)
        var update = StreamUpdate(input, to: stream, at: now)
        update.isChanged = true
        try store(update, previous: stream)
    }

    /// Stores points of a datastream.
    mutating func append(_ points: [Datapoint], to stream: DatastreamRecord) throws {
        try store(StreamUpdate(points, to: stream, at: now), previous: stream)
    }

    private mutating func store(_ update: StreamUpdate, previous: DatastreamRecord) throws {
        var update = update
        if !update.points.isEmpty {
            let added = try DatapointTable(database: database).insert(update.points, into: update.stream.number)
            update.stream.pointCount += added
            if update.stream.pointCount > maxima.datapoints { throw CosmFailure.full("datapoints") }
        }
        if update.stream != previous { try DatastreamTable(database: database).update(update.stream) }
        if update.isChanged {
            effect.feed = feed.id
            effect.datastreams.append(update.stream.id)
        }
        if update.points.isEmpty { return }
        let (notifications, revivesSilence) = try watch.notifications(
            feed: feed,
            stream: update.stream,
            previous: previous,
            current: update.newCurrent
        )
        effect.notifications += notifications
        effect.revivesSilence = effect.revivesSilence || revivesSilence
    }

    private var watch: TriggerWatch { TriggerWatch(database: database, keys: keys, rules: rules, now: now) }

    /// Records the time of arrival of a write that does not change the feed's own members.
    mutating func touch() throws {
        feed.updated = now
        try FeedTable(database: database).touch(feed.id, at: now)
    }
}
