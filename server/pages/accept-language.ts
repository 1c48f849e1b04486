import { knownLocale } from '../../shared/view/format.ts'

const MAX_LENGTH = 200
const TAG = /^[a-z]{2,3}(?:-[a-z0-9]{2,8}){0,3}$/i

/**
 * The first language of an Accept-Language header whose numbers and dates this runtime can format;
 * `en` without a usable header. Extensions (`-u-…`, `-x-…`; RFC 5646, 2.2.6) are not accepted.
 */
export function localeOf(header: string | undefined): string {
  const wanted = (header ?? '')
    .slice(0, MAX_LENGTH)
    .split(',')
    .map((entry) => {
      const [tag = '', ...parameters] = entry.split(';').map((part) => part.trim())
      const q = parameters.find((part) => part.startsWith('q='))?.slice(2)
      return { tag, q: q === undefined ? 1 : Number(q) || 0 }
    })
    .filter(({ tag, q }) => q > 0 && TAG.test(tag) && !/-[ux](-|$)/i.test(tag))
    .toSorted((a, b) => b.q - a.q)
  for (const { tag } of wanted) {
    const known = knownLocale(tag)
    if (known !== 'en' || /^en$/i.test(tag)) return known
  }
  return 'en'
}
