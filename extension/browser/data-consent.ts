/** The parts of `browser` that asking for consent needs. */
export interface ConsentBrowser {
  runtime: { getManifest(): object }
  permissions: { request(permissions: object): Promise<boolean> }
}

// The domain of the shop and the key: what a connected server is sent.
const DATA = ['browsingActivity', 'authenticationInfo']

/**
 * Asks whether data may go to a server, where the browser wants that asked (Firefox). Must be the
 * first thing that a click does: after an `await` it is no gesture any more.
 */
export function askDataConsent({ runtime, permissions }: ConsentBrowser): Promise<boolean> {
  if (!('browser_specific_settings' in runtime.getManifest())) return Promise.resolve(true)
  return permissions.request({ data_collection: DATA }).catch(() => false)
}
