internal import ConAir
internal import Foundation
package import GRDB
internal import HTTPTypes
internal import HeliumConcurrency
package import HeliumServerKit
internal import Synchronization

/// The routes of a page.
package final class PageService: ServerProtocol {
    package static let name = "page"
    /// An empty migrator, because a page stores nothing.
    package static var migrator: DatabaseMigrator { DatabaseMigrator() }
    package static var storedTables: [StoredTable] { [] }

    package let control: PageControl
    private let feed: PageFeed
    private let dygraphs: DygraphsFiles?
    private let host: String
    private let rule = Guarded<HostRule?>(nil)

    package init(_ configuration: PageSettings, _ environment: ServerEnvironment) throws {
        guard let page = configuration.page, let store = configuration.store else {
            throw EmbeddedServerError(.invalidConfiguration, "the page has no store: set one")
        }
        host = page.host
        dygraphs = page.dygraphs.flatMap { DygraphsFiles(folder: $0) }
        feed = PageFeed(
            store,
            texts: PageTexts(title: page.title, unit: page.unit, zone: page.zone),
            maximumViewers: page.maximumViewers,
            sharePerAddress: environment.limits.sharePerAddress,
            clock: page.clock,
            name: environment.random.hex(byteCount: 8)
        )
        control = PageControl(feed: feed, hasDygraphs: dygraphs != nil)
    }

    package func start(at address: ServerAddress) -> PageAddress? {
        rule.withLock { $0 = HostRule(host: host, boundAddress: address.boundAddress, port: address.port) }
        return URL(string: address.root + "/").map { PageAddress(url: $0) }
    }

    package func runInBackground() async { await feed.run() }

    package func handles(_ path: Substring) -> Bool { true }

    package func reply(to refusal: RequestRefusal, for request: ServerRequest) -> ServerReply {
        switch refusal {
        case .bodyTooLong: Self.failure(.contentTooLarge, "the body is too long")
        case .noRoom: Self.failure(.serviceUnavailable, "too many bodies are being received")
        }
    }

    package func admission(of head: ServerRequest, limits: ServerLimits) async -> BodyAdmission {
        .read(maximumBytes: 1024, isProved: false)
    }

    package func respond(to request: ServerRequest) async -> ServerReply {
        guard rule.withLock({ $0 })?.admits(request.host) == true else {
            return Self.failure(.misdirectedRequest, "this server does not serve the requested host")
        }
        guard request.method == .get || request.method == .head else {
            var reply = Self.failure(.methodNotAllowed, "the allowed methods are GET and HEAD")
            reply.fields[.allow] = "GET, HEAD"
            return reply
        }
        return PageHeaders.secure(response(to: request))
    }

    private func response(to request: ServerRequest) -> ServerReply {
        let range = PageRange(query: request.queryText)
        switch request.path {
        case "/": return page(range)
        case "/page.js": return Self.file(Array(PageScript.text.utf8), "text/javascript")
        case "/page.css": return Self.file(Array(PageStyle.text.utf8), "text/css")
        case "/icon.svg": return Self.picture(Array(PageStyle.icon.utf8))
        case "/chart.svg": return Self.picture(feed.charts.picture(range, PictureSize(query: request.queryText)))
        case "/data.json": return Self.file(feed.snapshot(range), "application/json")
        case "/events": return events(request, range)
        case "/dygraph.min.js":
            if let dygraphs { return Self.file(dygraphs.script, "text/javascript") }
        case "/dygraph.min.css":
            if let dygraphs { return Self.file(dygraphs.style, "text/css") }
        default: break
        }
        return Self.failure(.notFound, "there is nothing at this path")
    }

    private func page(_ range: PageRange) -> ServerReply {
        let shown = feed.charts.shown(range)
        let document = PageMarkup(
            texts: feed.texts,
            status: feed.status,
            newest: shown.newest,
            range: range,
            summary: shown.chart.summary,
            hasDygraphs: dygraphs != nil
        )
        return Self.file(Array(document.text.utf8), "text/html")
    }

    private func events(_ request: ServerRequest, _ range: PageRange) -> ServerReply {
        var reply = ServerReply(status: .ok)
        reply.fields[.contentType] = "text/event-stream"
        reply.fields[.cacheControl] = "no-store"
        // A stream without a body would never end.
        if request.method == .head { return reply }
        let client = AddressShare.client(of: request.address)
        guard let stream = feed.connect(range, after: request.fields[.lastEventID], of: client) else {
            var reply = Self.failure(.serviceUnavailable, "there are too many viewers")
            reply.fields[.retryAfter] = "30"
            return reply
        }
        reply.stream = stream
        return reply
    }
}

extension PageService {
    private static func file(_ bytes: [UInt8], _ type: String) -> ServerReply {
        var reply = ServerReply(status: .ok, body: bytes)
        reply.fields[.contentType] = "\(type); charset=utf-8"
        return reply
    }

    private static func picture(_ bytes: [UInt8]) -> ServerReply {
        var reply = file(bytes, "image/svg+xml")
        reply.fields[.contentSecurityPolicy] = PageHeaders.picturePolicy
        return reply
    }

    private static func failure(_ status: HTTPResponse.Status, _ text: String) -> ServerReply {
        PageHeaders.secure(.text(status, text + "\n", type: "text/plain; charset=utf-8"))
    }
}

/// The object through which a server accesses its page.
package struct PageControl: Sendable {
    let feed: PageFeed
    let hasDygraphs: Bool
}

/// The URL of a page.
package struct PageAddress: ReadyMember {
    let url: URL

    package var description: String { "a page at \(url.absoluteString)" }

    package var customMirror: Mirror { Mirror(self, children: ["url": url]) }
}
