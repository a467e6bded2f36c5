import Foundation
import HTTPTypes
import HeliumKit

extension Check {
    static let downloads: [Check] = [
        Check("/range/10000 as a download") { bin in
            try await withFolder { folder in
                let file = folder.appendingPathComponent("range")
                let download = try await bin.helium.get("/range/10000").download(to: file)
                try expect(download.bytes, is: 10_000, "the size")
                try expect(try Data(contentsOf: file), is: alphabet(10_000), "the bytes")
            }
        },
        // httpbin's entity tag here has no quotes, so it is none (RFC 9110 section 8.8.3): nothing may be resumed by it.
        Check("/range/50000, broken off: begins anew without a valid ETag") { bin in
            try await withFolder { folder in
                let file = folder.appendingPathComponent("range")
                var options = DownloadOptions()
                options.resume = .ifPossible
                let call = bin.helium.get("/range/50000").parameters(["duration": 2, "chunk_size": 1000])
                let task = Task { [options] in try await call.download(to: file, options: options) }
                // Cancelled once there is a part of it beside the target.
                let deadline = ContinuousClock.now + .seconds(20)
                while try part(in: folder) < 3000 {
                    guard ContinuousClock.now < deadline else {
                        task.cancel()
                        throw Disagreement("nothing of it arrived within 20 seconds")
                    }
                    try await Task.sleep(for: .milliseconds(20))
                }
                task.cancel()
                guard case .failure(let error) = await task.result, error is CancellationError else {
                    throw Disagreement("it was not broken off")
                }
                try expect(try FileManager.default.contentsOfDirectory(atPath: folder.path), is: [], "what is left")
                let download = try await call.download(to: file, options: options)
                try expect(download.head[.eTag], is: "range50000", "the entity tag, without quotes")
                try expect(download.isResumed, is: false, "whether it was resumed")
                try expect(try Data(contentsOf: file), is: alphabet(50_000), "the bytes")
            }
        },
        Check("/range broken off and gone on with by Range") { bin in
            let stream = try await bin.helium.get("/range/50000").parameters(["chunk_size": 1000]).stream()
            var bytes = Data()
            for try await chunk in stream.body {
                bytes += chunk
                if bytes.count >= 3000 { break }
            }
            let rest = try await bin.helium.get("/range/50000", returning: Data.self)
                .field(.range, "bytes=\(bytes.count)-").response()
            try expect(rest.status, is: 206, "the status")
            try expect(rest[.contentRange], is: "bytes \(bytes.count)-49999/50000", "Content-Range")
            try expect(bytes + rest.value, is: alphabet(50_000), "the bytes")
        },
        Check("/range with a Range of one's own") { bin in
            let answer = try await bin.helium.get("/range/100", returning: Data.self)
                .field(.range, "bytes=10-19").response()
            try expect(answer.status, is: 206, "the status")
            try expect(answer[.contentRange], is: "bytes 10-19/100", "Content-Range")
            try expect(answer.value, is: Data("klmnopqrst".utf8), "the bytes")
        },
        Check("/range beyond the end") { bin in
            let error = try await bin.failure {
                try await bin.helium.get("/range/100").field(.range, "bytes=200-300").value()
            }
            try expect(error.status, is: 416, "the status")
        },
        Check("/image/png as a download with a ceiling") { bin in
            try await withFolder { folder in
                var options = DownloadOptions()
                options.maximumBytes = 100
                let error = try await bin.failure { [options] in
                    let file = folder.appendingPathComponent("png")
                    _ = try await bin.helium.get("/image/png").download(to: file, options: options)
                }
                try expect(error.ceiling, is: .bodyBytes, "the ceiling")
                try expect(try FileManager.default.contentsOfDirectory(atPath: folder.path), is: [], "what is left")
            }
        },
    ]

    /// Returns the bytes that `/range` sends: the alphabet, repeated.
    private static func alphabet(_ count: Int) -> Data { Data((0..<count).map { 97 + UInt8($0 % 26) }) }

    /// The size of the largest file of a folder.
    private static func part(in folder: URL) throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).map { name in
            let path = folder.appendingPathComponent(name).path
            return (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0
        }.max() ?? 0
    }

    private static func withFolder(_ body: (URL) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "helium-interop-\(UUID().uuidString)"
        )
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await body(folder)
    }
}
