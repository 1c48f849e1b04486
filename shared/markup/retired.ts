import type { PageElement } from './html/elements.ts'

/** A vocabulary that search engines no longer read, and its first place. */
export interface RetiredVocabulary {
  name: string
  where: string
}

/**
 * Finds types of data-vocabulary.org (read by Google until 2021), of GoodRelations (part of
 * schema.org since 2012), and the microformat hproduct. Terms of GoodRelations that schema.org
 * refers to, such as its payment methods, are values and no types.
 */
export function createRetiredReader() {
  const found: RetiredVocabulary[] = []
  return {
    found,
    start(element: PageElement) {
      for (const { name, value } of element.attributes) {
        const vocabulary = retiredIn(name, value)
        if (vocabulary === null || found.some((each) => each.name === vocabulary)) continue
        found.push({
          name: vocabulary,
          where: `line ${element.line}, column ${element.column}`,
        })
      }
    },
  }
}

function retiredIn(attribute: string, value: string): string | null {
  if (attribute === 'class') {
    return value.includes('hproduct') && /(^|\s)hproduct(\s|$)/.test(value)
      ? 'the microformat hproduct'
      : null
  }
  if (attribute !== 'itemtype' && attribute !== 'typeof' && attribute !== 'vocab') return null
  if (value.includes('data-vocabulary.org')) return 'data-vocabulary.org'
  const isGoodRelations =
    value.includes('purl.org/goodrelations') || (attribute === 'typeof' && /(^|\s)gr:/.test(value))
  return isGoodRelations ? 'GoodRelations' : null
}
