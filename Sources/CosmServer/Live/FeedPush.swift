internal import HeliumJSON
internal import HeliumServerKit

/// The documents that one write pushes to the subscribers of a feed (Docs/Protocols/Cosm.md §14.3).
///
/// Each key is read once, its access to a resource is decided once, and each document is made once, however many
/// subscriptions and keys need it.
final class FeedPush {
    /// A resource that the key of a subscription may read.
    enum Target {
        case feed(Granted<FeedRecord>)
        case datastream(Granted<DatastreamRecord>, of: FeedRecord)

        /// The limit that the document depends on.
        fileprivate var limit: HistoryLimit {
            switch self {
            case .feed(let feed): HistoryLimit(feed.object.location.isMobile ? feed.minimumInterval : 0)
            case .datastream: HistoryLimit(0)
            }
        }
    }

    /// The key of a subscription, where it is used, and the datastream; `nil` for the whole feed.
    struct Reader: Hashable {
        let key: String
        let address: String
        let datastream: ByteText?

        init(key: String, address: String, datastream: String?) {
            self.key = key
            self.address = address
            self.datastream = datastream.map { ByteText($0) }
        }
    }

    /// The resource and what its document shows of the past, which is only the track of a mobile feed. Without this,
    /// keys that differ in their number of seconds alone would each need a document.
    private struct DocumentName: Hashable {
        let datastream: ByteText?
        let limit: HistoryLimit
    }

    private let feed: FeedRecord
    private let keys: CachedKeys
    private let rules: AccessRules
    private let now: ServerInstant
    private let stream: (String) throws -> DatastreamRecord?
    private let document: (Target) throws -> [UInt8]
    private var targets: [Reader: Target?] = [:]
    private var documents: [DocumentName: [UInt8]] = [:]

    /// - Parameters:
    ///   - stream: Returns a datastream of the feed; `nil` if it does not exist.
    ///   - document: Returns the JSON of a resource.
    init(
        _ feed: FeedRecord,
        keys: CachedKeys,
        rules: AccessRules,
        now: ServerInstant,
        stream: @escaping (String) throws -> DatastreamRecord?,
        document: @escaping (Target) throws -> [UInt8]
    ) {
        self.feed = feed
        self.keys = keys
        self.rules = rules
        self.now = now
        self.stream = stream
        self.document = document
    }

    /// Returns the document for a subscription; `nil` if its key does not give access to the resource, or if the
    /// resource does not exist.
    func document(for reader: Reader) throws -> [UInt8]? {
        let target: Target?
        if let known = targets[reader] {
            target = known
        } else {
            target = try self.target(of: reader)
            targets[reader] = .some(target)
        }
        guard let target else { return nil }
        let name = DocumentName(datastream: reader.datastream, limit: target.limit)
        if let made = documents[name] { return made }
        let made = try document(target)
        documents[name] = made
        return made
    }

    /// A deleted or expired key ends the pushes of its subscriptions.
    private func target(of reader: Reader) throws -> Target? {
        guard let key = try keys.key(reader.key) else { return nil }
        let use = KeyUse(key: key, method: .get, address: reader.address, now: now, rules: rules)
        do {
            guard let id = reader.datastream else { return .feed(try use.grant(feed)) }
            guard let stream = try stream(id.string) else { return nil }
            return .datastream(try use.grant(stream, of: feed), of: feed)
        } catch is CosmFailure {
            return nil
        }
    }
}
