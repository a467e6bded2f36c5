import HeliumKit

extension UnreadableItems {
    /// Reports items that are missing in a list, with their ids, if there are any: `UNREADABLE 2: 17, 1042`.
    func report(of list: String = "") {
        guard !isEmpty else { return }
        let rest = count > ids.count ? ["\(count - ids.count) without a known id"] : []
        let names = (ids + rest).joined(separator: ", ")
        let reason = items.first.map { " (\($0.reason))" } ?? ""
        Console.current.note("helium: \(list)UNREADABLE \(count): \(names)\(reason)")
    }
}
