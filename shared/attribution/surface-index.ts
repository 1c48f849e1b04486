import type { FactKind, Surface } from './surfaces.ts'

/** The id of the surface of each fact, by its kind and value. Values are lower case. */
export type SurfaceIndex = Readonly<Partial<Record<FactKind, ReadonlyMap<string, string>>>>

/** What a browser can see of a visit: the part of the table that the tag carries. */
export const CLICK_FACTS = [
  'host',
  'mixed_host',
  'app',
  'utm_documented',
  'utm_observed',
  'utm_tagged',
  'click_id',
] as const satisfies readonly FactKind[]

/** An index of the facts of these kinds. */
export const indexSurfaces = (
  kinds: readonly FactKind[],
  surfaces: readonly Surface[],
): SurfaceIndex =>
  Object.fromEntries(
    kinds.map((kind) => [
      kind,
      new Map(
        surfaces.flatMap(({ id, facts }) =>
          facts.flatMap((each) => (each[kind] ?? []).map((value) => [value.toLowerCase(), id])),
        ),
      ),
    ]),
  )

/**
 * The facts of these kinds as one text, which identifies a table: a fingerprint of it is stored
 * with every event, so its form must not change: `id|host host|mixed_host|…;id|…`, values separated
 * by spaces. Surfaces without such a fact are left out.
 */
export const packSurfaces = (kinds: readonly FactKind[], surfaces: readonly Surface[]): string =>
  surfaces
    .flatMap(({ id, facts }) => {
      const columns = kinds.map((kind) => facts.flatMap((each) => each[kind] ?? []).join(' '))
      return columns.every((column) => column === '')
        ? []
        : [[id, ...columns].join('|').replace(/\|+$/, '').toLowerCase()]
    })
    .join(';')

/** The surface of a fact, matched exactly; null without one. */
export const surfaceOf = (index: SurfaceIndex, kind: FactKind, value: string): string | null =>
  index[kind]?.get(value) ?? null

/** A host that was found in the table. */
interface ListedHost<Kind extends FactKind> {
  kind: Kind
  /** As listed: `perplexity.ai` for `www.perplexity.ai`. */
  value: string
  surface: string
}

/**
 * The listed host that a host is or is below. Whole labels are compared, so neither `notclaude.ai`
 * nor `claude.ai.example` is `claude.ai`.
 */
export function findHost<Kind extends FactKind>(
  index: SurfaceIndex,
  kinds: readonly Kind[],
  host: string,
): ListedHost<Kind> | null {
  for (let value = host; value !== ''; value = value.slice(value.indexOf('.') + 1)) {
    for (const kind of kinds) {
      const surface = surfaceOf(index, kind, value)
      if (surface !== null) return { kind, value, surface }
    }
    if (!value.includes('.')) return null
  }
  return null
}

/** The host of a URL, such as `chatgpt.com` of `https://chatgpt.com/`; any other text as it is. */
export const bareHost = (text: string): string => text.replace(/^https?:\/\/([^/]*).*/, '$1')

export const GROK_MARK = ['referrer=grok', 'utm_source=grok'] as const

/**
 * A URL with the mark that Grok writes into its links, `?referrer=grok.com`, as a `utm_source`
 * (https://en.wikipedia.org/wiki/Wikipedia:Signs_of_AI_writing). No other value is read: `referrer`
 * may name a person whom the store rewards.
 */
export const unifyMarks = (url: string): string => url.replace(...GROK_MARK)
