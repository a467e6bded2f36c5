import ArgumentParser
import Foundation

/// `name=value` on the command line.
struct NamedValue: ExpressibleByArgument {
    let name: String
    let value: String

    init?(argument: String) { self.init(argument, separator: "=") }

    init?(_ text: String, separator: Character) {
        guard let index = text.firstIndex(of: separator), index > text.startIndex else { return nil }
        name = String(text[..<index])
        value = String(text[text.index(after: index)...])
    }
}

/// `Name: value` on the command line.
struct HeaderArgument: ExpressibleByArgument {
    let field: NamedValue

    init?(argument: String) {
        guard let field = NamedValue(argument, separator: ":") else { return nil }
        self.field = field
    }

    var name: String { field.name }
    var value: String { field.value.trimmingCharacters(in: .whitespaces) }
}

/// A duration: `500ms`, `5s`, `2m`, or plain seconds.
struct DurationArgument: ExpressibleByArgument {
    let duration: Duration

    init?(argument: String) {
        let units: [(String, Double)] = [("ms", 0.001), ("s", 1), ("m", 60), ("", 1)]
        for (suffix, factor) in units where argument.hasSuffix(suffix) {
            guard let number = Double(argument.dropLast(suffix.count)), number.isFinite, number > 0,
                number * factor <= 86_400
            else { return nil }
            duration = .seconds(number * factor)
            return
        }
        return nil
    }
}

/// An absolute URL of the web.
struct WebURL: ExpressibleByArgument {
    let url: URL

    init?(argument: String) {
        guard let url = URL(string: argument), url.scheme == "http" || url.scheme == "https", url.host != nil else {
            return nil
        }
        self.url = url
    }
}
