/** The cookies of one host, by their names, while something is done there. */
export type Cookies = Map<string, string>

/** The header that sends cookies back; no header without any. */
export const cookieOf = (cookies: ReadonlyMap<string, string>): { cookie?: string } =>
  cookies.size === 0
    ? {}
    : { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') }

const MOST_COOKIES = 20
const MOST_COOKIE = 4_096

/**
 * Keeps what an answer sets. Several `Set-Cookie` are one text by now: a comma is between two only
 * before a name and "=".
 */
export function keepCookies(cookies: Cookies, headers: Readonly<Record<string, string>>): void {
  const all = (headers['set-cookie'] ?? '').slice(0, MOST_COOKIES * MOST_COOKIE)
  for (const each of all.split(/,\s*(?=[!#$%&'*+.^`|~\w-]{1,100}=)/).slice(0, MOST_COOKIES)) {
    const [pair = ''] = each.split(';', 1)
    const at = pair.indexOf('=')
    const [name, value] = [pair.slice(0, at).trim(), pair.slice(at + 1).trim()]
    // Visible ASCII: what is sent back must not begin another header.
    if (at < 1 || !/^[\x21-\x7e]{0,4096}$/.test(value)) continue
    if (value === '' || /;\s*max-age=(?:0|-\d+)\s*(?:;|$)/i.test(each)) cookies.delete(name)
    else cookies.set(name, value)
  }
}
