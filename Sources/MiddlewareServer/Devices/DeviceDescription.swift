internal import HeliumJSON
internal import HeliumServerKit

/// Completes a client's device description, as the reference server does before it stores it
/// (Docs/Protocols/Middleware.md §3.1).
enum DeviceDescription {
    /// The minimum length of a User-Agent with which a device can be stored.
    static let minimumUserAgentLength = 5

    /// Returns whether a device can be stored with a User-Agent: without one, or with one that is long enough.
    static func isUsable(_ userAgent: String?) -> Bool { userAgent?.utf16.count ?? .max >= minimumUserAgentLength }

    /// Returns the description with its defaults: culture `de-de` in lower case, notification environment `production`,
    /// and group and system guessed from the User-Agent if they are missing.
    static func completed(_ description: JSONValue, userAgent: String) -> JSONValue {
        var result = description
        let culture = result.text(at: "culture", "code") ?? "de-de"
        result = result.setting(.string(culture.lowercased()), at: ["culture", "code"])
        let group = result.text(at: "device", "group")?.lowercased() ?? group(of: userAgent)
        result = result.setting(.string(group), at: ["device", "group"])
        if result["device"]?["os"] == nil {
            result = result.setting(.string(system(of: userAgent)), at: ["device", "os", "type"])
        }
        if result["device"]?["notification"] != nil, result.text(at: "device", "notification", "environment") == nil {
            result = result.setting(.string("production"), at: ["device", "notification", "environment"])
        }
        if let resolution = result.text(at: "device", "screen", "resolution"),
            let match = resolution.firstMatch(of: /([0-9]+)x([0-9]+)/)
        {
            result = result.setting(.string(String(match.1)), at: ["device", "screen", "height"])
            result = result.setting(.string(String(match.2)), at: ["device", "screen", "width"])
        }
        return result
    }

    /// Returns an updated description. Members of `change` replace those of `old`, and all others are kept.
    static func merged(_ old: JSONValue, with change: JSONValue) -> JSONValue {
        guard case .object(let oldMembers) = old, case .object(let newMembers) = change else { return change }
        let kept = oldMembers.map { member in
            (member.name, change[member.name].map { merged(member.value, with: $0) } ?? member.value)
        }
        return .object(kept + newMembers.filter { old[$0.name] == nil })
    }

    private static func group(of userAgent: String) -> String {
        let agent = userAgent.lowercased()
        if agent.has("apple tv") || agent.has("smart-tv") || agent.has("tvos") { return "tv" }
        if agent.has("ipad") || (agent.has("android") && !agent.has("mobile")) { return "tablet" }
        if agent.has("iphone") || agent.has("mobile") { return "phone" }
        return "desktop"
    }

    private static func system(of userAgent: String) -> String {
        let known = [
            ("iphone", "iOS"), ("ipad", "iOS"), ("tvos", "tvOS"), ("android", "Android"), ("windows", "Windows"),
            ("mac", "macOS"), ("darwin", "Darwin"), ("linux", "Linux"),
        ]
        let agent = userAgent.lowercased()
        return known.first { agent.has($0.0) }?.1 ?? "unknown"
    }
}

extension JSONValue {
    fileprivate func text(at path: String...) -> String? {
        var node: JSONValue? = self
        for name in path { node = node?[name] }
        guard case .string(let text) = node else { return nil }
        return text
    }

    fileprivate func setting(_ value: JSONValue, at path: ArraySlice<String>) -> JSONValue {
        guard let name = path.first else { return value }
        let child = (self[name] ?? .object([:])).setting(value, at: path.dropFirst())
        guard case .object(let members) = self else { return .object([name: child]) }
        guard self[name] != nil else { return .object(members + [name: child]) }
        return .object(members.map { $0.name == name ? (name, child) : $0 })
    }
}

extension String {
    /// Returns whether an ASCII word is part of the text. It compares bytes, because searching for text in a text is
    /// not linear in its length.
    fileprivate func has(_ word: String) -> Bool { utf8.firstRange(of: word.utf8) != nil }
}
