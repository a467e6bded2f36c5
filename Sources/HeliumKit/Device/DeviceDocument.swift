internal import HeliumCore

/// A device's description in the form of Docs/Protocols/Middleware.md §3.1. It contains only values that satisfy the
/// server's rules, and no empty objects. Its members are sorted.
///
/// It is a value and not an `Encodable` type, because the encoder would load the tables of generic types, which stay in
/// memory, into every client for this one document.
struct DeviceDocument {
    let value: JSONValue

    init(_ info: DeviceInfo) {
        let members: [Member] = [
            ("app", Self.app(info)),
            ("culture", Self.object([("code", Self.string(info.culture, DeviceRules.culture))])),
            ("device", Self.device(info)),
        ]
        value = Self.object(members) ?? .object([:])
    }

    private static func app(_ info: DeviceInfo) -> JSONValue? {
        object([
            ("advertiser", object([("id", string(info.advertiserID) { DeviceRules.text($0, 5...50) })])),
            ("id", string(info.appID) { DeviceRules.text($0, 5...50) }),
            ("vendor", object([("id", string(info.vendorID) { DeviceRules.text($0, 5...50) })])),
            ("version", string(info.appVersion, DeviceRules.version)),
        ])
    }

    private static func device(_ info: DeviceInfo) -> JSONValue? {
        let known: [DeviceInfo.Group] = [.phone, .tablet, .tv, .desktop]
        return object([
            ("carrier", object([("type", string(info.carrierName) { DeviceRules.text($0, 1...50) })])),
            ("group", info.group.flatMap { known.contains($0) ? .string($0.rawValue) : nil }),
            ("model", string(info.model) { DeviceRules.text($0, 1...50) }),
            ("notification", info.notification.flatMap(notification)),
            (
                "os",
                object([
                    ("type", string(info.osType) { DeviceRules.text($0, 2...50) }),
                    ("version", string(info.osVersion, DeviceRules.version)),
                ])
            ),
            ("screen", object([("resolution", string(info.screenResolution, DeviceRules.resolution))])),
        ])
    }

    private static func notification(_ push: DeviceInfo.Notification) -> JSONValue? {
        guard !push.token.isEmpty else { return nil }
        return object([("environment", .string(push.environment.rawValue)), ("token", .string(push.token))])
    }
}

// MARK: Members

extension DeviceDocument {
    /// A member, which is left out if it has no value.
    private typealias Member = (name: String, value: JSONValue?)

    /// Returns an object, or `nil` if it would be empty.
    private static func object(_ members: [Member]) -> JSONValue? {
        var object = JSONObject()
        for member in members { object[member.name] = member.value }
        return object.isEmpty ? nil : .object(object)
    }

    private static func string(_ text: String?, _ rule: (String) -> String?) -> JSONValue? {
        text.flatMap(rule).map(JSONValue.string)
    }
}

/// The server's rules for a description of a device.
enum DeviceRules {
    static func text(_ text: String, _ length: ClosedRange<Int>) -> String? {
        // The server counts UTF-16 units, like JavaScript.
        length.contains(text.utf16.count) ? text : nil
    }

    static func culture(_ text: String) -> String? {
        let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        return parts.count == 2 && parts.allSatisfy(isCode) ? text : nil
    }

    /// Whether a text is a language or region of two ASCII letters.
    static func isCode(_ text: Substring.UTF8View) -> Bool {
        text.count == 2
            && text.allSatisfy { UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 | 0x20 }
    }

    static func version(_ text: String) -> String? {
        let groups = text.split(separator: ".", omittingEmptySubsequences: false)
        let isVersion =
            1...7 ~= text.utf8.count && 1...4 ~= groups.count
            && groups.allSatisfy { 1...3 ~= $0.utf8.count && $0.utf8.allSatisfy { 48...57 ~= $0 } }
        return isVersion ? text : nil
    }

    static func resolution(_ text: String) -> String? {
        let parts = text.split(separator: "x", omittingEmptySubsequences: false)
        return parts.count == 2 && parts.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy { 48...57 ~= $0 } } ? text : nil
    }
}
