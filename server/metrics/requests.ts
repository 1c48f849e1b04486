import { type Counter, Histogram, type Registry } from 'prom-client'

/** An answered request, with few possible values. */
interface AnsweredRequest {
  method: string
  /** The pattern of the route, never the path that was sent: each path would be a series. */
  route: string
  status: number
  seconds: number
  /** The error's code, if it was answered with one of ours. */
  code?: string | undefined
}

/** Counts answers. */
export type CountAnswer = (request: AnsweredRequest) => void

/** From an event's commit to an audit's 30 seconds. */
const BUCKETS = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/** Clients can send any method that Node's parser knows: these are the routes' own. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** A path that only middleware matches does not exist. */
const routeName = (pattern: string) => (pattern === '/*' || pattern === '*' ? 'none' : pattern)

/**
 * Adds the durations of requests, under a name that begins with `prefix`; `refusals` counts the
 * codes of errors.
 */
export function countAnswersIn(
  registry: Registry,
  prefix: string,
  refusals?: Counter<'code'>,
): CountAnswer {
  const durations = new Histogram({
    name: `${prefix}_http_request_seconds`,
    help: 'Time to the answer, by the pattern of the route and the class of the status.',
    labelNames: ['method', 'route', 'status'],
    buckets: BUCKETS,
    registers: [registry],
  })
  return ({ method, route, status, seconds, code }) => {
    const known = METHODS.has(method) ? method : 'other'
    const labels = {
      method: known,
      route: routeName(route),
      status: `${Math.floor(status / 100)}xx`,
    }
    durations.observe(labels, seconds)
    if (code !== undefined) refusals?.inc({ code })
  }
}
