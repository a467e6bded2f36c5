import Foundation
import HeliumKit

/// Shows an answer: what was asked for on stdout, everything else on stderr.
struct AnswerReport {
    let format: OutputFormat
    let isVerbose: Bool
    let isTimed: Bool

    func show(_ answer: Answer) throws {
        if isVerbose { tell(answer) }
        let breakdown = isTimed ? TimeBreakdown(answer.timings, answer.attempts) : nil
        switch (format, answer.body) {
        case (.json, _):
            try Console.print(Document.line(AnswerDocument(answer, breakdown)))
        case (.text, .data(let body)) where Console.isTerminal:
            try Console.print(Self.pretty(body))
        case (.text, .data(let body)):
            try Console.write(body)
        case (.text, .file):
            break
        }
        if format == .text, let breakdown { Console.note(breakdown.table) }
    }

    private func tell(_ answer: Answer) {
        Console.note("\(answer.head.version) \(answer.head.status)")
        for field in answer.head.fields { Console.note("\(field.name.rawName): \(AnswerDocument.shown(field))") }
        if case .file(let path, let bytes, let isResumed) = answer.body {
            Console.note("file: \(path), \(bytes) bytes\(isResumed ? ", resumed" : "")")
        }
        if isTimed, format == .text { return }
        let times = AnswerDocument.milliseconds(answer.timings).sorted { $0.value < $1.value }
        Console.note("time: " + times.map { "\($0.key) \($0.value) ms" }.joined(separator: ", "))
        for attempt in answer.attempts { Console.note("attempt \(attempt)") }
    }

    private static func pretty(_ body: Data) -> String {
        guard let value = try? JSONValue(parsing: body) else { return String(decoding: body, as: UTF8.self) }
        return value.text(formatting: .pretty)
    }
}

/// An answer as programs read it.
private struct AnswerDocument: Encodable {
    struct Field: Encodable {
        let name: String
        let value: String
    }

    struct File: Encodable {
        let path: String
        let bytes: Int64
        let isResumed: Bool
    }

    let status: Int
    let fields: [Field]
    let milliseconds: [String: Double]
    let attempts: Int
    let timings: TimeBreakdown?
    var body: String?
    var file: File?

    init(_ answer: Answer, _ breakdown: TimeBreakdown?) {
        status = answer.head.status
        fields = answer.head.fields.map { Field(name: $0.name.canonicalName, value: Self.shown($0)) }
        milliseconds = Self.milliseconds(answer.timings)
        attempts = answer.attempts.count
        timings = breakdown
        switch answer.body {
        case .data(let data): body = String(decoding: data, as: UTF8.self)
        case .file(let path, let bytes, let isResumed): file = File(path: path, bytes: bytes, isResumed: isResumed)
        }
    }

    /// A field's value, credentials masked.
    static func shown(_ field: HTTPField) -> String {
        SensitiveFields.contains(field.name) ? "[redacted]" : field.value
    }

    static func milliseconds(_ timings: TransferTimings) -> [String: Double] {
        [
            "nameLookup": timings.nameLookup, "connect": timings.connect, "tlsHandshake": timings.tlsHandshake,
            "firstByte": timings.firstByte, "total": timings.total,
        ]
        .compactMapValues { $0?.roundedMilliseconds }
    }
}
