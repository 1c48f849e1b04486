import type { Layer } from './page.ts'

/**
 * Whether anything may be kept in the visitor's browser. Global Privacy Control and Do Not Track
 * say no, whatever the page says. Then counts what the page said last by `aisle.consent(…)`, then
 * `denied`, its beginning, and what Google's consent mode makes of it.
 */
export function mayStore(said: boolean | undefined, denied: boolean, layer: Layer): boolean {
  for (const entry of layer) {
    if (entry?.[0] === 'consent') {
      // A default may be meant for one region: it denies here as well, until an update grants.
      const storage = stateOf(entry[2]).analytics_storage
      denied = storage === 'denied' || (denied && !(storage && entry[1] === 'update'))
    }
  }
  return !navigator.globalPrivacyControl && navigator.doNotTrack !== '1' && (said ?? !denied)
}

/** Without a state the command is wrong, and the use of this throws. */
function stateOf(argument: unknown): { analytics_storage?: string } {
  return argument as { analytics_storage?: string }
}
