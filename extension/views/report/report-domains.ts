/** Whose report can be asked for, and whose is. */
interface ReportDomains {
  /** Empty: the domain has to be typed, as neither the key nor the page names one. */
  options: string[]
  /** Null when there is none. */
  domain: string | null
  /** `domain` belongs to the key, so that asking for it tells the server nothing new. */
  isOwn: boolean
}

// Unspecified: the open domain is not sent to the server unasked, unless it belongs to the key.
/**
 * From the storefronts of the key, the domain of the open page, and the one that was asked for by
 * name: that one stays, whichever page is opened, for its report does.
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
