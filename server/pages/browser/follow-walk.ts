import type { Transcript, WalkEvent } from '../../../shared/walk/transcript.ts'
import { foldEvent } from '../../../shared/walk/transcript-of-events.ts'

// Unspecified: after this time without an event, a walk is polled: some proxies hold streams back
// until they end, and a walk that broke off sends no more events.
const SILENCE_MS = 4000

const NAMES: readonly WalkEvent['event'][] = [
  'route',
  'browsed',
  'purchase',
  'step',
  'purchased',
  'pages',
  'page',
  'ended',
]

interface WalkState {
  under_way: boolean
  transcript: Transcript
}

/**
 * Follows the walk of the page at `address` to its end: by its stream of events, and by polling
 * while that is silent. `draw` is called for each change, at most once a frame, and `end` after the
 * last.
 */
export function followWalk(
  address: string,
  draw: (transcript: Transcript, isLive: boolean) => void,
  end: () => void,
): void {
  let transcript: Transcript | null = null
  /** All events so far: a polled state may be older, or not exist yet. */
  const seen: WalkEvent[] = []
  let isLive = true
  let isDrawing = false
  const events = new EventSource(`${address}/events`)
  let silence = setTimeout(() => void ask(), 0)

  function show() {
    if (isDrawing) return
    isDrawing = true
    requestAnimationFrame(() => {
      isDrawing = false
      if (transcript !== null) draw(transcript, isLive)
      if (!isLive) end()
    })
  }

  function stop() {
    isLive = false
    clearTimeout(silence)
    events.close()
  }

  function listenOn() {
    clearTimeout(silence)
    if (isLive) silence = setTimeout(() => void ask(), SILENCE_MS)
  }

  async function ask() {
    const state = await stateAt(`${address}/state`)
    if (!isLive) return
    if (state !== null) {
      transcript = seen.reduce(foldEvent, state.transcript)
      if (!state.under_way) stop()
      show()
    }
    listenOn()
  }

  const take = ({ data }: MessageEvent<string>) => {
    if (!isLive) return
    const event = asEvent(data)
    seen.push(event)
    if (transcript === null) return
    transcript = foldEvent(transcript, event)
    if (transcript.ended_at !== null) stop()
    show()
    listenOn()
  }
  for (const name of NAMES) events.addEventListener(name, take)
}

/** Null if the request failed: it is repeated. */
async function stateAt(address: string): Promise<WalkState | null> {
  try {
    const answer = await fetch(address, { headers: { Accept: 'application/json' } })
    return answer.ok ? asState(await answer.json()) : null
  } catch {
    return null
  }
}

/** Our own service sends it. */
const asState = (body: unknown) => body as WalkState
const asEvent = (data: string) => JSON.parse(data) as WalkEvent
