/** A curve of NIST: y² = x³ - 3x + b (mod p) (FIPS 186-4, D.1.2). */
interface Curve {
  p: bigint
  b: bigint
}

const CURVES: Readonly<Record<string, Curve>> = {
  'P-256': {
    p: 2n ** 256n - 2n ** 224n + 2n ** 192n + 2n ** 96n - 1n,
    b: 0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604bn,
  },
  'P-384': {
    p: 2n ** 384n - 2n ** 128n - 2n ** 96n + 2n ** 32n - 1n,
    b: 0xb3312fa7e23ee7e4988e056be3f82d19181d9c6efe8141120314088f5013875ac656398d8a2ed19d2a85c8edd3ec2aefn,
  },
}

/** Whether the base64url coordinates are a point of the curve; null for an unknown curve. */
export function isOnCurve(crv: string, x: string, y: string): boolean | null {
  const curve = Object.hasOwn(CURVES, crv) ? CURVES[crv] : undefined
  if (curve === undefined) return null
  const { p, b } = curve
  const [px, py] = [numberOf(x), numberOf(y)]
  if (px === null || py === null || px >= p || py >= p) return false
  return (py * py - (px * px * px - 3n * px + b)) % p === 0n
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/** More than the coordinates of any curve in use. */
const MAX_CHARACTERS = 100

/**
 * The bytes of a base64url text (RFC 4648, 5); null for other text. A trailing `=` is tolerated,
 * because libraries write it.
 */
export function base64UrlBytes(text: string): number[] | null {
  if (text.length > MAX_CHARACTERS) return null
  const bare = text.replace(/=+$/, '')
  const bytes: number[] = []
  let [bits, count] = [0, 0]
  for (const letter of bare) {
    const value = ALPHABET.indexOf(letter)
    if (value === -1) return null
    bits = ((bits << 6) | value) & 0xffff
    count += 6
    if (count < 8) continue
    count -= 8
    bytes.push((bits >> count) & 0xff)
  }
  return bytes
}

/** The number with these big-endian bytes (RFC 7518, 6.2.1.2); null for invalid input. */
function numberOf(text: string): bigint | null {
  const bytes = base64UrlBytes(text)
  return bytes === null || bytes.length === 0
    ? null
    : bytes.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n)
}
