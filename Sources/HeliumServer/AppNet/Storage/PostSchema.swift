internal import GRDB

extension AppNetSchema.Migration {
    /// Posts, stars, reposts and interactions (§2.7, §2.9).
    static let posts = Self(name: "posts") { _ in }
}
