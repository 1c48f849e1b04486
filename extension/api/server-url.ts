// Unspecified: http is only allowed for this machine, because the key travels with each request.
const LOOPBACK = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/

/**
 * The normalized address of an Aisle server, without a slash at the end, or why it is invalid. Only
 * https, except for a server on this machine: the key travels with each request.
 */
export function readServerUrl(
  text: string,
): { url: string } | { problem: 'empty' | 'no_url' | 'not_https' } {
  const typed = text.trim()
  if (typed === '') return { problem: 'empty' }
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(typed) ? typed : `https://${typed}`)
  // Chromium accepts spaces in a host and writes them as %20, although
  // https://url.spec.whatwg.org/#forbidden-host-code-point forbids both.
  const isPlain = url !== null && !/[%\s]/.test(url.host) && url.username + url.password === ''
  if (!isPlain || !/^https?:$/.test(url.protocol) || url.hostname === '')
    return { problem: 'no_url' }
  if (url.search !== '' || url.hash !== '') return { problem: 'no_url' }
  if (url.protocol === 'http:' && !LOOPBACK.test(url.hostname)) return { problem: 'not_https' }
  return { url: `${url.origin}${url.pathname.replace(/\/+$/, '')}` }
}
