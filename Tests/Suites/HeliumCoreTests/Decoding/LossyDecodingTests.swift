import Foundation
import HTTPTypes
import HeliumCore
import HeliumKit
import HeliumTesting
import Synchronization
import Testing

private enum Status: String, Codable, Sendable { case draft, published }

private struct Show: Codable, Hashable, Sendable {
    var id: Int
    var created: Date?
    var status: OpenEnum<Status>?
}

private struct Page: Codable, Hashable, Sendable {
    @LossyArray var shows: [Show]
    @LossyDictionary var counts: [String: Int]
}

@Suite("Lossy decoding")
struct LossyDecodingTests {
    private func decode<Value: Decodable>(
        _ type: Value.Type = Value.self,
        _ json: String
    ) throws -> (value: Value?, report: DecodingReport) {
        let foundation = try DecodingReport.collecting {
            try FoundationJSONDecoder().decode(type, from: Data(json.utf8), at: [])
        }
        let helium = try DecodingReport.collecting {
            try HeliumJSONDecoder().decode(type, from: Data(json.utf8), at: [])
        }
        #expect(helium.report.findings.map(\.path) == foundation.report.findings.map(\.path))
        return helium
    }

    @Test("invalid rows and members are dropped in lossy decoding, and reported with path and reason")
    func drops() throws {
        let (page, report) = try decode(
            Page.self,
            #"""
            {"shows":[{"id":1},{"id":"x"},null,7,[],{"id":2,"created":"soon"},{"id":3,"status":"archived"}],
             "counts":{"b":"two","a":1,"c":null,"d":4}}
            """#
        )
        #expect(page?.shows.map(\.id) == [1, 3] && page?.$shows.droppedCount == 5)
        #expect(page?.counts == ["a": 1, "d": 4] && page?.$counts.droppedCount == 2)
        #expect(
            report.findings.map(\.path) == [
                "shows.1.id", "shows.2", "shows.3", "shows.4", "shows.5.created", "shows.6.status", "counts.b",
                "counts.c",
            ]
        )
        #expect(report.count == 8)
        #expect(report.findings[4].reason.contains(#""soon" is not a date"#))
        #expect(report.findings[4].consequence == .droppedElement && report.findings[4].type == "Show")
        #expect(report.findings[5].consequence == .unknownCase && report.findings[5].reason.contains("archived"))
        #expect(report.findings[6].consequence == .droppedMember && report.findings[6].type == "Int")
        #expect(report.description.hasPrefix("8 findings: droppedElement: Show at shows.1.id: "))
    }

    @Test("dates and nested types in lossy decoding use the decoder's rules")
    func nested() throws {
        let (dates, report) = try decode(LossyArray<Date>.self, #"["2016-02-12","soon",12]"#)
        #expect(dates?.wrappedValue == [Date(timeIntervalSince1970: 1_455_235_200)] && report.count == 2)
        let (rows, nested) = try decode(LossyArray<LossyArray<Int>>.self, #"[[1,"a"],5,[2]]"#)
        #expect(rows?.wrappedValue.map(\.wrappedValue) == [[1], [2]])
        #expect(nested.findings.map(\.path) == ["0.1", "1"])
    }

    @Test(
        "a value that is not a list is an error in lossy decoding",
        arguments: ["{}", "null", "1", #"{"shows":null,"counts":{}}"#]
    )
    func noList(json: String) {
        #expect(throws: DecodingError.self) { try decode(Page.self, json) }
    }

    @Test("lossy decoding of valid rows reports nothing")
    func allWell() throws {
        let (page, report) = try decode(Page.self, #"{"shows":[{"id":1,"status":"draft"}],"counts":{}}"#)
        #expect(page?.shows.first?.status?.known == .draft)
        #expect(report.isEmpty && report.description == "no findings")
    }

    @Test("a report of lossy decoding has a hundred findings and the number of the rest")
    func ceiling() throws {
        let json = "[\(Array(repeating: "\"x\"", count: 5000).joined(separator: ","))]"
        let (numbers, report) = try decode(LossyArray<Int>.self, json)
        #expect(numbers?.droppedCount == 5000)
        #expect(report.count == 5000 && report.findings.count == DecodingReport.maximumFindings)
    }

    @Test("an unknown case of an open enumeration keeps its raw value")
    func openEnum() throws {
        let json = #"["draft","archived"]"#
        let (statuses, report) = try decode([OpenEnum<Status>].self, json)
        #expect(statuses == [.known(.draft), .unknown("archived")])
        #expect(statuses?.map(\.known) == [.draft, nil])
        #expect(try FoundationJSONEncoder().encode(statuses) == Data(json.utf8))
        #expect(report.findings.map(\.path) == ["1"])
        #expect(OpenEnum<Status>(rawValue: "published") == .known(.published))
        #expect(throws: DecodingError.self) { try decode([OpenEnum<Status>].self, "[1]") }
    }

    @Test("lossy values are encoded as their contents")
    func encode() throws {
        let page = Page(shows: [Show(id: 1)], counts: ["a": 1])
        #expect(try FoundationJSONEncoder().encode(page) == Data(#"{"counts":{"a":1},"shows":[{"id":1}]}"#.utf8))
        #expect(try decode(Page.self, #"{"counts":{"a":1,"b":"x"},"shows":[{"id":1},2]}"#).value == page)
    }

    @Test("a call reports findings of lossy decoding with masked secrets")
    func call() async throws {
        let reports = Guarded<[DecodingReport]>([])
        let transport = MockTransport(
            answers: [.json(#"{"response":[{"id":1},{"id":2,"created":"s3cret-token"}]}"#), .json(#"{"response":[]}"#)]
        )
        let authorizer = try FieldAuthorizer(name: .authorization, secret: "s3cret-token")
        let pipeline = try makePipeline(transport, authorizer: authorizer) { $0.envelope = .middleware }
        let request = pipeline.get("/a", as: LossyArray<Show>.self)
            .parameters(["b": 1])
            .reportingFindings { report in reports.withLock { $0.append(report) } }
        let first = try await request.value()
        #expect(first.wrappedValue == [Show(id: 1)])
        #expect(transport.requests.last?.url.target == "/a?b=1")
        let second = try await request.value()
        #expect(second.wrappedValue.isEmpty)
        let report = try #require(reports.withLock { $0 }.first)
        #expect(reports.withLock { $0 }.count == 1 && report.findings.map(\.path) == ["response.1.created"])
        #expect(report.findings.first?.reason.contains("[redacted]") == true && !"\(report)".contains("s3cret"))
    }
}
