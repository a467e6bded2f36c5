import HeliumCore

extension JSONValue {
    /// Returns whether this value contains everything in `other`. Objects may have additional members, at any depth.
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
