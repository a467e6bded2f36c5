public import Foundation
public import HeliumKit

extension DeviceInfo {
    /// The facts that this process can find out about its device, with the app's identifier and version from a bundle.
    ///
    /// - Parameters:
    ///   - bundle: The bundle of the app. A command-line tool has neither an identifier nor a version there, and both are left
    ///     out.
    ///   - carrierName: The carrier, if there is one.
    ///   - notification: The destination of push notifications. Default: `nil`, no push notifications.
    public init(bundle: Bundle, carrierName: String?, notification: Notification? = nil) {
        self = .current(
            appID: bundle.bundleIdentifier,
            appVersion: bundle.object(forInfoDictionaryKey: "CFBundleShortVersionString") as? String,
            carrierName: carrierName,
            notification: notification
        )
    }
}
