internal import HeliumJSON

extension StringProtocol {
    /// Whether it holds U+0000, at which SQLite's texts end: what follows it would be lost without a word.
    var holdsNull: Bool { utf8.contains(0) }
}

extension JSONTree {
    /// Whether a text or a member's name in it holds U+0000.
    var holdsNull: Bool {
        switch self {
        case .string(let text): text.holdsNull
        case .array(let elements): elements.contains(where: \.holdsNull)
        case .object(let members): members.contains { $0.name.holdsNull || $0.value.holdsNull }
        default: false
        }
    }
}

extension JSONValue {
    /// Whether a text or a member's name in it holds U+0000.
    var holdsNull: Bool {
        switch self {
        case .string(let text): text.holdsNull
        case .array(let elements): elements.contains(where: \.holdsNull)
        case .object(let object): object.contains { $0.name.holdsNull || $0.value.holdsNull }
        default: false
        }
    }
}
