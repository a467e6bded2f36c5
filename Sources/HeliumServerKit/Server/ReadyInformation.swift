public import Foundation

/// The information that a client needs about a server that is ready: its addresses, and credentials for tests.
///
/// Its JSON is the line that `helium serve` prints: `http`, and a member for each protocol. Later protocols add members
/// without changing the others.
public struct ReadyInformation: Sendable {
    /// The root URL of the server, without a trailing slash. Its scheme is `https` if the server has a certificate.
    public var http: URL
    /// The members of the protocols, by their names.
    private var members: [String: any ReadyMember]

    package init(http: URL, members: [String: any ReadyMember]) {
        self.http = http
        self.members = members
    }

    /// Returns the member of a protocol.
    ///
    /// - Precondition: The server supports the protocol. Decoding from JSON checks this.
    package subscript<Protocol: ServerProtocol>(_ type: Protocol.Type) -> Protocol.Information {
        get {
            guard let member = members[type.name] as? Protocol.Information else {
                preconditionFailure("the server does not support \(type.name)")
            }
            return member
        }
        set { members[type.name] = newValue }
    }
}

// MARK: JSON

extension ReadyInformation: Encodable {
    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(_ name: String) { stringValue = name }
        init?(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    /// Encodes `http` and the member of each protocol.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Name.self)
        try container.encode(http, forKey: Name("http"))
        for (name, member) in members { try container.encode(member, forKey: Name(name)) }
    }

    /// Decodes the members of the given protocols. All of them must exist.
    package init(from decoder: any Decoder, protocols: [any ServerProtocol.Type]) throws {
        let container = try decoder.container(keyedBy: Name.self)
        http = try container.decode(URL.self, forKey: Name("http"))
        members = [:]
        for type in protocols { try decode(type, from: container) }
    }

    private mutating func decode<Protocol: ServerProtocol>(
        _ type: Protocol.Type,
        from container: KeyedDecodingContainer<Name>
    ) throws {
        self[type] = try container.decode(Protocol.Information.self, forKey: Name(type.name))
    }

    /// Returns the information as one line of JSON without a line break, with members sorted by name. It contains the
    /// credentials.
    ///
    /// - Throws: An `EncodingError`. Strings and URLs do not cause one.
    public func jsonLine() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
}

// MARK: Equality

extension ReadyInformation: Hashable {
    /// Returns whether two servers have the same addresses and credentials.
    public static func == (left: Self, right: Self) -> Bool {
        left.http == right.http && left.members.count == right.members.count
            && left.members.allSatisfy { name, member in right.members[name].map(member.isEqual) ?? false }
    }

    /// Hashes the root URL.
    public func hash(into hasher: inout Hasher) { hasher.combine(http) }
}

extension ReadyMember {
    fileprivate func isEqual(to other: any ReadyMember) -> Bool { self == other as? Self }
}

// MARK: Descriptions

extension ReadyInformation: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The root URL, without credentials.
    public var description: String { "ready at \(http.absoluteString)" }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// A mirror with the root URL and the mirrors of the members, which do not contain credentials.
    public var customMirror: Mirror {
        let sorted = members.sorted { $0.key < $1.key }
        return Mirror(self, children: [("http", http as Any)] + sorted.map { ($0.key, $0.value as Any) })
    }
}
