/// The facts about a member other than its name and its type.
package struct MemberFacts: Sendable {
    /// The requests in which clients send the member.
    package let sent: Sending

    /// The place of the member in pnut.io's documents.
    package let pnut: PnutMember

    @inline(__always)
    init(sent: Sending, pnut: PnutMember) {
        self.sent = sent
        self.pnut = pnut
    }

    /// The requests in which clients send a member. The service sets the others itself.
    package enum Sending: Sendable {
        case never
        /// Only in the request that creates an object. The member cannot be changed later.
        case onCreation
        case always
        /// Always. Of its own members, only those that are sent.
        case inPart
    }
}

/// The place of a member in pnut.io's documents (Docs/Protocols/AppNet.md §6.3).
package enum PnutMember: Sendable {
    /// The same name.
    case same
    /// Another name.
    case named(StaticString)
    /// A member of another object, under the same name or another.
    case inside(StaticString, as: StaticString? = nil)
    /// The same name, with the members of another type.
    case like(any AppNetRecord.Type)
    /// None. The member is left out.
    case missing
    /// None. The value `true` cannot be expressed.
    case unsettable(reason: StaticString)
    /// A Boolean of the opposite meaning, which is only present if it is `false`.
    case inverted(StaticString)
    /// Another member that serves as this identifier.
    case identifiedBy(StaticString)
}
