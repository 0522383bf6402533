import { type Status, statuses } from "./status.js";

/** The text and background colours of each status, in light and in dark mode. */
const colours: Readonly<Record<Status, readonly [ink: string, ground: string, darkInk: string, darkGround: string]>> = {
  fail: ["#b42318", "#fbdad7", "#ff8a7d", "#57201c"],
  warned: ["#9a5300", "#fde3c0", "#ffb867", "#4c3012"],
  "not-settled": ["#7a6200", "#f8efb4", "#e8cf5a", "#413a12"],
  "not-exercised": ["#5b6472", "#e4e7ec", "#aab3c0", "#333a45"],
  unobservable: ["#6a4c93", "#e9e1f5", "#c3a8ea", "#3a2d50"],
  pass: ["#19703a", "#d8f0df", "#5fd08a", "#173d27"],
  observed: ["#0b57a4", "#dae8fa", "#7cb7ff", "#1b3656"],
  excluded: ["#5b6472", "transparent", "#aab3c0", "transparent"],
  unchecked: ["#a01a7d", "#fbdcf2", "#f59add", "#4d1840"],
};

/** The sign in front of a statement of each status: colour alone is not enough. */
const signs: Readonly<Record<Status, string>> = {
  fail: "✗",
  warned: "!",
  "not-settled": "?",
  "not-exercised": "–",
  unobservable: "◌",
  pass: "✓",
  observed: "○",
  excluded: "·",
  unchecked: "∅",
};

/** The name of a filter on the page. */
export type Filter = Status | "differs";

