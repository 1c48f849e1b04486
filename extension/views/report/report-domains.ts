/** The domains whose report can be requested, and the current one. */
interface ReportDomains {
  /** Empty: the domain has to be typed, because neither the key nor the page names one. */
  options: string[]
  /** Null if there is none. */
  domain: string | null
  /** `domain` belongs to the key, so requesting it tells the server nothing new. */
  isOwn: boolean
}

// Unspecified: the open domain is not sent to the server unasked, unless it belongs to the key.
/**
 * From the storefronts of the key, the domain of the open page, and the one that was typed: that
 * one stays, as does its report, whichever page is opened.
 */
export function reportDomains(
  own: readonly string[],
  open: string | null,
  chosen: string | null,
): ReportDomains {
  const named = [...own, open].filter((each) => each !== null)
  const isTyped = named.length === 0
  const options = isTyped || chosen === null ? named : [...named, chosen]
  const first = open !== null && own.includes(open) ? open : (own[0] ?? open)
  const domain = chosen ?? first
  return { options: [...new Set(options)], domain, isOwn: domain !== null && own.includes(domain) }
}
