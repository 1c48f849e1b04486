import { findCheckWords } from '../../audit/words.ts'
import { capital } from '../../web/text/capital.ts'

const CAPITALS = new Set(['acp', 'ai', 'csp', 'gtin', 'html', 'https', 'id', 'ids', 'ucp', 'url'])
const SPELLED: Readonly<Record<string, string>> = {
  ids: 'IDs',
  javascript: 'JavaScript',
  json: 'JSON',
  jsonld: 'JSON-LD',
}

/** An id as words: `product_schema_gtin_valid` is "Product schema GTIN valid". */
export function wordsOf(id: string): string {
  const words = id
    .split('_')
    .map((word) => (Object.hasOwn(SPELLED, word) ? SPELLED[word] : undefined) ?? capitals(word))
    .join(' ')
  return capital(words)
}

const capitals = (word: string) => (CAPITALS.has(word) ? word.toUpperCase() : word)

/**
 * The label of a rule for merchants, by the id of its pass or its gap, with the gap that has a
 * page; for an id of a newer server, the id as words.
 */
export function checkNamed(id: string): { words: string; gap: string | null } {
  return findCheckWords(id) ?? { words: wordsOf(id), gap: null }
}
