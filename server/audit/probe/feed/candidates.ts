import type { Platform } from '../../../../shared/audit/evidence.ts'
import type { Page } from '../../../../shared/markup/page.ts'
import { isActing } from '../../../../shared/markup/page-signs/visitor-address.ts'
import type { Fetched } from '../../../../shared/web/http/fetched.ts'
import { sitemapsIn } from '../../../../shared/web/http/robots.ts'

export interface Candidate {
  url: string
  /** How it was found, in words. */
  found_by: string
}

/** Media types with which shops announce a product feed. */
const FEED_TYPES = [
  'application/rss+xml',
  'application/atom+xml',
  'text/tab-separated-values',
  'text/csv',
]

/** Words in a path that tell a feed of products from one of articles. */
const ABOUT_PRODUCTS = /product|merchant|shopping|google|catalog|shop(?!ify)/i

/** Words of feeds that every blog has; reading one would cost a request. */
const ABOUT_ARTICLES = /blog|comment|news|article|journal|podcast|magazine/i

/** robots.txt lists sitemaps, and some shops their feeds among them. */
const FEED_NAME = /feed|merchant|shopping/i

/**
 * Paths that store software documents for its Google feed. No platform has a default of its own.
 */
const USUAL_PATHS = [
  '/merchant_feed/google.xml',
  '/feed/google.xml',
  '/google-shopping.xml',
  '/product-feed.xml',
]

/** `<link rel="alternate">` of the home page: those named after products first, never a blog's. */
export function linkedFeeds(page: Pick<Page, 'links'> | null): Candidate[] {
  const urls = (page?.links ?? [])
    .filter(({ rel, type }) => rel.includes('alternate') && FEED_TYPES.includes(essence(type)))
    .map(({ href }) => href)
    .filter((href) => isWebUrl(href) && !ABOUT_ARTICLES.test(pathOf(href)))
  const named = urls.filter((url) => ABOUT_PRODUCTS.test(pathOf(url)))
  return [...new Set([...named, ...urls])].map((url) => ({
    url,
    found_by: 'link rel="alternate"',
  }))
}

/** `Sitemap:` lines of robots.txt that are named after a feed. */
export function robotsFeeds(robots: Fetched): Candidate[] {
  return sitemapsIn(robots)
    .filter((url) => isWebUrl(url) && FEED_NAME.test(pathOf(url)))
    .map((url) => ({ url, found_by: 'robots.txt' }))
}

/**
 * The product list that the platform publishes, when the home page shows which platform it is:
 * https://developer.woocommerce.com/docs/apis/store-api for WooCommerce, and Shopify's
 * products.json, which some headless shops lack. Ten products are asked for.
 */
export function platformFeeds({ platform }: { platform?: Platform }, origin: string): Candidate[] {
  if (platform === 'shopify') {
    return [{ url: `${origin}/products.json?limit=10`, found_by: 'Shopify /products.json' }]
  }
  if (platform === 'woocommerce') {
    const url = `${origin}/wp-json/wc/store/v1/products?per_page=10`
    return [{ url, found_by: 'WooCommerce Store API' }]
  }
  return []
}

export const usualFeeds = (origin: string): Candidate[] =>
  USUAL_PATHS.map((path) => ({ url: `${origin}${path}`, found_by: 'a usual path' }))

/** A media type without its parameters. */
const essence = (type: string | null): string =>
  (type ?? '').split(';')[0]?.trim().toLowerCase() ?? ''

/** Absolute, with http or https, and nothing that acts when it is opened. */
const isWebUrl = (url: string): boolean =>
  /^https?:\/\//i.test(url) && URL.canParse(url) && !isActing(url)

/** The host is left out: every link of `googleshop.example` would be named after products. */
function pathOf(url: string): string {
  const { pathname = '', search = '' } = URL.parse(url) ?? {}
  return pathname + search
}
