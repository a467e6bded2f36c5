public import AppNet
public import ArgumentParser
import Foundation
import HeliumKit

// Values of the AppNet module as they stand on a command line.

extension AppNetID: ExpressibleByArgument {
    /// An id or an `@name`: nothing that would be another path.
    public init?(argument: String) {
        guard !argument.isEmpty, !argument.contains(where: { "/?#,".contains($0) || $0.isWhitespace }) else {
            return nil
        }
        self.init(argument)
    }
}

/// `appnet` or `pnut`.
struct DialectArgument: ExpressibleByArgument {
    let dialect: AppNetDialect

    init(_ dialect: AppNetDialect) { self.dialect = dialect }

    init?(argument: String) {
        switch argument.lowercased() {
        case "appnet": dialect = .appNet
        case "pnut": dialect = .pnut
        default: return nil
        }
    }

    var defaultValueDescription: String { dialect.rawValue.lowercased() }
}

/// `{"type": "…", "value": {…}}` on the command line.
struct AnnotationArgument: ExpressibleByArgument {
    let annotation: Annotation

    init?(argument: String) {
        guard let annotation = try? HeliumJSONDecoder().decode(Annotation.self, from: Data(argument.utf8)),
            !annotation.type.isEmpty
        else { return nil }
        self.annotation = annotation
    }
}
