internal import GRDB

extension AppNetSchema.Migration {
    /// Files, derived files and places (§2.4, §2.8).
    static let files = Self(name: "files") { _ in }
}
