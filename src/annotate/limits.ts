/** Bytes of a specification at most: many times as many as a long one has. */
export const MAX_SPECIFICATION_BYTES = 2 * 1024 * 1024;
