/// The style sheet of `report.html`: light and dark, from a phone's width to paper.
enum HTMLStyle {
    static let css: HTMLText = """
        :root { color-scheme: light dark; --bg: #fff; --panel: #f6f7f9; --line: #d9dee4; --text: #1b2027;
          --quiet: #59626d; --good: #17703a; --bad: #b91f2b; --open: #855600; --good-bg: #e7f5ec; --bad-bg: #fcebec;
          --open-bg: #fdf3dc; --link: #0b5cad; --mono: ui-monospace, "SF Mono", Menlo, Consolas, "Liberation Mono", monospace; }
        @media (prefers-color-scheme: dark) {
          :root { --bg: #10141a; --panel: #181d25; --line: #2e3641; --text: #e4e9ef; --quiet: #9da8b5; --good: #5fd08a;
            --bad: #ff8b86; --open: #e8bc5a; --good-bg: #12301f; --bad-bg: #3b171b; --open-bg: #33280f; --link: #7db8ff; } }
        * { box-sizing: border-box; }
        body { margin: 0 auto; max-width: 76rem; padding: 2rem 1.5rem 4rem; background: var(--bg); color: var(--text);
          font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
          overflow-wrap: anywhere; }
        h1, h2, h3, p, dl, dd, ul { margin: 0; }
        h2 { margin: 2.75rem 0 .9rem; font-size: 1.15rem; letter-spacing: -.005em; }
        a { color: var(--link); text-underline-offset: .15em; }
        a:focus-visible, .scroll:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; border-radius: 3px; }
        code, .name { font-family: var(--mono); font-size: .9em; }
        small, .facts, .quiet { color: var(--quiet); font-size: .875rem; }
        .good { --tone: var(--good); --tint: var(--good-bg); }
        .bad { --tone: var(--bad); --tint: var(--bad-bg); }
        .open { --tone: var(--open); --tint: var(--open-bg); }

        .banner { --tone: var(--bad); --tint: var(--bad-bg); padding: 1.4rem 1.6rem 1.5rem; border-radius: .75rem;
          border-left: .4rem solid var(--tone); background: var(--tint); }
        .banner.pass { --tone: var(--good); --tint: var(--good-bg); }
        .banner.inconclusive { --tone: var(--open); --tint: var(--open-bg); }
        .product { font-weight: 650; font-size: .9rem; }
        .product span { color: var(--quiet); font-weight: 400; }
        h1 { margin: .3rem 0 1.1rem; font-size: 1.35rem; font-weight: 500; line-height: 1.35; }
        h1 strong { display: block; color: var(--tone); font-size: 2.3rem; font-weight: 700; line-height: 1.2;
          letter-spacing: -.02em; }
        .banner dl { display: flex; flex-wrap: wrap; gap: .5rem 2.2rem; }
        dt { color: var(--quiet); font-size: .8rem; }
        .banner dd { font-variant-numeric: tabular-nums; }

        table { border-collapse: collapse; width: 100%; }
        th { text-align: left; }
        thead th { color: var(--quiet); font-size: .8rem; font-weight: 600; padding: 0 1rem .5rem 0;
          white-space: nowrap; }
        td, tbody th { border-top: 1px solid var(--line); padding: .8rem 1rem .8rem 0; vertical-align: top; }
        tbody tr:last-child > * { border-bottom: 1px solid var(--line); }
        .verdicts td:first-child { white-space: nowrap; overflow-wrap: normal; }
        .verdicts tbody th { font: 500 .95rem/1.6 var(--mono); min-width: 13rem; }
        .label { display: none; }
        .badge { display: inline-block; padding: .08rem .6rem .12rem; border-radius: 1rem; background: var(--tint);
          color: var(--tone); font: 600 .85rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
          white-space: nowrap; }
        .missing { margin-top: .4rem; color: var(--open); font-size: .9rem; }
        .host .missing { margin-top: 0; }
        .missing code { background: var(--open-bg); border-radius: .25rem; padding: .05rem .35rem; }

        .steps, .findings { list-style: none; padding: 0; display: grid; gap: .6rem; }
        .steps li, .findings li { background: var(--panel); border-radius: .5rem; padding: .7rem 1rem; }
        .steps .topic { font-weight: 650; }
        .findings li { border-left: .25rem solid var(--quiet); }
        .findings .error { border-color: var(--bad); }
        .findings .error strong { color: var(--bad); }
        .findings .waived { opacity: .8; }
        .findings .warning { border-color: var(--open); }
        .findings .warning strong { color: var(--open); }
        .findings code { color: var(--quiet); }

        .host { border: 1px solid var(--line); border-left: .25rem solid var(--tone); border-radius: .5rem;
          padding: 1.1rem 1.3rem; margin-bottom: 1.1rem; display: grid; gap: .85rem; }
        .host > * { min-width: 0; }
        h3 { font-size: 1.05rem; line-height: 1.5; }
        h3 .name { font-size: 1rem; margin-right: .5rem; }
        h3 small { font-weight: 400; }
        .limits { padding-left: 1.2rem; color: var(--quiet); font-size: .925rem; display: grid; gap: .25rem; }
        .scroll { overflow-x: auto; }
        .matrix { font-size: .875rem; font-variant-numeric: tabular-nums; overflow-wrap: normal; }
        .matrix td, .matrix tbody th { padding: .45rem .8rem .45rem 0; }
        .matrix thead th { padding: 0 .8rem .35rem 0; font-size: .775rem; vertical-align: bottom; }
        .matrix .n { text-align: right; }
        .matrix tbody th { font-weight: 400; min-width: 14rem; }
        .matrix tbody th code { font-weight: 600; }
        .matrix tbody th small { display: block; font-size: .8rem; line-height: 1.4; }
        .matrix .alerts { min-width: 10.5rem; }
        .matrix .quiet { text-align: left; padding-left: 1.5rem; }
        .matrix .bad, .matrix .good { color: var(--tone); font-weight: 700; background: var(--tint); }

        .legend, footer dl { display: grid; gap: .45rem; }
        .legend div, footer dl div { display: grid; grid-template-columns: 11rem 1fr; gap: 1rem; }
        .legend dt, footer dt { font-size: .9rem; }
        .legend dt { font-family: var(--mono); color: var(--text); }
        .legend dd, footer dd { font-size: .925rem; }

        @media (max-width: 44rem) {
          body { padding: .9rem .9rem 3rem; }
          .banner { padding: 1.1rem 1.2rem; }
          .verdicts, .verdicts tbody, .verdicts tr, .verdicts td, .verdicts tbody th { display: block; }
          .verdicts thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
          .verdicts tr { border-top: 1px solid var(--line); padding: .8rem 0; display: grid; gap: .3rem; }
          .verdicts td, .verdicts tbody th, .verdicts tbody tr:last-child > * { border: 0; padding: 0; }
          .verdicts tbody th { order: -1; min-width: 0; }
          .label { display: inline; color: var(--quiet); }
          .host { padding: .9rem 1rem; }
          .legend div, footer dl div { grid-template-columns: 1fr; gap: 0; }
        }
        @media print {
          :root { --bg: #fff; --panel: #fff; --text: #000; --quiet: #444; --line: #bbb; --good: #0d5228; --bad: #951722;
            --open: #664200; --good-bg: #fff; --bad-bg: #fff; --open-bg: #fff; --link: #000; }
          body { max-width: none; padding: 0; font-size: 10pt; }
          a { text-decoration: none; }
          .banner, .badge, .steps li, .findings li { border: 1px solid var(--line); }
          .banner { border-left: .4rem solid var(--tone); }
          .host, .steps li, tr { break-inside: avoid; }
          h2, h3 { break-after: avoid; }
          .scroll { overflow: visible; }
        }
        """
}
