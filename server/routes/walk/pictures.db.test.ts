import { expect, test } from 'vitest'
import { findFreshWalk, makeFreshWalk } from '../../audit/walk/fresh-walk.ts'
import { PICTURE, pretendStore, WALKED_PAGES } from '../../audit/walk/testing/pretend-store.ts'
import { testApp } from '../../testing/app.ts'

const store = pretendStore()
const { app, ask, key, db, walks, createTestKey } = await testApp({ store })

async function walked(body: object) {
  const answer = await ask('/api/walk', { method: 'POST', key, body })
  const { id } = await answer.json()
  // A stream ends with its walk.
  const events = await (await ask(`/api/walk/${id}/events`, { key })).text()
  const { transcript } = await (await ask(`/api/walk/${id}`, { key })).json()
  return { id, events, transcript }
}

const PAGE = 'https://shop.example/products/boot'

test('a walk goes through pages where it is asked to, and its pictures are beside it', async () => {
  const { id, events, transcript } = await walked({
    domain: 'shop.example',
    intents: ['po_box'],
    pages: true,
    product_url: PAGE,
  })
  expect(store.orders.at(-1)).toMatchObject({ domain: 'shop.example', pages: { url: PAGE } })
  expect(transcript.pages).toEqual(WALKED_PAGES)
  expect(events).toMatch(/event: pages\n[\s\S]*event: page\n/)
  const path = `/api/walk/${id}/${WALKED_PAGES.steps[0]?.picture}`
  const picture = await ask(path, { key })
  expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
  expect(new Uint8Array(await picture.arrayBuffer())).toEqual(PICTURE)
  for (const n of ['2', '0', '1e1', '-1', 'x']) {
    expect((await ask(`/api/walk/${id}/pictures/${n}`, { key })).status).toBe(404)
  }
  const { key: foreign } = await createTestKey({ domains: ['other.example'] })
  const refused = await ask(path, { key: foreign })
  expect([refused.status, (await refused.json()).error.code]).toEqual([404, 'walk_not_found'])
  const body = { days: 7 }
  const link = await (await ask(`/api/walk/${id}/links`, { method: 'POST', key, body })).json()
  for (const address of [link.url, link.api_url]) {
    const shown = await app.request(`${new URL(address).pathname}/pictures/1`)
    expect(new Uint8Array(await shown.arrayBuffer())).toEqual(PICTURE)
    expect(shown.headers.get('referrer-policy')).toBe('no-referrer')
  }
})

test('without being asked to, a walk opens no browser', async () => {
  const { id, transcript } = await walked({ domain: 'plain.example', intents: ['po_box'] })
  expect(store.orders.at(-1)?.pages).toBeUndefined()
  expect(transcript.pages).toBeUndefined()
  expect((await ask(`/api/walk/${id}/pictures/1`, { key })).status).toBe(404)
})

test.each([
  [{ product_url: PAGE }, 'Send pages as true'],
  [{ pages: true, product_url: 'https://other.example/boot' }, 'A product page of shop.example'],
  [{ pages: true, product_url: 'https://evil-shop.example/boot' }, 'A product page of'],
  [{ pages: true, product_url: 'file:///etc/passwd' }, 'Send the whole address'],
])('%j is refused', async (more, why) => {
  const body = { domain: 'shop.example', ...more }
  const answer = await ask('/api/walk', { method: 'POST', key, body })
  expect(answer.status).toBe(422)
  expect(await answer.text()).toContain(why)
})

test('an audit of pages is judged by a walk that went through them', async () => {
  const deps = { db, now: () => new Date(), walks, askMs: 5 }
  const of = { domain: 'judged.example', keyId: 'abcdefgh' }
  const signal = new AbortController().signal
  await makeFreshWalk(deps, of, signal)
  expect((await findFreshWalk(deps, of.domain))?.seen.pages).toBeUndefined()
  expect(await findFreshWalk(deps, of.domain, { pages: true })).toBeNull()
  const made = await makeFreshWalk(deps, { ...of, pages: true }, signal)
  expect(made?.seen.pages).toMatchObject({ reached: true, unseen: null })
  // It is not made again.
  expect((await makeFreshWalk(deps, { ...of, pages: true }, signal))?.id).toBe(made?.id)
})
