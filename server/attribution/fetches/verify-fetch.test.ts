import ipaddr from 'ipaddr.js'
import { expect, test } from 'vitest'
import { AGENTS, namedAgent } from '../../../shared/attribution/agents.ts'
import type { LogLine } from '../../../shared/attribution/fetches/fetch.ts'
import { createConfirmedNames } from '../agents/confirmed-names.ts'
import { BUILT_IN_COPIES, PUBLISHED_LISTS } from '../agents/published-lists.ts'
import { createAddressVerifier } from '../agents/verify-address.ts'
import type { ProvedCaller } from '../agents/verify-caller.ts'
import { createFetchVerifier } from './verify-fetch.ts'

const NOW = new Date('2026-11-30T12:00:00Z')
const ranges = createAddressVerifier(BUILT_IN_COPIES)

const lineOf = (token: string, address?: string): LogLine => ({
  ...{ at: NOW.getTime(), method: 'GET', host: 'shop.example', path: '/', status: 200 },
  ...{ userAgent: `Mozilla/5.0 (compatible; ${token}/1.0)`, ...(address && { address }) },
})

/** Name servers with these names for addresses, and addresses for names; `asked` counts. */
function nameServers(names: Record<string, string>, addresses: Record<string, string>) {
  const asked: string[] = []
  const answer = async (of: string | undefined) => {
    if (of === 'down') throw Object.assign(new Error('no answer'), { code: 'ETIMEOUT' })
    if (of === undefined) throw Object.assign(new Error('no name'), { code: 'ENOTFOUND' })
    return [of]
  }
  const lookup: Parameters<typeof createConfirmedNames>[0] = {
    reverse: (address) => {
      asked.push(address)
      return answer(names[address])
    },
    resolve4: (name) => answer(addresses[name]),
    resolve6: (name) => answer(addresses[name]),
  }
  return { names: createConfirmedNames(lookup, () => NOW), asked }
}

async function proofsOf(
  lines: readonly LogLine[],
  deps: Partial<Parameters<typeof createFetchVerifier>[0]> = {},
) {
  const given = { addresses: async () => ranges, names: null, callers: null, ...deps }
  const verify = await createFetchVerifier(given)(lines)
  return lines.map((line) => verify(line, namedAgent(line.userAgent)!))
}

const rangeOf = (prefix: string) =>
  ipaddr.parseCIDR(prefix.includes('/') ? prefix : `${prefix}/${prefix.includes(':') ? 128 : 32}`)

/** The last address of a range, and those on both sides of it. */
function edgesOf(prefix: string): string[] {
  const [address, bits] = rangeOf(prefix)
  const bytes = address.toByteArray()
  const first = BigInt(`0x${Buffer.from(bytes).toString('hex')}`)
  const size = 1n << BigInt(bytes.length * 8 - bits)
  return [first + size - 1n, first - 1n, first + size].map((at) => {
    const hex = at.toString(16).padStart(bytes.length * 2, '0')
    return ipaddr.fromByteArray([...Buffer.from(hex, 'hex')]).toString()
  })
}

test('for each operator with ranges, a forged address is never verified, and an own one always', async () => {
  const newest = new Map(BUILT_IN_COPIES.map((copy) => [copy.list, copy.prefixes]))
  const counts: Record<string, { verified: number; forged: number }> = {}
  for (const { id, operator, tokens } of PUBLISHED_LISTS) {
    const own = (newest.get(id) ?? []).map(rangeOf)
    const isOwn = (address: string) => {
      const read = ipaddr.parse(address)
      return own.some(([first, bits]) => read.kind() === first.kind() && read.match([first, bits]))
    }
    // What stands beside each of its ranges, and an address of each other list.
    const addresses = [...newest].flatMap(([list, prefixes]) =>
      (list === id ? prefixes : prefixes.slice(0, 1)).flatMap(edgesOf),
    )
    for (const token of own.length === 0 ? [] : tokens) {
      const proofs = await proofsOf(addresses.map((address) => lineOf(token, address)))
      const expected = addresses.map((address) => (isOwn(address) ? 'verified' : 'forged'))
      expect(proofs).toEqual(expected)
      const counted = (proof: string) => expected.filter((each) => each === proof).length
      const before = counts[operator] ?? { verified: 0, forged: 0 }
      counts[operator] = {
        verified: before.verified + counted('verified'),
        forged: before.forged + counted('forged'),
      }
    }
  }
  expect(Object.keys(counts)).toHaveLength(10)
  for (const { verified, forged } of Object.values(counts)) {
    expect(verified).toBeGreaterThan(0)
    expect(forged).toBeGreaterThan(15)
  }
})

