/// Who has which right to a channel, as far as the service takes it (§2.1).
///
/// ```swift
/// let room = AppNetChannel(
///     type: .patterRoom,
///     readers: ChannelAccess.readers(.public),
///     writers: ChannelAccess.writers(.users(["@alice", "@bob"]))
/// )
/// ```
///
/// Editors write, and writers read: who may do more need not be named again. The owner may do all, and is never named. A
/// broadcast channel's lists are narrower: ``AppNetChannel/broadcast(readers:editors:annotations:)``.
public enum ChannelAccess {
    /// Who may read.
    public enum Readers: Hashable, Sendable {
        /// Nobody but writers and editors.
        case nobody
        /// Some users, by ids or `@names`.
        case users([AppNetUser.ID])
        /// Every user.
        case anyUser
        /// Everybody, signed in or not.
        case `public`
    }

    /// Who may write.
    public enum Writers: Hashable, Sendable {
        /// Nobody but editors.
        case nobody
        /// Some users, by ids or `@names`.
        case users([AppNetUser.ID])
        /// Every user.
        case anyUser
    }

    /// Who may change the channel.
    public enum Editors: Hashable, Sendable {
        /// Nobody but the owner.
        case nobody
        /// Some users, by ids or `@names`.
        case users([AppNetUser.ID])
    }

    /// Who may read.
    ///
    /// - Parameters:
    ///   - readers: Which of the four.
    ///   - isImmutable: Whether that can't be changed any more; which can't be changed either.
    public static func readers(_ readers: Readers, isImmutable: Bool = false) -> ACL {
        switch readers {
        case .nobody: list(isImmutable: isImmutable)
        case .users(let ids): list(ids, isImmutable: isImmutable)
        case .anyUser: list(includesAnyUser: true, isImmutable: isImmutable)
        case .public: list(isPublic: true, isImmutable: isImmutable)
        }
    }

    /// Who may write.
    ///
    /// - Parameters:
    ///   - writers: Which of the three.
    ///   - isImmutable: Whether that can't be changed any more; which can't be changed either.
    public static func writers(_ writers: Writers, isImmutable: Bool = false) -> ACL {
        switch writers {
        case .nobody: list(isImmutable: isImmutable)
        case .users(let ids): list(ids, isImmutable: isImmutable)
        case .anyUser: list(includesAnyUser: true, isImmutable: isImmutable)
        }
    }

    /// Who may change the channel.
    ///
    /// - Parameters:
    ///   - editors: Which of the two.
    ///   - isImmutable: Whether that can't be changed any more; which can't be changed either.
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
    /// A broadcast channel to be created (§2.1): its owner and editors write, and neither list can be made immutable.
    ///
    /// - Parameters:
    ///   - readers: Who may read; of some users as many as there are. Default: everybody.
    ///   - editors: Who may write and change it. Default: nobody but the owner.
    ///   - annotations: What else it says, such as its title and description.
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
