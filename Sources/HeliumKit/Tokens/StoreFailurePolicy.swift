/// What a persistent token store does when its contents cannot be used: corrupt, unreadable, too large, or not
/// decryptable with the key.
public struct StoreFailurePolicy: Hashable, Sendable {
    let startsAfresh: Bool

    /// Throws ``TokenStoreError`` and leaves the contents as they are: nothing is lost without being asked.
    public static let fail = Self(startsAfresh: false)

    /// Puts the contents aside (in place of what was put aside before) and goes on with an empty store, so that the
    /// client registers again.
    public static let startAfresh = Self(startsAfresh: true)
}
