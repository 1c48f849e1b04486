/** The parts of `browser` that asking for consent needs. */
interface ConsentBrowser {
  runtime: { getManifest(): object }
  permissions: { request(permissions: object): Promise<boolean> }
}

// What a connected server is sent: the domain of the store and the key.
const DATA = ['browsingActivity', 'authenticationInfo']

/**
 * Asks for consent to send data to a server, in browsers that require it: Firefox
 * (https://extensionworkshop.com/documentation/develop/firefox-builtin-data-consent). Must be the
 * first call in a click handler: after an `await` it no longer counts as a user gesture.
 */
export function askDataConsent({ runtime, permissions }: ConsentBrowser): Promise<boolean> {
  if (!('browser_specific_settings' in runtime.getManifest())) return Promise.resolve(true)
  return permissions.request({ data_collection: DATA }).catch(() => false)
}
