import { boxOf, elementText } from '../collect/safe-document.ts'
import type { HighlightTarget } from './target.ts'

/** The element of a gap, or null if it is not there, or no longer. */
export function findElement(root: Element, target: HighlightTarget): Element | null {
  const all = (selector: string) => [...root.querySelectorAll(selector)]
  switch (target.kind) {
    case 'json_ld': {
      const blocks = all('script[type*="ld+json" i]')
      const same = blocks.find(
        (block) => target.start !== '' && elementText(block).startsWith(target.start),
      )
      return same ?? blocks[target.block - 1] ?? null
    }
    case 'microdata': {
      const items = all('[itemscope][itemtype]').filter((element) =>
        typesOf(element).includes(target.type.toLowerCase()),
      )
      return items[target.index] ?? null
    }
    case 'snippet':
      return all('script[src*="attribution.js" i]')[0] ?? null
    case 'page':
      return null
  }
}

/** Last parts of the type URLs: `product` of https://schema.org/Product. */
const typesOf = (element: Element): string[] =>
  (Element.prototype.getAttribute.call(element, 'itemtype') ?? '')
    .toLowerCase()
    .split(/\s+/)
    .map((type) => type.slice(Math.max(type.lastIndexOf('/'), type.lastIndexOf('#')) + 1))

const STANDS_FOR_PRODUCT = ['[itemtype*="schema.org/Product" i]', 'main h1', 'h1']

/**
 * Something visible: the element itself, or what represents the product on the page, for a gap in a
 * product's markup.
 */
export function visibleElement(
  root: Element,
  found: Element | null,
  { kind }: HighlightTarget,
): Element | null {
  const isMarkup = kind === 'json_ld' || kind === 'microdata'
  const standIns = isMarkup ? STANDS_FOR_PRODUCT : []
  const candidates = [
    ...(found === null ? [] : [found]),
    ...standIns.flatMap((selector) => [...root.querySelectorAll(selector)].slice(0, 20)),
  ]
  return candidates.find(isVisible) ?? null
}

function isVisible(element: Element): boolean {
  const { width, height } = boxOf(element)
  return width > 0 && height > 0
}
