/** Whose report can be asked for, and whose is shown first. */
interface ReportDomains {
  options: string[]
  /** Null when there is none: it has to be typed. */
  first: string | null
  /** `first` belongs to the key, so that asking for it tells the server nothing new. */
  isOwn: boolean
}

// Unspecified: the open domain is not sent to the server unasked, unless it belongs to the key.
/** From the storefronts of the key and the domain of the open page. */
export function reportDomains(own: readonly string[], open: string | null): ReportDomains {
  const options = [...new Set(open === null ? own : [...own, open])]
  const first = open !== null && own.includes(open) ? open : (own[0] ?? open)
  return { options, first, isOwn: first !== null && own.includes(first) }
}
