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
 * A page that is the same for everyone, but for its head where somebody is signed in. `current` is
 * its path; with `variant` it identifies the page. Both have few values, and neither is copied from
 * a request.
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
const OWN = { ...FOUND, 'Cache-Control': 'private, no-cache' }
const MISSING = { ...PAGE_HEADERS, ...TYPE }

/**
 * More than the pages (some 200), each signed in or not, plus the languages (some 700) of the one
 * with numbers.
 */
const MOST_NAMES = 2000

/**
 * Many languages share their digits, so there are hardly more texts than pages: about 5 MB in all.
 */
const MOST_TEXTS = 400

/**
 * Renders and compresses each page once, and then only sends it: rendering costs several times as
 * much as the rest of a request. `knows`: whether the browser is signed in.
 */
export function keepPages(
  site: PageSite,
  knows: (c: Context<ServerEnv>) => Promise<boolean>,
): KeptPages {
  const named = new LRUCache<string, { text: KeptText; edition: string }>({ max: MOST_NAMES })
  const texts = new LRUCache<string, KeptText>({ max: MOST_TEXTS })

  const render = (
    page: KeptPage,
    reader: { locale: string; isSignedIn: boolean },
    content: ComponentChildren,
  ): KeptText => {
    const { variant, status, hasNumbers, edition, ...layout } = page
    const { locale, isSignedIn } = reader
    const text = keepText(renderHtml(site, locale, { ...layout, isSignedIn }, content))
    const known = texts.get(text.digest)
    if (known !== undefined) return known
    texts.set(text.digest, text)
    return text
  }

  return {
    answer: async (c, page, content) => {
      const { current, variant = '', status = 200, hasNumbers = false, edition = '' } = page
      const locale = hasNumbers ? numbersOf(localeOf(c.req.header('Accept-Language'))) : 'en'
      const isSignedIn = await knows(c)
      const name = `${current} ${variant} ${locale} ${isSignedIn}`
      let kept = named.get(name)
      if (kept?.edition !== edition) {
        kept = { text: render(page, { locale, isSignedIn }, content()), edition }
        named.set(name, kept)
      }
      const headers = status !== 200 ? MISSING : isSignedIn ? OWN : FOUND
      const vary = ['Cookie', ...(hasNumbers ? ['Accept-Language'] : [])]
      return answerKept(c, kept.text, headers, vary, status)
    },
  }
}

/** The language whose numbers are used: `de-XX` has those of `de`, and regions are unlimited. */
const numbersOf = (locale: string): string => new Intl.NumberFormat(locale).resolvedOptions().locale
