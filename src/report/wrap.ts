/** Wraps lines of prose to the width of the terminal, with a hanging indent. Lines that fit are left as they are. */
export function wrappedLines(text: string, columns: number): string {
  return text
    .split("\n")
    .map((line) => {
      const [indent = ""] = /^ */.exec(line) ?? [];
      return line.length <= columns
        ? line
        : `${indent}${wrapped(line.trimStart(), columns, indent.length + 2, indent.length)}`;
    })
    .join("\n");
}

/**
 * Wraps a text to a width, breaking only at spaces.
 *
 * @param hanging indent of every line but the first
 * @param taken columns of the first line that are already used
 */
export function wrapped(text: string, columns: number, hanging: number, taken = hanging): string {
  const lines: string[] = [];
  let room = columns - taken;
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > room) {
      lines.push(line);
      room = columns - hanging;
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line].join(`\n${" ".repeat(hanging)}`);
}
