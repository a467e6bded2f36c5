/// The script of a page: shows what the server sends, and lets dygraphs draw it where it is there.
enum PageScript {
    // Text is set as text and never as markup. dygraphs gets numbers alone: it takes titles and legends for markup.
    static let text = #"""
        "use strict";
        (() => {
          const main = document.querySelector("main");
          const element = (id) => document.getElementById(id);
          const unit = main.dataset.unit;
          const dark = matchMedia("(prefers-color-scheme: dark)");
          let range = main.dataset.range;
          let number = -1;
          let rows = [];
          let chart = null;
          let events = null;
          let delay = 2000;
          let loading = false;
          let again = false;

          const format = (options) => {
            try {
              return new Intl.DateTimeFormat("en-GB", { ...options, timeZone: main.dataset.zone });
            } catch {
              return new Intl.DateTimeFormat("en-GB", options);
            }
          };
          const time = format({ hour: "2-digit", minute: "2-digit" });
          const second = format({ hour: "2-digit", minute: "2-digit", second: "2-digit" });
          const day = format({ day: "numeric", month: "short" });
          const moment = format({ dateStyle: "medium", timeStyle: "medium" });
          const fields = format({
            year: "numeric", month: "numeric", day: "numeric", hour: "numeric", minute: "numeric", second: "numeric",
            hourCycle: "h23",
          });
          const minute = 60000;
          const steps = [
            ...[1, 2, 5, 10, 15, 30].map((count) => count * 1000),
            ...[1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720].map((count) => count * minute),
            ...[1, 2, 7, 14, 28, 56, 112, 224, 448].map((count) => count * 1440 * minute),
          ];

          // The milliseconds that the clocks of the zone are ahead of UTC.
          function offset(instant) {
            const of = {};
            for (const part of fields.formatToParts(instant)) of[part.type] = Number(part.value);
            const local = Date.UTC(of.year, of.month - 1, of.day, of.hour, of.minute, of.second);
            return local - Math.floor(instant / 1000) * 1000;
          }

          // The ticks at round times of the zone. dygraphs knows only UTC and the zone of the browser.
          function ticks(from, to, pixels) {
            const most = Math.max(1, Math.floor(pixels / 72));
            const step = steps.find((step) => (to - from) / step <= most) ?? steps[steps.length - 1];
            const ahead = offset(from);
            const found = [];
            for (let local = Math.ceil((from + ahead) / step) * step; found.length < 100; local += step) {
              // The clocks may change between the begin and the tick.
              const instant = local - offset(local - ahead);
              if (instant > to) break;
              if (instant < from) continue;
              const clock = (step < minute ? second : time).format(instant);
              const isDay = step >= 1440 * minute || (step >= minute && clock === "00:00");
              found.push({ v: instant, label: isDay ? day.format(instant) : clock });
            }
            return found;
          }

          function colours() {
            return dark.matches
              ? { colors: ["#6cb6ff"], axisLineColor: "#a3adb8", gridLineColor: "#313a44" }
              : { colors: ["#0a66c2"], axisLineColor: "#59636e", gridLineColor: "#dfe3e8" };
          }

          function showStatus(status) {
            element("value").textContent = status.value ?? "–";
            element("time").textContent = status.time ?? "";
            element("state").textContent = status.words;
            element("state").className = status.kind;
            element("error").textContent = status.error === null ? "" : `Last error: ${status.error}`;
          }

          function showPicture() {
            element("chart").hidden = true;
            element("picture").hidden = false;
            const address = `/chart.svg?range=${range}&number=${number}`;
            element("narrow").srcset = `${address}&size=narrow`;
            element("picture").src = address;
          }

          function showChart() {
            // dygraphs cannot draw nothing; the picture says so.
            if (typeof Dygraph === "undefined" || rows.length === 0) return showPicture();
            element("picture").hidden = true;
            element("chart").hidden = false;
            if (chart) return chart.updateOptions({ file: rows });
            // The legend is not shown, but would set styles that the page's policy refuses.
            Dygraph.PLUGINS = Dygraph.PLUGINS.filter((plugin) => plugin !== Dygraph.Plugins?.Legend);
            chart = new Dygraph(element("chart"), rows, {
              labels: ["time", "value"],
              legend: "never",
              strokeWidth: 2,
              drawGapEdgePoints: true,
              connectSeparatedPoints: false,
              includeZero: false,
              yRangePad: 12,
              axes: { x: { ticker: ticks } },
              highlightCallback: (event, x, points) => {
                const value = points.length > 0 ? points[0].yval : NaN;
                const text = Number.isNaN(value) ? "" : `: ${Number(value.toPrecision(6))}${unit === "" ? "" : ` ${unit}`}`;
                element("point").textContent = moment.format(new Date(x)) + text;
              },
              unhighlightCallback: showHint,
              ...colours(),
            });
            showHint();
          }

          function showHint() {
            element("point").textContent = matchMedia("(pointer: coarse)").matches
              ? "Pinch to zoom, drag to pan, double-tap for the whole range."
              : "Drag to zoom, hold shift to pan, double-click for the whole range.";
          }

          function show(document) {
            if (document.range !== range) return;
            number = document.number;
            rows = document.points.map(([milliseconds, value]) => [new Date(milliseconds), value]);
            showStatus(document.status);
            showChart();
          }

          // One request at a time: a change that comes meanwhile asks once more.
          async function load() {
            if (loading) {
              again = true;
              return;
            }
            loading = true;
            try {
              do {
                again = false;
                const response = await fetch(`/data.json?range=${range}`);
                if (response.ok) show(await response.json());
              } while (again);
            } catch {
              // The connection of the events tells that the server is gone, and loads again.
            } finally {
              loading = false;
            }
          }

          function listen() {
            events = new EventSource(`/events?range=${range}`);
            events.addEventListener("snapshot", (event) => show(JSON.parse(event.data)));
            events.addEventListener("changes", load);
            events.addEventListener("state", (event) => showStatus(JSON.parse(event.data)));
            events.onopen = () => {
              delay = 2000;
              if (element("state").classList.contains("disconnected")) load();
            };
            events.onerror = () => {
              element("state").textContent = "Disconnected: the server of this page does not respond. Trying again.";
              element("state").className = "disconnected";
              element("error").textContent = "";
              // A response that is no stream ends the attempts of the browser.
              if (events.readyState !== EventSource.CLOSED) return;
              setTimeout(listen, delay);
              delay = Math.min(delay * 2, 60000);
            };
          }

          document.querySelector("nav").addEventListener("click", (event) => {
            const link = event.target.closest("a");
            if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
            event.preventDefault();
            range = link.dataset.range;
            for (const other of document.querySelectorAll("nav a")) other.removeAttribute("aria-current");
            link.setAttribute("aria-current", "true");
            history.replaceState(null, "", link.getAttribute("href"));
            if (chart) {
              chart.destroy();
              chart = null;
            }
            load();
          });
          dark.addEventListener("change", () => chart && chart.updateOptions(colours()));
          listen();
        })();

        """#
}
