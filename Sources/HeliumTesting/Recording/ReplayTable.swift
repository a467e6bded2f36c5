import Foundation
import HTTPTypes
import HeliumCore

/// Finds the recorded response to each request.
struct ReplayTable: Sendable {
    enum Verdict {
        case matched(HAR.Entry)
        case unmatched(String)
    }

    private struct Recorded {
        let entry: HAR.Entry
        let url: RequestURL
        var isUsed = false

        var name: String { "\(entry.request.method) \(entry.request.url)" }
    }

    private let order: ReplayTransport.Order
    private let matching: ReplayTransport.Matching
    private let reusesLast: Bool
    private var entries: [Recorded] = []
    private var position = 0

    init(
        _ har: HAR,
        order: ReplayTransport.Order,
        matching: ReplayTransport.Matching,
        reusesLast: Bool
    ) throws(HAR.Malformed) {
        self.order = order
        self.matching = matching
        self.reusesLast = reusesLast
        for (index, entry) in har.entries.enumerated() {
            do throws(InvalidURL) {
                entries.append(Recorded(entry: entry, url: try RequestURL(entry.request.url)))
            } catch {
                throw HAR.Malformed(location: "log.entries[\(index)].request.url", reason: error.description)
            }
        }
    }

    var unused: [String] { entries.filter { !$0.isUsed }.map(\.name) }

    mutating func match(_ request: TransportRequest) -> Verdict {
        switch order {
        case .strict:
            guard position < entries.count else { return .unmatched("all of its \(entries.count) entries are used") }
            if let difference = difference(request, entries[position]) {
                return .unmatched(
                    "the next entry, \(position + 1), \(entries[position].name), has another \(difference)"
                )
            }
            entries[position].isUsed = true
            position += 1
            return .matched(entries[position - 1].entry)
        case .any:
            let fitting = entries.indices.filter { difference(request, entries[$0]) == nil }
            if let index = fitting.first(where: { !entries[$0].isUsed }) ?? (reusesLast ? fitting.last : nil) {
                entries[index].isUsed = true
                return .matched(entries[index].entry)
            }
            if let last = fitting.last { return .unmatched("entry \(last + 1), \(entries[last].name), is used") }
            return .unmatched(nearest(to: request))
        }
    }

    private func nearest(to request: TransportRequest) -> String {
        var best: (index: Int, difference: Difference)?
        for index in entries.indices {
            guard let difference = difference(request, entries[index]) else { continue }
            if difference.rawValue > best?.difference.rawValue ?? -1 { best = (index, difference) }
        }
        guard let best else { return "it is empty" }
        return "the nearest entry, \(best.index + 1), \(entries[best.index].name), has another \(best.difference)"
    }
}

// MARK: Comparing

extension ReplayTable {
    /// The first difference, in the order of comparison. An entry whose first difference comes later is nearer to the
    /// request.
    private enum Difference: Int, CustomStringConvertible {
        case path, method, origin, query, body

        var description: String {
            switch self {
            case .path: "path"
            case .method: "method"
            case .origin: "origin"
            case .query: "query"
            case .body: "body"
            }
        }
    }

    private func difference(_ request: TransportRequest, _ recorded: Recorded) -> Difference? {
        let target = matching.masks ? LiteralMask.escaped(request.url.target) : request.url.target
        let (path, query) = ReplayTable.parts(target)
        let (recordedPath, recordedQuery) = ReplayTable.parts(recorded.url.target)
        let masks = matching.masks ? [SecretScrubber.queryMask, SecretScrubber.mask] : []
        guard MaskedText(recordedPath, masks).fits(path, separator: "/") else { return .path }
        guard request.method.rawValue == recorded.entry.request.method else { return .method }
        guard !matching.origin || request.url.origin == recorded.url.origin else { return .origin }
        guard !matching.query || MaskedText(recordedQuery, masks).fits(query, separator: "&") else { return .query }
        guard !matching.body || isSameBody(request, recorded.entry.request.postData) else { return .body }
        return nil
    }

    private static func parts(_ target: String) -> (path: String, query: String) {
        guard let mark = target.firstIndex(of: "?") else { return (target, "") }
        return (String(target[..<mark]), String(target[target.index(after: mark)...]))
    }

    private func isSameBody(_ request: TransportRequest, _ recorded: HAR.PostData?) -> Bool {
        if request.upload != nil || recorded?.isTruncated == true { return true }
        guard let body = request.body, !body.isEmpty else { return recorded?.data?.isEmpty ?? true }
        guard let data = recorded?.data else { return false }
        if body == data { return true }
        let mask = matching.masks ? recorded?.mask ?? SecretScrubber.mask : ""
        if let value = try? JSONValue(parsing: body), let recordedValue = try? JSONValue(parsing: data) {
            return value.fits(recordedValue, mask: mask)
        }
        guard let text = String(validating: body, as: UTF8.self), let pattern = String(validating: data, as: UTF8.self)
        else { return false }
        guard matching.masks, LiteralMask.isForm(recorded?.mimeType ?? "") else {
            return MaskedText(pattern, [mask]).fits(body: text)
        }
        return MaskedText(pattern, [mask, SecretScrubber.queryMask]).fits(LiteralMask.escaped(text), separator: "&")
    }
}
