/// A scope of a user token (Docs/Protocols/AppNet.md §1.2).
enum AppNetScope: String, CaseIterable, Codable, Comparable, Sendable {
    case basic, stream, email
    case writePost = "write_post"
    case follow
    case publicMessages = "public_messages"
    case messages
    case updateProfile = "update_profile"
    case files, export
    /// Only in pnut.io (Docs/Protocols/AppNet.md §6.1).
    case polls, presence

    static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

extension Set<AppNetScope> {
    /// Parses a list separated by spaces, commas or `+`. Unknown names are ignored, and `basic` is always included.
    init(list: String) {
        let names = list.split { $0 == " " || $0 == "," || $0 == "+" }
        self = Set(names.compactMap { AppNetScope(rawValue: String($0)) }).union([.basic])
    }

    /// The names, separated by commas without spaces.
    var list: String { sorted().map(\.rawValue).joined(separator: ",") }

    /// All scopes.
    static var all: Self { Set(AppNetScope.allCases) }
}
