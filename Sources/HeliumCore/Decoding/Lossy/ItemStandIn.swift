package import HeliumJSON

/// A list of an id and a reason, which takes the place of an item that cannot be passed to the decoder.
///
/// No object can be decoded from it, so ``ReadableItems`` leaves it out and names the item. If a service sends such a list
/// itself, its text is the reason, as for any other invalid value that a reason quotes.
package struct ItemStandIn: Hashable, Sendable {
    /// The maximum length of the reason, in characters.
    private static let maximumReason = 256

    /// The id of the item; `nil` if it is unknown.
    package let id: String?

    /// The reason.
    package let reason: String

    /// Creates the stand-in of an item.
    package init(id: String?, reason: String) {
        self.id = id.flatMap { UnreadableItems.isUsable($0) ? $0 : nil }
        self.reason = reason.excerpt(Self.maximumReason)
    }

    /// The stand-in in a document.
    package var value: JSONValue { [id.map { .string($0) } ?? .null, .string(reason)] }
}

extension ItemStandIn: Decodable {
    /// Reads a stand-in; `nil` for any other value.
    init?(json: borrowing JSONReader) {
        guard json.kind == .array, json.elementCount == 2 else { return nil }
        var parts: [JSONReader] = []
        try? json.forEachElement { parts.append($0) }
        guard let reason = try? parts.last?.read(String.self), parts[0].isNull || parts[0].kind == .string else {
            return nil
        }
        self.init(id: try? parts[0].read(String.self), reason: reason)
    }

    package init(from decoder: any Decoder) throws {
        var list = try decoder.unkeyedContainer()
        let id = try list.decodeIfPresent(String.self)
        self.init(id: id, reason: try list.decode(String.self))
        guard list.isAtEnd else {
            throw DecodingError.dataCorruptedError(in: list, debugDescription: "it is not a stand-in")
        }
    }
}
