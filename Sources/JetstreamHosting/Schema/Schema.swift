internal import HeliumJSON
internal import HeliumServerKit

/// The classes of a scope file with resolved names: inherited properties first, types and superclasses by index.
struct Schema: Sendable {
    enum Kind: Hashable, Sendable {
        case string
        case number
        case boolean
        case date
        case enumeration(Int)
        case object(Int)

        var isObject: Bool {
            if case .object = self { return true }
            return false
        }
    }

    struct Property: Sendable {
        let name: String
        let kind: Kind
        let isArray: Bool
        /// The initial value in a new object.
        var initial: ObjectGraph.Value
    }

    struct Class: Sendable {
        let name: String
        let superclass: Int?
        var properties: [Property] = []
        /// The index of each property.
        var slots: [ByteText: Int] = [:]
        var procedures: [ByteText: [ScopeFile.Constraint]] = [:]

        /// The initial values of a new object.
        var initialValues: [ObjectGraph.Value] { properties.map(\.initial) }
    }

    private(set) var classes: [Class] = []
    private(set) var classIndexes: [ByteText: Int] = [:]
    private var enumerations: [Set<JSONValue>] = []
    /// Whether numbers that clients send for dates are milliseconds and arrays of scalars may have the element `null`, as
    /// on the original server.
    let hasOriginalRules: Bool

    /// Resolves the names of a scope file.
    ///
    /// - Parameter hasOriginalRules: Whether numbers that clients send for dates are milliseconds and arrays may have the
    ///   element `null`. Default: `false`.
    /// - Throws: ``ScopeFileError`` if a name is unknown or used twice, or if a default does not fit its type.
    init(_ file: ScopeFile, hasOriginalRules: Bool = false) throws {
        self.hasOriginalRules = hasOriginalRules
        guard file.classes.count + file.enumerations.count <= ScopeFile.Ceilings.classes else {
            throw ScopeFileError(
                "classes",
                "there are more than \(ScopeFile.Ceilings.classes) classes and enumerations"
            )
        }
        var kinds: [ByteText: Kind] = ["string": .string, "number": .number, "boolean": .boolean, "date": .date]
        for (index, enumeration) in file.enumerations.enumerated() {
            let path = ScopeFileObject.place(enumeration.name, in: "enumerations")
            guard kinds.updateValue(.enumeration(index), forKey: ByteText(enumeration.name)) == nil else {
                throw ScopeFileError(path, "the name is used twice")
            }
            let areNumbers = enumeration.values.allSatisfy { $0.numberValue != nil }
            guard !enumeration.values.isEmpty, areNumbers || enumeration.values.allSatisfy({ $0.stringValue != nil })
            else {
                throw ScopeFileError("\(path).values", "must have values that are all of one kind")
            }
            enumerations.append(Set(enumeration.values))
        }
        for (index, definition) in file.classes.enumerated() {
            guard kinds.updateValue(.object(index), forKey: ByteText(definition.name)) == nil else {
                throw ScopeFileError(ScopeFileObject.place(definition.name, in: "classes"), "the name is used twice")
            }
            classIndexes[definition.name] = index
        }
        classes = try file.classes.map { definition in
            let path = ScopeFileObject.place(definition.name, in: "classes")
            return Class(
                name: definition.name,
                superclass: try definition.superclass.map { name in
                    guard let index = classIndexes[name] else {
                        throw ScopeFileError("\(path).inherits", "there is no class \"\(name.excerpt(64))\"")
                    }
                    return index
                }
            )
        }
        for index in try superclassesFirst() {
            try addProperties(of: file.classes[index], to: index, kinds)
        }
        for (index, definition) in file.classes.enumerated() { try addProcedures(of: definition, to: index) }
        guard !file.scopes.isEmpty else { throw ScopeFileError("scopes", "at least one scope is needed") }
        var names: Set<ByteText> = []
        for scope in file.scopes where !names.insert(scope.name) {
            throw ScopeFileError(ScopeFileObject.place(scope.name, in: "scopes"), "the name is used twice")
        }
    }

    /// Returns the classes in an order in which each follows its superclass.
    private func superclassesFirst() throws -> [Int] {
        var order: [Int] = []
        var isDone = [Bool](repeating: false, count: classes.count)
        for start in classes.indices {
            var chain: [Int] = []
            var next: Int? = start
            while let index = next, !isDone[index] {
                guard chain.count < classes.count else {
                    throw ScopeFileError(
                        "\(ScopeFileObject.place(classes[start].name, in: "classes")).inherits",
                        "the class inherits from itself"
                    )
                }
                chain.append(index)
                next = classes[index].superclass
            }
            for index in chain.reversed() { isDone[index] = true }
            order += chain.reversed()
        }
        return order
    }

    private mutating func addProperties(
        of definition: ScopeFile.ClassDefinition,
        to index: Int,
        _ kinds: [ByteText: Kind]
    ) throws {
        let path = ScopeFileObject.place("properties", in: ScopeFileObject.place(definition.name, in: "classes"))
        if let superclass = classes[index].superclass {
            classes[index].properties = classes[superclass].properties
            classes[index].slots = classes[superclass].slots
        }
        for property in definition.properties {
            let place = ScopeFileObject.place(property.name, in: path)
            guard let kind = kinds[property.type.name], ScopeFile.ElementType(property.type.name) == property.type
            else {
                throw ScopeFileError(place, "there is no type \"\(property.type.name.excerpt(64))\"")
            }
            guard !property.name.hasBytePrefix("$") else { throw ScopeFileError(place, "a name must not begin with $") }
            let slot = classes[index].properties.count
            guard slot < ScopeFile.Ceilings.properties else {
                throw ScopeFileError(place, "a class has at most \(ScopeFile.Ceilings.properties) properties")
            }
            guard classes[index].slots.updateValue(slot, forKey: ByteText(property.name)) == nil else {
                throw ScopeFileError(place, "the name is used twice")
            }
            classes[index].properties.append(
                Property(
                    name: property.name,
                    kind: kind,
                    isArray: property.isArray,
                    initial: try initialValue(of: property, kind, at: place)
                )
            )
        }
    }

