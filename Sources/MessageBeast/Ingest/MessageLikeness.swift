internal import AppNet
internal import HeliumCrypto
internal import HeliumJSON

/// A hash of the content of a message. Two messages with the same token are copies of each other if their likenesses
/// are equal (Docs/Protocols/MessageBeast.md §4.4).
///
/// It covers the channel, the text as stored by the service, `reply_to`, `machine_only` and the annotations, regardless
/// of the order of their types and members. It leaves out values that the service changes: the values of annotations
/// that the service makes, and fallback URLs. It also leaves out the token, which is compared separately.
struct MessageLikeness: Hashable, Sendable {
    /// 64 hexadecimal characters; empty for an unreadable message, which equals no other.
    let text: String

    /// Creates a likeness from its stored text.
    init(stored text: String) { self.text = text }

    /// Computes the likeness of a message.
    ///
    /// - Parameters:
    ///   - channel: The channel. An unsent message does not name it.
    ///   - isSent: Whether the service has processed the text. If `false`, the text is processed here.
    init(_ message: Message, channel: String, isSent: Bool) {
        let content: [JSONValue] = [
            .string(channel), Self.storedText(of: message, isSent: isSent).map(JSONValue.string) ?? .null,
            (message.replyTo?.text).map(JSONValue.string) ?? .null, .bool(message.isMachineOnly == true),
            .array(Self.annotations(of: message)),
        ]
        text = SHA256.hash(JSONValue.array(content).data(formatting: .sortedMembers)).hex
    }

    private static func storedText(of message: Message, isSent: Bool) -> String? {
        guard let text = message.text, !text.isEmpty else { return nil }
        if isSent { return text }
        let processor = TextProcessor(
            parsesLinks: message.entities?.parsesLinks == true,
            parsesMarkdownLinks: message.entities?.parsesMarkdownLinks == true,
            amendsLinks: true
        )
        return processor.process(text, links: message.entities?.links).text
    }

    /// The annotation types whose values the service makes.
    private static let typesOfService = Set(
        [
            MessageBeastNames.oembed, MessageBeastNames.attachments, MessageBeastNames.checkin,
            PhotoTag.annotationType,
        ].map { ByteText($0) }
    )

    /// The annotation types that are ignored.
    private static let ignoredTypes = Set([MessageBeastNames.token, FallbackURL.annotationType].map { ByteText($0) })

    private static func annotations(of message: Message) -> [JSONValue] {
        let values = (message.annotations ?? []).compactMap {
            annotation -> (type: String, text: String, value: JSONValue)? in
            guard !ignoredTypes.contains(annotation.type) else { return nil }
            let isOfService = typesOfService.contains(annotation.type)
            let value = isOfService ? .null : normalized(annotation.value ?? .null)
            return (annotation.type, value.text(formatting: .sortedMembers), value)
        }
        let sorted = values.sorted { left, right in
            left.type.hasSameBytes(as: right.type)
                ? left.text.bytesPrecede(right.text) : left.type.bytesPrecede(right.type)
        }
        return sorted.map { .array([.string($0.type), $0.value]) }
    }

    /// Returns a value with numbers in a uniform notation, because a service may write `1.0` as `1`.
    private static func normalized(_ value: JSONValue) -> JSONValue {
        switch value {
        case .number(let number):
            if let integer = Int64(exactly: number) { return .number(JSONNumber(integer)) }
            return .number(number.doubleValue.flatMap { JSONNumber($0) } ?? number)
        case .array(let values): return .array(values.map(normalized))
        case .object(let object): return .object(JSONObject(object.map { ($0.name, normalized($0.value)) }))
        case .null, .bool, .string: return value
        }
    }
}
