/** A visitor with a cookie, who follows no redirect. */
export interface Browser {
  get: (path: string) => Promise<{ status: number; text: string }>
  /** Makes a link to the report of a domain, and resolves with its path. */
  shareReport: (domain: string) => Promise<string>
}

/**
 * Signs in with a key at a service. `at` gives the same browser at another origin, cookie included.
 */
export async function signIn(
  origin: string,
  key: string,
): Promise<{ at: (origin: string) => Browser }> {
  const answer = await postForm(origin, '/sign-in', { key, next: '' }, '')
  if (answer.status !== 303) throw new Error(`Signing in was answered with ${answer.status}.`)
  const cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? ''
  return { at: (place) => browserAt(place, cookie) }
}

const browserAt = (origin: string, cookie: string): Browser => ({
  get: async (path) => {
    const headers = { cookie, accept: 'text/html' }
    const answer = await fetch(`${origin}${path}`, { headers, redirect: 'manual' })
    return { status: answer.status, text: await answer.text() }
  },
  shareReport: async (domain) => {
    const answer = await postForm(origin, '/shares', { domain, view: 'report', days: '7' }, cookie)
    const [path] = /\/shared\/\w+/.exec(await answer.text()) ?? []
    if (path === undefined) throw new Error(`No link was made: ${answer.status}.`)
    return path
  },
})

const postForm = (origin: string, path: string, fields: Record<string, string>, cookie: string) =>
  fetch(`${origin}${path}`, {
    method: 'POST',
    headers: { cookie, accept: 'text/html' },
    body: new URLSearchParams(fields),
    redirect: 'manual',
  })
