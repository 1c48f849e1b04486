// Someone who has just added the tag watches the page meanwhile.
const EVERY_MS = 3000

// Unspecified: after twenty seconds without a visit the store's page is checked, and then once a
// minute: by then the tag should be there.
const CHECK_AFTER_MS = 20_000
const CHECK_EVERY_MS = 60_000

for (const waiting of document.querySelectorAll<HTMLElement>('[data-waiting]')) {
  const [notice, arrived] = waiting.children
  const { waiting: visits = '', check = '' } = waiting.dataset
  const checked = waiting.querySelector<HTMLElement>('[data-checked]')
  let nextCheck = performance.now() + CHECK_AFTER_MS
  const timer = setInterval(async () => {
    if (document.hidden) return
    if ((await ask<{ visited: string | null }>(visits))?.visited) {
      clearInterval(timer)
      notice?.remove()
      arrived?.removeAttribute('hidden')
    } else if (performance.now() > nextCheck) {
      nextCheck = performance.now() + CHECK_EVERY_MS
      const told = await ask<{ title: string; points: string[] }>(check)
      if (told !== null) checked?.replaceChildren(...linesOf(told))
    }
  }, EVERY_MS)
}

/** Null if the request failed: it is repeated. */
async function ask<T>(address: string): Promise<T | null> {
  try {
    const answer = await fetch(address, { headers: { Accept: 'application/json' } })
    return answer.ok ? ((await answer.json()) as T) : null
  } catch {
    return null
  }
}

/** What the check of the store's page found, as text: it quotes the page. */
function linesOf({ title, points }: { title: string; points: readonly string[] }): Node[] {
  return [title, ...points].map((text, at) => {
    const line = document.createElement('p')
    const strong = document.createElement('strong')
    strong.textContent = `${text}.`
    line.append(at === 0 ? strong : text)
    return line
  })
}
