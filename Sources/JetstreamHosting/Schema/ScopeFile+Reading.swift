public import Foundation
internal import HeliumCore
public import HeliumJSON

extension ScopeFile {
    /// Reads a scope file from JSON text.
    ///
    /// - Throws: ``ScopeFileError`` if it is not valid JSON, contains a name twice, or breaks a rule of the format.
    public init(parsing data: Data) throws {
        let value: JSONValue
        guard data.count <= Ceilings.bytes else {
            throw ScopeFileError("", "the file has more than \(Ceilings.bytes) bytes")
        }
        do {
            let limits = JSONLimits(maximumDepth: Ceilings.depth, duplicateMembers: .refused)
            value = try JSONValue(parsing: data, limits: limits)
        } catch DecodingError.dataCorrupted(let context) {
            throw ScopeFileError("", context.debugDescription)
        } catch {
            throw ScopeFileError("", "is not JSON")
        }
        try self.init(value)
    }

    /// Reads a scope file from a JSON value.
    ///
    /// - Throws: ``ScopeFileError`` if it breaks a rule of the format.
    public init(_ value: JSONValue) throws {
        let file = try ScopeFileObject(value, at: "", members: ["enumerations", "classes", "scopes", "refuse"])
        enumerations = try file.object("enumerations").map { try Enumeration($0, $1, at: $2) }
        classes = try file.object("classes").map { try ClassDefinition($0, $1, at: $2) }
        scopes = try file.object("scopes").map { try ScopeDefinition($0, $1, at: $2) }
        refusals = try Refusals(file)
        try validate()
    }

    /// Checks that the parts are consistent by creating every scope.
    ///
    /// - Throws: ``ScopeFileError`` if a name is unknown or used twice, if a value does not fit its type, or if an
    ///   initial tree cannot be created.
    public func validate() throws {
        let schema = try Schema(self)
        for scope in scopes {
            _ = try HostedScope(scope, schema: schema, random: .system, limits: ScopeLimits())
        }
    }

    enum Ceilings {
        static let bytes = 64 << 20
        static let depth = 256
        static let nameBytes = 256
        static let classes = 10_000
        static let properties = 1000
    }
}

/// An object of a scope file, with its path.
struct ScopeFileObject {
    let members: JSONObject
    let path: String

    /// Reads an object.
    ///
    /// - Parameter names: The names that the object may have; `nil` for any.
    init(_ value: JSONValue, at path: String, members names: Set<ByteText>? = nil) throws {
        guard case .object(let members) = value else { throw ScopeFileError(path, "is not an object") }
        self.members = members
        self.path = path
        guard let names else { return }
        for name in members.names where !names.contains(name) {
            throw ScopeFileError(place(name), "unknown member")
        }
    }

    func place(_ name: String) -> String { ScopeFileObject.place(name, in: path) }

    static func place(_ name: String, in path: String) -> String {
        let name = name.excerpt(64)
        return path.isEmpty ? name : "\(path).\(name)"
    }

    /// Returns the members of an object with arbitrary names, each with its path; empty if the object is missing.
    func object(_ name: String) throws -> [(String, JSONValue, String)] {
        guard let value = members[name] else { return [] }
        let object = try ScopeFileObject(value, at: place(name))
        return try object.members.map { name, value in
            guard !name.isEmpty, name.utf8.count <= ScopeFile.Ceilings.nameBytes else {
                throw ScopeFileError(object.place(name), "a name must have 1 to \(ScopeFile.Ceilings.nameBytes) bytes")
            }
            return (name, value, object.place(name))
        }
    }

    func array(_ name: String) throws -> [(JSONValue, String)] {
        guard let value = members[name] else { return [] }
        guard case .array(let elements) = value else { throw ScopeFileError(place(name), "is not an array") }
        return elements.enumerated().map { ($1, "\(place(name))[\($0)]") }
    }

    func string(_ name: String) throws -> String? {
        guard let value = members[name] else { return nil }
        guard case .string(let text) = value else { throw ScopeFileError(place(name), "is not a string") }
        return text
    }

    func required(_ name: String) throws -> String {
        guard let text = try string(name) else { throw ScopeFileError(place(name), "is missing") }
        return text
    }

    func flag(_ name: String) throws -> Bool? {
        guard let value = members[name] else { return nil }
        guard case .bool(let flag) = value else { throw ScopeFileError(place(name), "is not true or false") }
        return flag
    }
}

