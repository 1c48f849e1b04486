/**
 * The address if following it can only open a page: http, https, or a place on this site. Null for
 * all else, such as `javascript:`, because an audit may come from any server; and for a backslash,
 * which is read as a slash (https://url.spec.whatwg.org/#relative-state).
 */
export function safeHref(href: string | null | undefined): string | null {
  if (href === null || href === undefined || href.includes('\\')) return null
  const isPlace = /^(?:\/(?!\/)|[?#])[\x21-\x7e]*$/.test(href)
  return isPlace || (/^https?:\/\/[^\s]+$/i.test(href) && URL.canParse(href)) ? href : null
}
