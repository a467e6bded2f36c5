public import Foundation

extension DeviceInfo {
    /// What this process can tell of its device.
    ///
    /// - Parameters:
    ///   - bundle: Where the app's identifier and version stand; a command-line tool has neither, and they are left out.
    ///   - carrierName: The carrier, if there is one.
    ///   - notification: Where push notifications go. Default: nowhere.
    public init(bundle: Bundle, carrierName: String?, notification: Notification? = nil) {
        self.init(
            culture: Self.culture(of: .current),
            appID: bundle.bundleIdentifier,
            appVersion: bundle.object(forInfoDictionaryKey: "CFBundleShortVersionString") as? String,
            group: .desktop,
            model: Self.machine(),
            osType: Self.system(),
            osVersion: Self.version(of: ProcessInfo.processInfo.operatingSystemVersion),
            carrierName: carrierName,
            notification: notification
        )
    }

    /// `de-DE`, or `nil` where language or region is unknown.
    static func culture(of locale: Locale) -> String? {
        guard let language = locale.language.languageCode?.identifier, let region = locale.region?.identifier,
            language.count == 2, region.count == 2
        else { return nil }
        return "\(language)-\(region)"
    }

    /// The version in the server's form: as many of the numbers as fit.
    static func version(of version: OperatingSystemVersion) -> String? {
        let numbers = [version.majorVersion, version.minorVersion, version.patchVersion]
        let groups = numbers.prefix { 0...999 ~= $0 }.map(String.init)
        for count in stride(from: groups.count, to: 0, by: -1) {
            let text = groups.prefix(count).joined(separator: ".")
            if text.utf8.count <= 7 { return text }
        }
        return nil
    }

    /// The hardware's name for itself, for example `x86_64`.
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
