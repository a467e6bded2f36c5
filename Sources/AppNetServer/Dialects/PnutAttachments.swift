internal import HeliumJSON
internal import HeliumServerKit

/// Attached files: App.net has a list of them in one value, pnut a value for each (§6.3). What is stored is App.net's.
enum PnutAttachments {
    private static let type: JSONValue = "net.app.core.attachments"
    private static let list = "net.app.core.file_list"
    private static let file = "+net.app.core.file"

    /// App.net's form of a value that names one file, or has the members of one that was named; any other as it is.
    static func listed(_ value: JSONValue, type: JSONValue) -> JSONValue {
        guard type == Self.type, case .object(let members) = value else { return value }
        if value["file_id"] != nil, value[file] == nil { return .object([list: [value]]) }
        return .object(members.map { $0.name == file ? ("+" + list, [$0.value]) : $0 })
    }

    /// pnut's values for one of App.net's: each file's members, in pnut's names, among those that are not the list's.
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
