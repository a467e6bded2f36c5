import Cosm
import Foundation
import TestSupport
import Testing

private func feed(_ text: String, dialect: CosmDialect = .stated) throws -> Feed {
    try CosmFormat.csv.decode(Feed.self, from: Data(text.utf8), dialect: dialect)
}

private func datastream(_ text: String, dialect: CosmDialect = .stated) throws -> Datastream {
    try CosmFormat.csv.decode(Datastream.self, from: Data(text.utf8), dialect: dialect)
}

private func points(_ text: String) throws -> [Datapoint] {
    try CosmFormat.csv.decode([Datapoint].self, from: Data(text.utf8))
}

private func stamp(_ text: String) throws -> Timestamp { try #require(Timestamp(text)) }

@Suite("CSV of the Cosm client")
struct CSVTests {
    @Test("rows of a feed in CSV are grouped by id in their order, with or without timestamps")
    func feeds() throws {
        let at = try stamp("2013-02-01T09:00:02Z")
        let later = try stamp("2013-02-01T09:00:03Z")
        #expect(
            try feed("b,1\na,2013-02-01T09:00:02Z,2\nc,,3\nd,2013-02-01T09:00:02Z,4\nb2,x\nd,2013-02-01T09:00:03Z,5\n")
                == Feed(datastreams: [
                    Datastream(id: "b", currentValue: "1"), Datastream(id: "a", currentValue: "2", at: at),
                    Datastream(id: "c", currentValue: "3"),
                    Datastream(id: "d", datapoints: [Datapoint(at: at, value: "4"), Datapoint(at: later, value: "5")]),
                    Datastream(id: "b2", currentValue: "x"),
                ])
        )
    }

    @Test(
        "quoted cells in CSV may have quotes, commas and line breaks, and spaces around cells are trimmed",
        arguments: [
            ("a,\"door open, again\"", "door open, again"), ("a,\"say \"\"hi\"\"\"", "say \"hi\""),
            ("a,\"x\ny\"", "x\ny"),
            ("a,\" red car \"", "red car"), ("a,  1\t", "1"), ("a,1\r\n", "1"), ("a,\"1\"\r\n", "1"), ("a,", ""),
            ("\n\r\n a ,1\n\n", "1"), ("\u{FEFF}a,1", "1"), ("a,é", "é"), ("a,\"\"\"\"", "\""),
            ("a,a longer text of more than fifteen bytes", "a longer text of more than fifteen bytes"),
        ]
    )
    func cells(text: String, value: String) throws {
        #expect(try feed(text) == Feed(datastreams: [Datastream(id: "a", currentValue: DatapointValue(value))]))
    }

    @Test(
        "an invalid row in CSV is an error with its line",
        arguments: [
            ("", 1, "no row"), ("\n \n", 1, "no row"), ("a,1\nb", 2, "1 cell"), ("a,1\nb,,1,1", 2, "4 cells"),
            ("a,1\n\nb,2", 2, "empty line"), ("a,soon,1", 1, "\"soon\" is not a timestamp"),
            ("a,1\nb,x\"y", 2, "quote"),
            ("a,1\nb, \"y\"", 2, "quote"), ("a,\"y\" ", 1, "closing quote"), ("a,\"y\nz", 1, "not closed"),
            ("a,\"x\ny\"\nb,c,1", 3, "\"c\" is not a timestamp"), (",1", 1, "no datastream id"),
            ("a,2013-02-01T09:00:02Z,1\nb,1\na,2", 3, "no timestamp"),
            ("a,1\na,2013-02-01T09:00:02Z,1", 1, "no timestamp"),
        ]
    )
    func errors(text: String, line: Int, reason: String) throws {
        let error = try #require(throws: CosmDocumentError.self) { try feed(text) }
        #expect(error.line == line && error.reason.contains(reason), "\(error)")
    }

    @Test("CSV that is not UTF-8 is an error")
    func encoding() {
        let data = Data([0x61, 0x2C, 0xE9, 0x0A])
        #expect(throws: CosmDocumentError.self) { try CosmFormat.csv.decode(Feed.self, from: data) }
    }

    @Test("a datastream in CSV is its value in one row, or points with timestamps in several")
    func datastreams() throws {
        let at = try stamp("2013-02-01T09:00:02Z")
        #expect(try datastream("14") == Datastream(currentValue: "14"))
        #expect(try datastream("2013-02-01T09:00:02Z,14\n") == Datastream(currentValue: "14", at: at))
        #expect(try datastream(",14") == Datastream(currentValue: "14"))
        #expect(try datastream("\"\"") == Datastream(currentValue: ""))
        let two = try datastream("2013-02-01T09:00:02Z,14\n2013-02-01T09:00:03Z,")
        #expect(two.datapoints?.map(\.value) == ["14", ""] && two.currentValue == nil)
        for wrong in ["a,b,c", "14\n15", "2013-02-01T09:00:02Z,14\n15", ""] {
            #expect(throws: CosmDocumentError.self) { try datastream(wrong) }
        }
    }

    @Test("each row of datapoints in CSV has a timestamp, and that of one datapoint only a value")
    func datapoints() throws {
        #expect(try points("2013-02-01T09:00:02Z,1\n2013-02-01T09:00:02.5Z,x").map(\.value) == ["1", "x"])
        for wrong in ["", "1", ",1", "2013-02-01T09:00:02Z,1,2"] {
            #expect(throws: CosmDocumentError.self) { try points(wrong) }
        }
        #expect(try CosmFormat.csv.decode(Datapoint.self, from: Data("297\n".utf8)) == Datapoint(value: "297"))
        for wrong in ["", "a,b", "1\n2"] {
            #expect(throws: CosmDocumentError.self) {
                try CosmFormat.csv.decode(Datapoint.self, from: Data(wrong.utf8))
            }
        }
    }

    @Test("CSV of version 1 is one row of values, whose datastreams are numbered from 0")
    func version1() throws {
        let three = [("0", "15"), ("1", "912"), ("2", "x")].map { Datastream(id: $0, currentValue: DatapointValue($1)) }
        #expect(try feed("15, 912,x", dialect: .version1) == Feed(datastreams: three))
        #expect(throws: CosmDocumentError.self) { try feed("15,912\n1,2", dialect: .version1) }
        #expect(try datastream("15", dialect: .version1).currentValue == "15")
        #expect(throws: CosmDocumentError.self) { try datastream("15,16", dialect: .version1) }
    }

    @Test("the version of CSV is guessed where it is unambiguous")
    func guessed() throws {
        #expect(try feed("a,1\nb,2", dialect: .guessed).datastreams?.map(\.id) == ["a", "b"])
        #expect(try feed("15,912,327", dialect: .guessed).datastreams?.map(\.id) == ["0", "1", "2"])
        #expect(try feed("15", dialect: .guessed).datastreams?.count == 1)
        #expect(throws: CosmDocumentError.self) { try feed("15,912", dialect: .guessed) }
    }

    @Test("a list of feeds in CSV has the feed's id in the first column")
    func pages() throws {
        let page = try CosmFormat.csv.decode(FeedPage.self, from: Data("9,a,,1\n7,b,,2\n9,c,,3".utf8))
        #expect(page.results.map(\.id) == [9, 7] && page.results[0].datastreams?.map(\.id) == ["a", "c"])
        #expect(throws: CosmDocumentError.self) { try CosmFormat.csv.decode(FeedPage.self, from: Data("a,,1".utf8)) }
        let written = try page.encoded(as: .csv)
        #expect(String(decoding: written.data, as: UTF8.self) == "9,a,,1\n9,c,,3\n7,b,,2" && written.losses.isEmpty)
    }

    @Test("triggers, keys and users have no CSV")
    func refused() {
        #expect(throws: CosmDocumentError.self) { try Trigger().encoded(as: .csv) }
        #expect(throws: CosmDocumentError.self) { try CosmFormat.csv.decode([APIKey].self, from: Data("a".utf8)) }
        #expect(throws: CosmDocumentError.self) { try [User()].encoded(as: .csv) }
    }

    @Test("CSV is encoded as documented, and members without a column are reported")
    func written() throws {
        let at = try stamp("2013-02-01T09:00:02Z")
        let feed = Feed(
            title: "Shed",
            datastreams: [
                Datastream(id: "temp", currentValue: "20.5", at: at, unit: Datastream.Unit(symbol: "C")),
                Datastream(id: "note", currentValue: "door open, again"), Datastream(id: "none"),
                Datastream(
                    id: "old",
                    currentValue: "9",
                    datapoints: [Datapoint(at: at, value: "1"), Datapoint(value: "2"), Datapoint(at: at, value: " 3")]
                ),
            ]
        )
        let csv = try feed.encoded(as: .csv)
        #expect(
            String(decoding: csv.data, as: UTF8.self) == """
                temp,2013-02-01T09:00:02.000000Z,20.5
                note,,"door open, again"
                old,2013-02-01T09:00:02.000000Z,1
                old,2013-02-01T09:00:02.000000Z, 3
                """
        )
        #expect(
            csv.losses.map(\.path) == [
                "title", "datastreams[0].unit", "datastreams[2]", "datastreams[3].current_value",
                "datastreams[3].datapoints[1]", "datastreams[3].datapoints[2].value",
            ]
        )
        #expect(csv.losses[0].description == "title: CSV can't represent it")
    }
}

