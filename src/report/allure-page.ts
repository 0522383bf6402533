/**
 * What Allure's page has no setting for. The page is one HTML file that carries its data in calls of `d`, in base64; what
 * is not found there as expected is left as it is.
 */

/** Ids of results and groups in a tree of the page. */
interface Tree {
  readonly root: Group;
  readonly groupsById: Readonly<Record<string, Group>>;
  readonly leavesById: Readonly<Record<string, Leaf>>;
}

interface Group {
  readonly leaves?: string[];
}

interface Leaf {
  readonly id: string;
  readonly name: string;
  /** What groups are ordered by, when it is not by name or status: the least one in them. */
  start?: number;
  /** The place of the result in its group. */
  groupOrder?: number;
}

/**
 * Allure's page loads a script of Google Analytics. A report on somebody's server tells nobody that it is being read.
 */
export function withoutAnalytics(html: string): string {
  return html.replace(
    /<script async src="https:\/\/www\.googletagmanager\.com\/[^"]*"><\/script>\s*<script>[^<]*<\/script>/g,
    "",
  );
}

/**
 * Allure lists results as they were made, which is any order where they are made at once. This puts them, and by them
 * the sections and rules, into the order of these names; the arrows from result to result follow it.
 */
export function inOrder(html: string, names: readonly string[]): string {
  const places = new Map(names.map((name, index) => [name, index]));
  const placeOf = (leaf: Leaf | undefined) => places.get(leaf?.name ?? "") ?? names.length;
  const leaves = new Map<string, Leaf>();
  const withTrees = rewritten<Tree>(html, "tree", (tree) => {
    for (const leaf of Object.values(tree.leavesById)) {
      leaf.start = placeOf(leaf);
      leaves.set(leaf.id, leaf);
    }
    for (const { leaves: ids } of [tree.root, ...Object.values(tree.groupsById)]) {
      ids?.sort((one, other) => placeOf(tree.leavesById[one]) - placeOf(tree.leavesById[other]));
      ids?.forEach((id, index) => {
        const leaf = tree.leavesById[id];
        if (leaf) leaf.groupOrder = index + 1;
      });
    }
    return tree;
  });
  return rewritten<string[]>(withTrees, "nav", (ids) =>
    ids.sort((one, other) => placeOf(leaves.get(one)) - placeOf(leaves.get(other))),
  );
}

/**
 * Lets the first page say what it has to say: values wrap where Allure cuts them off, and the page stays at its top until
 * somebody touches it, where Allure scrolls past the conclusion to the first failed result.
 */
export function readable(html: string): string {
  const additions = `<style>
[data-testid="metadata-item-value"] * { white-space: normal !important; overflow-wrap: anywhere; height: auto !important; }
</style>
<script>
(() => {
  const stay = ({ target }) => { if (target.matches?.("[data-tree-scroll-container]")) target.scrollTop = 0; };
  document.addEventListener("scroll", stay, true);
  const leave = () => document.removeEventListener("scroll", stay, true);
  for (const type of ["pointerdown", "wheel", "touchstart", "keydown", "hashchange"])
    addEventListener(type, leave, { capture: true, once: true });
})();
</script>
</head>`;
  return html.replace("</head>", () => additions);
}

/** The page with other data of this name; there is one for all results, and one for each environment. */
function rewritten<T>(html: string, name: string, change: (data: T) => T): string {
  const calls = new RegExp(`d\\("(widgets/(?:[\\w-]+/)?${name}\\.json)","([\\w+/=]*)"\\)`, "g");
  return html.replace(calls, (_, path: string, data: string) => {
    const changed = change(JSON.parse(Buffer.from(data, "base64").toString("utf8")) as T);
    return `d("${path}","${Buffer.from(JSON.stringify(changed)).toString("base64")}")`;
  });
}
