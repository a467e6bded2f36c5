import AppNet
import Foundation

/// A line of what a child reports.
enum JournalLine: Hashable {
    /// The engine has started.
    case ready
    /// A call begins, has returned, or has changed nothing. The text names the message.
    case creating(String)
    case created(String)
    case deleting(String)
    case deleted(String)
    case undeleting(String)
    case undeleted(String)
    case unchanged(String)
    /// The same for the text of a message that was not sent yet, to which an edit adds ``edit``.
    case editing(String)
    case edited(String)
    case unedited(String)
    /// The same for the action on a message.
    case marking(String)
    case marked(String)
    case unmarking(String)
    case unmarked(String)
    /// A crash point is reached: the child ends here.
    case point(String)
    /// A stored row, written when no work is left, with the date of its position in lists, in milliseconds.
    case row(id: Int, date: Int64, text: String)
    /// A sent message that the action is on.
    case acted(id: Int)
    /// A channel that the device uses, with its type.
    case channel(id: Int, type: String)
    case problem(String)
    /// The child has come to its end.
    case over

    /// The end of a text that was edited.
    static let edit = ", edited"

    /// The text that a message was created with.
    static func original(_ text: String) -> String { text.hasSuffix(edit) ? String(text.dropLast(edit.count)) : text }

    /// Reads a line; `nil` for one that was cut off.
    init?(_ line: Substring) {
        let parts = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
        let rest = parts.count > 1 ? String(parts[1]) : ""
        switch parts[0] {
        case "ready": self = .ready
        case "creating": self = .creating(rest)
        case "created": self = .created(rest)
        case "deleting": self = .deleting(rest)
        case "deleted": self = .deleted(rest)
        case "undeleting": self = .undeleting(rest)
        case "undeleted": self = .undeleted(rest)
        case "unchanged": self = .unchanged(rest)
        case "editing": self = .editing(rest)
        case "edited": self = .edited(rest)
        case "unedited": self = .unedited(rest)
        case "marking": self = .marking(rest)
        case "marked": self = .marked(rest)
        case "unmarking": self = .unmarking(rest)
        case "unmarked": self = .unmarked(rest)
        case "point": self = .point(rest)
        case "problem": self = .problem(rest)
        case "over": self = .over
        case "acted":
            guard let id = Int(rest) else { return nil }
            self = .acted(id: id)
        case "channel":
            let channel = rest.split(separator: " ", maxSplits: 1)
            guard channel.count == 2, let id = Int(channel[0]) else { return nil }
            self = .channel(id: id, type: String(channel[1]))
        case "row":
            let row = rest.split(separator: " ", maxSplits: 2)
            guard row.count == 3, let id = Int(row[0]), let date = Int64(row[1]) else { return nil }
            self = .row(id: id, date: date, text: String(row[2]))
        default: return nil
        }
    }

    var text: String {
        switch self {
        case .ready: "ready"
        case .creating(let text): "creating \(text)"
        case .created(let text): "created \(text)"
        case .deleting(let text): "deleting \(text)"
        case .deleted(let text): "deleted \(text)"
        case .undeleting(let text): "undeleting \(text)"
        case .undeleted(let text): "undeleted \(text)"
        case .unchanged(let text): "unchanged \(text)"
        case .editing(let text): "editing \(text)"
        case .edited(let text): "edited \(text)"
        case .unedited(let text): "unedited \(text)"
        case .marking(let text): "marking \(text)"
        case .marked(let text): "marked \(text)"
        case .unmarking(let text): "unmarking \(text)"
        case .unmarked(let text): "unmarked \(text)"
        case .point(let name): "point \(name)"
        case .row(let id, let date, let text): "row \(id) \(date) \(text)"
        case .acted(let id): "acted \(id)"
        case .channel(let id, let type): "channel \(id) \(type)"
        case .problem(let text): "problem \(text)"
        case .over: "over"
        }
    }

    /// The call, or its outcome, and the message that it is about.
    var call: (verb: String, message: String)? {
        switch self {
        case .ready, .point, .row, .acted, .problem, .over: return nil
        default:
            let parts = text.split(separator: " ", maxSplits: 1)
            return parts.count == 2 ? (String(parts[0]), String(parts[1])) : nil
        }
    }

    /// Writes the line to the pipe in one piece: a process that is killed has written it, or has not.
    func write() {
        let bytes = Array("\(text)\n".utf8.prefix(512))
        _ = bytes.withUnsafeBytes { Foundation.write(1, $0.baseAddress, $0.count) }
    }
}
