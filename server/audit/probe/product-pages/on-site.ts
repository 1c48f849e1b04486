/** Only https pages of the audited shop itself or its subdomains: markup elsewhere is another's. */
export function isOnSite(url: string, domain: string): boolean {
  const parsed = URL.parse(url)
  const site = domain.replace(/^www\./, '')
  if (parsed === null || parsed.protocol !== 'https:') return false
  return parsed.hostname === site || parsed.hostname.endsWith(`.${site}`)
}
