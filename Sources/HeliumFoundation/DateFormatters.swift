public import Foundation
public import HeliumJSON

extension HeliumJSONDecoder.DateDecodingStrategy {
    /// Strings in a formatter's format. A thousand times slower than `rfc3339`.
    public static func formatted(_ formatter: DateFormatter) -> Self { .formatted { formatter.date(from: $0) } }
}

extension HeliumJSONEncoder.DateEncodingStrategy {
    /// Strings in a formatter's format. A thousand times slower than `rfc3339`.
    public static func formatted(_ formatter: DateFormatter) -> Self { .formatted { formatter.string(from: $0) } }
}
