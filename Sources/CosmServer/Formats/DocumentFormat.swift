internal import HeliumJSON

/// A format of request and response bodies (Docs/Protocols/Cosm.md §2.2).
enum DocumentFormat: Hashable, Sendable {
    case json, xml, csv, png

    init?(suffix: some StringProtocol) {
        switch suffix {
        case "json": self = .json
        case "xml": self = .xml
        case "csv": self = .csv
        case "png": self = .png
        default: return nil
        }
    }

    /// The name of the format in error titles.
    var name: String {
        switch self {
        case .json: "JSON"
        case .xml: "XML"
        case .csv: "CSV"
        case .png: "PNG"
        }
    }

    /// The `Content-Type` of responses (Docs/Protocols/Cosm.md §2.3).
    var mediaType: String {
        switch self {
        case .json: "application/json; charset=utf-8"
        case .xml: "application/xml; charset=utf-8"
        case .csv: "text/plain; charset=utf-8"
        case .png: "image/png"
        }
    }

    /// Returns the format that an `Accept` field selects: the known format with the largest weight, or the first of
    /// several with the same weight. Without the field it is JSON. `nil` if the field names only other formats.
    static func accepted(_ field: String?) -> Self? {
        guard let field, field.contains(where: { $0 != " " }) else { return .json }
        var best: (format: Self, weight: Double)?
        for element in field.lowercased().split(atByte: ",") {
            let parts = element.split(atByte: ";").map { $0.removingBytes(of: " ") }
            guard let format = parts.first.flatMap(format(mediaType:)) else { continue }
            let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) } ?? 1
            if weight > best?.weight ?? 0 { best = (format, weight) }
        }
        return best?.format
    }

    private static func format(mediaType: String) -> Self? {
        switch mediaType {
        case "application/json", "text/json", "text/javascript", "application/javascript", "*/*", "application/*": .json
        case "application/xml", "text/xml", "application/eeml+xml": .xml
        case "text/csv", "application/csv", "text/plain", "text/*": .csv
        case "image/png": .png
        default: nil
        }
    }
}
