/// What is known of a member besides its name and its type.
package struct MemberFacts: Sendable {
    /// When clients send it.
    package let sent: Sending

    /// Where pnut.io has it.
    package let pnut: PnutMember

    @inline(__always)
    init(sent: Sending, pnut: PnutMember) {
        self.sent = sent
        self.pnut = pnut
    }

    /// When clients send a member. The service sets the others itself.
    package enum Sending: Sendable {
        case never
        /// When an object is created. It cannot be changed later.
        case onCreation
        case always
        /// Always, and of its own members those that are sent.
        case inPart
    }
}

/// Where pnut.io has a member (Docs/Protocols/AppNet.md §6.3).
package enum PnutMember: Sendable {
    /// Under the same name.
    case same
    /// Under another name.
    case named(StaticString)
    /// In an object of its own, under the same name or another.
    case inside(StaticString, as: StaticString? = nil)
    /// Under the same name, with the members of another type.
    case like(any AppNetRecord.Type)
    /// Nowhere: it is left out.
    case missing
    /// Nowhere: `true` cannot be said there.
    case unsettable(reason: StaticString)
    /// A flag of the opposite meaning, which is only there when it is `false`.
    case inverted(StaticString)
    /// Another member that stands for this identifier.
    case identifiedBy(StaticString)
}
