package import Foundation
package import HeliumJSON

/// A kind of document, with the name that `helium decode` uses for it, such as `appnet.message`.
package struct AppNetDocumentKind: Sendable {
    /// The name.
    package let name: String

    /// The type of its values.
    package let type: any AppNetObject.Type

    private let reader: @Sendable (Data, Shape) throws -> DecodedDocument

    /// The structure around the values of a document.
    package struct Shape: OptionSet, Hashable, Sendable {
        /// The raw bits.
        package let rawValue: Int

        /// Creates a shape from its raw bits.
        package init(rawValue: Int) { self.rawValue = rawValue }

        /// A list of values.
        package static let list = Self(rawValue: 1)

        /// A response: `{"meta": …, "data": …}` (Docs/Protocols/AppNet.md §1.5).
        package static let envelope = Self(rawValue: 2)

        /// A recorded call, `{"request": …, "response": …}`, with an envelope as its response.
        package static let exchange = Self(rawValue: 4)
    }

    /// A decoded document of any type.
    package struct DecodedDocument: Hashable, Sendable {
        /// The parts of the document that the decoded values keep, as JSON.
        package let value: JSONValue

        /// The paths of the members without a property, such as `data[0].user.badge`. Values of annotations may hold
        /// any members.
        package let unknownMembers: [String]
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
            // Without this check any object would be accepted. The documentation shows responses without meta
            // (Docs/Protocols/AppNet.md §1.5).
            guard envelope.meta != nil || envelope.data != nil else {
                throw AppNetDocumentError(reason: "it is not a response, which has meta and data")
            }
            if let meta = envelope.meta, meta.code == nil {
                throw AppNetDocumentError(reason: "it is missing", path: "meta.code")
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

    /// All kinds. `appnet.value` is JSON of any shape, for responses that consist of ids or a number.
    package static let all = [
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

    /// Creates the kind with the given name; `nil` if there is none.
    package init?(named name: String) {
        guard let kind = Self.all.first(where: { $0.name == name }) else { return nil }
        self = kind
    }

    /// Decodes a document.
    ///
    /// - Throws: ``AppNetDocumentError`` with the location and the reason.
    package func read(_ data: Data, shape: Shape = []) throws -> DecodedDocument { try reader(data, shape) }
}

/// A type that a document can contain.
typealias DocumentValue = Codable & JSONReadable & Sendable & UnknownMemberHolder