    private func initialValue(of property: ScopeFile.Property, _ kind: Kind, at path: String) throws
        -> ObjectGraph.Value
    {
        let nothing: ObjectGraph.Value =
            switch (kind, property.isArray) {
            case (.object, true): .references([])
            case (.object, false): .reference(nil)
            case (_, true): .scalar(.array([]))
            case (_, false): .scalar(.null)
            }
        guard let value = property.defaultValue else { return nothing }
        guard !kind.isObject else { throw ScopeFileError("\(path).default", "a reference can't have a default") }
        let own = Property(name: property.name, kind: kind, isArray: property.isArray, initial: nothing)
        guard let stored = stored(value, own, isOwn: true) else {
            throw ScopeFileError("\(path).default", "does not match the type")
        }
        return .scalar(stored)
    }

    private mutating func addProcedures(of definition: ScopeFile.ClassDefinition, to index: Int) throws {
        let path = ScopeFileObject.place("procedures", in: ScopeFileObject.place(definition.name, in: "classes"))
        for procedure in definition.procedures {
            let place = ScopeFileObject.place(procedure.name, in: path)
            guard !procedure.name.utf8.contains(UInt8(ascii: ".")) else {
                throw ScopeFileError(place, "the name of a procedure can't contain a dot")
            }
            for (number, constraint) in procedure.constraints.enumerated() {
                try check(constraint, at: "\(place)[\(number)]")
            }
            let isNew =
                classes[index].procedures.updateValue(procedure.constraints, forKey: ByteText(procedure.name)) == nil
            guard isNew else { throw ScopeFileError(place, "the name is used twice") }
        }
    }

    private func check(_ constraint: ScopeFile.Constraint, at path: String) throws {
        guard let index = classIndexes[constraint.className] else {
            throw ScopeFileError("\(path).class", "there is no class \"\(constraint.className.excerpt(64))\"")
        }
        for named in constraint.conditions {
            let place = ScopeFileObject.place(named.property, in: "\(path).properties")
            guard let slot = classes[index].slots[named.property] else {
                throw ScopeFileError(place, "the class does not have this property")
            }
            let isArray = classes[index].properties[slot].isArray
            switch named.condition {
            case .newValue: break
            case .insertion, .removal:
                guard isArray else { throw ScopeFileError(place, "the property is not an array") }
                guard named.condition == .insertion || !constraint.isAdd else {
                    throw ScopeFileError(place, "a new object can't have removals from an array")
                }
            case .value(let value):
                let isReserved = ["$new", "$insert", "$remove"].contains(value)
                guard value.objectValue == nil, !isReserved else {
                    throw ScopeFileError(place, "is not a value of a property")
                }
            }
        }
    }
}

// MARK: Looking up

extension Schema {
    /// Returns whether a class is the same as another one or inherits from it.
    func isClass(_ index: Int, _ other: Int) -> Bool {
        var next: Int? = index
        while let index = next {
            if index == other { return true }
            next = classes[index].superclass
        }
        return false
    }

    /// Returns the constraints of `Class.procedure`; `nil` if there is no such procedure. Subclasses inherit
    /// procedures.
    func constraints(of procedure: ProcedureName) -> [ScopeFile.Constraint]? {
        var next = classIndexes[procedure.className]
        while let index = next {
            if let constraints = classes[index].procedures[procedure.name] { return constraints }
            next = classes[index].superclass
        }
        return nil
    }
}

// MARK: Scalars

extension Schema {
    /// Returns the stored form of a scalar or an array of scalars. Dates are stored as seconds.
    ///
    /// - Parameter isOwn: Whether the value comes from the server's side, where dates are always seconds.
    /// - Returns: `nil` if the value does not fit the property's type.
    func stored(_ value: JSONValue, _ property: Property, isOwn: Bool) -> JSONValue? {
        guard property.isArray else { return stored(value, property.kind, isOwn) }
        guard case .array(let elements) = value else { return nil }
        var stored: [JSONValue] = []
        stored.reserveCapacity(elements.count)
        for element in elements {
            guard hasOriginalRules || !element.isNull, let value = self.stored(element, property.kind, isOwn) else {
                return nil
            }
            stored.append(value)
        }
        return .array(stored)
    }

    // Statements rather than expressions, in which `nil` would be the JSON value null.
    private func stored(_ value: JSONValue, _ kind: Kind, _ isOwn: Bool) -> JSONValue? {
        switch (kind, value) {
        case (.enumeration(let index), _):
            guard enumerations[index].contains(value) else { return nil }
            return value
        case (.object, _):
            return nil
        case (_, .null), (.string, .string), (.boolean, .bool):
            return value
        case (.number, .number(let number)):
            guard number.doubleValue != nil else { return nil }
            return value
        case (.date, .number(let number)):
            guard let date = number.doubleValue else { return nil }
            return hasOriginalRules && !isOwn ? .number(date.rounded(.towardZero) / 1000) : value
        case (.date, .string(var text)):
            guard let seconds = text.withUTF8({ DateText.seconds($0) }) else { return nil }
            return .number(seconds)
        default:
            return nil
        }
    }
}
