import { caught, type Layer } from './page.ts'

/**
 * Whether the visitor's browser may keep the session: true; false, which deletes it; or null, not
 * yet. Global Privacy Control and Do Not Track win over the page. Then the page's last
 * `aisle.consent(…)` counts, then Google's consent mode, then `required`.
 */
export const mayStore = (
  said: boolean | undefined,
  required: boolean,
  layer: Layer,
): boolean | null => {
  let may = required ? null : true
  for (const entry of layer) {
    // No command but `consent` has such a state.
    const storage = entry?.[2]?.analytics_storage
    if (storage) {
      // A default may be for one region: here it denies as well, until an update grants.
      may = entry[1] === 'update' ? storage === 'granted' : storage === 'granted' ? may : null
    }
  }
  // Once a script of Google runs, the layer is no longer complete: templates of Tag Manager set
  // consent without a command, and only the newest 300 entries of a long layer are kept. Google's
  // own state has the default of the visitor's region. Unspecified: a default that grants is not an
  // answer, and does not replace a required one.
  caught(() => {
    const { update, default: byDefault } = google_tag_data.ics.entries.analytics_storage
    may = update ?? (byDefault ? !required || null : byDefault === false ? null : may)
  })
  return !navigator.globalPrivacyControl && navigator.doNotTrack !== '1' && (said ?? may)
}
