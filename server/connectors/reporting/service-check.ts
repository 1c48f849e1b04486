/** The version of the service's API that the plugins speak. */
const SPOKEN = 1

const KEPT_MS = 3_600_000
const TIMEOUT_MS = 10_000

/** Where the service is, and which plugin asks it. */
export interface Asking {
  url: string
  /** The name of the plugin's package, which the service offers under it. */
  plugin: string
}

/**
 * What to do where the service is too old for the plugin or too new, in words. Null: they fit, or
 * there is no answer, which the reports find out themselves. That they fit is known for an hour; a
 * misfit is asked for anew.
 */
export function checkService({ url, plugin }: Asking): () => Promise<string | null> {
  let fitUntil = 0
  return async () => {
    if (performance.now() < fitUntil) return null
    const spoken = await readVersion(url)
    if (spoken === null) return null
    if (spoken === SPOKEN) {
      fitUntil = performance.now() + KEPT_MS
      return null
    }
    const what =
      spoken > SPOKEN
        ? `Install ${url}/${plugin}.tgz, which fits it`
        : 'Update the service, or install the plugin that it offers'
    return `Aisle at ${url} has version ${spoken} of its API, and ${plugin} needs version ${SPOKEN}. ${what}. Reports wait meanwhile.`
  }
}

/** Null: there was no answer, or none that says a version. */
async function readVersion(url: string): Promise<number | null> {
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    const answer = await fetch(`${url}/openapi.json`, { signal, redirect: 'manual' })
    const document: unknown = answer.ok ? await answer.json() : null
    const version = /^\d+(?=\.)/.exec(String(Object(Object(document).info).version))?.[0]
    return version === undefined ? null : Number(version)
  } catch {
    return null
  }
}
