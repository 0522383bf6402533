import type { SecretForm } from "./secret-forms.js";

/** Number of consecutive characters that are hashed together. */
const gramLength = 4;

const hashes = 1 << 16;

/** Maximum number of places compared per hash: a secret that repeats itself has too many. */
const placesCompared = 100;

interface SecretPlace {
  readonly form: SecretForm;
  readonly at: number;
}

/**
 * Finds parts of known secrets in other texts, case-insensitively. It hashes the text only at every n-th character, with n
 * small enough that no revealing part is missed: most texts are large and contain no secret.
 */
export class SecretScanner {
  readonly #places = new Map<number, SecretPlace[]>();
  readonly #known = new Uint8Array(hashes);
  readonly #stride: number;

  constructor(forms: readonly SecretForm[]) {
    this.#stride = Math.min(...forms.map(({ minLength }) => minLength)) - gramLength + 1;
    for (const form of forms) {
      for (let at = 0; at + gramLength <= form.text.length; at++) {
        const hash = hashAt(form.text, at);
        this.#known[hash] = 1;
        const places = this.#places.get(hash) ?? [];
        if (places.length < placesCompared) places.push({ form, at });
        this.#places.set(hash, places);
      }
    }
  }

  /** Replaces each part of the text that reveals a secret. */
  replace(text: string, by: string): string {
    let clean = "";
    let done = 0;
    for (let at = 0; at + gramLength <= text.length; at += this.#stride) {
      if (this.#known[hashAt(text, at)] !== 1) continue;
      const found = this.#partAround(text, at, done);
      if (found === undefined) continue;
      clean += text.slice(done, found.from) + by;
      done = found.to;
      at = Math.max(at, done - this.#stride);
    }
    return done === 0 ? text : clean + text.slice(done);
  }

  /** The longest part of a form that the text contains around a position, if it reveals the secret. */
  #partAround(text: string, at: number, notBefore: number): { readonly from: number; readonly to: number } | undefined {
    let longest: { from: number; to: number } | undefined;
    for (const { form, at: place } of this.#places.get(hashAt(text, at)) ?? []) {
      let before = 0;
      while (before < place && at - before > notBefore && isSame(text, at - before - 1, form.text, place - before - 1))
        before++;
      let after = 0;
      while (place + after < form.text.length && isSame(text, at + after, form.text, place + after)) after++;
      const length = before + after;
      const leaks =
        length >= form.minLength && (length === form.text.length || !/^\d*$/.test(text.slice(at - before, at + after)));
      if (leaks && length > (longest ? longest.to - longest.from : 0)) longest = { from: at - before, to: at + after };
    }
    return longest;
  }
}

function isSame(text: string, at: number, form: string, place: number): boolean {
  return foldedCode(text.charCodeAt(at)) === foldedCode(form.charCodeAt(place));
}

/** The character code with ASCII letters in lower case. */
function foldedCode(code: number): number {
  return code >= 0x41 && code <= 0x5a ? code | 0x20 : code;
}

function hashAt(text: string, at: number): number {
  let hash = 0;
  for (let index = at; index < at + gramLength; index++) hash = (hash * 31 + foldedCode(text.charCodeAt(index))) | 0;
  return hash & (hashes - 1);
}
