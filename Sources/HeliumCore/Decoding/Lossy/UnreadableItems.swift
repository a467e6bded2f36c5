package import HeliumJSON

/// The items of a list that could not be decoded and were left out, so that one invalid item does not make the whole list
/// unreadable.
///
/// Check ``isEmpty`` before you treat a list as complete: an item that is not in the list may be among these.
public struct UnreadableItems: Hashable, Sendable {
    /// The maximum number of items whose id and reason are kept. Further ones are only counted.
    package static let maximumItems = 200

    /// The maximum length of an id that is kept, in bytes.
    private static let maximumIDLength = 64

    /// An item that could not be decoded.
    public struct Item: Hashable, Sendable, CustomStringConvertible {
        /// The id; `nil` if the item has none or one that is not a string or number.
        public let id: String?

        /// The reason, with the path to the invalid value. It may quote a part of the value.
        public let reason: String

        /// The position of the invalid value in the document; `nil` if the decoder does not report it.
        package private(set) var location: JSONLocation?

        /// Creates a description of an item.
        public init(id: String?, reason: String) { self.init(id: id, reason: reason, location: nil) }

        fileprivate init(id: String?, reason: String, location: JSONLocation?) {
            self.id = id
            self.reason = reason
            self.location = location
        }

        /// A description such as `1042: at data.1.entities.links: expected a list, found a string`.
        public var description: String { "\(id ?? "an item without an id"): \(reason)" }
    }

    /// The number of items.
    public private(set) var count = 0

    /// The first items in the order of the list, at most 200.
    public private(set) var items: [Item] = []

    /// Creates a list of items.
    public init(_ items: [Item] = []) {
        for item in items { append(item) }
    }

    /// Whether all items were decoded.
    public var isEmpty: Bool { count == 0 }

    /// The ids of the kept items that have one.
    public var ids: [String] { items.compactMap(\.id) }

    /// Whether one of the kept items has an id by which it could be requested: printable ASCII characters without spaces.
    package var hasUsableID: Bool { ids.contains(where: Self.isUsable) }

    /// Returns whether an item could be requested by an id: printable ASCII characters without spaces, not too many.
    package static func isUsable(_ id: String) -> Bool {
        1...maximumIDLength ~= id.utf8.count && id.utf8.allSatisfy { 0x21...0x7E ~= $0 }
    }

    /// Adds an item.
    private mutating func append(_ item: Item) {
        if items.count < Self.maximumItems { items.append(item) }
        count += 1
    }

    /// Adds an item that was decoded but cannot be used.
    package mutating func add(id: String?, reason: String) {
        append(Item(id: id.flatMap { $0.utf8.count <= Self.maximumIDLength ? $0 : nil }, reason: reason))
    }

    /// Adds the items of another list.
    package mutating func add(_ other: UnreadableItems) {
        items += other.items.prefix(Self.maximumItems - items.count)
        count += other.count
    }

    /// Returns the items with secrets masked, which a service may repeat in an invalid value.
    package func redacted(by redactor: Redactor) -> Self {
        var copy = self
        copy.items = items.map {
            Item(id: $0.id.map(redactor.redact), reason: redactor.redact($0.reason), location: $0.location)
        }
        return copy
    }

    /// Adds an item with the decoder's error. The error is also added to the ``DecodingReport`` that is collected.
    package mutating func add(id: String?, _ type: Any.Type, _ error: any Error) {
        DecodingReportCollector.note(.droppedElement, type, at: [], error)
        guard items.count < Self.maximumItems else {
            count += 1
            return
        }
        let failure = DecodingFailure(type: type, error: error, redactor: Redactor(secrets: []))
        let shortID = id.flatMap { $0.utf8.count <= Self.maximumIDLength ? $0 : nil }
        append(Item(id: shortID, reason: failure.place, location: failure.location))
    }
}

extension UnreadableItems: CustomStringConvertible {
    /// The number and the ids: `2 unreadable: 17, 1042`.
    public var description: String {
        let rest = count > ids.count ? ["\(count - ids.count) without a known id"] : []
        return "\(count) unreadable" + (isEmpty ? "" : ": " + (ids + rest).joined(separator: ", "))
    }
}
