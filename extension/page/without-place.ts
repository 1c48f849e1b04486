/**
 * An address without a fragment that only names a place on the page; fragments that are routes stay
 * (`#/cart`, `#!/cart`).
 */
export const withoutPlace = (url: string): string => url.replace(/#(?![!/]).*/, '')
