import Foundation
import HTTPTypes
import HeliumCore

extension FuzzTarget {
    static let templates = FuzzTarget(
        "templates",
        examples: [
            "/shows/:id/seasons\nid\n42\nb", "shows/./a/../:name?x=y\nname\nä/%2F ..\n,", ":a\na\n.\n..",
            "/%2e%2e/%2E/b%zz\nb\n&=?#\n+",
        ],
        pieces: [
            "/", "..", ".", ":", ":id", "id", "%2e", "%2F", "%", "?", "#", "&", "=", ",", " ", "\0", "é", "e\u{301}",
            "\n", "//", "\u{FEFF}",
        ],
        check: TemplateFuzz.target
    )
}

/// Makes request targets: lines of the input are a template, a placeholder's name, and two values.
package enum TemplateFuzz {
    private static let basePath = "/base"

    package static func target(_ bytes: [UInt8]) throws {
        let lines = bytes.split(separator: 10, maxSplits: 3, omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        func line(_ index: Int) -> String { index < lines.count ? lines[index] : "" }
        let pipeline = try FuzzPipeline.make(path: basePath)
        try anyTemplate(line(0), [line(1): line(2)], pipeline)
        try value(line(2), pipeline)
        for style in [QueryParameters.ListStyle.repeated, .commaSeparated, .brackets] {
            try query(line(1), [line(2), line(3)], style, pipeline)
        }
    }

    /// Whatever the template, the target can be sent; with placeholders it stays below the base path.
    private static func anyTemplate(
        _ template: String,
        _ replacements: [String: any ParameterConvertible],
        _ pipeline: Pipeline
    ) throws {
        let plain = RequestBuilder(.get, template, reader: PlainReaders.nothing, pipeline: pipeline)
        for builder in [plain, plain.pathReplacements(PathReplacements(replacements))] {
            guard let target = try? builder.transportRequest().url.target else { continue }
            try FuzzPipeline.requireSendable(target)
            let path = target.prefix { $0 != "?" }
            guard path == basePath || path.hasPrefix(basePath + "/") else {
                throw FuzzFinding("\(target) is not below \(basePath)")
            }
            for segment in path.split(separator: "/") {
                let text = segment.lowercased().replacingOccurrences(of: "%2e", with: ".")
                if text == "." || text == ".." { throw FuzzFinding("\(target) has a dot segment") }
            }
        }
        let literal = plain.pathReplacements(PathReplacements(replacements), mode: .literal)
        if let target = try? literal.transportRequest().url.target { try FuzzPipeline.requireSendable(target) }
    }

    /// A value stays in its segment, and comes back from it as it was.
    private static func value(_ value: String, _ pipeline: Pipeline) throws {
        let builder = RequestBuilder(.get, "/a/:x/b", reader: PlainReaders.nothing, pipeline: pipeline)
            .pathReplacements(["x": value])
        guard let target = try? builder.transportRequest().url.target else {
            guard ["", ".", ".."].contains(value) else { throw FuzzFinding("the value \(value) is refused") }
            return
        }
        let segments = target.split(separator: "/", omittingEmptySubsequences: false)
        guard segments.count == 5, segments[2] == "a", segments[4] == "b", decoded(segments[3]) == Array(value.utf8)
        else {
            throw FuzzFinding("\(target) does not hold the value \(value)")
        }
    }

    /// Names and values come back from a query as they were.
    private static func query(
        _ name: String,
        _ values: [String],
        _ style: QueryParameters.ListStyle,
        _ pipeline: Pipeline
    ) throws {
        var parameters = QueryParameters()
        parameters[name] = .list(values)
        let target = try RequestBuilder(.get, "/q", reader: PlainReaders.nothing, pipeline: pipeline)
            .parameters(parameters, lists: style).transportRequest().url.target
        try FuzzPipeline.requireSendable(target)
        let prefix = "\(basePath)/q?"
        guard target.hasPrefix(prefix) else { throw FuzzFinding("\(target) has no query") }
        let items = target.dropFirst(prefix.count).split(separator: "&", omittingEmptySubsequences: false)
            .map { $0.split(separator: "=", omittingEmptySubsequences: false) }
        let expectedName = Array((style == .brackets ? name + "[]" : name).utf8)
        guard items.allSatisfy({ $0.count == 2 && decoded($0[0]) == expectedName }) else {
            throw FuzzFinding("\(target) does not hold the name \(name)")
        }
        let found =
            style == .commaSeparated
            ? items.flatMap { $0[1].split(separator: ",", omittingEmptySubsequences: false) } : items.map { $0[1] }
        guard found.map(decoded) == values.map({ Array($0.utf8) }) else {
            throw FuzzFinding("\(target) does not hold the values \(values)")
        }
    }

    /// Percent-decoding of our own, strict: what can't be decoded is left as it is and so differs.
    private static func decoded(_ text: Substring) -> [UInt8] {
        var out: [UInt8] = []
        var bytes = Array(text.utf8)[...]
        while let byte = bytes.popFirst() {
            let digits = String(decoding: bytes.prefix(2), as: UTF8.self)
            if byte == 37, digits.utf8.count == 2, let value = UInt8(digits, radix: 16) {
                out.append(value)
                bytes = bytes.dropFirst(2)
            } else {
                out.append(byte)
            }
        }
        return out
    }
}
