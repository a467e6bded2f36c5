import CReferenceCurl

@testable import HeliumBytes
@testable import HeliumCore
@testable import HeliumWire
@testable import TestSupport

/// The result of reading the first response of a connection.
enum Reading: Equatable {
    case complete(status: Int, body: [UInt8])
    case failed(String)

    var isComplete: Bool { if case .complete = self { true } else { false } }
}

extension Reading {
    /// The result of ``HTTP1Reader``, which gets the bytes in pieces.
    ///
    /// - Parameter taken: Receives the number of bytes that belong to the response.
    static func ours(_ sample: SampleResponse, cuts: [Int], taken: inout Int) -> Reading {
        taken = sample.bytes.count
        var reader = HTTP1Reader()
        let head = HeadParser()
        head.reset(limits: ResponseLimits())
        reader.begin(ResponseContext(isHead: sample.isHead), head: head)
        var body: [UInt8] = []
        var start = 0
        for cut in cuts + [sample.bytes.count] {
            let reading: Reading? = sample.bytes[start..<cut].withUnsafeBytes { piece in
                var position = 0
                while true {
                    switch reader.read(piece, from: &position) {
                    case .needsBytes: return nil
                    case .interim, .status, .head: continue
                    case .body(let data): body += data
                    case .end:
                        taken = start + position
                        return .complete(status: head.status, body: body)
                    case .fault(let fault): return .failed(fault.failure.message)
                    }
                }
            }
            if let reading { return reading }
            start = cut
        }
        switch reader.end(isOrderly: true, isSecure: false) {
        case .end: return .complete(status: head.status, body: body)
        case .fault(let fault): return .failed(fault.failure.message)
        case .lost(let what): return .failed(what)
        }
    }

    /// The result of libcurl.
    static func curl(_ sample: SampleResponse) -> Reading {
        let result = reference_read(sample.bytes, sample.bytes.count, sample.isHead ? 1 : 0)
        defer { reference_free(result) }
        if result.code != 0 { return .failed("CURLE \(result.code)") }
        return .complete(
            status: Int(result.status),
            body: Array(UnsafeBufferPointer(start: result.body, count: result.count))
        )
    }
}
