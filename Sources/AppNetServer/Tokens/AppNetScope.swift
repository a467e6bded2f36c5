/// What a user token may do (§1.2).
enum AppNetScope: String, CaseIterable, Codable, Comparable, Sendable {
    case basic, stream, email
    case writePost = "write_post"
    case follow
    case publicMessages = "public_messages"
    case messages
    case updateProfile = "update_profile"
    case files, export
    /// Only of pnut.io (AppNet.md §6.1).
    case polls, presence

    static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

extension Set<AppNetScope> {
    /// Reads a list separated by blanks or commas; names that are none are left out, and `basic` is always granted.
    init(list: String) {
        let names = list.split { $0 == " " || $0 == "," || $0 == "+" }
        self = Set(names.compactMap { AppNetScope(rawValue: String($0)) }).union([.basic])
    }

    /// The names, with commas and no blanks.
    var list: String { sorted().map(\.rawValue).joined(separator: ",") }

    /// Every scope.
    static var all: Self { Set(AppNetScope.allCases) }
}
