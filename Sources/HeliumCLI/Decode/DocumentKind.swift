import AppNet
import Cosm
import Foundation
import HeliumKit

/// A kind of document of Cosm or App.net.
enum DocumentKind {
    case cosm(CosmDocumentKind)
    case appNet(AppNetDocumentKind)

    /// Returns the kind with a name; `nil` if the name is unknown.
    init?(named name: String) {
        if let kind = CosmDocumentKind(named: name) {
            self = .cosm(kind)
        } else if let kind = AppNetDocumentKind(named: name) {
            self = .appNet(kind)
        } else {
            return nil
        }
    }

    /// The names of all kinds.
    static let names = CosmDocumentKind.all.map(\.name) + AppNetDocumentKind.all.map(\.name)

    /// The contents of a document, and the members that are not kept.
    typealias Contents = (value: JSONValue, unknownMembers: [String])

    /// The error thrown when a file is not a document of the kind, with the location in the file.
    struct Refusal: Error {
        var line: Int?
        var column: Int?
        var path = ""
        var reason: String

        /// Returns the error message for a file.
        func description(of file: String) -> String {
            let place = [line, column].compactMap(\.self).map { ":\($0)" }.joined()
            return "\(file)\(place): \(path.isEmpty ? "" : "\(path): ")\(reason)"
        }
    }
}

extension DocumentKind.Refusal {
    init(_ error: CosmDocumentError) {
        self.init(line: error.line, column: error.column, path: error.path, reason: error.reason)
    }
}

extension DocumentKind {
    /// Decodes the contents of a file.
    ///
    /// - Throws: ``Refusal`` if the contents are invalid.
    func read(
        _ data: Data,
        named file: String,
        isVersion1: Bool,
        shape: AppNetDocumentKind.Shape
    ) throws -> Contents {
        let isNameless = InputFile(path: file).isNameless
        let fileExtension = isNameless ? "json" : URL(fileURLWithPath: file).pathExtension
        switch self {
        case .cosm(let kind):
            guard let format = CosmFormat(fileExtension: fileExtension) else {
                throw Refusal(reason: "the name must end with .json, .csv or .xml")
            }
            do {
                let document = try kind.read(data, as: format, dialect: isVersion1 ? .version1 : .stated)
                return (document.value, document.unknownMembers)
            } catch let error as CosmDocumentError {
                throw Refusal(error)
            }
        case .appNet(let kind):
            do {
                let document = try kind.read(data, shape: shape)
                return (document.value, document.unknownMembers)
            } catch let error as AppNetDocumentError {
                throw Refusal(line: error.line, column: error.column, path: error.path, reason: error.reason)
            }
        }
    }
}
