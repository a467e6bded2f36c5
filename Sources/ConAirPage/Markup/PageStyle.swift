/// The style sheet and the icon of a page.
enum PageStyle {
    /// The style sheet, light or dark according to the reader's preference, without horizontal scrolling on narrow
    /// screens.
    static let text = """
        :root {
          color-scheme: light dark;
          --paper: #fff; --text: #1b1f24; --quiet: #59636e; --line: #0a66c2; --grid: #dfe3e8; --bad: #b3261e; --warn: #8a5a00;
        }
        @media (prefers-color-scheme: dark) {
          :root {
            --paper: #14181d; --text: #e8ecf1; --quiet: #a3adb8; --line: #6cb6ff; --grid: #313a44; --bad: #ff8f86;
            --warn: #f0c36b;
          }
        }
        * { box-sizing: border-box; }
        body { margin: 0; background: var(--paper); color: var(--text); font: 16px/1.4 system-ui, sans-serif; }
        main { max-width: 60rem; margin: 0 auto; padding: 1rem; overflow-wrap: anywhere; }
        h1 { font-size: 1.25rem; margin: 0 0 .5rem; }
        p { margin: 0 0 .5rem; }
        #value { font-size: clamp(2.5rem, 14vw, 5rem); line-height: 1.1; font-weight: 600; font-variant-numeric: tabular-nums; }
        #time { font-size: clamp(1.25rem, 5vw, 2rem); color: var(--quiet); }
        #state.stale, #state.stopped { color: var(--warn); font-weight: 600; }
        #state.failing, #state.disconnected { color: var(--bad); font-weight: 600; }
        #error { font-size: .9rem; color: var(--quiet); }
        #error:empty { display: none; }
        nav { display: flex; flex-wrap: wrap; gap: .5rem; margin: 1rem 0; }
        nav a { padding: .4rem .9rem; border: 1px solid var(--grid); border-radius: .4rem; color: var(--line); }
        nav a { text-decoration: none; }
        nav a[aria-current] { background: var(--line); border-color: var(--line); color: var(--paper); }
        figure { margin: 0; }
        #chart { width: 100%; height: 22rem; }
        #picture { display: block; width: 100%; height: auto; }
        #chart[hidden], #picture[hidden] { display: none; }
        #chart .dygraph-axis-label { color: var(--quiet); white-space: nowrap; }
        #point { min-height: 1.4em; margin: .5rem 0 .25rem; font-size: .9rem; color: var(--quiet); }
        .zone { font-size: .9rem; color: var(--quiet); }

        """

    /// The icon: a rising and falling line.
    static let icon = """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path d="M1 11 5 6l4 4 6-7" fill="none" \
        stroke="#0a66c2" stroke-width="2"/></svg>

        """
}
