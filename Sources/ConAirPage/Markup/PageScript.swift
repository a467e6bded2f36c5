/// The script of a page. It shows the data sent by the server, and draws it with dygraphs if that is available.
enum PageScript {
    // Text is set as text, never as markup. dygraphs only receives numbers, because it treats titles and legends as
    // markup.
    static let text = #"""
        "use strict";
        (() => {
          const main = document.querySelector("main");
          const element = (id) => document.getElementById(id);
          const unit = main.dataset.unit;
          const dark = matchMedia("(prefers-color-scheme: dark)");
          let range = main.dataset.range;
          let number = -1;
          let end = 0;
          let received = 0;
          let rows = [];
          let digits = { last: 0, fixed: true };
          let chart = null;
          let events = null;
          let delay = 2000;
          let loading = false;
          let again = false;
          let retry = null;
          let retryDelay = 2000;

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
          const year = format({ month: "short", year: "numeric" });
          const clock = format({
            hourCycle: "h23", year: "numeric", month: "numeric", day: "numeric", hour: "numeric", minute: "numeric",
            second: "numeric",
          });
          const steps = [
            1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400, 172800, 604800,
            1209600,
          ];
          const moment = format({ dateStyle: "medium", timeStyle: "medium" });

          // The time on clocks of the zone, in milliseconds as if it were UTC, minus the time.
          function offset(milliseconds) {
            const parts = {};
            for (const part of clock.formatToParts(new Date(milliseconds))) parts[part.type] = Number(part.value);
            const local = Date.UTC(parts.year, parts.month - 1, parts.day, parts.hour, parts.minute, parts.second);
            return local - Math.floor(milliseconds / 1000) * 1000;
          }

          // The times that clocks of the zone show as round, with at least a distance between them.
          function localTimes(first, last, least) {
            const times = [];
            const step = steps.find((step) => step * 1000 >= least);
            if (step) {
              const length = step * 1000;
              // Weeks begin on Mondays: 1970-01-05 was one.
              const shift = step % 604800 === 0 ? 345600000 : 0;
              let time = Math.ceil((first - shift) / length) * length + shift;
              for (; time <= last; time += length) times.push(time);
              return times;
            }
            const count = [1, 2, 3, 6].find((months) => months * 2629746000 >= least);
            const months = count ?? 12 * Math.ceil(least / 31556952000);
            const begin = new Date(first);
            let month = begin.getUTCFullYear() * 12 + begin.getUTCMonth();
            for (month -= month % months; ; month += months) {
              const time = Date.UTC(Math.floor(month / 12), month % 12, 1);
              if (time > last) return times;
              times.push(time);
            }
          }

          // dygraphs places its own ticks by the browser's zone. The labels are those of the page's.
          function ticks(first, last, pixels) {
            const least = (last - first) / Math.max(pixels / 80, 2);
            const [start, end] = [offset(first), offset(last)];
            const shown = [];
            for (const local of localTimes(first + Math.min(start, end), last + Math.max(start, end), least)) {
              let time = local - offset(local - start);
              time = local - offset(time);
              const previous = shown.length > 0 ? shown[shown.length - 1].v : -Infinity;
              if (time < first || time > last || time <= previous) continue;
              shown.push({ v: time, label: label(new Date(time), last - first) });
            }
            return shown;
          }

          function label(date, width) {
            if (width < 300000) return second.format(date);
            const text = time.format(date);
            if (width > 63072000000) return year.format(date);
            return width > 172800000 || text === "00:00" ? day.format(date) : text;
          }

          function colours() {
            return dark.matches
              ? { colors: ["#6cb6ff"], axisLineColor: "#a3adb8", gridLineColor: "#313a44" }
              : { colors: ["#0a66c2"], axisLineColor: "#59636e", gridLineColor: "#dfe3e8" };
          }

          function showNewest(newest) {
            element("value").textContent = newest.value ?? "–";
            element("time").textContent = newest.time ?? "";
          }

          // A number with the digits of the chart's words.
          function numberText(value, last, fixed) {
            if (fixed) {
              const text = value.toFixed(Math.min(Math.max(-last, 0), 100));
              return Number(text) === 0 ? text.replace("-", "") : text;
            }
            if (value === 0) return "0";
            const count = Math.floor(Math.log10(Math.abs(value))) - last;
            return value.toExponential(Math.min(Math.max(count, 0), 16)).replace("e+", "e");
          }

          // Ticks of an axis, which has more digits the closer the reader looks.
          function tickText(value, [low, high]) {
            return numberText(value, Math.floor(Math.log10((high - low) / 10 * (1 + 1e-9))), digits.fixed);
          }

          function showStatus(status) {
            element("state").textContent = status.words;
            element("state").className = status.kind;
            element("error").textContent = status.error === null ? "" : `Last error: ${status.error}`;
          }

          function showPicture() {
            element("chart").hidden = true;
            element("picture").hidden = false;
            // The end of the window, because a picture with the same address is not loaded again.
            const address = `/chart.svg?range=${range}&number=${number}&end=${Math.floor(end / 1000)}`;
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
              axes: {
                x: { ticker: ticks },
                y: { axisLabelFormatter: (value, granularity, options, chart) => tickText(value, chart.yAxisRange()) },
              },
              highlightCallback: (event, x, points) => {
                const value = points.length > 0 ? points[0].yval : NaN;
                const text = Number.isNaN(value) ? "" : `: ${numberText(value, digits.last, digits.fixed)}${unit === "" ? "" : ` ${unit}`}`;
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

          // The rows of a chart that spans the whole window: a gap at its ends is shown, too. Values that differ by
          // rounding errors only become one, because dygraphs would stretch them over the whole height.
          function spanned(points, window, flat) {
            const only = flat ? points.find(([, value]) => value !== null)?.[1] : null;
            const rows = points.map(([milliseconds, value]) => [new Date(milliseconds), value === null ? null : only ?? value]);
            if (rows.length === 0) return rows;
            const [first, last] = window.map((milliseconds) => new Date(milliseconds));
            if (first < rows[0][0]) rows.unshift([first, null]);
            if (last > rows[rows.length - 1][0]) rows.push([last, null]);
            return rows;
          }

          function show(document, hasNewestStatus = true) {
            // Asked for before the reader chose another range.
            if (document.range !== range) return load();
            number = document.number;
            end = document.window[1];
            rows = spanned(document.points, document.window, document.digits.flat);
            digits = document.digits;
            showNewest(document.newest);
            if (hasNewestStatus) showStatus(document.status);
            showChart();
          }

          // One request at a time: a change that comes meanwhile asks once more.
          async function load() {
            if (loading) {
              again = true;
              return;
            }
            loading = true;
            clearTimeout(retry);
            try {
              do {
                again = false;
                const before = received;
                const response = await fetch(`/data.json?range=${range}`);
                if (!response.ok) throw new Error(`status ${response.status}`);
                const document = await response.json();
                // A state that came meanwhile is newer than that of the response.
                show(document, received === before);
              } while (again);
              retryDelay = 2000;
            } catch {
              // No other event may come that shows the change.
              retry = setTimeout(load, retryDelay);
              retryDelay = Math.min(retryDelay * 2, 60000);
            } finally {
              loading = false;
            }
          }

          function listen() {
            events = new EventSource(`/events?range=${range}`);
            events.addEventListener("snapshot", (event) => {
              received += 1;
              // The points of a response on its way may be older.
              if (loading) again = true;
              show(JSON.parse(event.data));
            });
            events.addEventListener("changes", load);
            events.addEventListener("state", (event) => {
              received += 1;
              showStatus(JSON.parse(event.data));
            });
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
          // The window moves on with the time, also without new points.
          setInterval(load, 60000);
          listen();
        })();

        """#
}
