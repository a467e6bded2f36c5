internal import HeliumJSON
internal import HeliumServerKit

/// The annotations that a client sends: a list of bounded length and size with valid types, which is checked before any
/// work is done for its elements.
struct SentAnnotations: Sendable {
    struct Entry: Sendable {
        let type: String
        /// The value, which is an object; `nil` to delete the annotation.
        let value: JSONValue?
        let annotation: JSONValue
    }

    /// The maximum number of annotations. More do not fit into ``TextLimits/annotationBytes``, but a client may also
    /// delete some.
    static let maximum = 512
    /// The maximum size of all annotations in bytes. It is larger than that of stored annotations, because clients send
    /// back what replacement values were expanded into.
    static let maximumBytes = 262_144

    let entries: [Entry]

    /// - Throws: ``AppNetFailure`` with 400 for invalid annotations.
    init(_ sent: JSONValue, dialect: Dialect) throws(AppNetFailure) {
        guard let elements = sent.arrayValue else { throw .badRequest("annotations must be a list.") }
        try require(elements.count <= Self.maximum, "At most \(Self.maximum) annotations can be sent.")
        try require(
            sent.approximateBytes <= Self.maximumBytes,
            "The annotations are longer than \(Self.maximumBytes) bytes."
        )
        var entries: [Entry] = []
        entries.reserveCapacity(elements.count)
        for annotation in elements {
            guard let type = annotation["type"]?.stringValue, ChannelRules.isType(type) else {
                throw .badRequest("An annotation needs a type like com.example.note.")
            }
            let value = annotation["value"] == .null ? nil : annotation["value"]
            if let value {
                guard case .object = value else {
                    throw .badRequest("\(dialect.name(ofType: type)): value must be an object.")
                }
            }
            entries.append(Entry(type: type, value: value, annotation: annotation))
        }
        try require(
            entries.count { $0.value != nil } == 0 || Self.replacements(in: sent) <= ReplacementValues.maximumOfObject,
            "At most \(ReplacementValues.maximumOfObject) replacement values can be sent."
        )
        self.entries = entries
    }

    /// Returns the number of replacement values in a value. Each of them is looked up in the store.
    private static func replacements(in value: JSONValue) -> Int {
        switch value {
        case .object(let members):
            members.reduce(0) { count, member in
                let own =
                    member.name.hasPrefix(ReplacementValues.prefix) ? max(1, member.value.arrayValue?.count ?? 1) : 0
                return count + own + replacements(in: member.value)
            }
        case .array(let elements): elements.reduce(0) { $0 + replacements(in: $1) }
        default: 0
        }
    }
}

/// The annotations of an object with at most one of each type, in their order. Every access takes constant time.
struct AnnotationsByType {
    private var slots: [JSONValue?]
    private var places: [String: Int] = [:]

    init(_ annotations: [JSONValue]) {
        slots = annotations
        for (index, annotation) in annotations.enumerated() {
            guard let type = annotation["type"]?.stringValue, places[type] == nil else { continue }
            places[type] = index
        }
    }

    /// The annotation of a type. A new one is added at the end.
    subscript(type: String) -> JSONValue? {
        get { places[type].flatMap { slots[$0] } }
        set {
            if let index = places[type] {
                slots[index] = newValue
                if newValue == nil { places[type] = nil }
            } else if let newValue {
                places[type] = slots.count
                slots.append(newValue)
            }
        }
    }

    var all: [JSONValue] { slots.compactMap(\.self) }
}
