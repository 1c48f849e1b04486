import {
  PICTURE_BYTES,
  PICTURES_BYTES,
  picturePath,
} from '../../../shared/walk/pages/pages-kept.ts'
import type { PurchaseDeps } from '../../../shared/walk/purchase/deps.ts'
import type { Exchange } from '../../../shared/walk/transcript.ts'
import type { Browsers } from '../browser/browser.ts'
import type { Consent } from './consent.ts'

/** The browser in which links for buyers are opened. */
export interface HandOverBrowser {
  browsers: Pick<Browsers, 'run'>
  /** Keeps a picture, as JPEG, and says where; null, also as the answer: it is not kept. */
  keepPicture: ((picture: Uint8Array) => Promise<string | null>) | null
}

// Unspecified: pictures of links are numbered from 101, those of a walk through pages from 1. All
// together have as many bytes as those.
const FIRST_PICTURE = 101

/** Keeps pictures of links with their walk, while there is room. */
export function keptWithWalk(
  keep: (n: number, picture: Uint8Array) => Promise<void>,
): NonNullable<HandOverBrowser['keepPicture']> {
  let next = FIRST_PICTURE
  let bytes = 0
  return async (picture) => {
    if (picture.length > PICTURE_BYTES || bytes + picture.length > PICTURES_BYTES) return null
    bytes += picture.length
    const n = next
    next += 1
    // A picture that is not stored is missing on the page, and nothing else.
    return keep(n, picture).then(
      () => picturePath(n),
      () => null,
    )
  }
}

interface Around {
  consent: Consent
  /** Takes what was exchanged to read a consent: it belongs to no step. */
  taken: () => Exchange[]
  signal: AbortSignal | undefined
  /** The store is opened with what its owner gave. */
  isClosed: boolean
}

// Unspecified: a store has some links of a few kinds, and each has a browser of its own for some
// seconds. A walk opens at most this number of them.
const MOST_OPENED = 24

const CLOSED = 'The store is closed, and a browser is not given what its owner gave to open it.'

/** Opens links in a fresh browser each, while this walk may open more. */
export function createArrive(
  { browsers, keepPicture }: HandOverBrowser,
  { consent, taken, signal, isClosed }: Around,
): NonNullable<PurchaseDeps['arrive']> {
  let opened = 0
  return async (url) => {
    if (isClosed) return { unseen: CLOSED, isOurs: false }
    if (opened >= MOST_OPENED) {
      return { unseen: `${MOST_OPENED} links were opened already.`, isOurs: false }
    }
    const refused = await consent(url)
    taken()
    if (refused !== null) return { tree: null, elsewhere: notTheirs('It', url) }
    opened += 1
    const seen = await browsers.run('visit', { url }, { signal })
    if ('unseen' in seen) return { unseen: seen.why, isOurs: seen.unseen !== 'no_browser' }
    const { tree, picture } = seen.done
    const address = URL.parse(tree.url)
    // The browser's own page, where nothing was loaded.
    if (address === null || !/^https?:$/.test(address.protocol)) {
      return { unseen: 'The browser could not load it.', isOurs: false }
    }
    const isElsewhere = (await consent(address.href)) !== null
    taken()
    return {
      tree,
      elsewhere: isElsewhere ? notTheirs('In a browser it', address.href) : null,
      picture: keepPicture && (await keepPicture(picture)),
    }
  }
}

const notTheirs = (what: string, url: string) =>
  `${what} leads to ${new URL(url).host}, which is not a host of the store.`
