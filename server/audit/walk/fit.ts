import type { Exchange, Transcript, WalkEvent, WalkStep } from '../../../shared/walk/transcript.ts'

/** The lengths to which bodies are cut, one after another, until a value fits. */
const LADDER = [16_384, 4_096, 1_024, 256, 0]

/** The size of a value's JSON, in bytes. */
export const sizeOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))

/**
 * The transcript with bodies as long as `bytes` allows. Without any body it may still be too long.
 */
export const fitTranscript = (transcript: Transcript, bytes: number): Transcript =>
  cutUntilFits(transcript, bytes, (most) => ({
    ...transcript,
    routes: transcript.routes.map((route) => ({
      ...route,
      browsing: route.browsing.map((step) => cutStep(step, most)),
      purchases: route.purchases.map((purchase) => cutSteps(purchase, most)),
    })),
  }))

/** The event with bodies as long as `bytes` allows. Without any body it may still be too long. */
export const fitEvent = (event: WalkEvent, bytes: number): WalkEvent =>
  cutUntilFits(event, bytes, (most) => {
    if (event.event === 'step' || event.event === 'browsed') {
      return { ...event, step: cutStep(event.step, most) }
    }
    if (event.event !== 'purchased') return event
    return { ...event, purchase: cutSteps(event.purchase, most) }
  })

function cutUntilFits<T>(whole: T, bytes: number, cutTo: (most: number) => T): T {
  let fitting = whole
  for (const most of LADDER) {
    if (sizeOf(fitting) <= bytes) return fitting
    fitting = cutTo(most)
  }
  return fitting
}

const cutSteps = <T extends { steps: WalkStep[] }>(owner: T, most: number): T => ({
  ...owner,
  steps: owner.steps.map((step) => cutStep(step, most)),
})

const cutStep = (step: WalkStep, most: number): WalkStep => ({
  ...step,
  exchanges: step.exchanges.map((exchange) => cutExchange(exchange, most)),
})

function cutExchange({ request, answer, ...rest }: Exchange, most: number): Exchange {
  const { body } = request
  const isLong = answer !== null && answer.body.length > most
  return {
    ...rest,
    request: { ...request, body: body === null ? null : cutText(body, most) },
    answer: isLong ? { ...answer, body: cutText(answer.body, most), cut: true } : answer,
  }
}

/** A surrogate pair that is cut in two could not be stored. */
const cutText = (text: string, most: number) => text.slice(0, most).toWellFormed()
