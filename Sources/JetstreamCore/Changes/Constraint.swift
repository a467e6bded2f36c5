internal import Foundation
public import HeliumJSON

/// A condition on a fragment of a procedure's change set, checked before the set is sent
/// (Docs/Protocols/Jetstream.md §4.5).
public struct Constraint: Sendable, Hashable {
    /// A condition on a property.
    public enum Property: Sendable, Hashable {
        /// The fragment sets the property, possibly to `null`.
        case hasNewValue
        /// The fragment sets an array that is longer than before. In an add: an array that is not empty.
        case inserts
        /// The fragment sets an array that is shorter than before. An add never matches.
        case removes
        /// The fragment sets this value, compared according to the property's kind.
        case value(JSONValue)
    }

    /// The kind of fragment.
    public var kind: SyncFragment.Kind
    /// The name of the class on the wire.
    public var className: String
    /// The conditions, by property name.
    public var properties: [String: Property]
    /// Whether the fragment may set other properties. Default: `true`.
    public var allowsAdditionalProperties: Bool

    /// Creates a constraint.
    public init(
        _ kind: SyncFragment.Kind,
        className: String,
        properties: [String: Property] = [:],
        allowsAdditionalProperties: Bool = true
    ) {
        self.kind = kind
        self.className = className
        self.properties = properties
        self.allowsAdditionalProperties = allowsAdditionalProperties
    }

    /// Returns whether each fragment matches a constraint. A constraint may match many fragments or none.
    ///
    /// - Parameters:
    ///   - constraints: The constraints.
    ///   - changeSet: The set. It contains the former values.
    public static func matchesAllConstraints(_ constraints: [Constraint], _ changeSet: ChangeSet) -> Bool {
        changeSet.changes.allSatisfy { change in
            let schema = type(of: change.object).modelSchema
            return constraints.contains { constraint in
                constraint.matches(change.fragment, schema) { property in
                    change.originals.first { $0.property === property }?.value
                }
            }
        }
    }

    /// Returns whether a fragment fulfills the conditions.
    ///
    /// - Parameters:
    ///   - fragment: The fragment.
    ///   - schema: The properties of the class.
    ///   - original: Returns the value of a property before the change; `nil` if it is unknown.
    public func matches(
        _ fragment: SyncFragment,
        _ schema: ModelSchema,
        original: (ModelProperty) -> JSONValue? = { _ in nil }
    ) -> Bool {
        guard fragment.kind == kind, fragment.className.hasSameBytes(as: className) else { return false }
        if properties.isEmpty { return allowsAdditionalProperties || fragment.properties.isEmpty }
        if !allowsAdditionalProperties, fragment.properties.count != properties.count { return false }
        return properties.allSatisfy { name, condition in
            guard let value = fragment.properties[name], let property = schema.property(named: name),
                !property.isComposite
            else { return false }
            return condition.isMet(by: value, of: property, isAdd: fragment.kind == .add) { original(property) }
        }
    }
}

extension Constraint.Property {
    fileprivate func isMet(
        by value: JSONValue,
        of property: ModelProperty,
        isAdd: Bool,
        original: () -> JSONValue?
    ) -> Bool {
        switch self {
        case .hasNewValue: return true
        case .inserts:
            guard let count = value.arrayValue?.count else { return false }
            if isAdd { return count > 0 }
            return original()?.arrayValue.map { count > $0.count } ?? false
        case .removes:
            guard !isAdd, let count = value.arrayValue?.count else { return false }
            return original()?.arrayValue.map { count < $0.count } ?? false
        case .value(let wanted):
            if case .string(let left) = wanted, case .string(let right) = value, property.holdsModels,
                let left = ModelID(wireText: left), let right = ModelID(wireText: right)
            {
                return left == right
            }
            return wanted == value
        }
    }
}
