import HTTPTypes
import HeliumServer
import Testing

@testable import CosmServer
@testable import HeliumServerKit

@Suite("Choice of Cosm's format")
struct FormatChoiceTests {
    @Test(
        "one known suffix is removed from the end of a path",
        arguments: [
            ("/feeds/504.csv", ["feeds", "504"], .csv), ("/feeds/504.json/", ["feeds", "504"], .json),
            ("/feeds//1/", ["feeds", "1"], nil),
            (
                "/feeds/1/datastreams/current.degrees_true.1", ["feeds", "1", "datastreams", "current.degrees_true.1"],
                nil
            ),
            ("/feeds/1/datastreams/a.json.json", ["feeds", "1", "datastreams", "a.json"], .json),
            (
                "/feeds/1/datastreams/a/datapoints/2010-05-20T11:01:46.000000Z.json",
                ["feeds", "1", "datastreams", "a", "datapoints", "2010-05-20T11:01:46.000000Z"], .json
            ),
            ("/feeds/1/datastreams/%C3%BC%2B.xml", ["feeds", "1", "datastreams", "ü+"], .xml),
            ("/feeds/1/datastreams/temp.png", ["feeds", "1", "datastreams", "temp"], .png), ("", [], nil),
        ] as [(String, [String], DocumentFormat?)]
    )
    func suffixes(_ path: String, _ segments: [String], _ format: DocumentFormat?) throws {
        let parsed = try #require(ResourcePath(path[...]))
        #expect(parsed.segments == segments)
        #expect(parsed.format == format)
    }

    @Test("a path with a malformed escape has no resource") func malformed() {
        #expect(ResourcePath("/feeds/%G1") == nil)
    }

    @Test(
        "the Accept field chooses the format if the path has no suffix",
        arguments: [
            (nil, .json), ("", .json), ("*/*", .json), ("application/json, text/json, text/javascript", .json),
            ("application/xml", .xml), ("text/csv", .csv), ("text/html, application/xml;q=0.9, */*;q=0.8", .xml),
            ("application/xml;q=0.2, application/json;q=0.5", .json), ("image/gif", nil), ("application/json;q=0", nil),
        ] as [(String?, DocumentFormat?)]
    )
    func accept(_ field: String?, _ format: DocumentFormat?) { #expect(DocumentFormat.accepted(field) == format) }
}

@Suite("CSV of the Cosm server")
struct CSVTests {
    private func rows(_ text: String) throws -> [[String]] { try CSVRows.parse(Array(text.utf8)) }

