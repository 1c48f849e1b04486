import { hash, randomBytes, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

/** Base 62: a double click selects the whole key, and no URL or shell has to escape it. */
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Public, and enough that ids do not clash: 62^8. */
const ID_LENGTH = 8

/** 32 bytes in base 62. */
const SECRET_LENGTH = 43
const CHECKSUM_LENGTH = 6

/**
 * `live`: an API key. `share`: a link that shows one domain. `channel`: a link of a watch's
 * channel: a feed, or what a mail address is confirmed or ended by.
 */
const KINDS = ['live', 'share', 'channel'] as const
type KeyKind = (typeof KINDS)[number]

/** The whole form, so that anything else is refused before it costs a query. */
const FORM = new RegExp(
  `^(aisle_(${KINDS.join('|')})_([0-9A-Za-z]{${ID_LENGTH}})_([0-9A-Za-z]{${SECRET_LENGTH}}))([0-9A-Za-z]{${CHECKSUM_LENGTH}})$`,
)

/** The parts of a key: the public id finds its row, the secret proves it. */
interface KeyParts {
  id: string
  secret: string
}

// Unspecified: a key is `aisle_live_<id>_<secret>`. Several can be valid at the same time, each may
// have an end, and each is revoked by its id.

/**
 * A new key, `aisle_live_<id>_<secret><checksum>`. The prefix and the CRC-32 let a scanner find a
 * leaked key, and let us reject a mistyped one, without the database. Several links of one channel
 * have its id.
 */
export function mintKey(
  kind: KeyKind = 'live',
  id: string = randomBase62(ID_LENGTH),
): KeyParts & { key: string } {
  const secret = toBase62(BigInt(`0x${randomBytes(32).toString('hex')}`), SECRET_LENGTH)
  const body = `aisle_${kind}_${id}_${secret}`
  return { id, secret, key: body + checksumOf(body) }
}

/** The beginning of the key with this id: it may be shown. */
export const keyBegins = (id: string): string => `aisle_live_${id}_`

/** An id that cannot be guessed from another. */
export const randomBase62 = (length: number): string =>
  Array.from({ length }, () => ALPHABET[randomInt(62)]).join('')

/** Whether a key or a link can have this id: saves a query for anything else. */
export const isKeyId = (text: string): boolean => KEY_ID.test(text)

const KEY_ID = new RegExp(`^[0-9A-Za-z]{${ID_LENGTH}}$`)

/**
 * The parts of a key. Null for anything that cannot be a key of this kind: a wrong form or a wrong
 * checksum.
 */
export function parseKey(key: string, kind: KeyKind = 'live'): KeyParts | null {
  const [, body = '', found, id = '', secret = '', checksum] = FORM.exec(key) ?? []
  return found === kind && checksum === checksumOf(body) ? { id, secret } : null
}

/** What is stored of a secret. At 256 bits of entropy a slow hash adds nothing. */
export const hashSecret = (secret: string): string => hash('sha256', secret)

/** CRC-32 as in the keys of other services: it finds typing mistakes and protects nothing. */
const checksumOf = (body: string) => toBase62(BigInt(crc32(body)), CHECKSUM_LENGTH)

/** A number in base 62, padded to a fixed length, so that keys are equally long. */
function toBase62(value: bigint, length: number): string {
  let text = ''
  for (let rest = value; rest > 0n; rest /= 62n) text = ALPHABET[Number(rest % 62n)] + text
  return text.padStart(length, '0')
}
