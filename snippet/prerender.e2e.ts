import { expect, test } from 'vitest'
import { describeInBrowser, openUnattended } from '../shared/testing/browser.ts'
import { eventually } from '../shared/testing/wait.ts'
import { useShop } from './testing/shop.ts'

/** Reports the state of the page when it starts, and again when it is shown. */
const SAY = `<script>
  const say = (what) => fetch('/say/' + what + '/' + document.prerendering)
  say('begun')
  document.addEventListener('prerenderingchange', () => say('shown'))
</script>`

describeInBrowser('prerendering', () => {
  const go = Promise.withResolvers<Response>()
  const { beacons, requests, write, hosts } = useShop({ 'go.example': () => go.promise })
  const said = () =>
    requests.map(({ url }) => new URL(url).pathname).filter((path) => path.startsWith('/say/'))

  test('a page that is loaded ahead says nothing until it is shown', async () => {
    const next = write({ head: SAY, query: '?utm_source=chatgpt.com' })
    const rules = JSON.stringify({ prerender: [{ urls: [next], eagerness: 'immediate' }] })
    const first = write({
      tag: `<script type="speculationrules">${rules}</script>`,
      body: `<a href="${next}">next</a><script>
        fetch('https://go.example', { mode: 'no-cors' }).then(() => document.querySelector('a').click())
      </script>`,
    })
    const close = await openUnattended(first, hosts())
    try {
      await eventually(said).toEqual(['/say/begun/true'])
      const loads = () => requests.filter(({ url }) => url === next)
      await new Promise((resolve) => setTimeout(resolve, 1000))
      expect(beacons).toEqual([])
      go.resolve(new Response(''))
      await eventually(said).toEqual(['/say/begun/true', '/say/shown/false'])
      await eventually(() => beacons.map(({ body }) => body.surface)).toEqual(['chatgpt'])
      expect(loads()).toHaveLength(1)
    } finally {
      go.resolve(new Response(''))
      await close()
    }
  })
})
