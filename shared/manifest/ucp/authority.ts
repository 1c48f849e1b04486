const IPV4 = /^\d+(\.\d+){3}$/

/**
 * Why the owner of a name does not vouch for a `schema` URL, or null if they do: the host with its
 * labels reversed must be the name, or a start of it in whole labels, as `ucp.dev` for
 * `dev.ucp.shopping` (UCP overview, Authority Binding). The text follows "it".
 */
export function authorityFault(name: string, schema: string): string | null {
  const url = URL.parse(schema)
  if (url === null) return 'is not a URL'
  if (url.protocol !== 'https:') return 'is not an https URL'
  if (url.username !== '' || url.password !== '') return 'contains a user name'
  const host = url.hostname.replace(/\.$/, '')
  if (IPV4.test(host) || host.startsWith('[')) return 'is on an IP address'
  const labels = host.split('.')
  if (labels.length < 2) return 'is not on a domain'
  return `${name}.`.startsWith(`${labels.reverse().join('.')}.`)
    ? null
    : `is on ${host}, which does not own the name`
}
