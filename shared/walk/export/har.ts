import { escapeJson } from '../../web/text/printable.ts'
import { nameOfIntent } from '../intents.ts'
import type { Exchange, Transcript, WalkStep } from '../transcript.ts'

/**
 * A walk as an HTTP archive (http://www.softwareishard.com/blog/har-12-spec/): a page for each
 * purchase, an entry for each request, with the buyer's steps and the faults as comments. The JSON
 * cannot control a terminal.
 */
export function transcriptHar(transcript: Transcript): string {
  const parts = transcript.routes.flatMap(({ dialect, label, browsing, purchases }) => [
    { id: `${dialect}/catalog`, title: `${label}: the catalog`, steps: browsing },
    ...purchases.map(({ intent, steps }) => ({
      id: `${dialect}/${intent}`,
      title: `${label}: ${nameOfIntent(intent)}`,
      steps,
    })),
  ])
  const asked = parts.filter(({ steps }) => steps.some(({ exchanges }) => exchanges.length > 0))
  const log = {
    version: '1.2',
    creator: { name: 'Aisle', version: String(transcript.version) },
    pages: asked.map(({ id, title, steps }) => ({
      startedDateTime: steps.flatMap(({ exchanges }) => exchanges)[0]?.at ?? transcript.started_at,
      id,
      title,
      pageTimings: {},
    })),
    entries: asked.flatMap(({ id, steps }) =>
      steps.flatMap((step) => step.exchanges.map((exchange) => entryOf(id, step, exchange))),
    ),
    comment: `A walk of ${transcript.domain}. Secrets and personal data are masked.`,
  }
  return `${escapeJson(JSON.stringify({ log }, null, 2))}\n`
}

/** In HAR, -1 is an unknown size or time. */
const UNKNOWN = -1

function entryOf(pageref: string, { n, title, failed }: WalkStep, exchange: Exchange) {
  const { request, answer, failure, ms, at } = exchange
  return {
    pageref,
    startedDateTime: at,
    time: ms,
    request: {
      method: request.method,
      url: request.url,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: pairsOf(request.headers),
      queryString: queryOf(request.url),
      ...(request.body !== null && {
        postData: { mimeType: typeOf(request.headers), params: [], text: request.body },
      }),
      headersSize: UNKNOWN,
      bodySize: request.bytes,
    },
    response: {
      // As browsers write a request without an answer.
      status: answer?.status ?? 0,
      statusText: '',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: pairsOf(answer?.headers ?? {}),
      content: {
        size: answer?.bytes ?? 0,
        mimeType: typeOf(answer?.headers ?? {}),
        text: answer?.body ?? '',
        ...(answer?.cut && { comment: 'The text is a part of the body.' }),
      },
      redirectURL: answer?.headers.location ?? '',
      headersSize: UNKNOWN,
      bodySize: answer?.bytes ?? UNKNOWN,
      ...(answer === null && { comment: failure ?? 'No answer came.' }),
    },
    cache: {},
    timings: { send: 0, wait: ms, receive: 0 },
    comment: [
      `Step ${n}: ${title}`,
      ...(failed === null ? [] : [`Expected: ${failed.expected}`, `Found: ${failed.found}`]),
    ].join('\n'),
  }
}

const pairsOf = (headers: Readonly<Record<string, string>>) =>
  Object.entries(headers).map(([name, value]) => ({ name, value }))

const typeOf = (headers: Readonly<Record<string, string>>): string =>
  Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1] ??
  'application/octet-stream'

/** The parameters of an address as they are written, decoded if possible. */
function queryOf(url: string): { name: string; value: string }[] {
  const [, query = ''] = /^[^?#]*\?([^#]*)/.exec(url) ?? []
  return query
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const [name = '', ...value] = pair.split('=')
      return { name: unescaped(name), value: unescaped(value.join('=')) }
    })
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}
