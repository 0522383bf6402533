/**
 * `npm run statements -- FILE` regenerates the list of a specification's statements in `schemas/statements/`. It fails if a
 * statement is quoted nowhere, or if a quote does not occur exactly once in its section.
 */
import { maxSpecificationBytes, readDocument } from "../annotate/document.js";
import { buildStatementIndex } from "../annotate/statement-index.js";
import { readNamed } from "../files/read-file.js";
import { writeWhole } from "../files/write.js";
import { allQuotes } from "../specification/quotes.js";
import { specificationVersion, statementsFile } from "../specification/statements.js";

const [path] = process.argv.slice(2);
if (path === undefined) {
  process.stderr.write("usage: npm run statements -- FILE, the specification in Markdown\n");
  process.exitCode = 2;
} else {
  const document = readDocument(new TextDecoder().decode(readNamed(path, maxSpecificationBytes)));
  const { index, problems } = buildStatementIndex(document, allQuotes, specificationVersion);
  if (problems.length > 0) {
    process.stderr.write(problems.map((problem) => `${problem}\n`).join(""));
    process.exitCode = 1;
  } else {
    await writeWhole(statementsFile, `${JSON.stringify(index, undefined, 2)}\n`);
    process.stdout.write(`${index.statements.length} statements in ${statementsFile}\n`);
  }
}
