/// A namespace of functions that create access control lists which the service accepts (Docs/Protocols/AppNet.md §2.1).
///
/// ```swift
/// let room = AppNetChannel(
///     type: .patterRoom,
///     readers: ChannelAccess.readers(.public),
///     writers: ChannelAccess.writers(.users(["@alice", "@bob"]))
/// )
/// ```
///
/// Editors may also write, and writers may also read, so a user needs to be in one list only. The owner has every right
/// and is never listed. The lists of a broadcast channel are more restricted: see
/// ``AppNetChannel/broadcast(readers:editors:annotations:)``.
public enum ChannelAccess {
    /// The users who may read.
    public enum Readers: Hashable, Sendable {
        /// Only writers and editors.
        case nobody
        /// Some users, by ids or `@names`.
        case users([AppNetUser.ID])
        /// Every user of the service.
        case anyUser
        /// Everyone, signed in or not.
        case `public`
    }

    /// The users who may write.
    public enum Writers: Hashable, Sendable {
        /// Only editors.
        case nobody
        /// Some users, by ids or `@names`.
        case users([AppNetUser.ID])
        /// Every user of the service.
        case anyUser
    }

    /// The users who may change the channel.
    public enum Editors: Hashable, Sendable {
        /// Only the owner.
        case nobody
        /// Some users, by ids or `@names`.
        case users([AppNetUser.ID])
    }

    /// Creates the list of the users who may read.
    ///
    /// - Parameters:
    ///   - readers: The users.
    ///   - isImmutable: Whether the list can never be changed again. This cannot be undone.
    public static func readers(_ readers: Readers, isImmutable: Bool = false) -> ACL {
        switch readers {
        case .nobody: list(isImmutable: isImmutable)
        case .users(let ids): list(ids, isImmutable: isImmutable)
        case .anyUser: list(includesAnyUser: true, isImmutable: isImmutable)
        case .public: list(isPublic: true, isImmutable: isImmutable)
        }
    }

    /// Creates the list of the users who may write.
    ///
    /// - Parameters:
    ///   - writers: The users.
    ///   - isImmutable: Whether the list can never be changed again. This cannot be undone.
    public static func writers(_ writers: Writers, isImmutable: Bool = false) -> ACL {
        switch writers {
        case .nobody: list(isImmutable: isImmutable)
        case .users(let ids): list(ids, isImmutable: isImmutable)
        case .anyUser: list(includesAnyUser: true, isImmutable: isImmutable)
        }
    }

    /// Creates the list of the users who may change the channel.
    ///
    /// - Parameters:
    ///   - editors: The users.
    ///   - isImmutable: Whether the list can never be changed again. This cannot be undone.
    public static func editors(_ editors: Editors, isImmutable: Bool = false) -> ACL {
        switch editors {
        case .nobody: list(isImmutable: isImmutable)
        case .users(let ids): list(ids, isImmutable: isImmutable)
        }
    }

    private static func list(
        _ ids: [AppNetUser.ID] = [],
        includesAnyUser: Bool = false,
        isPublic: Bool = false,
        isImmutable: Bool
    ) -> ACL {
        ACL(includesAnyUser: includesAnyUser, isPublic: isPublic, isImmutable: isImmutable, userIDs: ids)
    }
}

extension AppNetChannel {
    /// Creates the value of a new broadcast channel (Docs/Protocols/AppNet.md §2.1).
    ///
    /// Its owner and editors write. Neither list can be made immutable.
    ///
    /// - Parameters:
    ///   - readers: The users who may read. A list of users may have any length. The default is everyone.
    ///   - editors: The users who may write to the channel and change it. The default is only the owner.
    ///   - annotations: The annotations, such as title and description.
    public static func broadcast(
        readers: ChannelAccess.Readers = .public,
        editors: ChannelAccess.Editors = .nobody,
        annotations: [Annotation]? = nil
    ) -> AppNetChannel {
        AppNetChannel(
            type: .broadcast,
            readers: ChannelAccess.readers(readers),
            editors: ChannelAccess.editors(editors),
            annotations: annotations
        )
    }
}
