/// The rules for device descriptions (Docs/Protocols/Middleware.md §3.1).
enum DeviceRules {
    static let all: [ParameterRule] = [
        ignored("culture"),
        culture,
        object("app"),
        text("app.id", length: 5...50),
        text("app.version", length: 1...7, pattern: isVersion),
        object("app.vendor"),
        text("app.vendor.id", length: 5...50),
        object("app.advertiser"),
        text("app.advertiser.id", length: 5...50),
        ignored("device"),
        choice("device.group", ["phone", "tablet", "tv", "desktop"]),
        text("device.model", length: 1...50),
        object("device.os"),
        text("device.os.type", length: 2...50),
        text("device.os.version", length: 1...7, pattern: isVersion),
        object("device.carrier"),
        text("device.carrier.type", length: 1...50),
        object("device.screen"),
        text("device.screen.resolution", length: 0...50, pattern: isResolution),
        object("device.notification"),
        text("device.notification.token", length: 0...500),
        choice("device.notification.environment", ["sandbox", "production"]),
    ]

    private static let culture = text("culture.code", length: 5...5, refusesNull: true, pattern: isCulture)

    /// Returns a rule for an object. As in the reference server, a value of another type counts as absent.
    private static func ignored(_ id: String) -> ParameterRule {
        ParameterRule(id: id, section: .body, kind: .object, ignoresOtherTypes: true)
    }

    /// Returns a rule for one of several words. An empty text is not one of them.
    private static func choice(_ id: String, _ words: [String]) -> ParameterRule {
        ParameterRule(id: id, section: .body, allowed: words, refusesEmpty: true)
    }

    private static func object(_ id: String) -> ParameterRule {
        ParameterRule(id: id, section: .body, kind: .object)
    }

    private static func text(
        _ id: String,
        length: ClosedRange<Int>,
        refusesNull: Bool = false,
        pattern: (@Sendable (String) -> Bool)? = nil
    ) -> ParameterRule {
        ParameterRule(
            id: id,
            section: .body,
            minimumLength: length.lowerBound > 0 ? length.lowerBound : nil,
            maximumLength: length.upperBound,
            pattern: pattern,
            refusesNull: refusesNull
        )
    }

    /// Returns whether the text is two letters, a hyphen and two letters.
    @Sendable private static func isCulture(_ text: String) -> Bool {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        return parts.count == 2 && parts.allSatisfy { $0.count == 2 && $0.allSatisfy { $0.isASCII && $0.isLetter } }
    }

    /// Returns whether the text is one to four groups of one to three digits, separated by dots.
    @Sendable private static func isVersion(_ text: String) -> Bool {
        let groups = text.split(separator: ".", omittingEmptySubsequences: false)
        return (1...4).contains(groups.count)
            && groups.allSatisfy { (1...3).contains($0.count) && $0.allSatisfy { $0.isASCII && $0.isNumber } }
    }

    /// Returns whether the text is DIGITSxDIGITS.
    @Sendable private static func isResolution(_ text: String) -> Bool {
        text.wholeMatch(of: /[0-9]+x[0-9]+/) != nil
    }
}
