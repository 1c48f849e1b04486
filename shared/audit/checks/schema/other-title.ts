import type { Page } from '../../../markup/page.ts'

/**
 * Whether `og:title` is clearly the name of another product than `name`: Open Graph says that it
 * speaks of a product, no word of the title is in the name, the page's own title agrees with the
 * name alone, and its markup names another product so. Without that, a title may be a slogan or a
 * translation.
 */
export function isOtherTitle(page: Page, name: string, title: string): boolean {
  const type = page.meta
    .find(({ key }) => key === 'og:type')
    ?.content.trim()
    .toLowerCase()
  if (type !== 'product' && type !== 'og:product' && type !== 'product.item') return false
  const [named, titled, own] = [name, title, page.title ?? ''].map(wordsOf)
  if (!named || !titled || !own || titled.size === 0) return false
  if (!overlaps(named, own) || overlaps(titled, own) || overlaps(titled, named)) return false
  return page.products.some((product) => {
    const other = wordsOf(product.name ?? '')
    return other.size === titled.size && [...other].every((word) => titled.has(word))
  })
}

const MAX_TEXT = 1_000

/** Words of three letters or more, and numbers. */
const wordsOf = (text: string): Set<string> =>
  new Set(
    text
      .slice(0, MAX_TEXT)
      .toLowerCase()
      .match(/\p{L}{3,}|\d+/gu) ?? [],
  )

const overlaps = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean =>
  [...one].some((word) => other.has(word))
