import HeliumCore

extension JSONValue {
    /// Whether everything in `other` is here too: objects may have more members here, at any depth.
    func includes(_ other: JSONValue) -> Bool {
        switch (self, other) {
        case (.object(let mine), .object(let theirs)):
            theirs.allSatisfy { name, value in mine[name].map { $0.includes(value) } ?? false }
        case (.array(let mine), .array(let theirs)):
            mine.count == theirs.count && zip(mine, theirs).allSatisfy { $0.includes($1) }
        default:
            self == other
        }
    }
}
