/// The policy for a persistent token store that fails: its contents cannot be used (corrupt, unreadable, too large, not
/// decryptable with the key), or it cannot be written.
public struct StoreFailurePolicy: Hashable, Sendable {
    let startsAfresh: Bool

    /// Throws ``TokenStoreError`` and leaves the contents as they are: nothing is lost without being asked. A client does
    /// not register with a store that cannot be written.
    public static let fail = Self(startsAfresh: false)

    /// Puts the contents aside (in place of what was put aside before) and goes on with an empty store, so that the
    /// client registers again. A client goes on where the store cannot be written: the token is lost with the process, and
    /// the next one registers another device.
    public static let startAfresh = Self(startsAfresh: true)
}