test('an address proves the agent that counts, and no second one that is named', async () => {
  const own = BUILT_IN_COPIES.findLast(({ list }) => list === 'claude')?.prefixes[0]?.split('/')[0]
  const both = { userAgent: 'Mozilla/5.0 (compatible; GPTBot/1.2; ClaudeBot/1.0)' }
  const second = lineOf('ClaudeBot', own)
  expect(await proofsOf([second, { ...second, ...both }])).toEqual(['verified', 'forged'])
})

test('without an address of the client, and without a list, an agent is claimed', async () => {
  const addresses = [undefined, '-', '10.0.0.7', '127.0.0.1', 'proxy', '::1']
  const lines = addresses.map((address) => lineOf('GPTBot', address))
  expect(new Set(await proofsOf(lines))).toEqual(new Set(['claimed']))
  expect(await proofsOf([lineOf('NovaAct', '8.8.8.8')])).toEqual(['claimed'])
})

test('a name of the address proves it if the name leads back to the address', async () => {
  const { names, asked } = nameServers(
    {
      ...{ '9.9.9.1': 'crawl-9.googlebot.com.', '9.9.9.2': 'crawl-9.googlebot.com' },
      ...{ '9.9.9.3': 'googlebot.com.evil.example', '9.9.9.4': 'evilgooglebot.com' },
      ...{ '9.9.9.5': 'down', '9.9.9.6': 'a.search.msn.com' },
    },
    {
      ...{ 'crawl-9.googlebot.com': '9.9.9.1', 'googlebot.com.evil.example': '9.9.9.3' },
      ...{ 'evilgooglebot.com': '9.9.9.4', 'a.search.msn.com': '9.9.9.6' },
    },
  )
  const lines = [1, 2, 3, 4, 5, 6, 7].map((n) => lineOf('Googlebot', `9.9.9.${n}`))
  const expected = ['verified', ...Array.from({ length: 6 }, () => 'forged')]
  expect(await proofsOf(lines, { names })).toEqual(expected)
  // Asked once, but for the one whose server was down; and not where no name can tell.
  await proofsOf([...lines, lineOf('GPTBot', '9.9.9.8'), lineOf('Googlebot')], { names })
  expect(asked.toSorted()).toEqual([1, 2, 3, 4, 5, 5, 6, 7].map((n) => `9.9.9.${n}`))
})

test('made-up agents do not make us ask name servers without end', async () => {
  const { names, asked } = nameServers({}, {})
  const lines = Array.from({ length: 5000 }, (_, n) =>
    lineOf('Googlebot', `9.${n % 250}.${Math.floor(n / 250)}.9`),
  )
  expect(new Set(await proofsOf(lines, { names }))).toEqual(new Set(['forged']))
  expect(asked).toHaveLength(600)
})

test('the signature of the operator proves its agents, and nobody else’s', async () => {
  const seen: string[] = []
  const verify = async ({ request, usedFor }: Parameters<Verify>[0]): Promise<ProvedCaller> => {
    seen.push(`${request.url} ${request.headers.get('signature-agent')} ${usedFor}`)
    return { verified: { by: 'signature', surface: 'chatgpt' }, refusal: null }
  }
  type Verify = (call: { request: { url: string; headers: Headers }; usedFor: string }) => unknown
  const signature = { signature: 'a', 'signature-input': 'b', 'signature-agent': '"c"' }
  const lines = ['ChatGPT-User', 'Claude-User'].map((token) => ({
    ...{ ...lineOf(token, '8.8.8.8'), id: 'r-1', path: '/a', signature },
  }))
  const broken = { ...lines[0]!, signature: { ...signature, signature: 'a\nb' } }
  const callers = { verify }
  expect(await proofsOf([...lines, broken, lineOf('GPTBot', '8.8.8.8')], { callers })).toEqual([
    'verified',
    'forged',
    'forged',
    'forged',
  ])
  expect(seen).toEqual(
    Array.from({ length: 2 }, () => 'https://shop.example/a "c" fetch shop.example r-1'),
  )
})

test('a CDN that has verified the agent is believed, whatever its address is', async () => {
  const { names, asked } = nameServers({}, {})
  const line = lineOf('Googlebot', '8.8.8.8')
  const claimed = { ...lineOf('Bytespider', '8.8.8.8'), vouched: true }
  const lines = [line, { ...line, vouched: true }, claimed, { ...claimed, vouched: false }]
  expect(await proofsOf(lines, { names })).toEqual(['forged', 'verified', 'verified', 'claimed'])
  expect(asked).toEqual(['8.8.8.8'])
})

test('a list is of agents in the table, and of one operator', () => {
  for (const { operator, tokens } of PUBLISHED_LISTS) {
    const operators = tokens.map((token) => AGENTS.find((each) => each.token === token)?.operator)
    expect(new Set(operators)).toEqual(new Set([operator]))
  }
})
