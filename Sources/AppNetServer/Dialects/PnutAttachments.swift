internal import HeliumJSON
internal import HeliumServerKit

/// Translates attached files. App.net has a list of them in one value, and pnut has one value for each
/// (Docs/Protocols/AppNet.md §6.3). The stored form is App.net's.
enum PnutAttachments {
    private static let type: JSONValue = "net.app.core.attachments"
    private static let list = "net.app.core.file_list"
    private static let file = "+net.app.core.file"

    /// Returns App.net's form of a value that names one file, or has the members of one. Other values are not changed.
    static func listed(_ value: JSONValue, type: JSONValue) -> JSONValue {
        guard type == Self.type, case .object(let members) = value else { return value }
        if value["file_id"] != nil, value[file] == nil { return .object([list: [value]]) }
        return .object(members.map { $0.name == file ? ("+" + list, [$0.value]) : $0 })
    }

    /// Returns pnut's values for a value of App.net. Each contains the members of one file, in pnut's names, and the
    /// members of the value that do not belong to the list.
    static func parts(of value: JSONValue, type: JSONValue?) -> [JSONValue] {
        guard type == Self.type, case .object(let members) = value, let files = value[list]?.arrayValue, !files.isEmpty
        else { return [value] }
        let others = members.filter { $0.name != list }
        return files.map { file in
            let own = PnutObject.file.translated(file).objectValue ?? [:]
            return .object(own + others.filter { other in !own.contains { $0.name == other.name } })
        }
    }
}
