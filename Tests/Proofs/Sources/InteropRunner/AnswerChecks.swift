import Foundation
import HTTPTypes
import HeliumKit

extension Check {
    static let redirects: [Check] =
        ["redirect", "relative-redirect", "absolute-redirect"].map { kind in
            Check("/\(kind)/4 is followed") { bin in
                let answer = try await bin.helium.get("/\(kind)/4", returning: Echo.self).response()
                try expect(answer.url.absoluteString, is: bin.url.absoluteString + "/get", "the URL in the end")
            }
        } + [
            Check("one redirect too many") { bin in
                let error = try await bin.failure {
                    try await bin.helium.get("/redirect/3").redirects(.sameOrigin(limit: 2)).value()
                }
                try expect(error.ceiling, is: .redirects, "the ceiling")
            },
            Check("redirects as answers") { bin in
                let error = try await bin.failure { try await bin.helium.get("/redirect/1").redirects(.never).value() }
                try expect(error.status, is: 302, "the status")
            },
            Check("303 after POST goes on as GET, 307 as POST with its body") { bin in
                for (status, method, data) in [
                    (303, "GET", ""), (302, "GET", ""), (307, "POST", "b"), (308, "POST", "b"),
                ] {
                    let echo = try await bin.helium.post("/redirect-to", body: .text("b"), returning: Echo.self)
                        .parameters(["url": "/anything", "status_code": status]).value()
                    try expect(echo.method, is: method, "the method after \(status)")
                    try expect(echo.data, is: data, "the body after \(status)")
                }
            },
            Check("another origin is not gone to") { bin in
                let error = try await bin.failure {
                    try await bin.helium.get("/redirect-to").parameters(["url": "http://other.example/"]).value()
                }
                try expect(error.kind, is: .redirectRefused, "the kind")
            },
        ]

    static let streams: [Check] = [
        Check("/stream/20 as JSON lines") { bin in
            var ids: [Int] = []
            for try await line in bin.helium.get("/stream/20").jsonLines(of: Line.self) { ids.append(line.id) }
            try expect(ids, is: Array(0..<20), "the lines")
        },
        Check("/stream-bytes/100000 in chunks") { bin in
            let stream = try await bin.helium.get("/stream-bytes/100000").parameters(["chunk_size": 1000, "seed": 1])
                .stream()
            var count = 0
            for try await chunk in stream.body { count += chunk.count }
            try expect(count, is: 100_000, "the size")
        },
        // Before anything is left early: httpbin's threads share one generator, which what it still sends goes on using.
        Check("/bytes/65536 is the same twice") { bin in
            let call = bin.helium.get("/bytes/65536", returning: Data.self).parameters(["seed": 7])
            let (one, two) = (try await call.value(), try await call.value())
            try expect(one.count, is: 65_536, "the size")
            guard one == two else { throw Disagreement("the bytes differ") }
        },
        Check("/stream-bytes left early") { bin in
            let stream = try await bin.helium.get("/stream-bytes/100000").stream()
            for try await _ in stream.body { break }
            try await bin.helium.get("/get").value()
        },
        Check("/drip arrives piece by piece") { bin in
            let stream = try await bin.helium.get("/drip").parameters(["duration": 1, "numbytes": 5, "delay": 0])
                .stream()
            try expect(try await stream.body.collect(upTo: 100), is: Data("*****".utf8), "the body")
        },
        Check("/drip slower than the idle limit") { bin in
            var timeouts = PhaseTimeouts()
            timeouts.idle = .milliseconds(500)
            let error = try await bin.failure {
                try await bin.helium.get("/drip").parameters(["duration": 4, "numbytes": 2, "delay": 0])
                    .timeouts(timeouts).retry(.never).value()
            }
            try expect(error.phase, is: .idle, "the phase")
        },
    ]

    static let codings: [Check] =
        ["gzip", "deflate"].map { coding in
            Check("/\(coding)") { bin in
                let answer = try await bin.helium.get("/\(coding)", returning: Coded.self).response()
                try expect(answer[.contentEncoding], is: coding, "Content-Encoding")
                try expect(answer.value[coding], is: true, "the flag")
            }
        } + [
            Check("/brotli, which was not asked for") { bin in
                let error = try await bin.failure { try await bin.helium.get("/brotli").value() }
                try expect(error.kind, is: .malformedResponse, "the kind")
                try expect(error.delivery, is: .answered, "the delivery")
            },
            Check("/encoding/utf8") { bin in
                let text = try await bin.helium.get("/encoding/utf8", returning: String.self).value()
                guard text.contains("∮ E⋅da = Q") else { throw Disagreement("the text is garbled") }
            },
        ]

    private struct Line: Decodable, Sendable { let id: Int }

    private struct Coded: Decodable, Sendable {
        let gzipped: Bool?
        let deflated: Bool?

        subscript(coding: String) -> Bool? { coding == "gzip" ? gzipped : deflated }
    }
}
