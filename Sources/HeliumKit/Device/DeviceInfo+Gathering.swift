internal import HeliumEssentials

extension DeviceInfo {
    /// The facts that this process can find out about its device.
    ///
    /// - Parameters:
    ///   - appID: The app's identifier. Default: `nil`, left out.
    ///   - appVersion: The app's version. Default: `nil`, left out.
    ///   - carrierName: The carrier. Default: `nil`, left out.
    ///   - notification: The destination of push notifications. Default: `nil`, no push notifications.
    public static func current(
        appID: String? = nil,
        appVersion: String? = nil,
        carrierName: String? = nil,
        notification: Notification? = nil
    ) -> DeviceInfo {
        DeviceInfo(
            culture: culture(),
            appID: appID,
            appVersion: appVersion,
            group: .desktop,
            model: machine(),
            osType: system(),
            osVersion: version(of: ProcessInfo.processInfo.operatingSystemVersion),
            carrierName: carrierName,
            notification: notification
        )
    }

    /// Returns the user's language and region as `de-DE`, or `nil` if they are unknown.
    private static func culture() -> String? {
        #if os(Linux)
            // These are the variables that `Locale.current` uses. Reading them avoids loading megabytes of its tables.
            let environment = ProcessInfo.processInfo.environment
            let name = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
            return name.flatMap(culture(ofLocale:))
        #else
            return culture(ofLocale: Locale.current.identifier)
        #endif
    }

    /// Returns `de-DE` for `de_DE.UTF-8` and `de_DE@euro`, and `zh-CN` for `zh-Hans_CN`. Returns `nil` for a name
    /// without a language or region of two letters.
    static func culture(ofLocale name: String) -> String? {
        let parts = name.prefix { $0 != "." && $0 != "@" }.split { $0 == "_" || $0 == "-" }
        guard parts.count >= 2, let language = parts.first, let region = parts.last, language.count == 2,
            region.count == 2, (language + region).allSatisfy({ $0.isASCII && $0.isLetter })
        else { return nil }
        return "\(language.lowercased())-\(region.uppercased())"
    }

    /// Returns the version in the server's form, with as many of its numbers as fit.
    static func version(of version: OperatingSystemVersion) -> String? {
        let numbers = [version.majorVersion, version.minorVersion, version.patchVersion]
        let groups = numbers.prefix { 0...999 ~= $0 }.map(String.init)
        for count in stride(from: groups.count, to: 0, by: -1) {
            let text = groups.prefix(count).joined(separator: ".")
            if text.utf8.count <= 7 { return text }
        }
        return nil
    }

    /// Returns the name of the hardware, for example `x86_64`.
    private static func machine() -> String? {
        var names = utsname()
        guard uname(&names) == 0 else { return nil }
        return withUnsafeBytes(of: &names.machine) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
    }

    private static func system() -> String {
        #if os(Linux)
            "Linux"
        #elseif os(macOS)
            "macOS"
        #else
            "Other"
        #endif
    }
}
