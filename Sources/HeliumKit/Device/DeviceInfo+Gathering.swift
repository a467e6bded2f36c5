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
            osVersion: systemVersion(),
            carrierName: carrierName,
            notification: notification
        )
    }

    /// Returns the user's language and region as `de-DE`, or `nil` if they are unknown.
    private static func culture() -> String? {
        #if os(Linux)
            // These are the variables that `Locale.current` uses. Reading them avoids loading megabytes of its tables.
            for name in ["LC_ALL", "LC_MESSAGES", "LANG"] {
                if let value = getenv(name), value.pointee != 0 { return culture(ofLocale: String(cString: value)) }
            }
            return nil
        #else
            return culture(ofLocale: Locale.current.identifier)
        #endif
    }

    /// Returns `de-DE` for `de_DE.UTF-8` and `de_DE@euro`, and `zh-CN` for `zh-Hans_CN`. Returns `nil` for a name
    /// without a language or region of two letters.
    static func culture(ofLocale name: String) -> String? {
        let parts = name.utf8.prefix { $0 != UInt8(ascii: ".") && $0 != UInt8(ascii: "@") }
            .split { $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-") }
        guard parts.count >= 2, let language = parts.first, let region = parts.last,
            DeviceRules.isCode(language), DeviceRules.isCode(region)
        else { return nil }
        return "\(Substring(language).lowercased())-\(Substring(region).uppercased())"
    }

    private static func systemVersion() -> String? {
        #if os(Linux)
            return systemNames().flatMap { version(of: text($0.release)) }
        #else
            let version = ProcessInfo.processInfo.operatingSystemVersion
            return self.version(of: "\(version.majorVersion).\(version.minorVersion).\(version.patchVersion)")
        #endif
    }

    /// Returns the version in the server's form: of the numbers that `text` begins with, as many as fit.
    static func version(of text: String) -> String? {
        var (length, digits) = (0, 0)
        for (index, byte) in (Array(text.utf8.prefix(8)) + [0]).enumerated() {
            if 48...57 ~= byte {
                digits += 1
                continue
            }
            guard 1...3 ~= digits, index <= 7 else { break }
            length = index
            guard byte == 46 else { break }
            digits = 0
        }
        return length > 0 ? String(decoding: text.utf8.prefix(length), as: UTF8.self) : nil
    }

    /// Returns the name of the hardware, for example `x86_64`.
    private static func machine() -> String? { systemNames().map { text($0.machine) } }

    private static func systemNames() -> utsname? {
        var names = utsname()
        return uname(&names) == 0 ? names : nil
    }

    /// Returns the text of an array in C, up to the first zero.
    private static func text<Characters>(_ characters: Characters) -> String {
        withUnsafeBytes(of: characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
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
