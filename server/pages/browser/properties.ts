// A person who has just put in the tag looks at the page meanwhile.
const EVERY_MS = 3000

for (const waiting of document.querySelectorAll<HTMLElement>('[data-waiting]')) {
  const [notice, arrived] = waiting.children
  const address = waiting.dataset.waiting ?? ''
  const timer = setInterval(async () => {
    if (document.hidden || !(await hasVisit(address))) return
    clearInterval(timer)
    notice?.remove()
    arrived?.removeAttribute('hidden')
  }, EVERY_MS)
}

/** False where it cannot be had now: it is asked for again. */
async function hasVisit(address: string): Promise<boolean> {
  try {
    const answer = await fetch(address, { headers: { Accept: 'application/json' } })
    return answer.ok && (await answer.json()).visited !== null
  } catch {
    return false
  }
}
