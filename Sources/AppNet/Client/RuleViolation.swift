/// A rule of the service that a value breaks, found before the value was sent.
///
/// The description names members and limits. Of the value itself it contains only types.
public struct RuleViolation: Error, Hashable, Sendable {
    /// The member that breaks the rule, such as `text`, `annotations`, `annotations[2].value.latitude` or `writers`.
    public let member: String

    /// The problem with the member.
    public let problem: Problem

    /// A problem with a member.
    public enum Problem: Hashable, Sendable {
        /// The member is missing.
        case missing
        /// The member is too long, in the unit of the rule.
        case tooLong(Int, maximum: Int, unit: String)
        /// The member has the wrong shape or is out of range.
        case invalid(String)
        /// The member is not allowed.
        case notAllowed(String)
    }

    /// Creates a violation.
    package init(member: String, problem: Problem) {
        self.member = member
        self.problem = problem
    }
}

extension RuleViolation: CustomStringConvertible {
    /// A description such as `text: 2050 code points are more than 2048`.
    public var description: String {
        switch problem {
        case .missing: "\(member): it is missing"
        case .tooLong(let count, let maximum, let unit): "\(member): \(count) \(unit) are more than \(maximum)"
        case .invalid(let reason), .notAllowed(let reason): "\(member): \(reason)"
        }
    }
}
