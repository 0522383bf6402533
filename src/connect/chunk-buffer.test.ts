import fc from "fast-check";
import { expect, test } from "vitest";
import { ChunkBuffer } from "./chunk-buffer.js";

const piece = fc.uint8Array({ maxLength: 3_000 }).map((bytes) => Buffer.from(bytes));

test("are the bytes that came, in their order, at once or block by block", () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 200 }), fc.boolean(), (pushed, atOnce) => {
      const pieces = new ChunkBuffer();
      for (const bytes of pushed) pieces.push(bytes);
      const all = Buffer.concat(pushed);
      expect(pieces.length).toBe(all.length);
      const taken: Buffer[] = [];
      if (atOnce) taken.push(pieces.join());
      else for (let block = pieces.shift(); block; block = pieces.shift()) taken.push(block);
      expect(Buffer.concat(taken).equals(all)).toBe(true);
      expect(pieces.length).toBe(0);
      pieces.push(Buffer.from("x"));
      expect(pieces.join().toString()).toBe("x");
    }),
    { numRuns: 50 },
  );
});

test("hold on to few blocks, however small they are", () => {
  const pieces = new ChunkBuffer();
  for (let count = 0; count < 300_000; count++) pieces.push(Buffer.from("x"));
  let blocks = 0;
  while (pieces.shift()) blocks++;
  expect(blocks).toBeLessThan(20);
});
