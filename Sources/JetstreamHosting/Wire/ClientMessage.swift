internal import HeliumJSON

/// A message of a client (Docs/Protocols/Jetstream.md §1.3).
enum ClientMessage {
    case sessionCreate
    case fetch(index: Int, name: String, parameters: JSONObject)
    case sync(index: Int, scopeIndex: Int, IncomingSync)
    case ping(ack: Int, resendMissing: Bool)
    /// A reply, which has no effect.
    case reply(index: Int)
    /// A fetch that is invalid except for its index.
    case invalidFetch(index: Int)
    /// A sync that is invalid except for its index and the number of its fragments.
    case invalidSync(index: Int, count: Int)

    /// The index; 0 is outside the sequence.
    var index: Int {
        switch self {
        case .sessionCreate, .ping: 0
        case .fetch(let index, _, _), .sync(let index, _, _), .reply(let index), .invalidFetch(let index),
            .invalidSync(let index, _):
            index
        }
    }

    /// Whether the original server could not parse the message.
    var isInvalid: Bool {
        switch self {
        case .invalidFetch, .invalidSync: true
        default: false
        }
    }
}

// MARK: Reading

extension ClientMessage {
    /// The largest index that JavaScript represents exactly.
    static let maximumIndex = 1 << 53 - 1

    /// Reads a message; `nil` if it is unusable.
    ///
    /// - Parameter limit: The maximum number of fragments in a sync.
    init?(_ value: JSONValue, maximumFragments limit: Int) {
        guard case .object(let object) = value, case .string(let type)? = object["type"],
            let index = Self.index(object["index"])
        else { return nil }
        switch ByteText(type) {
        case "SessionCreate":
            self = .sessionCreate
        case "Ping":
            guard let ack = Self.index(object["ack"]) else { return nil }
            self = .ping(ack: ack, resendMissing: object["resendMissing"]?.boolValue == true)
        case "Reply":
            guard Self.index(object["replyTo"]) != nil else { return nil }
            self = .reply(index: index)
        case "ScopeFetch":
            let parameters = Self.parameters(object["params"])
            if case .string(let name)? = object["name"], let parameters {
                self = .fetch(index: index, name: name, parameters: parameters)
            } else {
                self = .invalidFetch(index: index)
            }
        case "ScopeSync":
            let elements = object["fragments"]?.arrayValue
            if let elements, elements.count <= limit, let scopeIndex = Self.index(object["scopeIndex"]),
                let sync = IncomingSync(object, elements)
            {
                self = .sync(index: index, scopeIndex: scopeIndex, sync)
            } else {
                self = .invalidSync(index: index, count: min(elements?.count ?? 0, limit))
            }
        default:
            return nil
        }
    }

    static func index(_ value: JSONValue?) -> Int? {
        guard case .number(let number)? = value, let index = Int(exactly: number), 0...maximumIndex ~= index else {
            return nil
        }
        return index
    }

    /// Returns the parameters of a message: empty if they are missing; `nil` if they are not an object.
    static func parameters(_ value: JSONValue?) -> JSONObject? {
        switch value {
        case nil, .null?: [:]
        case .object(let object)?: object
        default: nil
        }
    }
}

extension IncomingSync {
    fileprivate init?(_ object: JSONObject, _ elements: [JSONValue]) {
        switch object["atomic"] {
        case nil: break
        case .bool(let flag)?: isAtomic = flag
        default: return nil
        }
        switch object["procedure"] {
        case nil: break
        case .string(let text)?:
            guard object["atomic"] != nil, let name = ProcedureName(text) else { return nil }
            procedure = name
        default: return nil
        }
        fragments = []
        fragments.reserveCapacity(elements.count)
        for element in elements {
            guard let fragment = Fragment(element) else { return nil }
            fragments.append(fragment)
        }
    }
}

extension Fragment {
    /// Reads a fragment; `nil` if a part is missing, or if a value is an object or an array of values of several kinds.
    init?(_ value: JSONValue) {
        guard case .object(let object) = value, case .string(let type)? = object["type"],
            case .string(let uuid)? = object["uuid"], let id = ObjectID(uuid),
            case .string(let name)? = object["clsName"]
        else { return nil }
        switch ByteText(type) {
        case "add": isAdd = true
        case "change": isAdd = false
        default: return nil
        }
        switch object["properties"] {
        case nil: properties = [:]
        case .object(let members)?: properties = members
        default: return nil
        }
        self.id = id
        className = name
        guard properties.allSatisfy({ Self.isValue($0.value) }) else { return nil }
    }

    private static func isValue(_ value: JSONValue) -> Bool {
        switch value {
        case .null, .bool, .number, .string: return true
        case .object: return false
        case .array(let elements):
            guard let first = elements.first?.scalarKind else { return elements.isEmpty }
            return elements.allSatisfy { $0.scalarKind == first }
        }
    }
}

extension JSONValue {
    /// The kind of an array element; `nil` for values that no array may contain.
    fileprivate var scalarKind: Int? {
        switch self {
        case .bool: 0
        case .number: 1
        case .string: 2
        case .null: 3
        case .array, .object: nil
        }
    }
}
