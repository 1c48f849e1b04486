import ipaddr from 'ipaddr.js'
import { tokensOf } from '../../../shared/attribution/agents.ts'
import { PUBLISHED_LISTS, type PublishedList, type RangeCopy } from './published-lists.ts'

/** A request that calls itself an agent of an operator. */
export interface AddressClaim {
  userAgent: string
  address: string
  /** The day of the request, such as `2026-11-30`. */
  day: string
}

/**
 * - `verified`: the operator of an agent that the User-Agent names publishes this address
 * - `outside`: it publishes others alone
 * - `unlisted`: no agent is named, or no list of it is held
 */
export type AddressVerdict =
  | { outcome: 'verified' | 'outside'; token: string; list: string; since: string }
  | { outcome: 'unlisted' }

export type AddressVerifier = (claim: AddressClaim) => AddressVerdict

interface HeldCopy {
  since: string
  ranges: Ranges
}

/** The first bits of addresses as text, by how many they are. */
type Ranges = ReadonlyMap<number, ReadonlySet<string>>

/**
 * Judges addresses by copies of the operators' lists. Unspecified: between two copies an operator's
 * list was one or the other, so an address of either is verified; before the first and after the
 * last the nearest one counts.
 */
export function createAddressVerifier(copies: readonly RangeCopy[]): AddressVerifier {
  const held = new Map<string, HeldCopy[]>()
  for (const { list, since, prefixes } of copies.toSorted((a, b) => (a.since < b.since ? -1 : 1))) {
    held.set(list, [...(held.get(list) ?? []), { since, ranges: rangesOf(prefixes) }])
  }
  return ({ userAgent, address, day }) => {
    const bits = bitsOf(address)
    let outside: AddressVerdict = { outcome: 'unlisted' }
    for (const token of tokensOf(userAgent)) {
      const list = LIST_OF_TOKEN.get(token)
      if (list === undefined) continue
      for (const { since, ranges } of copiesOfDay(held.get(list.id) ?? [], day)) {
        const judged = { token, list: list.id, since }
        if (bits !== null && isIn(bits, ranges)) return { outcome: 'verified', ...judged }
        outside = { outcome: 'outside', ...judged }
      }
    }
    return outside
  }
}

const LIST_OF_TOKEN: ReadonlyMap<string, PublishedList> = new Map(
  PUBLISHED_LISTS.flatMap((list) => list.tokens.map((token) => [token.toLowerCase(), list])),
)

/** Whether a User-Agent names an agent whose operator publishes its addresses. */
export const namesListed = (userAgent: string): boolean =>
  tokensOf(userAgent).some((token) => LIST_OF_TOKEN.has(token))

/** The copy that held on a day, and the next one. */
function copiesOfDay(copies: readonly HeldCopy[], day: string): HeldCopy[] {
  const after = copies.findIndex(({ since }) => since > day)
  if (after === -1) return copies.slice(-1)
  return copies.slice(Math.max(0, after - 1), after + 1)
}

function rangesOf(prefixes: readonly string[]): Ranges {
  const ranges = new Map<number, Set<string>>()
  for (const prefix of prefixes) {
    const [address = '', length] = prefix.split('/')
    const bits = bitsOf(address)
    if (bits === null) continue
    const first = length === undefined ? bits : bits.slice(0, FAMILY_BITS + Number(length))
    ranges.set(first.length, (ranges.get(first.length) ?? new Set()).add(first))
  }
  return ranges
}

const isIn = (bits: string, ranges: Ranges): boolean =>
  [...ranges].some(([length, firsts]) => firsts.has(bits.slice(0, length)))

/** The family of an address stands before its bits. */
const FAMILY_BITS = 1

/** The bits of an address as text; null if it is none. IPv4 within IPv6 is IPv4. */
function bitsOf(address: string): string | null {
  if (!ipaddr.isValid(address)) return null
  const read = ipaddr.process(address)
  const bits = read.toByteArray().map((byte) => byte.toString(2).padStart(8, '0'))
  return (read.kind() === 'ipv4' ? '4' : '6') + bits.join('')
}
