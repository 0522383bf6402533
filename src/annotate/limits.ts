/** Bytes of a specification at most: many times as many as a long one has. */
export const MAX_SPECIFICATION_BYTES = 2 * 1024 * 1024;

/** Bytes of a page that is written anew at most: what is larger is none of ours. */
export const MAX_PAGE_BYTES = 64 * 1024 * 1024;
