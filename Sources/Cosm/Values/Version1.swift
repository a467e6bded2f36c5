internal import HeliumCore
internal import HeliumJSON

// Version 1 of the JSON documents, `0.6-alpha` (Docs/Protocols/Cosm.md §13). A datastream's values are in an array, of
// which the first entry counts.
//
// The array has no property, so it is read as an extra member. The properties are filled from it once the version is
// known, because the version can be the last member of a document.

/// The recognition of document versions.
enum DocumentVersion {
    /// Returns whether a document's version is version 1.
    static func isVersion1(_ version: String?) -> Bool { version == "0.6" || version == "0.6-alpha" }
}

extension Feed {
    mutating func finishReading() throws(MemberFault) {
        if DocumentVersion.isVersion1(version) { try adoptVersion1() }
    }

    /// Reads the datastreams by the rules of version 1.
    mutating func adoptVersion1() throws(MemberFault) {
        guard let streams = datastreams else { return }
        var fault: MemberFault?
        let adopted = streams.compactMap { stream in
            var stream = stream
            do throws(MemberFault) {
                try stream.adoptVersion1()
                return stream
            } catch {
                fault = fault ?? error
                unreadable.add(id: stream.id, Datastream.self, error)
                return nil
            }
        }
        if adopted.isEmpty, !unreadable.hasUsableID, let fault { throw fault }
        datastreams = adopted
    }
}

extension Datastream {
    mutating func finishReading() throws(MemberFault) {
        if DocumentVersion.isVersion1(version) { try adoptVersion1() }
    }

    /// Sets value, timestamp and extremes from the first entry of version 1's `values`, which may be missing or an
    /// object.
    mutating func adoptVersion1() throws(MemberFault) {
        guard let values = extra.removeValue(named: "values") else { return }
        let first: JSONObject
        var hasMore = false
        switch values {
        case .array(let entries):
            first = entries.first?.objectValue ?? [:]
            hasMore = entries.count > 1
        case .object(let entry): first = entry
        case .null: return
        default: throw MemberFault(reason: "\"values\" is not an array")
        }
        // Entries without a property are kept.
        let known: Set<String> = ["value", "recorded_at", "max_value", "min_value"]
        if hasMore || !known.isSuperset(of: first.names) { extra["values"] = values }
        currentValue = try Self.member("value", of: first) ?? currentValue
        at = try Self.member("recorded_at", of: first) ?? at
        maximumValue = try Self.member("max_value", of: first) ?? maximumValue
        minimumValue = try Self.member("min_value", of: first) ?? minimumValue
    }

    private static func member<Value: WireText>(
        _ name: String,
        of entry: JSONObject
    ) throws(MemberFault) -> Value? {
        let text: String
        switch entry[name] {
        case nil, .null: return nil
        case .string(let string): text = string
        case .number(let number): text = DatapointValue.shortestText(ofNumber: number.description)
        default: throw MemberFault(reason: "\"\(name)\" of \"values\" is not a string or a number")
        }
        if text.isEmpty, Value.isAbsentWhenEmpty { return nil }
        guard let value = Value(wireText: text) else { throw MemberFault(reason: Value.complaint(about: text)) }
        return value
    }
}
