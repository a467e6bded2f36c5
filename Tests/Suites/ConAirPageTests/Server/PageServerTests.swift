import ConAir
import ConAirPage
import Foundation
import HeliumJSON
import HeliumServerKit
import TestSupport
import Testing

#if canImport(FoundationXML)
    import FoundationXML
#endif

@Suite("ConAirPage server", .timeLimit(.minutes(5)))
struct ConAirPageServerTests {
    private static let policy = """
        default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; \
        form-action 'none'; frame-ancestors 'none'
        """

    /// Runs `body` with a page of the title Office and a point of 21.4 °C.
    private func withPage(_ body: (PageWorld) async throws -> Void) async throws {
        try await PageWorld.with {
            $0.title = "Office"
        } _: { world in
            world.source.set(noon - 120, 21.4)
            try await world.store.collect()
            try await body(world)
        }
    }

    @Test("ConAir's page has its title and the latest value")
    func page() async throws {
        try await withPage { world in
            let page = try await world.response("/")
            #expect(page.status == 200)
            #expect(page.field("content-type") == "text/html; charset=utf-8")
            #expect(page.body.contains("<h1>Office</h1>"))
            #expect(page.body.contains("<p id=\"value\">21.40 °C</p>"))
        }
    }

    @Test("the files of ConAir's page have their media types")
    func files() async throws {
        try await withPage { world in
            for (path, type) in [
                ("/page.js", "text/javascript"), ("/page.css", "text/css"), ("/icon.svg", "image/svg+xml"),
                ("/chart.svg", "image/svg+xml"), ("/data.json", "application/json"),
            ] {
                let response = try await world.response(path)
                #expect(response.status == 200, "\(path)")
                #expect(response.field("content-type") == "\(type); charset=utf-8", "\(path)")
                #expect(response.field("x-content-type-options") == "nosniff", "\(path)")
                #expect(!response.body.isEmpty)
            }
        }
    }

    @Test("data.json of ConAir's page has the points of a range")
    func points() async throws {
        try await withPage { world in
            let data = try await world.response("/data.json?range=hour")
            let document = try #require(JSONValue.parse(data.body)?.objectValue)
            #expect(document["range"] == "hour")
            #expect(document["points"]?.arrayValue?.count == 1)
        }
    }

    @Test("an unknown path of ConAir's page is 404, and a method other than GET and HEAD 405")
    func refusals() async throws {
        try await withPage { world in
            let missing = try await world.response("/missing")
            #expect(missing.status == 404)
            #expect(missing.field("content-security-policy") == Self.policy)
            let post = try await world.response("/", method: "POST", "Content-Length: 0\r\n")
            #expect(post.status == 405)
            #expect(post.field("allow") == "GET, HEAD")
        }
    }

    @Test("HEAD of the events of ConAir's page is 200, and opens no stream of events")
    func headOfEvents() async throws {
        try await withPage { world in
            let head = try await world.response("/events", method: "HEAD")
            #expect(head.status == 200)
            #expect(world.page.viewerCount == 0)
        }
    }

    @Test(
        "the page has a narrow picture for narrow screens",
        arguments: [("", 720, 360), ("&size=narrow", 400, 320), ("&size=x", 720, 360)]
    )
    func picture(query: String, width: Int, height: Int) async throws {
        try await PageWorld.with { world in
            let picture = try await world.response("/chart.svg?range=day\(query)")
            #expect(picture.body.contains("viewBox=\"0 0 \(width) \(height)\""))
        }
    }

    @Test("the page's headers refuse scripts, styles and other contents from elsewhere")
    func headers() async throws {
        try await PageWorld.with { world in
            for path in ["/", "/page.js", "/data.json"] {
                let response = try await world.response(path)
                #expect(response.field("content-security-policy") == Self.policy)
                #expect(response.field("x-content-type-options") == "nosniff")
                #expect(response.field("referrer-policy") == "no-referrer")
            }
            // A picture has its style within it, and no script.
            let picture = try await world.response("/chart.svg")
            #expect(picture.field("content-security-policy")?.contains("style-src 'unsafe-inline'") == true)
            #expect(picture.field("content-security-policy")?.contains("script-src") == false)
        }
    }

