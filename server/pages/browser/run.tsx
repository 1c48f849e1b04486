import { render } from 'preact'
import type { RunSeen } from '../../../shared/audit/result/progress.ts'
import { RunView } from '../../../shared/view/audit/RunView.tsx'
import { english, LanguageContext } from '../../../shared/view/language.ts'

// Some proxies hold streams back until they end, so the state is polled as well.
const SILENCE_MS = 3000

const root = document.getElementById('run')
const { follow, locale = 'en' } = root?.dataset ?? {}

if (root !== null && follow !== undefined) {
  const events = new EventSource(`${follow}/events`)
  let silence = setTimeout(ask, SILENCE_MS)

  function show(run: RunSeen) {
    clearTimeout(silence)
    // The page knows the address of its result.
    if (run.state !== 'under_way') {
      events.close()
      location.reload()
      return
    }
    silence = setTimeout(ask, SILENCE_MS)
    render(
      <LanguageContext.Provider value={english(locale)}>
        <RunView progress={run.progress} />
      </LanguageContext.Provider>,
      root as HTMLElement,
    )
  }

  async function ask() {
    try {
      const answer = await fetch(`${follow}/state`)
      if (answer.ok) return show((await answer.json()) as RunSeen)
    } catch {
      // The request is repeated.
    }
    silence = setTimeout(ask, SILENCE_MS)
  }

  events.addEventListener('run', ({ data }: MessageEvent<string>) =>
    show(JSON.parse(data) as RunSeen),
  )
}
