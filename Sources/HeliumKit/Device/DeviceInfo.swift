internal import HeliumCrypto
package import HeliumEssentials

/// The description of a device that is registered (middleware.md section 3.1). Every part is optional.
///
/// Values that the server would refuse are left out when the description is sent, not sent and refused: an empty string
/// counts as a violation there.
public struct DeviceInfo: Hashable, Sendable {
    /// Language and region as `de-DE`; the server takes exactly this form and falls back to `de-de`.
    public var culture: String?
    /// The app's identifier, 5 to 50 characters.
    public var appID: String?
    /// The app's version: 1 to 4 groups of 1 to 3 digits with dots, at most 7 characters.
    public var appVersion: String?
    /// The vendor's identifier for the device, 5 to 50 characters.
    public var vendorID: String?
    /// The advertising identifier, 5 to 50 characters.
    public var advertiserID: String?
    /// What kind of device it is.
    public var group: Group?
    /// The model, 1 to 50 characters.
    public var model: String?
    /// The operating system's name, 2 to 50 characters.
    public var osType: String?
    /// The operating system's version, of the form of ``appVersion``.
    public var osVersion: String?
    /// The carrier's name, 1 to 50 characters.
    public var carrierName: String?
    /// The screen as `HEIGHTxWIDTH` in pixels.
    public var screenResolution: String?
    /// Where push notifications go.
    public var notification: Notification?

    /// A description of the given parts. Default of each: left out.
    public init(
        culture: String? = nil,
        appID: String? = nil,
        appVersion: String? = nil,
        vendorID: String? = nil,
        advertiserID: String? = nil,
        group: Group? = nil,
        model: String? = nil,
        osType: String? = nil,
        osVersion: String? = nil,
        carrierName: String? = nil,
        screenResolution: String? = nil,
        notification: Notification? = nil
    ) {
        self.culture = culture
        self.appID = appID
        self.appVersion = appVersion
        self.vendorID = vendorID
        self.advertiserID = advertiserID
        self.group = group
        self.model = model
        self.osType = osType
        self.osVersion = osVersion
        self.carrierName = carrierName
        self.screenResolution = screenResolution
        self.notification = notification
    }
}

extension DeviceInfo {
    /// What kind of device it is.
    public struct Group: RawRepresentable, Hashable, Sendable {
        /// The name on the wire.
        public let rawValue: String

        /// A kind by its name on the wire.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A phone.
        public static let phone = Self(rawValue: "phone")
        /// A tablet.
        public static let tablet = Self(rawValue: "tablet")
        /// A television.
        public static let tv = Self(rawValue: "tv")
        /// A desktop computer or a server.
        public static let desktop = Self(rawValue: "desktop")
    }

    /// Where push notifications go. Its token is a secret: no description shows it.
    public struct Notification: Hashable, Sendable {
        /// Which of the push services knows the token.
        public struct Environment: RawRepresentable, Hashable, Sendable {
            /// The name on the wire.
            public let rawValue: String

            /// A service by its name on the wire.
            public init(rawValue: String) { self.rawValue = rawValue }

            /// For development builds.
            public static let sandbox = Self(rawValue: "sandbox")
            /// For released builds; the server's default.
            public static let production = Self(rawValue: "production")
        }

        /// The push token.
        public var token: String
        /// Which service knows it.
        public var environment: Environment

        /// A push address.
        public init(token: String, environment: Environment = .production) {
            self.token = token
            self.environment = environment
        }
    }
}

extension DeviceInfo.Notification: CustomStringConvertible, CustomReflectable {
    /// The environment; never the token.
    public var description: String { "Notification(\(environment.rawValue))" }
    /// The environment; never the token.
    public var customMirror: Mirror { Mirror(self, children: ["environment": environment.rawValue]) }
}

// MARK: On the wire

extension DeviceInfo {
    /// The description as it is sent: sorted members, nothing that the server would refuse.
    ///
    /// - Throws: Nothing in practice: text always encodes.
    package func canonicalJSON() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(self)
    }

    /// The SHA-256 of the canonical JSON in hexadecimal: when it differs from the one registered, the server is told.
    ///
    /// - Throws: Nothing in practice: text always encodes.
    public func sha256() throws -> String { SHA256.hash(try canonicalJSON()).hex }
}

extension DeviceInfo: Encodable {
    /// Encodes the document of middleware.md section 3.1, without what the server would refuse.
    public func encode(to encoder: any Encoder) throws {
        try DeviceDocument(self).encode(to: encoder)
    }
}
