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

          function label(date, granularity, options) {
            const span = chart ? chart.xAxisRange() : [0, 0];
            const width = span[1] - span[0];
            if (width < 300000) return second.format(date);
            const clock = time.format(date);
            return width > 172800000 || clock === "00:00" ? day.format(date) : clock;
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
          }

          function showPicture() {
            element("chart").hidden = true;
            element("picture").hidden = false;
            element("picture").src = `/chart.svg?range=${range}&number=${number}`;
          }

          function showChart() {
            // dygraphs cannot draw nothing; the picture says so.
            if (typeof Dygraph === "undefined" || rows.length === 0) return showPicture();
            element("picture").hidden = true;
            element("chart").hidden = false;
            if (chart) return chart.updateOptions({ file: rows });
            chart = new Dygraph(element("chart"), rows, {
              labels: ["time", "value"],
              legend: "never",
              strokeWidth: 2,
              drawGapEdgePoints: true,
              connectSeparatedPoints: false,
              includeZero: false,
              yRangePad: 12,
              axes: { x: { axisLabelFormatter: label } },
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
            element("point").textContent = "Drag to zoom, hold shift to pan, double-click for the whole range.";
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
