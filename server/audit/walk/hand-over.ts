import type { PurchaseDeps } from '../../../shared/walk/purchase/deps.ts'
import type { Exchange } from '../../../shared/walk/transcript.ts'
import { asError } from '../../process/as-error.ts'
import type { Browsers } from '../browser/browser.ts'
import type { Consent } from './consent.ts'

/** The browser in which links for buyers are opened. */
export interface HandOverBrowser {
  browsers: Pick<Browsers, 'run'>
  /** Keeps a picture, as JPEG, and says where; null: none are kept. */
  keepPicture: ((picture: Uint8Array) => Promise<string>) | null
}

interface Around {
  consent: Consent
  /** Takes what was exchanged to read a consent: it belongs to no step. */
  taken: () => Exchange[]
  signal: AbortSignal | undefined
}

// Unspecified: a store has some links of a few kinds, and each has a browser of its own for some
// seconds. A walk opens at most this number of them.
const MOST_OPENED = 24

/** Opens links in a fresh browser each, while this walk may open more. */
export function createArrive(
  { browsers, keepPicture }: HandOverBrowser,
  { consent, taken, signal }: Around,
): NonNullable<PurchaseDeps['arrive']> {
  let opened = 0
  return async (url) => {
    if (opened >= MOST_OPENED) return { unseen: `${MOST_OPENED} links were opened already.` }
    opened += 1
    const seen = await browsers
      .run('visit', { url }, { signal })
      // An installation without the browser's program walks all the same.
      .catch((error: unknown) => ({ unseen: 'failed', why: asError(error).message }))
    if ('unseen' in seen) return { unseen: seen.why }
    const { tree, picture } = seen.done
    const address = URL.parse(tree.url)
    // The browser's own page, where nothing was loaded.
    if (address === null || !/^https?:$/.test(address.protocol)) {
      return { unseen: 'The browser could not load it.' }
    }
    const isElsewhere = (await consent(address.href)) !== null
    taken()
    return {
      tree,
      elsewhere: isElsewhere
        ? `In a browser it leads to ${address.host}, which is not a host of the store.`
        : null,
      picture: keepPicture && (await keepPicture(picture)),
    }
  }
}
