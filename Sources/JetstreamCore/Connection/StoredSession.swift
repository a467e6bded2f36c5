package import Foundation
public import HeliumJSON

/// The stored form of a session: enough to determine the outcome of the change sets that a killed process had sent
/// (Docs/Protocols/Jetstream.md §7 no 6).
///
/// The token is a credential. The description and the reflection do not contain it.
public struct StoredSession: Sendable, Hashable {
    /// The token that resumes the session.
    public var token: String
    /// The parameters with which the session was created.
    public var parameters: JSONObject
    /// The index of the client's next numbered message.
    public var nextIndex: Int
    /// The highest index received from the server.
    public var lastReceived: Int
    /// The numbered messages that the server has not acknowledged, in the order of their indexes.
    public var messages: [StoredMessage]
    /// The change sets without a reply that were sent or were about to be sent.
    public var changes: [StoredChanges]

    /// Creates a stored session.
    public init(
        token: String,
        parameters: JSONObject,
        nextIndex: Int,
        lastReceived: Int,
        messages: [StoredMessage],
        changes: [StoredChanges]
    ) {
        self.token = token
        self.parameters = parameters
        self.nextIndex = nextIndex
        self.lastReceived = lastReceived
        self.messages = messages
        self.changes = changes
    }
}

/// A numbered message that the server has not acknowledged.
public struct StoredMessage: Sendable, Hashable {
    /// The index in the client's sequence.
    public var index: Int
    /// The text of the message.
    public var text: String

    /// Creates a stored message.
    public init(index: Int, text: String) {
        self.index = index
        self.text = text
    }
}

/// A change set without a reply.
public struct StoredChanges: Sendable, Hashable {
    /// The index of its message.
    public var index: Int
    /// The name of its scope.
    public var scopeName: String
    /// The fragments that were sent.
    public var fragments: [SyncFragment]
    /// Whether all fragments or none must be applied.
    public var isAtomic: Bool
    /// The procedure of the server; `nil` if none was named.
    public var procedure: String?

    /// Creates a stored change set.
    public init(
        index: Int,
        scopeName: String,
        fragments: [SyncFragment],
        isAtomic: Bool = false,
        procedure: String? = nil
    ) {
        self.index = index
        self.scopeName = scopeName
        self.fragments = fragments
        self.isAtomic = isAtomic
        self.procedure = procedure
    }
}

extension StoredSession: CustomStringConvertible, CustomReflectable {
    /// The session without its token.
    public var description: String {
        "StoredSession(next index \(nextIndex), last received \(lastReceived), change sets \(changes.count))"
    }

    /// The session without token, parameters and contents.
    public var customMirror: Mirror {
        Mirror(self, children: ["nextIndex": nextIndex, "lastReceived": lastReceived], displayStyle: .struct)
    }
}

// MARK: As JSON

extension StoredSession {
    /// The session as a JSON document.
    package var data: Data {
        JSONValue.object([
            "format": 1,
            "token": .string(token),
            "parameters": .object(parameters),
            "nextIndex": .number(JSONNumber(nextIndex)),
            "lastReceived": .number(JSONNumber(lastReceived)),
            "messages": .array(messages.map { [.number(JSONNumber($0.index)), .string($0.text)] }),
            "changes": .array(changes.map(\.json)),
        ]).data()
    }

    /// Reads a session from a JSON document; `nil` if the document has another form.
    package init?(data: Data) {
        guard let json = try? JSONValue(parsing: data), json["format"]?.intValue == 1,
            let token = json["token"]?.stringValue, let parameters = json["parameters"]?.objectValue,
            let nextIndex = json["nextIndex"]?.intValue, let lastReceived = json["lastReceived"]?.intValue,
            let messages = json["messages"]?.arrayValue, let changes = json["changes"]?.arrayValue,
            1...JetstreamMessage.maximumIndex ~= nextIndex, 0...JetstreamMessage.maximumIndex ~= lastReceived
        else { return nil }
        self.init(
            token: token,
            parameters: parameters,
            nextIndex: nextIndex,
            lastReceived: lastReceived,
            messages: [],
            changes: []
        )
        for message in messages {
            guard let index = message[0]?.intValue, let text = message[1]?.stringValue else { return nil }
            self.messages.append(StoredMessage(index: index, text: text))
        }
        for stored in changes {
            guard let stored = StoredChanges(json: stored) else { return nil }
            self.changes.append(stored)
        }
    }
}

extension StoredChanges {
    fileprivate var json: JSONValue {
        [
            "index": .number(JSONNumber(index)),
            "scope": .string(scopeName),
            "fragments": .array(fragments.map(\.json)),
            "atomic": .bool(isAtomic),
            "procedure": procedure.map(JSONValue.string) ?? .null,
        ]
    }

    fileprivate init?(json: JSONValue) {
        guard let index = json["index"]?.intValue, let scopeName = json["scope"]?.stringValue,
            let fragments = json["fragments"]?.arrayValue, let isAtomic = json["atomic"]?.boolValue
        else { return nil }
        let procedure = json["procedure"]?.stringValue
        self.init(index: index, scopeName: scopeName, fragments: [], isAtomic: isAtomic, procedure: procedure)
        for fragment in fragments {
            guard let fragment = SyncFragment(json: fragment) else { return nil }
            self.fragments.append(fragment)
        }
    }
}