    @Test(
        "cells in CSV are trimmed after unquoting",
        arguments: [
            ("a,b\n", [["a", "b"]]), (" a ,\t b\r\nc,d", [["a", "b"], ["c", "d"]]),
            ("\n\na,b\n\n", [["a", "b"]]), (#""x, y","say ""hi""""#, [["x, y", #"say "hi""#]]),
            ("\"two\nlines\",1", [["two\nlines", "1"]]), (#" " padded " ,2"#, [["padded", "2"]]),
            ("a,,", [["a", "", ""]]),
            ("a\n\nb", [["a"], [""], ["b"]]),
        ]
    )
    func cells(_ text: String, _ expected: [[String]]) throws { #expect(try rows(text) == expected) }

    @Test(
        "stray quotes in CSV, and CSV without rows, are errors",
        arguments: ["", "\n \r\n", "a\"b", "\"a\"b", "\"a", "a,\"b\"c\n"]
    )
    func refusals(_ text: String) {
        let error = #expect(throws: CosmFailure.self) { try rows(text) }
        #expect(error?.status == .badRequest)
        #expect(error?.title == "CSV Parser Error")
    }

    @Test("one row of an id in CSV is its value, several are points, and ids may be mixed")
    func feed() throws {
        let input = try CSVInput.feed(
            rows("a,1\nb,2013-01-01T00:00:00Z,2\nc,2013-01-01T00:00:00Z,3\nc,2013-01-02T00:00:00Z,4\nd,,5\ne,")
        )
        #expect(input.datastreams.map(\.id) == ["a", "b", "c", "d", "e"])
        #expect(input.datastreams.map(\.currentValue.newValue) == ["1", "2", nil, "5", ""])
        #expect(input.datastreams[1].at == stamp("2013-01-01T00:00:00Z"))
        #expect(input.datastreams[2].datapoints.map(\.value) == ["3", "4"])
        #expect(input.datastreams[3].at == nil)
    }

    @Test(
        "rows in CSV that do not fit are errors",
        arguments: [
            "a", "a,b,c,d", "a,1\na,2", "a,2013-01-01T00:00:00Z,1\na,2", "a,yesterday,1",
            "a,2013-01-01T00:00:00Z,1\na,,2",
        ]
    )
    func feedRefusals(_ text: String) {
        #expect(throws: CosmFailure.self) { try CSVInput.feed(rows(text)) }
    }

    @Test("in CSV a datastream takes one value or many points, a batch points only, and a point a value only")
    func others() throws {
        #expect(try CSVInput.datastream(rows("5")).currentValue == .set("5"))
        #expect(try CSVInput.datastream(rows("2013-01-01T00:00:00Z,5")).at == stamp("2013-01-01T00:00:00Z"))
        #expect(try CSVInput.datastream(rows("2013-01-01T00:00:00Z,5\n2013-01-02T00:00:00Z,6")).datapoints.count == 2)
        #expect(throws: CosmFailure.self) { try CSVInput.datastream(rows("1\n2")) }
        #expect(throws: CosmFailure.self) { try CSVInput.datastream(rows("a,b,c")) }
        #expect(try CSVInput.datapoints(rows("2013-01-01T00:00:00Z,5")).map(\.value) == ["5"])
        #expect(throws: CosmFailure.self) { try CSVInput.datapoints(rows("5")) }
        #expect(try CSVInput.value(rows("\"a,b\"")) == "a,b")
        #expect(throws: CosmFailure.self) { try CSVInput.value(rows("1,2")) }
    }

    @Test("values with commas, quotes and line breaks are equal after writing and reading CSV")
    func writes() throws {
        let values = ["20.5", "door open, again", #"say "hi""#, "two\nlines", "üöä"]
        let points = values.enumerated().map {
            Datapoint(at: stamp("2013-01-01T00:00:0\($0.offset)Z"), value: $0.element)
        }
        let stream = DatastreamRecord(number: 1, feed: 1, id: "a")
        let time = stamp("2013-01-01T00:00:00Z")
        let feed = FeedRecord(id: 1, owner: "ann", title: "t", created: time, updated: time)
        let text = try CSVOutput(zone: .utc).text(
            of: .datastream(DatastreamDocument(try masterUse().grant(stream, of: feed), points: points), of: feed)
        )
        #expect(try CSVInput.datapoints(rows(text)) == points)
    }
}

@Suite("XML of the Cosm server")
struct XMLTests {
    private func node(_ text: String) throws -> XMLNode { try XMLNode.parse(Array(text.utf8)) }

    @Test("a feed is read from XML, and blank members count as absent")
    func feed() throws {
        let input = try XMLInput.feed(
            node(
                """
                <?xml version="1.0" encoding="UTF-8"?>
                <eeml xmlns="http://www.eeml.org/xsd/0.5.1" version="0.5.1"><environment updated="" id="">
                <title> Shed &amp; co </title><private/><description></description><tag>b</tag><tag/><tag>A</tag>
                <location domain="physical" exposure=""><name>Garden</name><lat/><lon>-0.4</lon></location>
                <data id="temp"><tag>t</tag><current_value at="">20.5</current_value><max_value>31</max_value>
                <unit type="" symbol="C">Celsius</unit>
                <datapoints><value at="2013-02-01T08:00:00Z"><![CDATA[19.5]]></value></datapoints></data>
                </environment></eeml>
                """
            )
        )
        #expect(input.title == .set("Shed & co"))
        #expect(input.description == .unchanged)
        #expect(input.isPrivate == .unchanged)
        #expect(input.tags == .set(["A", "b"]))
        #expect(input.location == LocationInput(name: .set("Garden"), domain: .set("physical"), longitude: .set(-0.4)))
        let stream = try #require(input.datastreams.first)
        #expect(stream.currentValue == .set("20.5"))
        #expect(stream.at == nil)
        #expect(stream.maximum == .set(31))
        #expect(stream.unit == UnitInput(label: .set("Celsius"), symbol: .set("C")))
        #expect(stream.datapoints == [Datapoint(at: stamp("2013-02-01T08:00:00Z"), value: "19.5")])
    }

    @Test(
        "a feed's privacy is a Boolean value of XML Schema, in any letter case",
        arguments: [
            ("true", .set(true)), ("1", .set(true)), ("True", .set(true)), (" \n true\t", .set(true)),
            ("\r\n1 ", .set(true)), ("false", .set(false)), ("0", .set(false)), (" FALSE ", .set(false)),
            (" 0\n", .set(false)), ("", .unchanged), (" \n ", .unchanged),
        ] as [(String, Change<Bool>)]
    )
    func privacy(_ text: String, _ expected: Change<Bool>) throws {
        let document = "<eeml><environment><title>t</title><private>\(text)</private></environment></eeml>"
        #expect(try XMLInput.feed(node(document)).isPrivate == expected)
    }

    @Test("a privacy that is not a Boolean value is refused", arguments: ["yes", "2", "01", "tru", "true false", "-1"])
    func privacyRefusals(_ text: String) {
        let document = "<eeml><environment><private>\(text)</private></environment></eeml>"
        let error = #expect(throws: CosmFailure.self) { try XMLInput.feed(node(document)) }
        #expect(error?.status.code == 422)
        #expect(error?.errors == ["private is neither true nor false"])
    }

    @Test("the older version of XML has values in value, and the timestamp of the document")
    func old() throws {
        let input = try XMLInput.feed(
            node(
                """
                <eeml xmlns="http://www.eeml.org/xsd/005" version="5"><environment updated="2011-02-16T16:21:01.834174Z">
                <title>t</title><data id="0"><value minValue="0.0" maxValue="34.0">
                22.3
                </value></data></environment></eeml>
                """
            )
        )
        #expect(input.datastreams[0].currentValue == .set("22.3"))
        #expect(input.datastreams[0].at == stamp("2011-02-16T16:21:01.834174Z"))
        #expect(input.datastreams[0].minimum == .set(0))
        #expect(input.datastreams[0].maximum == .set(34))
    }

    @Test(
        "XML that is not EEML is refused",
        arguments: [
            "", "<rss/>", "<eeml></eeml>", "<eeml><environment>", "no xml", "<eeml><environment/></eeml><x/>",
            "<!DOCTYPE eeml [<!ENTITY a \"b\">]><eeml><environment><title>&a;</title></environment></eeml>",
            "<!DOCTYPE eeml SYSTEM \"file:///etc/passwd\"><eeml><environment/></eeml>",
            "<?xml version=\"1.0\" encoding=\"UTF-7\"?><eeml><environment/></eeml>",
            "<eeml><?x?><environment/></eeml>", "<?xml version=\"1.0\"?><?x?><eeml><environment/></eeml>", "<?x?>",
        ]
    )
    func refusals(_ text: String) {
        let error = #expect(throws: CosmFailure.self) { try XMLInput.feed(node(text)) }
        #expect(error?.status == .badRequest)
    }

    @Test("the nesting and the size of XML are limited")
    func bounded() {
        let deep = String(repeating: "<a>", count: 100) + String(repeating: "</a>", count: 100)
        #expect(throws: CosmFailure.self) { try node(deep) }
        #expect(throws: CosmFailure.self) { try XMLNode.parse([0xFF, 0xFE, 0x3C, 0x00]) }
    }

    @Test("an XML document of a datastream has exactly one")
    func single() throws {
        func document(_ data: String) -> String { "<eeml><environment>\(data)</environment></eeml>" }
        #expect(try XMLInput.datastream(node(document("<data id='a'/>"))).id == "a")
        #expect(throws: CosmFailure.self) { try XMLInput.datastream(node(document(""))) }
        #expect(throws: CosmFailure.self) { try XMLInput.datastream(node(document("<data id='a'/><data id='b'/>"))) }
    }

    @Test("markup in values is escaped in XML, and characters that XML does not allow are left out")
    func escapes() throws {
        #expect(XMLText.escaped("<a href=\"x\">&\u{1}\u{0}\t") == "&lt;a href=&quot;x&quot;&gt;&amp;\t")
        var xml = XMLText()
        xml.leaf("v", ["at": "a\"b", "none": nil], "1 < 2 & \"3\"")
        let node = try node(xml.text)
        #expect(node.text == "1 < 2 & \"3\"")
        #expect(node.attributes == ["at": "a\"b"])
    }
}