@Suite("CSV that is decoded as it arrives")
struct DatapointRowsTests {
    private let text =
        "\u{FEFF}\n2013-02-01T09:00:02Z,1\r\n2013-02-01T09:00:03Z,\"a\nb, \"\"c\"\"\"\n2013-02-01T09:00:04Z,é\n\n"

    @Test("points in CSV are the same however the bytes are cut", arguments: 1..<30)
    func chunks(size: Int) throws {
        var rows = DatapointRows()
        var found: [Datapoint] = []
        let bytes = Array(text.utf8)
        for start in stride(from: 0, to: bytes.count, by: size) {
            found += try rows.append(Data(bytes[start..<min(start + size, bytes.count)]))
        }
        found += try rows.finish()
        #expect(found.map(\.value?.text) == ["1", "a\nb, \"c\"", "é"])
        #expect(try found == points(text))
    }

    @Test("a row of CSV is decoded as soon as it is complete, and the last one needs no line break")
    func prompt() throws {
        var rows = DatapointRows(allowsBareValues: true)
        #expect(try rows.append(Data("1\n2".utf8)) == [Datapoint(value: "1")])
        #expect(try rows.append(Data("2\n".utf8)) == [Datapoint(value: "22")])
        #expect(try rows.append(Data("3".utf8)).isEmpty)
        #expect(try rows.finish() == [Datapoint(value: "3")])
        #expect(try rows.finish().isEmpty)
    }

