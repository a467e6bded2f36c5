internal import HeliumCrypto
package import HeliumEssentials

/// The description of a device that is registered (Docs/Protocols/Middleware.md §3.1). Every part is optional.
///
/// Values that the server would reject are left out when the description is sent. The server also rejects empty
/// strings.
public struct DeviceInfo: Hashable, Sendable {
    /// The language and region as `de-DE`. The server accepts only this form; its default is `de-de`.
    public var culture: String?
    /// The app's identifier, 5 to 50 characters.
    public var appID: String?
    /// The app's version: 1 to 4 groups of 1 to 3 digits with dots, at most 7 characters.
    public var appVersion: String?
    /// The vendor's identifier for the device, 5 to 50 characters.
    public var vendorID: String?
    /// The advertising identifier, 5 to 50 characters.
    public var advertiserID: String?
    /// The kind of the device.
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
    /// The address for push notifications.
    public var notification: Notification?

    /// Creates a description. Each part is left out by default.
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
    /// The kind of a device.
    public struct Group: RawRepresentable, Hashable, Sendable {
        /// The name as it is sent.
        public let rawValue: String

        /// Creates a kind from its name.
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

    /// The address for push notifications. Its token is a secret and does not appear in descriptions.
    public struct Notification: Hashable, Sendable {
        /// The push service that issued the token.
        public struct Environment: RawRepresentable, Hashable, Sendable {
            /// The name as it is sent.
            public let rawValue: String

            /// Creates an environment from its name.
            public init(rawValue: String) { self.rawValue = rawValue }

            /// The environment of development builds.
            public static let sandbox = Self(rawValue: "sandbox")
            /// The environment of released builds. It is the server's default.
            public static let production = Self(rawValue: "production")
        }

        /// The push token.
        public var token: String
        /// The push service that issued the token.
        public var environment: Environment

        /// Creates a push address.
        public init(token: String, environment: Environment = .production) {
            self.token = token
            self.environment = environment
        }
    }
}

extension DeviceInfo.Notification: CustomStringConvertible, CustomReflectable {
    /// The environment, without the token.
    public var description: String { "Notification(\(environment.rawValue))" }
    /// The environment, without the token.
    public var customMirror: Mirror { Mirror(self, children: ["environment": environment.rawValue]) }
}

// MARK: Encoding

extension DeviceInfo {
    /// Returns the description as it is sent: with sorted members, and without values that the server would reject.
    package var canonicalJSON: Data { DeviceDocument(self).value.data() }

    /// Returns the SHA-256 of the canonical JSON in hexadecimal. If it differs from the registered one, the description
    /// is updated.
    ///
    /// - Throws: No error in practice, because text can always be encoded.
    public func sha256() throws -> String { SHA256.hash(canonicalJSON).hex }
}

extension DeviceInfo: Encodable {
    /// Encodes the document of Docs/Protocols/Middleware.md §3.1, without values that the server would reject.
    public func encode(to encoder: any Encoder) throws {
        try DeviceDocument(self).value.encode(to: encoder)
    }
}
