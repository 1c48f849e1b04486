import type { Context } from 'hono'
import { LRUCache } from 'lru-cache'
import type { ComponentChildren } from 'preact'
import type { ServerEnv } from '../http/env.ts'
import { answerKept, KEPT_SHORTLY, type KeptText, keepText } from '../http/kept-text.ts'
import { localeOf } from './accept-language.ts'
import type { LayoutProps } from './Layout.tsx'
import { PAGE_HEADERS, renderHtml } from './render-page.tsx'
import type { PageSite } from './site.tsx'

/**
 * A page that is the same for everyone. `current` is its path; with `variant` it identifies the
 * page. Both have few values, and neither is copied from a request.
 */
export interface KeptPage extends Omit<LayoutProps, 'isSignedIn' | 'children'> {
  variant?: string
  status?: 200 | 404
  /** It shows numbers, which are formatted in the reader's language. */
  hasNumbers?: boolean
  /** The cached page is rendered again when this changes. */
  edition?: string
}

export interface KeptPages {
  /** Answers with the page; `content` is rendered if it is not cached. */
  answer: (
    c: Context<ServerEnv>,
    page: KeptPage,
    content: () => ComponentChildren,
  ) => Promise<Response>
}

const TYPE = { 'Content-Type': 'text/html; charset=UTF-8' }
const FOUND = { ...PAGE_HEADERS, ...KEPT_SHORTLY, ...TYPE }
const MISSING = { ...PAGE_HEADERS, ...TYPE }

/** More than the pages (some 200) plus the languages (some 700) of the one with numbers. */
const MOST_NAMES = 2000

/**
 * Many languages share their digits, so there are hardly more texts than pages: about 5 MB in all.
 */
const MOST_TEXTS = 400

/**
 * Renders and compresses each page once, and then only sends it: rendering costs several times as
 * much as the rest of a request.
 */
export function keepPages(site: PageSite): KeptPages {
  const named = new LRUCache<string, { text: KeptText; edition: string }>({ max: MOST_NAMES })
  const texts = new LRUCache<string, KeptText>({ max: MOST_TEXTS })

  const render = (page: KeptPage, locale: string, content: ComponentChildren): KeptText => {
    const { variant, status, hasNumbers, edition, ...layout } = page
    const text = keepText(renderHtml(site, locale, { ...layout, isSignedIn: false }, content))
    const known = texts.get(text.digest)
    if (known !== undefined) return known
    texts.set(text.digest, text)
    return text
  }

  return {
    answer: (c, page, content) => {
      const { current, variant = '', status = 200, hasNumbers = false, edition = '' } = page
      const locale = hasNumbers ? numbersOf(localeOf(c.req.header('Accept-Language'))) : 'en'
      const name = `${current} ${variant} ${locale}`
      let kept = named.get(name)
      if (kept?.edition !== edition) {
        kept = { text: render(page, locale, content()), edition }
        named.set(name, kept)
      }
      const headers = status === 200 ? FOUND : MISSING
      return answerKept(c, kept.text, headers, hasNumbers ? ['Accept-Language'] : [], status)
    },
  }
}

/** The language whose numbers are used: `de-XX` has those of `de`, and regions are unlimited. */
const numbersOf = (locale: string): string => new Intl.NumberFormat(locale).resolvedOptions().locale
