import Foundation
import HeliumKit

/// Prints a response: the requested output on standard output, everything else on standard error.
struct ResponseReport: Sendable {
    let format: OutputFormat
    let isVerbose: Bool
    let isTimed: Bool
    /// Masks credentials in the response.
    let scrubber: SecretScrubber

    /// Prints the head as soon as it has arrived.
    func showHead(_ head: ResponseHead) {
        if isVerbose { Console.current.report(HeadText.of(head, scrubber)) }
    }

    /// Prints the rest of a response after its head.
    func show(_ answer: Answer) throws {
        let breakdown = isTimed ? TimeBreakdown(answer.timings, answer.attempts) : nil
        switch (format, answer.body) {
        case (.json, _): try Console.current.print(Document.line(ResponseDocument(answer, breakdown, scrubber)))
        case (.text, .data(let body)): try Console.current.print(document: Self.pretty(body))
        case (.text, .file), (.text, .printed): break
        }
        if isVerbose { reportEnd(of: answer) }
        if format == .text, let breakdown { Console.current.report(breakdown.table) }
    }

    private func reportEnd(of answer: Answer) {
        if case .file(let path, let bytes, let isResumed) = answer.body {
            Console.current.report("file: \(path), \(bytes) bytes\(isResumed ? ", resumed" : "")")
        }
        if isTimed, format == .text { return }
        let times = ResponseDocument.milliseconds(answer.timings).sorted { $0.value < $1.value }
        Console.current.report("time: \(times.map { "\($0.key) \($0.value) ms" }.joined(separator: ", "))")
        for attempt in answer.attempts { Console.current.report("attempt \(attempt)") }
    }

    private static func pretty(_ body: Data) -> String {
        // A value has one member of each name. A document with two equal ones is shown as it was received.
        let limits = JSONLimits(duplicateMembers: .refused)
        guard let value = try? JSONValue(parsing: body, limits: limits) else {
            return String(decoding: body, as: UTF8.self)
        }
        return PrintableText.json(value.text(formatting: .pretty))
    }
}

/// A response in the JSON output.
private struct ResponseDocument: Encodable {
    struct File: Encodable {
        let path: String
        let bytes: Int64
        let isResumed: Bool
    }

    let status: Int
    let fields: [FieldDocument]
    let milliseconds: [String: Double]
    let attempts: Int
    let timings: TimeBreakdown?
    var body: String?
    var bodyBase64: String?
    var file: File?

    init(_ answer: Answer, _ breakdown: TimeBreakdown?, _ scrubber: SecretScrubber) {
        status = answer.head.status
        fields = FieldDocument.list(answer.head, scrubber)
        milliseconds = Self.milliseconds(answer.timings)
        attempts = answer.attempts.count
        timings = breakdown
        switch answer.body {
        case .data(let data): (body, bodyBase64) = BodyText.members(data)
        case .file(let path, let bytes, let isResumed): file = File(path: path, bytes: bytes, isResumed: isResumed)
        case .printed: break
        }
    }

    static func milliseconds(_ timings: TransferTimings) -> [String: Double] {
        [
            "nameLookup": timings.nameLookup, "connect": timings.connect, "tlsHandshake": timings.tlsHandshake,
            "firstByte": timings.firstByte, "total": timings.total,
        ]
        .compactMapValues { $0?.roundedMilliseconds }
    }
}