    @Test("an error in CSV that arrives has the line of the whole input, and is repeated")
    func errors() throws {
        var rows = DatapointRows()
        _ = try rows.append(Data("2013-02-01T09:00:02Z,\"1\n2\"\n".utf8))
        let error = try #require(throws: CosmDocumentError.self) { try rows.append(Data("\n\nx,1\n".utf8)) }
        #expect(error.line == 3 && error.reason.contains("empty line"))
        #expect(throws: CosmDocumentError.self) { try rows.append(Data("2013-02-01T09:00:02Z,1\n".utf8)) }
        var bare = DatapointRows()
        #expect(throws: CosmDocumentError.self) { try bare.append(Data("1\n".utf8)) }
    }

    @Test("after an error in CSV that arrives, pieces of any length have the same error", arguments: [0, 1, 7, 200])
    func afterError(length: Int) throws {
        for beginning in ["x,1\n2013-02-01T09:00:02Z,1", "\"", String(repeating: "1", count: 101)] {
            var rows = DatapointRows(maximumRowLength: 100)
            let bytes = Data((beginning + String(repeating: "2", count: 150)).utf8)
            let error = #expect(throws: CosmDocumentError.self) { try rows.append(bytes) }
            for _ in 0..<3 {
                let again = #expect(throws: CosmDocumentError.self) {
                    try rows.append(Data(repeating: 0x31, count: length))
                }
                #expect(again == error)
            }
            #expect(throws: CosmDocumentError.self) { try rows.finish() }
        }
    }

    @Test("a row of CSV without an end is buffered up to the limit")
    func ceiling() throws {
        var rows = DatapointRows(maximumRowLength: 100)
        #expect(try rows.append(Data(repeating: 0x31, count: 100)).isEmpty)
        let error = try #require(throws: CosmDocumentError.self) { try rows.append(Data([0x31])) }
        #expect(error.line == 1 && error.reason.contains("100 bytes"))
    }
}
