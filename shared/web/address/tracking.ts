/**
 * Parameters that platforms, mails and advertisements add to an address to follow a visit: click
 * ids (Google's, Meta's, Microsoft's, TikTok's, X's, OpenAI's), `utm_source`, Shopify's search
 * (`_pos`), `ref`.
 */
const FOLLOWS_A_VISIT =
  /^(?:utm_\w+|gad_\w+|mc_\w+|_g[al]|_pos|_sid|_ss|_psq|_fid|_v|ref|gclid|gbraid|wbraid|dclid|fbclid|msclkid|ttclid|twclid|oppref|olref|srsltid)$/i

/** Whether a parameter of that name does not affect its page. */
export const isTrackingParameter = (name: string): boolean => FOLLOWS_A_VISIT.test(name)

/** An address without its fragment and its tracking parameters. */
export function plainAddress(address: URL): string {
  const plain = new URL(address.href)
  plain.hash = ''
  for (const name of [...plain.searchParams.keys()]) {
    if (isTrackingParameter(name)) plain.searchParams.delete(name)
  }
  return plain.href
}
