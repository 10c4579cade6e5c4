/// The parts of the style sheet for the first two pages, evidence, chains and comparisons.
extension HTMLStyle {
    static let pages: HTMLText = """

        .page { display: grid; gap: .8rem; }
        .page > * { min-width: 0; }
        .page h2 { margin-bottom: 0; }
        .page h3 { margin-top: .7rem; font-size: 1rem; }
        .lead { font-size: 1.15rem; font-weight: 600; }
        .hosts { list-style: none; padding: 0; display: grid; gap: .5rem; }
        .todo { margin: 0; padding-left: 1.4rem; display: grid; gap: .4rem; }
        .page dl { display: grid; gap: .35rem; }
        .page dl div { display: grid; grid-template-columns: 9rem 1fr; gap: .2rem 1rem; }
        .page dt, .page dd { font-size: .9rem; line-height: 1.45; }
        .page dt code { color: var(--text); font-size: .95em; }
        .page .limits { font-size: .9rem; }

        details > summary { cursor: pointer; width: fit-content; }
        summary:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; border-radius: 3px; }
        .evidence > summary, .chain > summary { color: var(--quiet); font-size: .9rem; }
        .line { margin: .6rem 0 0; padding: .6rem .8rem; border-radius: .4rem; background: var(--panel); font-size: .875rem; }
        .line:target { outline: 2px solid var(--link); }
        .line dl { margin-top: .3rem; display: grid; gap: .15rem; }
        .line dl div { display: grid; grid-template-columns: 10rem 1fr; gap: .2rem 1rem; }
        .line strong { font-variant-numeric: tabular-nums; }
        .chain ol { margin: .5rem 0 0; padding-left: 1.4rem; display: grid; gap: .3rem; font-size: .875rem; }
        .chain code { color: var(--quiet); }
        .changes { list-style: none; padding: 0; display: grid; gap: .3rem; font-size: .925rem; margin: .3rem 0 1rem; }
        .changes strong { color: var(--tone); }

        @media (max-width: 44rem) {
          .page dl div, .line dl div { grid-template-columns: 1fr; gap: 0; }
        }
        @media print {
          .page { break-after: page; font-size: 9pt; gap: .5rem; }
          .page h2 { margin-top: 1rem; }
          .page dl { gap: .15rem; }
          .page dl div { grid-template-columns: 8rem 1fr; }
          .banner { padding: .8rem 1rem; }
          .line { border: 1px solid var(--line); }
        }
        """
}
