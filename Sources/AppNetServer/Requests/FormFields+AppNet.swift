internal import HeliumJSON
internal import HeliumServerKit

// The parameters of App.net's calls (AppNet.md §1.4).

extension FormFields {
    /// A flag: `1` and `true`, `0` and `false`; anything else counts as absent.
    func flag(_ name: String) -> Bool? { self[name].flatMap { JSONValue.string($0.lowercased()).lenientFlag } }

    /// - Throws: ``AppNetFailure`` with 400 for what is no whole number.
    func integer(_ name: String) throws(AppNetFailure) -> Int? {
        guard let text = self[name] else { return nil }
        guard let number = Int(text) else { throw .badRequest("\(name) must be a whole number.") }
        return number
    }

    /// - Throws: ``AppNetFailure`` with 400 for what is no finite number.
    func number(_ name: String) throws(AppNetFailure) -> Double? {
        guard let text = self[name] else { return nil }
        guard let number = Double(text), number.isFinite else { throw .badRequest("\(name) must be a number.") }
        return number
    }

    /// A date in seconds since 1970.
    func date(_ name: String) throws(AppNetFailure) -> Int64? {
        guard let text = self[name] else { return nil }
        return try require(AppNetDate.seconds(text), or: .badRequest("\(name) must be a date."))
    }

    /// Words in lower case, with commas or spaces between them.
    func words(_ name: String) -> Set<String>? {
        self[name].map { Set($0.lowercased().split { $0 == " " || $0 == "," }.map(String.init)) }
    }

    /// A list with commas, around which blanks may stand.
    func list(_ name: String) -> [String]? {
        self[name].map { $0.split(separator: ",").map { $0.trimming() }.filter { !$0.isEmpty } }
    }

    /// `ids`: at most 200, each once, in the order of the query; those that are no numbers are left out.
    ///
    /// - Throws: ``AppNetFailure`` with 400 for more than 200.
    func ids(_ name: String = "ids") throws(AppNetFailure) -> [Int64] {
        var seen: Set<Int64> = []
        let ids = (list(name) ?? []).compactMap { Int64($0) }.filter { seen.insert($0).inserted }
        try require(ids.count <= 200, "At most 200 ids can be asked for.")
        return ids
    }
}
