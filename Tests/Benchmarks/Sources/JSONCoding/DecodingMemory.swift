import BenchmarkHarness
import DecodingHarness
import Foundation
import HeliumJSON

#if canImport(Glibc)
    import Glibc
#endif

/// Measures the maximum growth of the process while a document of 16 MiB is decoded, including the decoded values.
///
/// It is measured once, in a new process, because memory that was freed before would hide the growth.
struct DecodingMemory {
    enum Candidate: String {
        case helium = "HeliumJSONDecoder"
        case foundation = "JSONDecoder"
    }

    /// The growth, and the document's own length.
    func run(_ candidate: Candidate) throws -> [OperationResult] {
        let document = Self.document()
        Self.returnFreeMemory()
        let before = ProcessUsage.residentKibibytes()
        let values: [Message]
        switch candidate {
        case .helium:
            values = try HeliumJSONDecoder().decode([Message].self, from: document)
        case .foundation:
            let decoder = JSONDecoder()
            decoder.dateDecodingStrategy = .iso8601
            values = try decoder.decode([Message].self, from: document)
        }
        let grown = Double(ProcessUsage.peakResidentKibibytes() - before) * 1024
        guard values.count > 10_000 else { throw DifferentValues(document: "memory") }
        return [(candidate.rawValue, grown), ("the document", Double(document.count))].map { name, bytes in
            OperationResult(
                group: "json-memory",
                operation: name,
                bytes: document.count,
                rounds: [bytes],
                unit: "bytes"
            )
        }
    }

    private static func document() -> Data {
        let page = Data(Documents.page.utf8.dropFirst().dropLast())
        var document = Data("[".utf8)
        document.reserveCapacity(16 << 20 + page.count)
        while document.count < 16 << 20 {
            if document.count > 1 { document.append(UInt8(ascii: ",")) }
            document.append(page)
        }
        document.append(UInt8(ascii: "]"))
        return document
    }

    /// Lets the peak begin here.
    private static func returnFreeMemory() {
        #if canImport(Glibc)
            // Glibc's module does not have it.
            typealias Trim = @convention(c) (Int) -> Int32
            if let trim = dlsym(nil, "malloc_trim") { _ = unsafeBitCast(trim, to: Trim.self)(0) }
            guard let file = fopen("/proc/self/clear_refs", "w") else { return }
            fputs("5", file)
            fclose(file)
        #endif
    }
}
