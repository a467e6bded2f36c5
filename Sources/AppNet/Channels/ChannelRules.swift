extension AppNetChannel {
    /// Checks the access lists and annotations of a channel before it is created or changed
    /// (Docs/Protocols/AppNet.md §2.1, §4).
    ///
    /// - Parameter maximumAnnotationBytes: The service's limit for annotations, in bytes.
    /// - Throws: ``RuleViolation`` for the first rule of the service that the value breaks.
    package func validate(maximumAnnotationBytes: Int = AnnotationRules.maximumBytes) throws(RuleViolation) {
        try readers?.validate("readers", mayBePublic: true, mayBeAnyUser: true, hasLimit: type != .broadcast)
        try writers?.validate("writers", mayBePublic: false, mayBeAnyUser: type != .broadcast, hasLimit: true)
        try editors?.validate("editors", mayBePublic: false, mayBeAnyUser: false, hasLimit: true)
        if type == .broadcast {
            if writers?.userIDs?.isEmpty == false {
                let reason = "only the owner and the editors of a broadcast channel can write"
                throw RuleViolation(member: "writers", problem: .notAllowed(reason))
            }
            for (name, list) in [("writers", writers), ("editors", editors)] where list?.isImmutable == true {
                throw RuleViolation(member: name, problem: .notAllowed("it can't be immutable in a broadcast channel"))
            }
        }
        try AnnotationRules.validate(annotations ?? [], on: .channel(type), maximumBytes: maximumAnnotationBytes)
    }

    /// Checks a channel before it is created. It needs a type, which must not be that of private messages.
    ///
    /// - Parameter maximumAnnotationBytes: The service's limit for annotations, in bytes.
    /// - Throws: ``RuleViolation`` for the first rule of the service that the value breaks.
    package func validateForCreation(
        maximumAnnotationBytes: Int = AnnotationRules.maximumBytes
    ) throws(RuleViolation) {
        guard let type, !type.rawValue.isEmpty else { throw RuleViolation(member: "type", problem: .missing) }
        if type == .privateMessages || type == .pnutPrivateMessages {
            throw RuleViolation(
                member: "type",
                problem: .notAllowed("a private channel is created by sending a private message")
            )
        }
        try validate(maximumAnnotationBytes: maximumAnnotationBytes)
    }
}

extension ACL {
    /// The maximum number of users in a list.
    package static let maximumUsers = 200

    fileprivate func validate(
        _ member: String,
        mayBePublic: Bool,
        mayBeAnyUser: Bool,
        hasLimit: Bool
    ) throws(RuleViolation) {
        if isPublic == true, !mayBePublic {
            throw RuleViolation(member: member, problem: .notAllowed("it can't be public"))
        }
        if includesAnyUser == true, !mayBeAnyUser {
            throw RuleViolation(member: member, problem: .notAllowed("it can't include any user"))
        }
        let count = userIDs?.count ?? 0
        if [isPublic == true, includesAnyUser == true, count > 0].filter(\.self).count > 1 {
            let reason = "public, any_user and user_ids exclude each other"
            throw RuleViolation(member: member, problem: .invalid(reason))
        }
        if hasLimit, count > Self.maximumUsers {
            throw RuleViolation(member: member, problem: .tooLong(count, maximum: Self.maximumUsers, unit: "users"))
        }
    }
}
