import { caught, type Layer } from './page.ts'

/**
 * Whether the visitor's browser may keep the session: true, false, which takes what it keeps, or
 * null, not yet. Global Privacy Control and Do Not Track say no, whatever the page says. Then
 * counts what the page said last by `aisle.consent(…)`, then Google's consent mode, then
 * `required`.
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
      if (entry[1] === 'update') may = storage === 'granted'
      // A default may be meant for one region: it denies here as well, until an update grants.
      else if (storage !== 'granted') may = null
    }
  }
  // What Google's scripts have made of it, once one runs, is not in the layer in full: templates of
  // Tag Manager state consent without a command, and of a layer that has grown, only the newest 300
  // entries are left. Here a default is the one of the visitor's own region.
  // Unspecified: a default that grants is not an answer, and does not stand in for a required one.
  caught(() => {
    const { update, default: byDefault } = google_tag_data.ics.entries.analytics_storage
    may = update ?? (byDefault ? !required || null : byDefault === false ? null : may)
  })
  return !navigator.globalPrivacyControl && navigator.doNotTrack !== '1' && (said ?? may)
}
