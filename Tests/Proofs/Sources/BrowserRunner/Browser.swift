import Foundation
import HeliumJSON
import HeliumKit

/// A window of Chromium, driven through chromedriver (W3C WebDriver).
struct Browser: Sendable {
    struct Options: Sendable {
        /// A phone of 390 × 844 points with a touch screen, in place of a window of 1,000 × 960, its frame included.
        var isPhone = false
        var isDark = false
        /// Whether pages may run scripts. Those of a check run in any case.
        var runsScripts = true
    }

    /// The longest wait for something to be so.
    static let limit = Duration.seconds(20)

    /// Screenshots are longer than replies usually are.
    static let clientOptions = {
        var options = ClientOptions()
        options.timeouts.total = .seconds(60)
        options.timeouts.firstByte = .seconds(60)
        options.timeouts.idle = .seconds(60)
        options.limits.bodyBytes = 64 << 20
        return options
    }()

    private let place: BrowserPlace
    private let session: String

    /// Opens a window for the time of `body`.
    static func with(
        _ options: Options = Options(),
        _ place: BrowserPlace,
        _ body: (Browser) async throws -> Void
    ) async throws {
        let reply = try await place.helium.post("/session", body: options.capabilities, returning: Reply.self).value()
        guard let session = reply.value["sessionId"]?.stringValue else { throw BrowserFailure("no session: \(reply)") }
        let browser = Browser(place: place, session: "/session/\(session)")
        do {
            if options.isDark { try await browser.prefer("dark") }
            try await body(browser)
        } catch {
            await browser.close()
            throw error
        }
        await browser.close()
    }

    /// Closes the window, also when the check was cancelled: the next one needs the memory. What stays is ended by the script.
    private func close() async {
        await Task { [place, session] in try? await place.helium.delete(session).value() }.value
    }
}

// MARK: What a reader does

extension Browser {
    func open(_ url: URL) async throws { try await post("/url", ["url": .string(url.absoluteString)]) }

    /// Changes between `light` and `dark`.
    func prefer(_ scheme: String) async throws {
        let feature: JSONValue = ["name": "prefers-color-scheme", "value": .string(scheme)]
        try await post(
            "/goog/cdp/execute",
            ["cmd": "Emulation.setEmulatedMedia", "params": ["features": [feature]]]
        )
    }

    func click(_ selector: String) async throws {
        let centre = try await centre(of: selector)
        try await pointer([Self.move(centre.x, centre.y), Self.down, Self.up])
    }

    func doubleClick(_ selector: String) async throws {
        let centre = try await centre(of: selector)
        try await pointer([Self.move(centre.x, centre.y), Self.down, Self.up, Self.down, Self.up])
    }

    /// Points at the middle of an element.
    func hover(_ selector: String) async throws {
        let centre = try await centre(of: selector)
        try await pointer([Self.move(centre.x - 3, centre.y), Self.move(centre.x, centre.y)])
    }

    /// Drags from the middle of an element to the right.
    func drag(_ selector: String, by distance: Double, withShift: Bool = false) async throws {
        let centre = try await centre(of: selector)
        let steps = (1...4).map { Self.move(centre.x + distance * Double($0) / 4, centre.y) }
        try await pointer([Self.move(centre.x, centre.y), Self.down] + steps + [Self.up], withShift: withShift)
    }

    private static let down: JSONValue = ["type": "pointerDown", "button": 0]
    private static let up: JSONValue = ["type": "pointerUp", "button": 0]

    private static func move(_ x: Double, _ y: Double) -> JSONValue {
        let (x, y) = (JSONNumber(Int(x)), JSONNumber(Int(y)))
        return ["type": "pointerMove", "duration": 20, "x": .number(x), "y": .number(y)]
    }

    private func pointer(_ actions: [JSONValue], withShift: Bool = false) async throws {
        let pause: JSONValue = ["type": "pause"]
        let mouse: JSONValue = [
            "type": "pointer", "id": "mouse", "parameters": ["pointerType": "mouse"],
            "actions": .array([pause] + actions),
        ]
        // The actions of both devices happen in pairs. The key is down before the first one of the mouse.
        let shift = "\u{E008}"
        let pauses = Array(repeating: pause, count: actions.count)
        let down: JSONValue = ["type": "keyDown", "value": .string(shift)]
        let up: JSONValue = ["type": "keyUp", "value": .string(shift)]
        let keyboard: JSONValue = ["type": "key", "id": "keyboard", "actions": .array([down] + pauses + [up])]
        try await post("/actions", ["actions": .array(withShift ? [keyboard, mouse] : [mouse])])
    }