/** The style sheet of the page. It loads nothing. */
export function annotationPageStyle(
  filters: readonly Filter[],
  ids: readonly { readonly panel: string; readonly unit: string }[],
) {
  const variables = (dark: boolean) =>
    statuses
      .map((status) => {
        const [ink, ground, darkInk, darkGround] = colours[status];
        return `--${status}:${dark ? darkInk : ink};--${status}-ground:${dark ? darkGround : ground};`;
      })
      .join("");
  return `:root{color-scheme:light dark;--ink:#1c2430;--quiet:#566173;--paper:#fff;--raised:#f4f6f8;--line:#d5dae1;--link:#0b57a4;${variables(false)}}
@media (prefers-color-scheme:dark){:root{--ink:#e3e8ef;--quiet:#9aa7b8;--paper:#151b23;--raised:#1f2833;--line:#394555;--link:#7cb7ff;${variables(true)}}}
*{box-sizing:border-box}html{scroll-padding-top:7rem}
body{font:16px/1.55 system-ui,sans-serif;margin:0;color:var(--ink);background:var(--paper);overflow-wrap:anywhere}
code,pre{font:.86em/1.5 ui-monospace,SFMono-Regular,Menlo,monospace}pre{background:var(--raised);padding:.5rem .7rem;border-radius:.3rem;white-space:pre-wrap;margin:.5rem 0}
a{color:var(--link)}.quiet{color:var(--quiet);font-size:.88em}
header.top,main,.differences,.sections{max-width:56rem;margin:0 auto;padding:0 1.2rem}
header.top h1{font-size:1.5rem;margin:1.2rem 0 .2rem;line-height:1.25}
.bar{display:flex;height:.7rem;border-radius:.35rem;overflow:hidden;background:var(--raised);margin:.5rem 0}
.bar i{background:var(--c)}.sections .bar{height:.35rem;margin:.25rem 0 0}
.filters{position:sticky;top:0;z-index:2;background:var(--paper);border-bottom:1px solid var(--line);padding:.45rem 0}
.filters>div{max-width:56rem;margin:0 auto;padding:0 1.2rem;display:flex;gap:.4rem;flex-wrap:wrap}
.filters input{position:absolute;opacity:0}.filters label{position:relative;border:1px solid var(--line);border-radius:1rem;padding:.1rem .65rem;font-size:.85rem;cursor:pointer;white-space:nowrap}
.filters label:has(:checked){border-color:var(--ink);font-weight:600}.filters label:has(:focus-visible){outline:2px solid var(--link)}
.filters label b{color:var(--c)}
.sections ul{list-style:none;padding:0;display:grid;grid-template-columns:repeat(auto-fill,minmax(13rem,1fr));gap:.5rem .9rem}
.sections a{display:block;text-decoration:none;color:inherit;font-size:.88rem}.sections a:hover{color:var(--link)}
.count:not(.pass){color:var(--c);font-weight:600}
.differences{margin-top:1rem}.differences li{margin:.5rem 0}.differences .box{border:1px solid var(--line);border-left:.3rem solid var(--unchecked);border-radius:.3rem;padding:.4rem 1rem}
.differences .same{border-left-color:var(--pass)}
.chip{font-size:.78rem;font-weight:600;border-radius:.25rem;padding:.05rem .4rem;white-space:nowrap}
main{padding-top:.5rem;padding-bottom:60vh}main h2{font-size:1.45rem}main h3{font-size:1.25rem;margin-top:2.2rem;border-top:1px solid var(--line);padding-top:1.2rem}main h4{font-size:1.05rem;margin-top:1.8rem}
.wide{overflow-x:auto}main table{border-collapse:collapse;width:100%;font-size:.92rem}main td,main th{border:1px solid var(--line);padding:.3rem .55rem;text-align:left;vertical-align:top;overflow-wrap:break-word}main th{background:var(--raised)}
.s{color:inherit;text-decoration:none;border-radius:.15rem;box-decoration-break:clone;-webkit-box-decoration-break:clone}
.s:hover,.s:focus-visible{outline:2px solid var(--c);outline-offset:1px}
.s.first::before{content:var(--sign) "\\a0";color:var(--c);font-weight:700;font-size:.85em}
.s mark{color:inherit;background:var(--g);border-radius:.15rem;box-shadow:0 0 0 1px var(--g)}
.s.unchecked,.s.differs{text-decoration:underline dashed 1.5px var(--unchecked);text-underline-offset:.2em}.s.excluded mark,mark.excluded{border-bottom:1px dotted var(--quiet);box-shadow:none}
.s sup{font-size:.68rem;font-weight:700;color:var(--unchecked);margin-left:.25em;text-decoration:none;display:inline-block}
.link{text-decoration:underline dotted}
${statuses.map((status) => `.${status}{--c:var(--${status});--g:var(--${status}-ground);--sign:"${signs[status]}"}`).join("\n")}
.chip{color:var(--c);background:var(--g)}.chip.excluded{border:1px dotted var(--quiet)}
.panel{display:none;position:fixed;z-index:3;background:var(--raised);border:1px solid var(--line);overflow:auto;padding:0 1.1rem 1.2rem;font-size:.92rem;left:0;right:0;bottom:0;max-height:68vh;border-radius:.8rem .8rem 0 0;box-shadow:0 -.4rem 1.6rem #0004}
.panel:target{display:block}.panel pre{background:var(--paper)}
.panel>header{position:sticky;top:0;background:var(--raised);display:flex;gap:.9rem;align-items:center;padding:.6rem 0;border-bottom:1px solid var(--line)}
.panel>header span{flex:1}.panel>header a{text-decoration:none;font-size:1.1rem;padding:0 .35rem}
.panel blockquote{margin:.8rem 0;padding:0 0 0 .8rem;border-left:.2rem solid var(--line)}
.rule{border-top:1px solid var(--line);padding:.6rem 0}.rule summary{cursor:pointer}.rule p{margin:.4rem 0}
.checks{padding-left:1.1rem}.checks li{margin:.5rem 0}.violation{border-left:.2rem solid var(--fail);padding-left:.7rem;margin:.4rem 0}
.exchange{font-size:.9em;overflow-wrap:anywhere}
.checks .fail{color:var(--fail);font-weight:600}.checks .warn{color:var(--warned);font-weight:600}.checks .pass{color:var(--pass);font-weight:600}
.problems{border-left:.3rem solid var(--fail);padding:.1rem 1rem;margin:.6rem 0;background:var(--raised);border-radius:.3rem}.problems li{margin:.3rem 0}
@media (max-width:700px){.filters>div{flex-wrap:nowrap;overflow-x:auto}.wide table,.wide thead,.wide tbody,.wide tr,.wide td,.wide th{display:block}.wide tr{border:1px solid var(--line);border-radius:.3rem;margin:.45rem 0;padding:.2rem .5rem}main .wide td{border:0;padding:.1rem 0}.wide td:empty{display:none}main .wide th{border:0;display:inline-block;padding:.1rem .9rem .1rem 0}.wide thead tr{background:var(--raised)}}
@media (min-width:1100px){header.top,main,.differences,.sections,.filters>div{margin-left:max(1.2rem,calc((100vw - 88rem)/2));margin-right:0;max-width:calc(min(100vw,88rem) - 35rem)}
.panel{left:auto;right:max(0rem,calc((100vw - 90rem)/2));top:0;bottom:0;width:33rem;max-height:none;border-radius:0;border-width:0 0 0 1px;box-shadow:none}
.panel.hint{display:block}body:has(.panel:target) .panel.hint{display:none}}
${filters
  .map((filter) => {
    const kept = filter === "differs" ? ".differs" : `.${filter}`;
    return `body:has(#f-${filter}:checked) main .s:not(${kept}):not(:has(${kept})){opacity:.28}`;
  })
  .join("\n")}
${ids.map(({ panel, unit }) => `body:has(#${panel}:target) a.${unit}{outline:2px solid var(--c);outline-offset:1px}`).join("\n")}
@media print{.filters,.panel{display:none!important}main{padding-bottom:0}}
`;
}
