export interface WantedItem {
  id: string
  quantity: number
}

/** A whole number from 1 on. */
export const WHOLE_NUMBER = /^[1-9]\d{0,8}$/

/** More than a cart takes; the cart reports it. */
const MOST_ITEMS = 1000

/** The compact item path; null if it is malformed. */
export function readItems(text: string): WantedItem[] | null {
  if (text === '') return []
  const pairs = text.split(',', MOST_ITEMS).map((pair) => {
    const [, token = '', quantity = ''] = /^([^:]+):([^:]+)$/.exec(pair) ?? []
    const id = WHOLE_NUMBER.test(quantity) ? itemIdOf(token) : null
    return id === null ? null : { id, quantity: Number(quantity) }
  })
  return pairs.includes(null) ? null : pairs.filter((pair) => pair !== null)
}

/** The value of a token: itself, or base64url after a `~`; null for anything else. */
function itemIdOf(token: string): string | null {
  if (/^[A-Za-z0-9._-]+$/.test(token)) return token
  if (!/^~[A-Za-z0-9_-]+$/.test(token)) return null
  const bytes = Buffer.from(token.slice(1), 'base64url')
  if (bytes.toString('base64url') !== token.slice(1)) return null
  try {
    const id = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    return /\p{Cc}/u.test(id) ? null : id
  } catch {
    return null
  }
}
