import { rangeOf } from '../../../shared/attribution/report-range.ts'
import { dayOf } from '../../../shared/web/moment.ts'
import type { ApiCall } from './operations.ts'

/** The store of all examples. */
export const EXAMPLE_DOMAIN = 'shop.example'

/** Things that a path names by an id. */
export type NamedThing =
  | 'audit'
  | 'walk'
  | 'property'
  | 'channel'
  | 'incident'
  | 'link'
  | 'token'
  | 'version'

/** What an example is filled in with. */
export interface ExampleValues {
  /** The key, or how it begins. */
  key: string
  domain: string
  /** What is known of the domain's things. */
  ids: Partial<Record<NamedThing, string>>
}

/** Where the id of a thing is found. */
const FOUND_BY: Record<NamedThing, string> = {
  audit: 'GET /api/audits',
  walk: 'GET /api/walk',
  property: 'GET /api/properties',
  channel: 'GET /api/watches/<domain>/channels',
  incident: 'GET /api/watches/<domain>/incidents',
  link: 'GET /api/walk/<id>/links',
  token: 'the end of a link to a walk',
  version: 'the address in a pinned tag',
}

/** The things of which the operation needs an id, in the order of its path. */
export function thingsOf({ path, parameters }: ApiCall): NamedThing[] {
  const names = [...path.matchAll(/\{(\w+)\}/g)].flatMap(([, name = '']) => thingOf(path, name))
  const needsProperty = parameters.some(
    ({ place, name, isRequired }) => place === 'query' && name === 'id' && isRequired,
  )
  return needsProperty ? [...names, 'property'] : names
}

function thingOf(path: string, parameter: string): NamedThing[] {
  if (parameter === 'domain') return []
  if (parameter !== 'id') return THINGS.filter((each) => each === parameter)
  const [, kind = ''] = /\/(audits|walk|properties|channels|incidents)\/\{id\}/.exec(path) ?? []
  return THINGS.filter((each) => BY_KIND[kind] === each)
}

const BY_KIND: Readonly<Record<string, NamedThing>> = {
  audits: 'audit',
  walk: 'walk',
  properties: 'property',
  channels: 'channel',
  incidents: 'incident',
}

const isThing = (name: string): name is NamedThing => Object.hasOwn(FOUND_BY, name)
const THINGS = Object.keys(FOUND_BY).filter(isThing)

const variableOf = (thing: NamedThing): string =>
  thing === 'token' || thing === 'version' ? thing.toUpperCase() : `${thing.toUpperCase()}_ID`

/** Within single quotes, a shell reads all but the quote itself. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/**
 * The operation as lines for a shell, with one of its bodies. What is not known stands at the top
 * as `'…'`, with where it is found.
 */
export function curlOf(
  operation: ApiCall,
  body: string | null,
  { key, domain, ids }: ExampleValues,
  { baseUrl, now }: { baseUrl: string; now: Date },
): string {
  const things = thingsOf(operation)
  const settings = [
    ...(operation.scopes.length > 0 ? [`AISLE_KEY=${quoted(key)}`] : []),
    ...things.map((thing) => {
      const id = ids[thing]
      const name = variableOf(thing)
      return id === undefined ? `${name}='…' # ${FOUND_BY[thing]}` : `${name}=${quoted(id)}`
    }),
  ]
  const { method, path, scopes, answer } = operation
  const streams = answer.types.includes('text/event-stream')
  const type = operation.body?.type
  const lines = [
    `curl${streams ? ' -N' : ''}${method === 'GET' ? '' : ` -X ${method}`} "${baseUrl}${addressOf(path, domain)}${queryOf(operation, domain, now)}"`,
    ...(scopes.length > 0 ? ['-H "Authorization: Bearer $AISLE_KEY"'] : []),
    ...(type === undefined || body === null
      ? []
      : [
          `-H 'Content-Type: ${type}'`,
          // A tag sends it from a page of the store.
          ...(type === 'text/plain' ? [`-H ${quoted(`Origin: https://${domain}`)}`] : []),
          `-d ${quoted(body.replaceAll(EXAMPLE_DOMAIN, () => domain))}`,
        ]),
  ]
  return [...settings, lines.join(' \\\n  ')].join('\n')
}

function addressOf(path: string, domain: string): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const [thing] = thingOf(path.slice(0, path.indexOf(`{${name}}`) + name.length + 2), name)
    // The picture of a step.
    if (name === 'n') return '1'
    return thing === undefined ? domain : `$${variableOf(thing)}`
  })
}

function queryOf({ parameters }: ApiCall, domain: string, now: Date): string {
  const month = rangeOf('month', dayOf(now.getTime()))
  const values: Readonly<Record<string, string>> = { domain, ...month, id: '$PROPERTY_ID' }
  const needed = parameters.filter(({ place, isRequired }) => place === 'query' && isRequired)
  const pairs = needed.map(({ name, example }) => `${name}=${values[name] ?? example ?? '…'}`)
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}
