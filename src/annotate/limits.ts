/** Maximum size of a specification in bytes, many times that of a long one. */
export const maxSpecificationBytes = 2 * 1024 * 1024;
