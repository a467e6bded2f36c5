internal import GRDB

extension AppNetSchema.Migration {
    /// App streams and filters (§2.11, §2.13).
    static let streams = Self(name: "streams") { _ in }
}
