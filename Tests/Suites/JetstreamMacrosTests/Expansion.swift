import MacroSupport
import Testing

/// The macros as the compiler sees them.
enum Macros {
    /// Expects that a source expands to another one, without a diagnostic.
    ///
    /// Newlines at the start and the end of both do not count.
    static func expect(
        _ source: String,
        expandsTo expected: String,
        isSubclass: Bool = false,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let expansion = try MacroProbe.expand(source, isSubclass: isSubclass)
        if let errors = expansion.syntaxErrors {
            Issue.record("the expansion has syntax errors:\n\(errors)", sourceLocation: sourceLocation)
        }
        let (actualLines, expectedLines) = (lines(expansion.source), lines(expected))
        if actualLines != expectedLines {
            let difference = difference(from: expectedLines, to: actualLines)
            Issue.record(
                "the expansion differs (- expected, + actual):\n\(difference)\n\nthe expansion:\n\(expansion.source)",
                sourceLocation: sourceLocation
            )
        }
        #expect(expansion.diagnostics.map(\.message) == [], sourceLocation: sourceLocation)
    }

    /// The lines of a text without empty ones at its start and its end.
    private static func lines(_ text: String) -> [Substring] {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)[...]
        while lines.first?.isEmpty == true { lines.removeFirst() }
        while lines.last?.isEmpty == true { lines.removeLast() }
        return Array(lines)
    }

    /// The lines of both texts in one, each with `-`, `+` or a space in front of it.
    private static func difference(from old: [Substring], to new: [Substring]) -> String {
        let changes = new.difference(from: old)
        let removed = Set(changes.removals.map(\.offset))
        let inserted = Set(changes.insertions.map(\.offset))
        var (result, next) = ([String](), 0)
        func addInsertions() {
            while inserted.contains(next) {
                result.append("+\(new[next])")
                next += 1
            }
        }
        for (index, line) in old.enumerated() {
            if removed.contains(index) {
                result.append("-\(line)")
            } else {
                addInsertions()
                result.append(" \(line)")
                next += 1
            }
        }
        addInsertions()
        return result.joined(separator: "\n")
    }
}

extension CollectionDifference.Change {
    /// The position of the removed element in the old collection, or of the inserted one in the new collection.
    fileprivate var offset: Int {
        switch self {
        case .insert(let offset, _, _), .remove(let offset, _, _): offset
        }
    }
}

/// A diagnostic of an expansion.
struct Finding {
    /// The source from the position of the diagnostic on.
    let rest: Substring
    let message: String
    let notes: [String]
    /// The source after each fix-it, by the message of the fix-it.
    let fixed: [String: String]

    /// The diagnostics of the macros in a source.
    static func all(in source: String, isSubclass: Bool = false) throws -> [Self] {
        try MacroProbe.expand(source, isSubclass: isSubclass).diagnostics.map {
            Self(
                rest: source[source.utf8.index(source.startIndex, offsetBy: $0.offset)...],
                message: $0.message,
                notes: $0.notes,
                fixed: $0.fixed
            )
        }
    }
}
