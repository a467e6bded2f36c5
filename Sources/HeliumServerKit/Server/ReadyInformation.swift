public import Foundation

/// The facts that a client needs about a server that is ready: where it listens, and credentials for tests.
///
/// Its JSON is the line that `helium serve` prints: `http`, and a member for each protocol. Later protocols add members and
/// never change the others.
public struct ReadyInformation: Sendable {
    /// The root URL of the server, without a slash at its end; its scheme is `https` if the server has a certificate.
    public var http: URL
    /// The protocols' members, by their names.
    private var members: [String: any ReadyMember]

    package init(http: URL, members: [String: any ReadyMember]) {
        self.http = http
        self.members = members
    }

    /// The member of a protocol.
    ///
    /// - Precondition: The information is of a server that speaks the protocol; reading it from JSON has checked that.
    package subscript<Protocol: ServerProtocol>(_ type: Protocol.Type) -> Protocol.Information {
        get {
            guard let member = members[type.name] as? Protocol.Information else {
                preconditionFailure("the server does not speak \(type.name)")
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

    /// Decodes the members of the given protocols, all of which must be there.
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

    /// The information as one line of JSON without a line break, its members sorted by name. It holds the credentials.
    ///
    /// - Throws: An `EncodingError`; strings and URLs cause none.
    public func jsonLine() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
}

// MARK: Equality

extension ReadyInformation: Hashable {
    /// Whether two servers have the same addresses and credentials.
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
    /// The root URL; never a credential.
    public var description: String { "ready at \(http.absoluteString)" }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// Shows the root URL and the members' own mirrors, which hold no credentials.
    public var customMirror: Mirror {
        let sorted = members.sorted { $0.key < $1.key }
        return Mirror(self, children: [("http", http as Any)] + sorted.map { ($0.key, $0.value as Any) })
    }
}
