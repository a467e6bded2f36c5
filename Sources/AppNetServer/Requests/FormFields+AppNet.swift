internal import HeliumJSON
internal import HeliumServerKit

// The parameters of App.net's calls (Docs/Protocols/AppNet.md §1.4).

extension FormFields {
    /// Returns a flag: `1` or `true`, `0` or `false`; `nil` for other values.
    func flag(_ name: String) -> Bool? { self[name].flatMap { JSONValue.string($0.lowercased()).lenientFlag } }

    /// Returns a whole number; `nil` if the parameter is missing.
    ///
    /// - Throws: ``AppNetFailure`` with 400 if the value is not a whole number.
    func integer(_ name: String) throws(AppNetFailure) -> Int? {
        guard let text = self[name] else { return nil }
        guard let number = Int(text) else { throw .badRequest("\(name) must be a whole number.") }
        return number
    }

    /// Returns a number; `nil` if the parameter is missing.
    ///
    /// - Throws: ``AppNetFailure`` with 400 if the value is not a finite number.
    func number(_ name: String) throws(AppNetFailure) -> Double? {
        guard let text = self[name] else { return nil }
        guard let number = Double(text), number.isFinite else { throw .badRequest("\(name) must be a number.") }
        return number
    }

    /// Returns a date in seconds since 1970; `nil` if the parameter is missing.
    func date(_ name: String) throws(AppNetFailure) -> Int64? {
        guard let text = self[name] else { return nil }
        return try require(AppNetDate.seconds(text), or: .badRequest("\(name) must be a date."))
    }

    /// Returns words in lower case, separated by commas or spaces.
    func words(_ name: String) -> Set<String>? {
        self[name].map { Set($0.lowercased().split { $0 == " " || $0 == "," }.map(String.init)) }
    }

    /// Returns the elements of a comma-separated list, without white space around them.
    func list(_ name: String) -> [String]? {
        self[name].map { $0.split(separator: ",").map { $0.trimming() }.filter { !$0.isEmpty } }
    }

    /// Returns the ids of a list, at most 200, without duplicates, in the order of the query. Elements that are not
    /// numbers are ignored.
    ///
    /// - Throws: ``AppNetFailure`` with 400 for more than 200 ids.
    func ids(_ name: String = "ids") throws(AppNetFailure) -> [Int64] {
        var seen: Set<Int64> = []
        let ids = (list(name) ?? []).compactMap { Int64($0) }.filter { seen.insert($0).inserted }
        try require(ids.count <= 200, "At most 200 ids can be requested.")
        return ids
    }
}