    @Test("the page server responds to its own host name only")
    func host() async throws {
        try await PageWorld.with { world in
            for host in ["127.0.0.1", "localhost", "[::1]"] {
                let response = try await world.response("/", host: "\(host):\(world.port)")
                #expect(response.status == 200)
            }
            for host in ["evil.example", "evil.example:\(world.port)", "localhost", "127.0.0.1:1"] {
                for path in ["/", "/data.json", "/events", "/missing"] {
                    let response = try await world.response(path, host: host)
                    #expect(response.status == 421, "\(host)\(path)")
                    #expect(response.field("content-security-policy") == Self.policy)
                }
            }
            #expect(world.page.viewerCount == 0)
        }
    }

    @Test(
        "the page server accepts each form of a loopback address",
        arguments: ["0:0:0:0:0:0:0:1", "::ffff:127.0.0.1"]
    )
    func writtenHost(address: String) async throws {
        try await PageWorld.with {
            $0.host = address
        } _: { world in
            let own = try await world.response("/", host: "[\(address)]:\(world.port)", at: address)
            #expect(own.status == 200)
            let strange = try await world.response("/", host: "evil.example:\(world.port)", at: address)
            #expect(strange.status == 421)
        }
    }

    @Test("titles, units and errors are escaped in the page server's responses")
    func hostile() async throws {
        try await PageWorld.with {
            $0.title = "</title><script>alert(1)</script>"
            $0.unit = "\"><b>"
        } _: { world in
            world.source.set(noon - 120, 1)
            try await world.store.collect()
            world.source.fail("</p><script>alert(2)</script>")
            _ = try? await world.store.collect()
            let page = try await world.response("/")
            #expect(!page.body.contains("<script>"))
            #expect(!page.body.contains("<b>"))
            #expect(page.body.contains("&lt;script&gt;alert(2)&lt;/script&gt;"))
            for size in ["wide", "narrow", "unknown"] {
                let picture = try await world.response("/chart.svg?size=\(size)")
                #expect(!picture.body.contains("<b>"))
                #expect(picture.body.contains(size == "narrow" ? "width=\"400\"" : "width=\"720\""))
                #expect(XMLParser(data: Data(picture.body.utf8)).parse(), "\(picture.body)")
            }
            let data = try await world.response("/data.json")
            let document = try #require(JSONValue.parse(data.body)?.objectValue)
            #expect(document["newest"]?["value"] == "1.00 \"><b>")
            #expect(document["status"]?["error"]?.stringValue?.contains("</p><script>alert(2)</script>") == true)
        }
    }

    @Test("the page server has the files of dygraphs only if its folder is there")
    func dygraphs() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "helium-page-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data("var Dygraph;".utf8).write(to: folder.appending(path: "dygraph.min.js"))
        try await PageWorld.with {
            $0.dygraphs = folder.path
        } _: { world in
            #expect(!world.page.hasDygraphs, "the style sheet is missing")
            let script = try await world.response("/dygraph.min.js")
            #expect(script.status == 404)
            let page = try await world.response("/")
            #expect(!page.body.contains("dygraph"))
            let picture = try await world.response("/chart.svg")
            #expect(picture.status == 200)
        }
        try Data(".dygraph{}".utf8).write(to: folder.appending(path: "dygraph.min.css"))
        try await PageWorld.with {
            $0.dygraphs = folder.path
        } _: { world in
            #expect(world.page.hasDygraphs)
            let servedScript = try await world.response("/dygraph.min.js")
            #expect(servedScript.body == "var Dygraph;")
            let servedStyle = try await world.response("/dygraph.min.css")
            #expect(servedStyle.body == ".dygraph{}")
            let servedPage = try await world.response("/")
            #expect(servedPage.body.contains("/dygraph.min.js"))
        }
        try await PageWorld.with {
            $0.dygraphs = "/nowhere"
        } _: {
            #expect(!$0.page.hasDygraphs)
        }
    }

    @Test("an invalid configuration of the page server is refused", arguments: [0, 1_024, -1])
    func configuration(viewers: Int) throws {
        let store = try TimeSeriesStore(source: PageSource(), step: .seconds(120))
        var configuration = SeriesPageServer.Configuration()
        configuration.maximumViewers = viewers
        #expect(throws: EmbeddedServerError.self) { try SeriesPageServer(store, configuration) }
    }
}
