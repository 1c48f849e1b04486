import { expect, test } from 'vitest'
import { createDirectories } from '../../../signatures/agents/directories.ts'
import { makeSigner } from '../../../signatures/agents/testing/signer.ts'
import { createJwk, publicJwk, signingKey, thumbprintOf } from '../../../signatures/jwk.ts'
import { signMessage } from '../../../signatures/message.ts'
import { platformsWith } from '../../testing/platforms.ts'
import { AGENT_PROFILE, NOON, testStore } from '../../testing/store.ts'
import { ucpAgent } from './testing/agent.ts'

const ORIGIN = new URL(AGENT_PROFILE).origin
const directory = makeSigner(ORIGIN)
const elsewhere = makeSigner('https://elsewhere.example')
const jwk = createJwk('ES256')
const kid = thumbprintOf({ ...jwk })

/** All platforms have one key in their profiles, and each origin its directory. */
const { store, send } = await testStore({
  platforms: {
    async find(url) {
      const found = await platformsWith().find(url)
      return 'refusal' in found
        ? found
        : { profile: { ...found.profile, keys: [publicJwk(kid, jwk)] } }
    },
  },
  directories: createDirectories({
    read: (url) => (url.startsWith(ORIGIN) ? directory : elsewhere).readKeys(url),
  }),
})

const UCP_AGENT = { 'ucp-agent': `profile="${AGENT_PROFILE}"` }

/** An order that was bought for the agent, and what it is shown of it with these headers. */
async function bought() {
  const agent = ucpAgent(send, 'rest')
  const id = (await agent.pay(await agent.open())).said.order.id
  const url = `https://ucp.example/ucp/v1/orders/${id}`
  const read = async (headers: Record<string, string>) => {
    const answer = await store.request(url.replace('https:', 'http:'), { headers })
    const said = JSON.parse(await answer.text())
    return said.id === id ? 'shown' : (said.messages[0]?.code ?? said.code)
  }
  return { url, read }
}

const cover = { components: ['ucp-agent'] }
const signedBy = (signer: typeof directory, url: string, change: object = cover) =>
  signer.sign({ method: 'GET', url, headers: UCP_AGENT }, NOON, change)

test('an order is read by its platform, signed with a key of its profile or its directory', async () => {
  const { url, read } = await bought()
  expect(await read(UCP_AGENT)).toBe('unauthorized')
  const message = { method: 'GET', url, headers: new Headers(UCP_AGENT), body: new Uint8Array() }
  const byProfile = signMessage(message, signingKey(kid, jwk), NOON)
  expect(await read({ ...UCP_AGENT, ...byProfile })).toBe('shown')
  expect(await read(signedBy(directory, url))).toBe('shown')
})

test('and by nobody else', async () => {
  const { url, read } = await bought()
  const other = await bought()
  for (const headers of [
    signedBy(elsewhere, url),
    signedBy(makeSigner(ORIGIN), url),
    signedBy(directory, other.url),
    signedBy(directory, url.replace('ucp.example', 'other.example')),
    // Over less than UCP demands, it would open any request with another profile.
    signedBy(directory, url, {}),
  ]) {
    expect(['key_not_found', 'unauthorized']).toContain(await read(headers))
  }
})

test('a narrow signature opens nothing with a broad one of an unknown key', async () => {
  const { url, read } = await bought()
  const { signature = '', 'signature-input': input = '', ...headers } = signedBy(directory, url, {})
  const message = { method: 'GET', url, headers: new Headers(headers), body: new Uint8Array() }
  const broad = signMessage(message, signingKey('unknown', createJwk('ES256')), NOON)
  const relabelled = (own: string) => own.replace(/^sig1=/, 'narrow=')
  const both = {
    'signature-input': `${broad['signature-input']}, ${relabelled(input)}`,
    signature: `${broad.signature}, ${relabelled(signature)}`,
  }
  expect(await read({ ...headers, ...both })).toBe('key_not_found')
})

test('a signed request that is sent again reads nothing', async () => {
  const { url, read } = await bought()
  const headers = signedBy(directory, url)
  expect([await read(headers), await read(headers)]).toEqual(['shown', 'unauthorized'])
  expect(await read(signedBy(directory, url))).toBe('shown')
})
