extension AppNetChannel {
    /// Checks a channel that is to be created or changed: what its lists may say together, and its annotations (§2.1, §4).
    ///
    /// - Parameter maximumAnnotationBytes: The service's limit.
    /// - Throws: ``RuleViolation`` for the first thing that the service would refuse.
    public func validate(maximumAnnotationBytes: Int = AnnotationRules.maximumBytes) throws(RuleViolation) {
        try readers?.validate("readers", mayBePublic: true, mayBeAnyUser: true, hasLimit: type != .broadcast)
        try writers?.validate("writers", mayBePublic: false, mayBeAnyUser: type != .broadcast, hasLimit: true)
        try editors?.validate("editors", mayBePublic: false, mayBeAnyUser: false, hasLimit: true)
        if type == .broadcast {
            if writers?.userIDs?.isEmpty == false {
                let reason = "a broadcast channel has no writers but its owner and editors"
                throw RuleViolation(member: "writers", problem: .notAllowed(reason))
            }
            for (name, list) in [("writers", writers), ("editors", editors)] where list?.isImmutable == true {
                throw RuleViolation(member: name, problem: .notAllowed("a broadcast channel's can't be immutable"))
            }
        }
        try AnnotationRules.validate(annotations ?? [], on: .channel(type), maximumBytes: maximumAnnotationBytes)
    }

    /// Checks a channel that is to be created: it needs a type, other than that of private messages.
    ///
    /// - Parameter maximumAnnotationBytes: The service's limit.
    /// - Throws: ``RuleViolation`` for the first thing that the service would refuse.
    public func validateForCreation(
        maximumAnnotationBytes: Int = AnnotationRules.maximumBytes
    ) throws(RuleViolation) {
        guard let type, !type.rawValue.isEmpty else { throw RuleViolation(member: "type", problem: .missing) }
        if type == .privateMessages || type == .pnutPrivateMessages {
            throw RuleViolation(member: "type", problem: .notAllowed("a private message makes its channel itself"))
        }
        try validate(maximumAnnotationBytes: maximumAnnotationBytes)
    }
}

extension ACL {
    /// How many users a list may name.
    public static let maximumUsers = 200

    fileprivate func validate(
        _ member: String,
        mayBePublic: Bool,
        mayBeAnyUser: Bool,
        hasLimit: Bool
    ) throws(RuleViolation) {
        if isPublic == true, !mayBePublic {
            throw RuleViolation(member: member, problem: .notAllowed("they can't be everybody"))
        }
        if includesAnyUser == true, !mayBeAnyUser {
            throw RuleViolation(member: member, problem: .notAllowed("they can't be every user"))
        }
        let count = userIDs?.count ?? 0
        if [isPublic == true, includesAnyUser == true, count > 0].filter(\.self).count > 1 {
            let reason = "they are either everybody, or every user, or some users"
            throw RuleViolation(member: member, problem: .invalid(reason))
        }
        if hasLimit, count > Self.maximumUsers {
            throw RuleViolation(member: member, problem: .tooLong(count, maximum: Self.maximumUsers, unit: "users"))
        }
    }
}
