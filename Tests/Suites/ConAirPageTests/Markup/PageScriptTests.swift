import Foundation
import Testing

@testable import ConAirPage

/// The script of the page in Node.js with a document of stubs; `make test-browser` runs it in a browser.
@Suite("ConAirPage script", .timeLimit(.minutes(5)))
struct ConAirPageScriptTests {
    static let node = ["/usr/bin/node", "/usr/local/bin/node", "/opt/homebrew/bin/node"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    /// Stubs of all that the page uses. `page` starts it in a zone.
    private static let harness = #"""
        const settle = () => new Promise((resolve) => setImmediate(resolve));
        function page(zone) {
          const state = { fetches: [], timers: [], intervals: [], listeners: {}, fails: false };
          const elements = {};
          const stub = (id) => elements[id] ??= {
            classList: { contains: () => false }, setAttribute() {}, removeAttribute() {},
          };
          const answer = (range) => ({
            range, number: 1, window: [0, 1], points: [[0, 1]], digits: { last: -2, fixed: true },
            newest: { value: "1.00", time: "now" }, status: { words: "answered", kind: "current" },
          });
          const globals = {
            document: {
              getElementById: stub,
              querySelectorAll: () => [],
              querySelector: (name) => name === "main"
                ? { dataset: { unit: "", range: "day", zone } }
                : { addEventListener: (event, handler) => state.listeners[event] = handler },
            },
            matchMedia: () => ({ matches: false, addEventListener() {} }),
            history: { replaceState() {} },
            setTimeout: (handler) => state.timers.push(handler),
            clearTimeout() {},
            setInterval: (handler) => state.intervals.push(handler),
            EventSource: class { addEventListener(name, handler) { state.listeners[name] = handler; } },
            Dygraph: class {
              static PLUGINS = [];
              constructor(element, rows, options) { [state.rows, state.ticker] = [rows, options.axes.x.ticker];
                [state.axis, state.hover] = [options.axes.y.axisLabelFormatter, options.highlightCallback];
              }
              updateOptions({ file }) { state.rows = file ?? state.rows; }
              destroy() {}
            },
            fetch: async (url) => {
              state.fetches.push(url);
              if (state.fails) throw new Error();
              return { ok: true, json: async () => answer(url.split("=")[1]) };
            },
          };
          new Function(...Object.keys(globals), script)(...Object.values(globals));
          state.push = (range) => state.listeners.snapshot({ data: JSON.stringify(answer(range)) });
          state.choose = (range) => state.listeners.click({
            preventDefault() {},
            target: { closest: () => ({ ...stub("link"), dataset: { range }, getAttribute: () => "" }) },
          });
          state.ticks = (from, to, pixels) => state.ticker(Date.parse(from), Date.parse(to), pixels)
            .map((tick) => `${new Date(tick.v).toISOString().slice(5, 16)} ${tick.label}`).join(", ");
          state.show = (window, points) => {
            const more = { digits: { last: 0, fixed: true }, newest: {}, status: {} };
            const document = { range: "day", number: 7, window, points, ...more };
            state.listeners.snapshot({ data: JSON.stringify(document) });
          };
          state.elements = elements;
          return state;
        }
        """#

    /// Runs a program and returns the lines that it prints.
    private func printed(_ program: String) throws -> [String] {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: try #require(Self.node))
        // A browser in another zone than that of the page.
        process.environment = ["TZ": "Asia/Tokyo"]
        let (input, output) = (Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        let script = String(decoding: try JSONEncoder().encode(PageScript.text), as: UTF8.self)
        let text = "const script = \(script);\n\(Self.harness)\n(async () => {\n\(program)\n})();\n"
        try input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
        try input.fileHandleForWriting.close()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    @Test(
        "the script loads the chart for a snapshot of another range, and again after a failure",
        .enabled(if: node != nil, "Node.js is not installed")
    )
    func loading() throws {
        let lines = try printed(
            """
            const state = page("UTC");
            state.push("day");
            await settle();
            console.log(state.fetches.length);
            state.choose("week");
            await settle();
            state.push("day");
            await settle();
            console.log(state.fetches.join(" "));
            state.fails = true;
            state.listeners.changes();
            await settle();
            state.fails = false;
            console.log(state.fetches.length, state.timers.length);
            state.timers[0]();
            await settle();
            console.log(state.fetches.length, state.timers.length);
            """
        )
        #expect(lines == ["0", "/data.json?range=week /data.json?range=week", "3 1", "4 1"])
    }

    @Test("the script updates both pictures", .enabled(if: node != nil, "Node.js is not installed"))
    func pictures() throws {
        let lines = try printed(
            """
            const state = page("UTC");
            state.show([0, 86400000.001], []);
            console.log(state.elements.picture.src);
            console.log(state.elements.narrow.srcset);
            """
        )
        let address = "/chart.svg?range=day&number=7&end=86400"
        #expect(lines == [address, "\(address)&size=narrow"])
    }

    @Test(
        "spans the whole window, so that a gap at its end is shown",
        .enabled(if: node != nil, "Node.js is not installed")
    )
    func edges() throws {
        let lines = try printed(
            """
            const state = page("UTC");
            const print = () => console.log(JSON.stringify(state.rows.map(([time, value]) => [time.getTime(), value])));
            state.show([0, 9000.001], [[1000, 1], [4000.5, null], [5000, 2]]);
            print();
            state.show([1000, 5000.001], [[1000, 1], [5000, 2]]);
            print();
            state.show([999, 5001], [[1000.25, 1]]);
            print();
            """
        )
        #expect(
            lines == [
                "[[0,null],[1000,1],[4000,null],[5000,2],[9000,null]]", "[[1000,1],[5000,2]]",
                "[[999,null],[1000,1],[5001,null]]",
            ]
        )
    }

    @Test(
        "keeps a state that is newer than that of a response, and loads again after a newer snapshot",
        .enabled(if: node != nil, "Node.js is not installed")
    )
    func order() throws {
        let lines = try printed(
            """
            const state = page("UTC");
            const tell = (words) => state.listeners.state({ data: JSON.stringify({ words, kind: "stale", error: null }) });
            state.listeners.changes();
            tell("newer");
            await settle();
            console.log(state.elements.state.textContent, state.elements.value.textContent);
            state.listeners.changes();
            await settle();
            console.log(state.elements.state.textContent, state.fetches.length);
            state.listeners.changes();
            state.push("day");
            await settle();
            console.log(state.fetches.length);
            """
        )
        #expect(lines == ["newer 1.00", "answered 2", "4"])
    }

    @Test(
        "the script shows numbers with the digits of the chart's words",
        .enabled(if: node != nil, "Node.js is not installed")
    )
    func digits() throws {
        let lines = try printed(
            """
            const state = page("UTC");
            const hover = (value, last, fixed) => {
              const document = { range: "day", number: 1, window: [0, 1], points: [[0, value]], newest: {}, status: {} };
              state.listeners.snapshot({ data: JSON.stringify({ ...document, digits: { last, fixed } }) });
              state.hover(null, 0, [{ yval: value }]);
              return state.elements.point.textContent.split(": ")[1];
            };
            console.log(hover(1013.246, -4, true), hover(0.0005, -5, true), hover(512.4, 1, true), hover(-0.001, -2, true));
            console.log(hover(1.5e300, 298, false), hover(1e-9, -11, false), hover(0, -11, false));
            const axis = (value, low, high) => state.axis(value, 0, null, { yAxisRange: () => [low, high] });
            hover(1, -2, true);
            console.log(axis(20, 15, 25), axis(21.5, 21, 22), axis(1013.248, 1013.245, 1013.255), axis(0.5, 0, 1));
            """
        )
        #expect(
            lines == [
                "1013.2460 0.00050 512 0.00", "1.50e300 1.00e-9 0", "20 21.5 1013.248 0.5",
            ]
        )
    }

    @Test(
        "the script draws values that differ by rounding errors only as one value",
        .enabled(if: node != nil, "Node.js is not installed")
    )
    func flat() throws {
        let lines = try printed(
            """
            const state = page("UTC");
            const values = (flat) => {
              const points = [[0, 0.3], [1, null], [2, 0.1 + 0.2]];
              const document = { range: "day", number: 1, window: [0, 3], points, newest: {}, status: {} };
              state.listeners.snapshot({ data: JSON.stringify({ ...document, digits: { last: -3, fixed: true, flat } }) });
              return state.rows.map((row) => `${row[1]}`).join(" ");
            };
            console.log(values(false));
            console.log(values(true));
            """
        )
        #expect(lines == ["0.3 null 0.30000000000000004 null", "0.3 null 0.3 null"])
    }

    @Test("loads the chart each minute, also without new points", .enabled(if: node != nil, "Node.js is not installed"))
    func refresh() throws {
        let lines = try printed(
            """
            const state = page("UTC");
            for (const handler of state.intervals) handler();
            await settle();
            console.log(state.fetches.join(" "));
            """
        )
        #expect(lines == ["/data.json?range=day"])
    }

    @Test(
        "the script places ticks by the page's time zone, and not the browser's",
        .enabled(if: node != nil, "Node.js is not installed")
    )
    func ticks() throws {
        let lines = try printed(
            """
            const state = page("Europe/Vienna");
            state.push("day");
            console.log(state.ticks("2026-10-24T22:00Z", "2026-10-25T22:59Z", 640));
            console.log(state.ticks("2026-03-28T23:00Z", "2026-03-29T03:00Z", 400));
            console.log(state.ticks("2026-03-02T00:00Z", "2026-03-25T00:00Z", 400));
            console.log(state.ticks("2025-11-15T00:00Z", "2026-03-15T00:00Z", 400));
            """
        )
        #expect(
            lines == [
                "10-24T22:00 25 Oct, 10-25T05:00 06:00, 10-25T11:00 12:00, 10-25T17:00 18:00",
                "03-28T23:00 29 Mar, 03-29T00:00 01:00, 03-29T01:00 03:00, 03-29T02:00 04:00, 03-29T03:00 05:00",
                "03-08T23:00 9 Mar, 03-15T23:00 16 Mar, 03-22T23:00 23 Mar",
                "11-30T23:00 1 Dec, 12-31T23:00 1 Jan, 01-31T23:00 1 Feb, 02-28T23:00 1 Mar",
            ]
        )
    }
}
