import Foundation
import HeliumJSON
import Testing

@Suite("Elements of a document that arrives", .timeLimit(.minutes(5)))
struct JSONElementsTests {
    private struct Item: Codable, Equatable, Sendable {
        var n: Int
        var at: Date?
    }

    @Test("elements are decoded by the decoder's strategies, for any chunks")
    func decoded() async throws {
        var decoder = HeliumJSONDecoder()
        decoder.dateDecodingStrategy = .secondsSince1970
        let items = [Item(n: 1, at: Date(timeIntervalSince1970: 5)), Item(n: 2, at: nil)]
        let text = "{\"data\":[{\"n\":1,\"at\":5},{\"n\":2}]}"
        for length in [1, 3, 100] {
            let chunks = Chunks(text, length: length)
            #expect(try await decoder.elements(of: Item.self, at: ["data"], in: chunks).collected() == items)
            let arrays = chunks.map { [UInt8]($0) }
            #expect(try await decoder.elements(of: Item.self, at: ["data"], in: arrays).collected() == items)
            let slices = chunks.map { (Data("x".utf8) + $0).dropFirst() }
            #expect(try await decoder.elements(of: Item.self, at: ["data"], in: slices).collected() == items)
        }
        let nulls = decoder.elements(of: Int?.self, in: Chunks("[1,null,3]", length: 2))
        #expect(try await nulls.collected() == [1, nil, 3])
    }

    @Test("chunks are requested on demand, and empty ones are skipped")
    func lazy() async throws {
        let chunks = Chunks(["", "[1,", "2,3", "", ",4]", " "])
        var iterator = HeliumJSONDecoder().elements(of: Int.self, in: chunks).makeAsyncIterator()
        #expect(chunks.taken.count == 0)
        #expect(try await iterator.next() == 1 && chunks.taken.count == 2)
        #expect(try await iterator.next() == 2 && chunks.taken.count == 3)
        #expect(try await iterator.next() == 3 && chunks.taken.count == 5)
        #expect(try await iterator.next() == 4 && chunks.taken.count == 5)
        #expect(try await iterator.next() == nil && chunks.taken.count == 6)
        #expect(try await iterator.next() == nil)
    }

    @Test(
        "the error of an element has its index, and its position in the document",
        arguments: [
            ("{\"é\":[0],\n\"a\":{\"b\":[{\"n\":1},\n {\"n\":\"x\"}]}}", ["a", "b", "1", "n"], 3, 7),
            ("{\"é\":[0],\n\"a\":{\"b\":[{\"n\":1}, {\n \"n\":1.5}]}}", ["a", "b", "1", "n"], 3, 6),
            ("{\"a\":{\"b\":[{\"m\":[]}]}}", ["a", "b", "0"], 1, 12),
            ("{\"a\":{\"b\":[null]}}", ["a", "b", "0"], 1, 12),
        ] as [(String, [String], Int, Int)],
        [1, 1000]
    )
    func elementErrors(_ document: (text: String, path: [String], line: Int, column: Int), chunk: Int) async throws {
        let chunks = Chunks(document.text, length: chunk)
        let elements = HeliumJSONDecoder().elements(of: Item.self, at: ["a", "b"], in: chunks)
        let error = await #expect(throws: DecodingError.self) { try await elements.collected() }
        let location = try #require(error?.jsonLocation)
        #expect(error?.path == document.path)
        #expect(location.line == document.line && location.column == document.column)
        #expect(error?.context?.debugDescription.contains("\(location)") == true)
        // As the error of decoding it all at once.
        let data = Data(document.text.utf8)
        let whole = #expect(throws: DecodingError.self) {
            _ = try HeliumJSONDecoder().decode([String: [String: [Item]]].self, from: data)
        }
        if document.line == 1 || whole?.path == document.path { #expect(whole?.jsonLocation == location) }
    }

    @Test("an element that does not decode ends the sequence")
    func failing() async throws {
        let chunks = Chunks(["[1,\"x\",3]", "", ""])
        var iterator = HeliumJSONDecoder().elements(of: Int.self, in: chunks).makeAsyncIterator()
        #expect(try await iterator.next() == 1)
        await #expect(throws: DecodingError.self) { _ = try await iterator.next() }
        #expect(try await iterator.next() == nil && chunks.taken.count == 1)
    }

    @Test("elements that do not decode are skipped and reported on request")
    func skipping() async throws {
        let reports = Tally<[String]>()
        let elements = HeliumJSONDecoder()
            .elements(
                of: Int.self,
                in: Chunks("[\"x\",1,{},2,300000000000000000000]", length: 4),
                badElements: .skip { error in reports.add((error as? DecodingError)?.path ?? []) }
            )
        #expect(try await elements.collected() == [1, 2])
        #expect(reports.values == [["0"], ["2"], ["4"]])
    }

    @Test(
        "invalid JSON ends the sequence also if invalid elements are skipped",
        arguments: ["[1,01]", "[1,\"\\x\"]", "[1,", "[1]]", "[1,{\"a\"}]"]
    )
    func invalid(text: String) async throws {
        let elements = HeliumJSONDecoder().elements(
            of: Int.self,
            in: Chunks(text, length: 1),
            badElements: .skip { _ in }
        )
        var seen: [Int] = []
        let error = await #expect(throws: DecodingError.self) {
            for try await number in elements { seen.append(number) }
        }
        #expect(seen == [1] && error?.jsonError == parserError(Array(text.utf8)))
    }

    @Test("the depth limit of the decoder and the length limit of an element apply")
    func ceilings() async throws {
        var decoder = HeliumJSONDecoder()
        decoder.limits.maximumDepth = 2
        let chunks = Chunks("{\"data\":[[1],[2]]}", length: 3)
        let deep = await #expect(throws: DecodingError.self) {
            try await decoder.elements(of: [Int].self, at: ["data"], in: chunks).collected()
        }
        #expect(deep?.jsonError?.reason.contains("(maximumDepth)") == true)
        let long = await #expect(throws: DecodingError.self) {
            try await HeliumJSONDecoder()
                .elements(of: [Int].self, at: ["data"], in: chunks, maximumElementBytes: 2).collected()
        }
        #expect(long?.jsonError?.reason.contains("(maximumElementBytes)") == true && long?.path == ["data", "0"])
    }

    @Test("the error of the chunks is thrown after the elements before it")
    func brokenOff() async throws {
        struct BrokenOff: Error {}
        let stream = AsyncThrowingStream<Data, any Error> { continuation in
            continuation.yield(Data("[1,2".utf8))
            continuation.finish(throwing: BrokenOff())
        }
        var iterator = HeliumJSONDecoder().elements(of: Int.self, in: stream).makeAsyncIterator()
        #expect(try await iterator.next() == 1)
        await #expect(throws: BrokenOff.self) { _ = try await iterator.next() }
        #expect(try await iterator.next() == nil)
    }

    @Test("cancelled chunks that end are not a truncated document")
    func cancelling() async throws {
        let (stream, continuation) = AsyncStream<Data>.makeStream()
        let (seen, reporter) = AsyncStream<Int>.makeStream()
        let task = Task {
            for try await number in HeliumJSONDecoder().elements(of: Int.self, in: stream) { reporter.yield(number) }
        }
        continuation.yield(Data("[1,2".utf8))
        for await number in seen {
            #expect(number == 1)
            break
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test("elements may be iterated on an actor that the chunks do not leave")
    @MainActor
    func isolated() async throws {
        var sum = 0
        for try await number in HeliumJSONDecoder().elements(of: Int.self, in: Chunks("[1,2,3]", length: 1)) {
            sum += number
        }
        #expect(sum == 6)
    }
}
