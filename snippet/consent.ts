import type { LayerEntry } from './page.ts'

interface PrivacyNavigator extends Navigator {
  /** https://www.w3.org/TR/gpc/ */
  globalPrivacyControl?: boolean
}

/**
 * Whether anything may be kept in the visitor's browser. Global Privacy Control and Do Not Track
 * say no, whatever the page says. Then counts what the page said last by `aisle.consent(…)`, then
 * `data-consent="required"`, then Google's consent mode.
 */
export function mayStore(
  navigator: PrivacyNavigator,
  said: boolean | undefined,
  required: boolean,
  layer: readonly LayerEntry[],
): boolean {
  let denied = required
  for (const entry of layer) {
    if (entry && entry[0] === 'consent') {
      // A default may be meant for one region: it denies here as well, until an update grants.
      const storage = (entry[2] as { analytics_storage?: string }).analytics_storage
      denied = storage === 'denied' || (denied && !(storage && entry[1] === 'update'))
    }
  }
  return !navigator.globalPrivacyControl && navigator.doNotTrack !== '1' && (said ?? !denied)
}
