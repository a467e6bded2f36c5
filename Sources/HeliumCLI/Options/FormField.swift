import ArgumentParser
import Foundation
import HeliumKit

/// A part of a form on the command line: `name=value`, `name=@file` or `name=@file;type=media/type`.
struct FormField: ExpressibleByArgument, Hashable {
    /// The content of a part.
    enum Content: Hashable {
        case text(String)
        case file(path: String, contentType: String?)
    }

    let name: String
    let content: Content

    init?(argument: String) {
        guard let field = NamedValue(argument: argument) else { return nil }
        name = field.name
        guard field.value.utf8.first == UInt8(ascii: "@") else {
            content = .text(field.value)
            return
        }
        let file = String(decoding: field.value.utf8.dropFirst(), as: UTF8.self)
        let mark = file.range(of: ";type=", options: [.backwards, .literal])
        let path = mark.map { String(file[..<$0.lowerBound]) } ?? file
        let type = mark.map { String(file[$0.upperBound...]) }
        guard !path.isEmpty, type?.isEmpty != true else { return nil }
        content = .file(path: path, contentType: type)
    }

    var part: MultipartForm.Part {
        switch content {
        case .text(let text): .text(text, name: name)
        case .file(let path, let type): .file(atPath: CommandContext.current.path(path), name: name, contentType: type)
        }
    }
}