    private func centre(of selector: String) async throws -> (x: Double, y: Double) {
        let box = try await evaluate(
            """
            const element = document.querySelector(arguments[0]);
            element.scrollIntoView({ block: "center" });
            const box = element.getBoundingClientRect();
            return [box.x + box.width / 2, box.y + box.height / 2];
            """,
            [.string(selector)]
        )
        guard let x = box[0]?.doubleValue, let y = box[1]?.doubleValue else { throw BrowserFailure("no \(selector)") }
        return (x, y)
    }
}

// MARK: What a reader sees

extension Browser {
    /// The visible text of an element; empty if there is none.
    func text(_ selector: String) async throws -> String {
        let text = try await evaluate(
            "return document.querySelector(arguments[0])?.innerText ?? \"\";",
            [.string(selector)]
        )
        return text.stringValue ?? ""
    }

    /// Whether an element takes up room on the page.
    func shows(_ selector: String) async throws -> Bool {
        let script = """
            const box = document.querySelector(arguments[0])?.getBoundingClientRect();
            return box !== undefined && box.width > 0 && box.height > 0;
            """
        return try await evaluate(script, [.string(selector)]).boolValue ?? false
    }

    /// Runs the body of a function in the page, and gives what it returns.
    @discardableResult
    func evaluate(_ script: String, _ arguments: [JSONValue] = []) async throws -> JSONValue {
        try await post("/execute/sync", ["script": .string(script), "args": .array(arguments)])
    }

    /// Looks again and again until something is so.
    ///
    /// - Throws: ``BrowserFailure`` with what was seen last.
    func wait(
        for what: String,
        within limit: Duration = Browser.limit,
        seeing selector: String,
        _ condition: (String) -> Bool
    ) async throws {
        var seen = ""
        try await wait(within: limit) {
            seen = try await text(selector)
            return condition(seen)
        } otherwise: {
            "\(what) does not come within \(limit); \(selector) says \"\(seen)\""
        }
    }

    /// Looks again and again until `condition` is true. A page that is being loaded cannot be asked: its errors end nothing.
    func wait(
        within limit: Duration = Browser.limit,
        _ condition: () async throws -> Bool,
        otherwise: () -> String
    ) async throws {
        let end = ContinuousClock.now + limit
        var failure: (any Error)?
        repeat {
            do {
                if try await condition() { return }
                failure = nil
            } catch {
                failure = error
            }
            try await Task.sleep(for: .milliseconds(50))
        } while ContinuousClock.now < end
        throw BrowserFailure(otherwise() + (failure.map { "; \($0)" } ?? ""))
    }

    /// Keeps a picture of the window.
    func screenshot(_ name: String) async throws {
        let reply = try await place.helium.get("\(session)/screenshot", returning: Reply.self).value()
        guard let picture = reply.value.stringValue.flatMap({ Data(base64Encoded: $0) }), !picture.isEmpty else {
            throw BrowserFailure("no picture")
        }
        try FileManager.default.createDirectory(at: place.pictures, withIntermediateDirectories: true)
        try picture.write(to: place.pictures.appendingPathComponent("\(name).png"))
    }

    /// Returns the reports of the browser since the last call: errors of scripts, and requests that the page's policy
    /// blocked.
    func complaints() async throws -> [String] {
        let entries = try await post("/se/log", ["type": "browser"])
        return (entries.arrayValue ?? []).compactMap { $0["message"]?.stringValue }
    }
}

// MARK: The protocol

extension Browser {
    private struct Reply: Decodable, Sendable { let value: JSONValue }

    @discardableResult
    private func post(_ path: String, _ body: JSONValue) async throws -> JSONValue {
        try await place.helium.post(session + path, body: body, returning: Reply.self).value().value
    }
}

extension Browser.Options {
    /// The body of the request that opens a window.
    fileprivate var capabilities: JSONValue {
        var arguments: [JSONValue] = ["--headless=new", "--disable-dev-shm-usage", "--hide-scrollbars"]
        // The sandbox does not work for root.
        if geteuid() == 0 { arguments.append("--no-sandbox") }
        if !isPhone { arguments.append("--window-size=1000,960") }
        var chrome: JSONObject = ["args": .array(arguments)]
        if isPhone {
            let metrics: JSONValue = ["width": 390, "height": 844, "pixelRatio": 2, "touch": true, "mobile": true]
            chrome["mobileEmulation"] = ["deviceMetrics": metrics]
        }
        if !runsScripts { chrome["prefs"] = ["profile.managed_default_content_settings.javascript": 2] }
        let wanted: JSONValue = ["goog:chromeOptions": .object(chrome), "goog:loggingPrefs": ["browser": "ALL"]]
        return ["capabilities": ["alwaysMatch": wanted]]
    }
}
