public import Foundation

extension ResponseMeta {
    /// When an event was; `nil` if it doesn't say (§2.13). `timestamp` is in milliseconds, if it is above 10¹¹, else in seconds.
    public var date: Date? {
        guard let timestamp, timestamp.isFinite else { return nil }
        return Date(timeIntervalSince1970: timestamp > 1e11 ? timestamp / 1000 : timestamp)
    }
}
