// Someone who has just added the tag watches the page meanwhile.
const EVERY_MS = 3000

// Unspecified: after twenty seconds without a visit the store's page is checked, and then once a
// minute: by then the tag should be there.
const CHECK_AFTER_MS = 20_000
const CHECK_EVERY_MS = 60_000

interface Told {
  title: string
  points: readonly string[]
}

for (const waiting of document.querySelectorAll<HTMLElement>('[data-waiting]')) {
  const [notice, arrived] = waiting.children
  const { waiting: visits = '', check = '' } = waiting.dataset
  const checked = waiting.querySelector<HTMLElement>('[data-checked]')
  // Written once: what changes in a live region is read out.
  const show = (told: Told) => {
    const lines = linesOf(told)
    const said = lines.map(({ textContent }) => textContent).join('')
    if (checked !== null && checked.textContent !== said) checked.replaceChildren(...lines)
  }
  let nextCheck = performance.now() + CHECK_AFTER_MS
  const timer = setInterval(async () => {
    if (document.hidden) return
    const answer = await ask<{ visited: string | null; told: Told | null }>(visits)
    if (answer?.visited) {
      clearInterval(timer)
      notice?.remove()
      arrived?.removeAttribute('hidden')
    } else if (answer?.told) {
      show(answer.told)
    } else if (performance.now() > nextCheck) {
      nextCheck = performance.now() + CHECK_EVERY_MS
      const told = await ask<Told>(check)
      if (told !== null) show(told)
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

/** What was found, as text: it quotes the store's page. */
function linesOf({ title, points }: Told): Node[] {
  return [title, ...points].map((text, at) => {
    const line = document.createElement('p')
    const strong = document.createElement('strong')
    strong.textContent = `${text}.`
    line.append(at === 0 ? strong : text)
    return line
  })
}
