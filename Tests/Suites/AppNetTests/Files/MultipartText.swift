import Foundation
import HeliumKit

/// A form of parts as it was sent.
struct MultipartText: Sendable {
    struct Part: Sendable, Equatable {
        /// Header lines, in their order.
        let header: [String]
        let body: String

        /// The name in `Content-Disposition`.
        var name: String { parameter("name") ?? "" }
        var fileName: String? { parameter("filename") }

        func field(_ name: String) -> String? {
            header.first { $0.lowercased().hasPrefix("\(name.lowercased()): ") }.map {
                String($0.drop { $0 != " " }.dropFirst())
            }
        }

        private func parameter(_ name: String) -> String? {
            guard let field = field("Content-Disposition"), let range = field.range(of: " \(name)=\"") else {
                return nil
            }
            return String(field[range.upperBound...].prefix { $0 != "\"" })
        }
    }

    let parts: [Part]

    /// The form of a request, read to its end.
    init(_ request: TransportRequest) async throws {
        var data = request.body ?? Data()
        if let source = try await request.upload?.open() {
            while let chunk = try await source.next() { data.append(chunk) }
        }
        self.init(String(decoding: data, as: UTF8.self), contentType: request.fields[.contentType] ?? "")
    }

    init(_ text: String, contentType: String) {
        let boundary = contentType.components(separatedBy: "boundary=").last ?? ""
        let pieces = text.components(separatedBy: "--\(boundary)").dropFirst().dropLast()
        parts = pieces.map { piece in
            let sides = piece.components(separatedBy: "\r\n\r\n")
            let header = sides[0].components(separatedBy: "\r\n").filter { !$0.isEmpty }
            return Part(header: header, body: String(sides.dropFirst().joined(separator: "\r\n\r\n").dropLast()))
        }
    }

    subscript(name: String) -> Part? { parts.first { $0.name == name } }
}
