public import AppNet
public import ArgumentParser
import Foundation
import HeliumKit

// Types of the AppNet module as command-line arguments.

extension AppNetID: ExpressibleByArgument {
    /// Parses an id or an `@name`. Characters that would change the path of a request are rejected.
    public init?(argument: String) {
        guard !argument.isEmpty, !argument.contains(where: { "/?#,".contains($0) || $0.isWhitespace }) else {
            return nil
        }
        self.init(argument)
    }
}

/// A dialect on the command line: `appnet` or `pnut`.
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

/// An annotation on the command line: `{"type": "…", "value": {…}}`.
struct AnnotationArgument: ExpressibleByArgument {
    let annotation: Annotation

    init?(argument: String) {
        guard let annotation = try? HeliumJSONDecoder().decode(Annotation.self, from: Data(argument.utf8)),
            !annotation.type.isEmpty
        else { return nil }
        self.annotation = annotation
    }
}