extension ScopeFile.Enumeration {
    fileprivate init(_ name: String, _ value: JSONValue, at path: String) throws {
        let object = try ScopeFileObject(value, at: path, members: ["type", "values"])
        let type = try object.required("type")
        guard type == "number" || type == "string" else {
            throw ScopeFileError(object.place("type"), "is neither a number nor a string")
        }
        values = try object.array("values").map { value, place in
            switch value {
            case .number where type == "number", .string where type == "string": return value
            default: throw ScopeFileError(place, "is not a \(type)")
            }
        }
        self.name = name
    }
}

extension ScopeFile.ClassDefinition {
    fileprivate init(_ name: String, _ value: JSONValue, at path: String) throws {
        let object = try ScopeFileObject(value, at: path, members: ["inherits", "properties", "procedures"])
        self.name = name
        superclass = try object.string("inherits")
        properties = try object.object("properties").map { try ScopeFile.Property($0, $1, at: $2) }
        procedures = try object.object("procedures").map { name, value, place in
            guard case .array(let elements) = value else { throw ScopeFileError(place, "is not an array") }
            return ScopeFile.Procedure(
                name: name,
                constraints: try elements.enumerated().map { index, value in
                    try ScopeFile.Constraint(value, at: "\(place)[\(index)]")
                }
            )
        }
    }
}

extension ScopeFile.ElementType {
    /// Creates the type with a name in the file.
    init(_ name: String) {
        self =
            switch ByteText(name) {
            case "string": .string
            case "number": .number
            case "boolean": .boolean
            case "date": .date
            default: .named(name)
            }
    }

    var name: String {
        switch self {
        case .string: "string"
        case .number: "number"
        case .boolean: "boolean"
        case .date: "date"
        case .named(let name): name
        }
    }
}

extension ScopeFile.Property {
    fileprivate init(_ name: String, _ value: JSONValue, at path: String) throws {
        self.name = name
        var (type, place) = (value, path)
        if case .object = value {
            let object = try ScopeFileObject(value, at: path, members: ["type", "default"])
            defaultValue = object.members["default"]
            place = object.place("type")
            guard let given = object.members["type"] else { throw ScopeFileError(place, "is missing") }
            type = given
        }
        switch type {
        case .string(let name):
            self.type = ScopeFile.ElementType(name)
            isArray = false
        case .array(let elements):
            guard elements.count == 1, case .string(let name) = elements[0] else {
                throw ScopeFileError(place, "must have one element, the name of a type")
            }
            self.type = ScopeFile.ElementType(name)
            isArray = true
        default:
            throw ScopeFileError(place, "is neither the name of a type nor an array with one")
        }
    }
}

extension ScopeFile.Constraint {
    fileprivate init(_ value: JSONValue, at path: String) throws {
        let object = try ScopeFileObject(value, at: path, members: ["type", "class", "properties", "additional"])
        switch ByteText(try object.required("type")) {
        case "add": isAdd = true
        case "change": isAdd = false
        default: throw ScopeFileError(object.place("type"), "is neither add nor change")
        }
        className = try object.required("class")
        conditions = try object.object("properties").map { name, value, _ in
            let condition: Condition =
                switch value {
                case .string("$new"): .newValue
                case .string("$insert"): .insertion
                case .string("$remove"): .removal
                default: .value(value)
                }
            return ScopeFile.NamedCondition(name, condition)
        }
        allowsAdditional = try object.flag("additional") ?? false
    }
}

extension ScopeFile.ScopeDefinition {
    fileprivate init(_ name: String, _ value: JSONValue, at path: String) throws {
        let object = try ScopeFileObject(value, at: path, members: ["root", "initial"])
        self.name = name
        root = try object.required("root")
        initial =
            try object.members["initial"].map { try ScopeFileObject($0, at: object.place("initial")).members } ?? [:]
    }
}

extension ScopeFile.Refusals {
    fileprivate init(_ file: ScopeFileObject) throws {
        guard let value = file.members["refuse"] else {
            self.init()
            return
        }
        let object = try ScopeFileObject(value, at: "refuse", members: ["connection", "session", "fetch"])
        func names(_ name: String) throws -> [String] {
            try object.array(name).map { value, place in
                guard case .string(let text) = value else { throw ScopeFileError(place, "is not a string") }
                return text
            }
        }
        self.init(
            connection: try names("connection"),
            session: try names("session"),
            fetch: try names("fetch")
        )
    }
}
