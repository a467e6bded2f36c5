internal import HeliumCore
internal import HeliumJSON
internal import HeliumServerKit

/// The content of a request that writes a trigger (Docs/Protocols/Cosm.md §8). Numbers may be written as texts.
struct TriggerInput: Hashable, Sendable {
    var feed: Int?
    var datastream: String?
    var url: String?
    var kind: TriggerCondition.Kind?
    var threshold = Change<String>.unchanged

    /// Reads the trigger of a request, with or without the wrapper `trigger`.
    ///
    /// - Throws: ``CosmFailure``: 400 for a body that is not a trigger, 422 for an unknown type.
    static func read(_ body: JSONValue) throws(CosmFailure) -> Self {
        let outer = try JSONFields.body(body)
        let fields = try outer.fields("trigger") ?? outer
        var input = Self()
        input.feed = try fields.integer("environment_id")
        input.datastream = try fields.text("stream_id")
        input.url = try fields.text("url")
        if let name = try fields.text("trigger_type"), !name.isEmpty {
            guard let kind = TriggerCondition.Kind(rawValue: name.lowercased()) else {
                throw .invalid("Trigger type is not one of \(TriggerRules.kinds)")
            }
            input.kind = kind
        }
        input.threshold = try fields.textChange("threshold_value")
        return input
    }

    /// Applies the changes to a trigger.
    func applied(to trigger: inout TriggerRecord) {
        trigger.feed = feed ?? trigger.feed
        trigger.datastream = datastream ?? trigger.datastream
        trigger.url = url ?? trigger.url
        trigger.condition.kind = kind ?? trigger.condition.kind
        threshold.applied(to: &trigger.condition.threshold)
    }
}

/// The rules for triggers.
enum TriggerRules {
    static let maximumURL = 2_048

    static var kinds: String { TriggerCondition.Kind.allCases.map(\.rawValue).joined(separator: ", ") }

    /// Returns the messages for the violations of a trigger.
    ///
    /// - Parameter allowsLocalTargets: Whether the URL may have a local address.
    static func violations(of trigger: TriggerRecord, allowsLocalTargets: Bool) -> [String] {
        var messages: [String] = []
        if trigger.feed <= 0 { messages.append("Environment can't be blank") }
        if trigger.datastream.isEmpty { messages.append("Stream can't be blank") }
        if trigger.url.isEmpty {
            messages.append("Url can't be blank")
        } else if !isTarget(trigger.url) {
            messages.append("Url is invalid")
        } else if !allowsLocalTargets, isLocal(trigger.url) {
            messages.append("Url is a local address")
        }
        switch trigger.condition.kind {
        case .change, .frozen, .live: break
        case .gt, .gte, .lt, .lte, .eq:
            if trigger.condition.threshold.flatMap(NumericText.number) == nil {
                messages.append("Threshold value is not a number")
            }
        }
        if trigger.condition.threshold?.unicodeScalars.count ?? 0 > FeedRules.maximumValue {
            messages.append("Threshold value is too long")
        }
        return messages
    }

    /// Returns whether the host of a URL is an address or a name of the machine itself or of a local network. The
    /// transport checks the addresses of all other names when it connects.
    private static func isLocal(_ url: String) -> Bool {
        guard var host = TriggerNotification.target(url)?.origin.host.lowercased() else { return true }
        if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
        if let bytes = AddressBlock.bytes(of: String(host.prefix { $0 != "%" })) {
            return !PublicAddress.contains(bytes)
        }
        let name = host.hasSuffix(".") ? String(host.dropLast()) : host
        return name == "localhost" || name.hasSuffix(".localhost")
    }

    /// Returns whether a URL is not too long and the transport supports it.
    private static func isTarget(_ url: String) -> Bool {
        url.utf8.count <= maximumURL && TriggerNotification.target(url) != nil
    }
}
