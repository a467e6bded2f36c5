import Foundation
import HeliumKit
import Testing

/// The samples of the article "Uploads and downloads", run.
@Suite("Samples: uploads and downloads", .timeLimit(.minutes(5)))
struct UploadsAndDownloadsSamples {
    @Test("sample of uploads and downloads")
    func samples() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("helium-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let video = folder.appendingPathComponent("clip.mp4")
        let photo = folder.appendingPathComponent("photo.jpg")
        try Data(count: 100_000).write(to: video)
        try Data(count: 1000).write(to: photo)
        try await BodyRouter.with(http2: false) { router in
            try await router.withHelium { helium in
                let sent = try await (upload(video, helium), stream(helium), form(photo, helium))
                #expect(sent.0 == "100000" && sent.1 == "9")
                #expect(sent.2.contains("name=\"photo\"; filename=\"photo.jpg\""))
                let copy = folder.appendingPathComponent("copy.bin")
                let download = try await download(copy, helium)
                #expect(download.bytes == 5000)
                #expect(FileManager.default.contents(atPath: copy.path) == Data(count: 5000))
            }
        }
    }

    private func upload(_ video: URL, _ helium: Helium) async throws -> String {
        // sample
        let count = try await helium.put("/count", body: .file(at: video), returning: String.self)
            .uploadProgress { progress in print("\(progress.completed) of \(progress.total ?? 0)") }
            .timeout(.seconds(3600))
            .value()
        // end of sample
        return count
    }

    private func stream(_ helium: Helium) async throws -> String {
        // sample
        let lines = RequestContent.stream(contentType: "application/x-ndjson", isReplayable: true) {
            AsyncStream<Data> { continuation in
                for line in ["{}\n", "{}\n", "{}\n"] { continuation.yield(Data(line.utf8)) }
                continuation.finish()
            }
        }
        let count = try await helium.put("/count", body: lines, returning: String.self).value()
        // end of sample
        return count
    }

    private func form(_ photo: URL, _ helium: Helium) async throws -> String {
        // sample
        var form = MultipartForm()
        form.append(.text("Holiday", name: "title"))
        form.append(.file(at: photo, name: "photo"))
        let echo = try await helium.post("/echo", body: .multipart(form), returning: String.self).value()
        // end of sample
        return echo
    }

    private func download(_ target: URL, _ helium: Helium) async throws -> HeliumDownload {
        // sample
        var options = DownloadOptions()
        options.resume = .ifPossible
        options.maximumBytes = 1 << 30
        options.progress = { progress in print("\(Int(100 * (progress.fraction ?? 0))) %") }
        let download = try await helium.get("/zeros").parameters(["count": 5000])
            .download(to: target, options: options)
        // end of sample
        return download
    }
}
