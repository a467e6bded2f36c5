/// A device's description in the form of Docs/Protocols/Middleware.md §3.1. It contains only values that satisfy the
/// server's rules, and no empty objects.
struct DeviceDocument: Encodable {
    struct Named: Encodable { let id: String }
    struct Culture: Encodable { let code: String }
    struct App: Encodable {
        let id: String?
        let version: String?
        let vendor: Named?
        let advertiser: Named?
    }
    struct System: Encodable {
        let type: String?
        let version: String?
    }
    struct Carrier: Encodable { let type: String }
    struct Screen: Encodable { let resolution: String }
    struct Push: Encodable {
        let token: String
        let environment: String
    }
    struct Device: Encodable {
        let group: String?
        let model: String?
        let os: System?
        let carrier: Carrier?
        let screen: Screen?
        let notification: Push?
    }

    let culture: Culture?
    let app: App?
    let device: Device?

    init(_ info: DeviceInfo) {
        culture = info.culture.flatMap(Rules.culture).map(Culture.init)
        app = App(
            id: info.appID.flatMap { Rules.text($0, 5...50) },
            version: info.appVersion.flatMap(Rules.version),
            vendor: info.vendorID.flatMap { Rules.text($0, 5...50) }.map(Named.init),
            advertiser: info.advertiserID.flatMap { Rules.text($0, 5...50) }.map(Named.init)
        )
        .unlessEmpty { $0.id == nil && $0.version == nil && $0.vendor == nil && $0.advertiser == nil }
        device = Self.device(info)
    }

    private static func device(_ info: DeviceInfo) -> Device? {
        let os = System(
            type: info.osType.flatMap { Rules.text($0, 2...50) },
            version: info.osVersion.flatMap(Rules.version)
        )
        .unlessEmpty { $0.type == nil && $0.version == nil }
        let known: Set<DeviceInfo.Group> = [.phone, .tablet, .tv, .desktop]
        return Device(
            group: info.group.flatMap { known.contains($0) ? $0.rawValue : nil },
            model: info.model.flatMap { Rules.text($0, 1...50) },
            os: os,
            carrier: info.carrierName.flatMap { Rules.text($0, 1...50) }.map(Carrier.init),
            screen: info.screenResolution.flatMap(Rules.resolution).map(Screen.init),
            notification: info.notification.flatMap { push in
                push.token.isEmpty ? nil : Push(token: push.token, environment: push.environment.rawValue)
            }
        )
        .unlessEmpty {
            $0.group == nil && $0.model == nil && $0.os == nil && $0.carrier == nil && $0.screen == nil
                && $0.notification == nil
        }
    }
}

/// The server's rules for a description.
private enum Rules {
    static func text(_ text: String, _ length: ClosedRange<Int>) -> String? {
        // The server counts UTF-16 units, like JavaScript.
        length.contains(text.utf16.count) ? text : nil
    }

    static func culture(_ text: String) -> String? {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        let isCode =
            parts.count == 2 && parts.allSatisfy { $0.count == 2 && $0.allSatisfy { $0.isASCII && $0.isLetter } }
        return isCode ? text : nil
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

extension Encodable {
    fileprivate func unlessEmpty(_ isEmpty: (Self) -> Bool) -> Self? { isEmpty(self) ? nil : self }
}
