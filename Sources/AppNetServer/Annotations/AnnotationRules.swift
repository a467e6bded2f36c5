internal import HeliumJSON
internal import HeliumServerKit

/// Checks the annotations that clients send, and merges them with those of an object (Docs/Protocols/AppNet.md §4.1).
struct AnnotationRules {
    /// The kinds of objects with annotations for which the rules differ.
    enum Place: Hashable, Sendable {
        case user, post, file
        case channel(type: String)
        case message(channelType: String)

        var isBroadcast: Bool {
            switch self {
            case .channel(let type), .message(let type): type == AppNetChannel.broadcast
            default: false
            }
        }
    }

    static let fallbackURL = "net.app.core.fallback_url"

    let context: AppNetContext
    let place: Place

    /// Returns the annotations of a new post or message. A type may occur more than once.
    ///
    /// - Throws: ``AppNetFailure`` with 400 for an invalid annotation.
    func created(_ sent: JSONValue?) throws -> [JSONValue] {
        guard let sent, sent != .null else { return [] }
        let annotations = try entries(sent).compactMap { sent -> JSONValue? in
            guard let value = sent.value else { throw AppNetFailure.badRequest("An annotation needs a value.") }
            return try accepted(sent.type, value, sent.annotation)
        }
        try checkSize(annotations)
        return annotations
    }

    /// Returns the annotations of a user, channel or file after an update. There is one annotation of each type. A sent
    /// annotation replaces the one of its type, and an entry without a value deletes it. Deleted annotations no longer
    /// grant read access to files.
    ///
    /// - Throws: ``AppNetFailure`` with 400 for an invalid annotation.
    func merged(_ sent: JSONValue, into old: [JSONValue]) throws -> [JSONValue] {
        var annotations = AnnotationsByType(old)
        for sent in try entries(sent) {
            let old = annotations[sent.type]
            guard let value = sent.value else {
                if let old { try context.tables.files.revoke(grantsOf: [old]) }
                annotations[sent.type] = nil
                continue
            }
            // Clients send complete objects back. Members that were expanded from a replacement value remain that
            // replacement.
            if var old, let stored = old["value"],
                let echo = try ReplacementValues.echoed(value, of: stored, type: sent.type, context: context)
            {
                try check(sent.type, echo)
                old["value"] = Self.writable(sent.type, echo)
                annotations[sent.type] = old
                continue
            }
            guard let annotation = try accepted(sent.type, value, sent.annotation) else { continue }
            if let old { try context.tables.files.revoke(grantsOf: [old]) }
            annotations[sent.type] = annotation
        }
        try checkSize(annotations.all)
        return annotations.all
    }

    private func entries(_ sent: JSONValue) throws(AppNetFailure) -> [SentAnnotations.Entry] {
        try SentAnnotations(sent, dialect: context.request.dialect).entries
    }

    /// Returns the stored form of an annotation; `nil` for types that only the server writes.
    private func accepted(_ type: String, _ value: JSONValue, _ annotation: JSONValue) throws -> JSONValue? {
        if type == Self.fallbackURL, place.isBroadcast { return nil }
        if type == "net.app.core.broadcast.freq" { return nil }
        try check(type, value)
        let value = Self.writable(type, try ReplacementValues.accepted(value, type: type, context: context))
        try CoreAnnotation.checkPicture(type, value, spelling: spelling(type), context: context)
        var stored: JSONValue = ["type": .string(type), "value": value]
        if annotation["process_template"]?.lenientFlag == false { stored["process_template"] = .bool(false) }
        return stored
    }

    /// Returns a value without its read-only members (Docs/Protocols/AppNet.md §4.3). Only App.net's staff could set
    /// the tags of broadcasts.
    private static func writable(_ type: String, _ value: JSONValue) -> JSONValue {
        guard type == "net.app.core.broadcast.metadata" else { return value }
        var value = value
        value["tags"] = nil
        return value
    }

    private func check(_ type: String, _ value: JSONValue) throws {
        guard type.hasPrefix("net.app.core.") else { return }
        try CoreAnnotation.check(type, value, at: place, spelling: spelling(type))
    }

    /// Returns the name of a type in the caller's dialect.
    private func spelling(_ type: String) -> String { context.request.dialect.name(ofType: type) }

    private func checkSize(_ annotations: [JSONValue]) throws {
        guard !annotations.isEmpty else { return }
        let text = JSONValue.array(annotations).text()
        guard text.utf8.count <= TextLimits.annotationBytes else {
            throw AppNetFailure.badRequest("The annotations are longer than \(TextLimits.annotationBytes) bytes.")
        }
        // What is stored must be readable.
        try require(JSONValue.parse(text) != nil, "The annotations are nested too deeply.")
    }
}
