/// Something that the service would refuse, found before it was sent.
///
/// Its description names members and limits, and nothing of what was to be sent but types.
public struct RuleViolation: Error, Hashable, Sendable {
    /// Where: `text`, `annotations`, `annotations[2].value.latitude`, `writers`.
    public let member: String

    /// What is wrong.
    public let problem: Problem

    /// What is wrong.
    public enum Problem: Hashable, Sendable {
        /// Nothing is there.
        case missing
        /// There is too much of it, in the rule's own unit.
        case tooLong(Int, maximum: Int, unit: String)
        /// It is of another shape or outside of its range.
        case invalid(String)
        /// It can't be there.
        case notAllowed(String)
    }

    /// A violation.
    public init(member: String, problem: Problem) {
        self.member = member
        self.problem = problem
    }
}

extension RuleViolation: CustomStringConvertible {
    /// `text: 2050 code points are more than 2048`.
    public var description: String {
        switch problem {
        case .missing: "\(member): it is missing"
        case .tooLong(let count, let maximum, let unit): "\(member): \(count) \(unit) are more than \(maximum)"
        case .invalid(let reason), .notAllowed(let reason): "\(member): \(reason)"
        }
    }
}
