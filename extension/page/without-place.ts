/**
 * An address without the place on its page: addresses of one page differ in their fragments alone,
 * which are not routes (`#/cart`, `#!/cart`).
 */
export const withoutPlace = (url: string): string => url.replace(/#(?![!/]).*/, '')
