import AppNet
import Foundation
import HeliumKit
import HeliumTesting
import Testing

/// The samples of the articles on calls, lists, files and signing in, run.
@Suite("Samples: App.net", .timeLimit(.minutes(5)))
struct ArticleTests {
    private func print(_ items: Any...) {}

    private func message(_ id: Int) -> String { #"{"id":"\#(id)","text":"x"}"# }

    @Test("sample of the article on App.net: first steps")
    func overview() async throws {
        let transport = MockTransport()
        transport.on(.post, "/v1/channels") { _ in answer(#"{"id":"5"}"#, status: 201) }
        transport.on(.post, "/v1/channels/5/messages", times: .exactly(1)) { _ in answer("{}", status: 201) }
        transport.on(.get, "/v1/channels/5/messages") { _ in answer("[\(message(1))]") }
        func AppNetClient(configuration: AppNetConfiguration) throws -> AppNet.AppNetClient {
            try makeClient(transport, dialect: configuration.dialect)
        }
        let token = Secret("token")
        // sample
        let client = try AppNetClient(configuration: AppNetConfiguration(token: token, dialect: .pnut))
        let room = try await client.channels.create(
            AppNetChannel(type: "com.example.room", writers: ChannelAccess.writers(.users(["@bob"])))
        )
        guard let id = room.id else { return }
        _ = try await client.messages.create(Message(text: "Tea is ready"), in: id)
        for try await message in client.messages.list(in: id) {
            print(message.user?.username ?? "somebody", message.text ?? "")
        }
        // end of sample
        try transport.verify()
    }

    @Test("sample of the article on App.net: lists")
    func lists() async throws {
        let marker = #""more":false,"min_id":"1","max_id":"2","marker":{"name":"channel:5"}"#
        let transport = MockTransport { request in
            request.method == .post ? answer("{}") : answer("[\(message(2)),\(message(1))]", meta: marker)
        }
        let client = try makeClient(transport)
        let channel: AppNetChannel.ID = 5
        // sample
        let list = client.messages.list(in: channel)
        let newest = try await list.page(.newest(50))
        for try await message in list.before(newest.older?.before) {
            print(message.text ?? "")
        }
        // end of sample
        try await meanwhile(list)
        // sample
        for try await message in list.after(.lastRead) {
            print("unread:", message.text ?? "")
        }
        if let name = newest.marker?.name, let id = newest.elements.first?.id {
            try await client.streamMarkers.update(StreamMarker(name: name, id: .init(id.text), percentage: 0))
        }
        // end of sample
        let last = try #require(transport.requests.last)
        #expect(last.method == .post && last.bodyText.contains("channel:5"))
        // sample
        for try await page in list.before().pages where !page.unreadable.isEmpty {
            print(page.unreadable)  // 1 unreadable: 1042
        }
        // end of sample
    }

    private func meanwhile(_ list: PagedList<Message>) async throws {
        // sample
        var newest: ListPosition?
        for try await page in list.before(pageSize: 100).pages {
            if newest == nil { newest = page.meta.maxID.map { ListPosition($0) } }
            for message in page.elements { print(message.text ?? "") }
        }
        for try await message in list.after(newest) {
            print("meanwhile:", message.text ?? "")
        }
        // end of sample
        #expect(newest == "2")
    }

    @Test("sample of the article on App.net: files")
    func files() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("photo.png").path
        let target = folder.appendingPathComponent("copy.png").path
        try Data("picture".utf8).write(to: URL(fileURLWithPath: path))
        let transport = MockTransport()
        transport.on(.post, "/stream/0/files", times: .exactly(2)) { _ in answer(#"{"id":"3","file_token":"opaque"}"#) }
        transport.on(.put, "/stream/0/files/3/content", times: .exactly(1)) { _ in .empty() }
        transport.on(.get, "/stream/0/files/3/content", times: .exactly(2)) { _ in .data(Data("picture".utf8)) }
        let client = try makeClient(transport)
        // sample
        let photo = File(type: "com.example.photo", isPublic: true)
        let file = try await client.files.create(photo, content: .file(atPath: path)) { progress in
            print(progress.fraction ?? 0)
        }
        // end of sample
        #expect(file.id == 3)
        let scan = Data("scan".utf8)
        // sample
        let draft = try await client.files.create(File(type: "com.example.scan", name: "Scan 1"))
        guard let id = draft.id else { return }
        try await client.files.setContent(of: id, to: .data(scan, name: "scan.pdf"), token: draft.fileToken)
        // end of sample
        // sample
        let data = try await client.files.content(of: id)
        try await client.files.download(id, toPath: target, options: DownloadOptions())
        // end of sample
        #expect(try data == Data(contentsOf: URL(fileURLWithPath: target)))
        try transport.verify()
    }

    @Test("sample of the article on App.net: sign-in")
    func signingIn() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(Foundation.UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("tokens.json").path
        let (clientID, secret) = ("client-1", Secret("client-secret-1"))
        let transport = MockTransport()
        transport.on(.post, "/v1/oauth/access_token") { _ in .json(#"{"access_token":"tok-1","username":"alice"}"#) }
        transport.on(.get, "/stream/0/token") { _ in refusal(401, #""error_slug":"not-authorized""#) }
        func AppNetAuthenticator(
            clientID: String,
            clientSecret: Secret,
            dialect: AppNetDialect
        ) throws -> AppNet.AppNetAuthenticator {
            try AppNet.AppNetAuthenticator(
                clientID: clientID,
                clientSecret: clientSecret,
                dialect: dialect,
                environment: ClientEnvironment(transport: transport)
            )
        }
        let client = try makeClient(transport)
        let state = Foundation.UUID().uuidString
        func UUID() -> (uuidString: String, Void) { (state, ()) }
        let answer = try #require(URL(string: "https://example.com/signed-in?code=x&state=\(state)"))
        // sample
        let signIn = try WebSignIn(
            clientID: clientID,
            redirectURI: "https://example.com/signed-in",
            scopes: [.basic, .messages, .files],
            state: UUID().uuidString,
            dialect: .pnut
        )
        let page = try signIn.url()  // open it in a browser, which comes back to `answer`
        let authenticator = try AppNetAuthenticator(clientID: clientID, clientSecret: secret, dialect: .pnut)
        let grant = try await authenticator.exchange(code: signIn.code(from: answer), redirectURI: signIn.redirectURI)
        // end of sample
        #expect(page.host() == "pnut.io")
        let baseURL = try #require(AppNetDialect.pnut.baseURL)
        // sample
        let tokens = AccountTokens(in: FileTokenStore(at: path), service: baseURL)
        try await tokens.save(grant.accessToken, for: grant.username ?? "me")
        // end of sample
        #expect(try await tokens.token(for: "alice")?.value == "tok-1")
        // sample
        do {
            _ = try await client.token.current()
        } catch let error as AppNetError where error.needsSignIn {
            try await tokens.remove("alice")
        }
        // end of sample
        #expect(try await tokens.token(for: "alice") == nil)
    }
}
