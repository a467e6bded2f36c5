public import Foundation
public import HeliumJSON

/// A kind of document by the name that `helium decode` has for it: `appnet.message`.
public struct AppNetDocumentKind: Sendable {
    /// The name.
    public let name: String

    /// The type of its values.
    package let type: any AppNetObject.Type

    private let reader: @Sendable (Data, Shape) throws -> DecodedDocument

    /// What is around the values of a document.
    public struct Shape: OptionSet, Hashable, Sendable {
        /// The bits.
        public let rawValue: Int

        /// A shape of these bits.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// A list of values.
        public static let list = Self(rawValue: 1)

        /// An answer: `{"meta": …, "data": …}` (§1.5).
        public static let envelope = Self(rawValue: 2)

        /// A recorded call: `{"request": …, "response": …}`, whose answer is an envelope.
        public static let exchange = Self(rawValue: 4)
    }

    /// What was read, whatever its type.
    public struct DecodedDocument: Hashable, Sendable {
        /// The document as JSON, by what its values keep of it.
        public let value: JSONValue

        /// The members that no property has: `data[0].user.badge`. The values of annotations may hold anything.
        public let unknownMembers: [String]
    }

    private init<Value: AppNetObject & UnknownMemberHolder>(_ name: String, _ type: Value.Type) {
        self.name = "appnet.\(name)"
        self.type = type
        reader = { data, shape in
            if shape.contains(.list) {
                try Self.read([Value].self, request: Value.self, data, shape)
            } else {
                try Self.read(Value.self, request: Value.self, data, shape)
            }
        }
    }

    private static func read<Value: DocumentValue, Body: DocumentValue>(
        _ type: Value.Type,
        request: Body.Type,
        _ data: Data,
        _ shape: Shape
    ) throws -> DecodedDocument {
        if shape.contains(.exchange) { return try read(ExchangeDocument<Body, Envelope<Value>>.self, data) }
        guard shape.contains(.envelope) else { return try read(Value.self, data) }
        return try read(Envelope<Value>.self, data) { envelope in
            // Else any object would pass for an answer. Documentation shows some without meta (§1.5).
            guard envelope.meta != nil || envelope.data != nil else {
                throw AppNetDocumentError(reason: "it is no answer, which has meta and data")
            }
            if let meta = envelope.meta, meta.code == nil {
                throw AppNetDocumentError(reason: "an answer has it always", path: "meta.code")
            }
        }
    }

    private static func read<Document: DocumentValue>(
        _ type: Document.Type,
        _ data: Data,
        checking check: (Document) throws -> Void = { _ in }
    ) throws -> DecodedDocument {
        let document: Document
        do {
            document = try HeliumJSONDecoder().decode(Document.self, from: data)
        } catch let error as DecodingError {
            throw AppNetDocumentError(error)
        }
        try check(document)
        var unknown: [String] = []
        document.forEachUnknownMember(at: "") { unknown.append($0) }
        return DecodedDocument(
            value: try JSONValue(parsing: try HeliumJSONEncoder().encodeToBytes(document)),
            unknownMembers: unknown
        )
    }

    /// All kinds. `appnet.value` is JSON of any shape: for answers that are ids or a number.
    public static let all = [
        Self("message", Message.self), Self("channel", AppNetChannel.self), Self("user", AppNetUser.self),
        Self("file", File.self),
        Self("post", Post.self), Self("token", TokenInfo.self), Self("place", Place.self),
        Self("configuration", ServiceConfiguration.self), Self("streamMarker", StreamMarker.self),
        Self("annotation", Annotation.self), Self("interaction", Interaction.self),
        Self("exploreStream", ExploreStream.self), Self("filter", StreamFilter.self), Self("appStream", AppStream.self),
        Self("event", EventDocument.self), Self("entities", Entities.self), Self("acl", ACL.self),
        Self("image", UserImage.self), Self("poll", Poll.self), Self("presence", Presence.self),
        Self("client", ClientInfo.self), Self("text", ProcessedText.self), Self("value", JSONValue.self),
    ]

    /// The kind of that name; `nil` if there is none.
    public init?(named name: String) {
        guard let kind = Self.all.first(where: { $0.name == name }) else { return nil }
        self = kind
    }

    /// Reads a document.
    ///
    /// - Throws: ``AppNetDocumentError`` with the place and the reason.
    public func read(_ data: Data, shape: Shape = []) throws -> DecodedDocument { try reader(data, shape) }
}

/// What a document can be of.
typealias DocumentValue = Codable & JSONReadable & Sendable & UnknownMemberHolder
