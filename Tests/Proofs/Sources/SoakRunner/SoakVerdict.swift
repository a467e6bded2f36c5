@testable import TestSupport

/// The result of a part: its calls, and the resources that it took.
struct SoakVerdict {
    /// Rounds after which all caches are filled.
    private static let warmUp = 2

    /// The name of the part's calls.
    let calls: String
    let ledger: Ledger
    let footprints: [Footprint]

    /// Tells it; whether all is well.
    func tell() -> Bool {
        var wrong = ledger.wrong
        let (started, ended, open) = (ledger.started, ledger.ended, ledger.openCount)
        if open > 0 || started != ended {
            wrong.append("\(started) \(calls) started, \(ended) ended, \(open) are open")
        }
        if ledger.endings.first(where: { $0.0 == "answered" })?.1 ?? 0 == 0 {
            wrong.append("no one of the \(calls) was answered")
        }
        if let base = footprints.dropFirst(Self.warmUp - 1).first, let last = footprints.last {
            grows("descriptors", base.descriptors, last.descriptors, by: 8, &wrong)
            grows("threads", base.threads, last.threads, by: 8, &wrong)
            grows("KiB", base.kibibytes, last.kibibytes, by: (base.kibibytes ?? 0) / 5 + 32 * 1024, &wrong)
            say("soak: from \(base) after \(Self.warmUp) rounds to \(last) after \(footprints.count)")
        }
        say(
            "soak: \(started) \(calls) started, \(ended) ended:",
            ledger.endings.map { "\($0.1) \($0.0)" }.joined(separator: ", ")
        )
        for text in wrong { say("soak: WRONG: \(text)") }
        say(wrong.isEmpty ? "soak: \(calls): no leak, no hang, no lost completion" : "soak: \(calls): FAILED")
        return wrong.isEmpty
    }

    private func grows(_ name: String, _ base: Int?, _ last: Int?, by limit: Int, _ wrong: inout [String]) {
        guard let base, let last, last > base + limit else { return }
        wrong.append("\(name) grow from \(base) to \(last)")
    }
}
