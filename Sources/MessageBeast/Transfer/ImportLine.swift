internal import Foundation
internal import HeliumJSON

/// A line of an export.
enum ImportLine: Sendable {
    case header(account: String, lastLocalID: Int64, isSalvaged: Bool)
    case row(ExportTable, JSONObject)
    case stagedBytes(pendingFile: String, Data)
    case end(lines: Int)

    /// The reason why a line is invalid. It does not contain the line.
    struct Fault: Error, Hashable {
        let message: String
    }

    /// Reads a line.
    ///
    /// - Throws: ``Fault``.
    init(_ bytes: [UInt8]) throws {
        let limits = JSONLimits(maximumBytes: ExportFormat.maximumLine, duplicateMembers: .refused)
        guard let value = try? JSONValue(parsing: bytes, limits: limits) else {
            throw Fault(message: "is not valid JSON")
        }
        guard let line = value.objectValue, line.count == 1, let (name, content) = line.first,
            let members = content.objectValue
        else { throw Fault(message: "is not an object with one member, which is an object") }
        switch name {
        case ExportFormat.header: self = try Self.header(members)
        case ExportFormat.stagedBytes:
            guard let file = members["pending_file"]?.stringValue, let text = members["base64"]?.stringValue,
                let bytes = Data(base64Encoded: text)
            else { throw Fault(message: "has invalid bytes of a file") }
            self = .stagedBytes(pendingFile: file, bytes)
        case ExportFormat.end:
            guard let lines = members["lines"]?.intValue else {
                throw Fault(message: "has no number of lines")
            }
            self = .end(lines: lines)
        default:
            guard let table = ExportTable(rawValue: name) else {
                throw Fault(message: "has a kind that this version does not support")
            }
            self = .row(table, members)
        }
    }

    private static func header(_ members: JSONObject) throws -> Self {
        guard members["version"]?.intValue == ExportFormat.version else {
            throw Fault(message: "is the beginning of an export of another version")
        }
        guard let account = members["account"]?.stringValue, !account.utf8.contains(0),
            let last = members["last_local_id"]?.numberValue.flatMap({ Int64(exactly: $0) }),
            0...(1 << 53) ~= last
        else { throw Fault(message: "has no account or no last local id") }
        return .header(
            account: account,
            lastLocalID: last,
            isSalvaged: members["is_salvaged"]?.boolValue == true
        )
    }
}
