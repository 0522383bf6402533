/** Maximum size of a specification in bytes, many times that of a long one. */
export const MAX_SPECIFICATION_BYTES = 2 * 1024 * 1024;

/** Maximum size in bytes of a page that is overwritten. A larger one is not ours. */
export const MAX_PAGE_BYTES = 64 * 1024 * 1024;
