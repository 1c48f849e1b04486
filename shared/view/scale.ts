/** Values in the order of the periods; null where a period has no value. */
export type Series = readonly (number | null)[]

const STEPS = [1, 2, 5, 10]

/**
 * Round numbers from 0 to just above `max`, about `count` of them apart from 0. `whole` never
 * divides one. Without a maximum above 0, the axis is 0 to 1 with a label at 0 only.
 */
export function axisTicks(max: number, count = 4, whole = false): { ticks: number[]; top: number } {
  if (!(max > 0) || !Number.isFinite(max)) return { ticks: [0], top: 1 }
  const rough = max / count
  const power = 10 ** Math.floor(Math.log10(rough))
  const nice = (STEPS.find((each) => each * power >= rough * (1 - 1e-9)) ?? 10) * power
  const step = whole ? Math.max(1, nice) : nice
  const last = Math.ceil(max / step - 1e-9)
  // Multiplying and rounding keeps 3 * 0.1 from becoming 0.30000000000000004.
  const ticks = Array.from({ length: last + 1 }, (_, at) => Number((at * step).toPrecision(12)))
  return { ticks, top: ticks.at(-1) ?? 1 }
}

export const highest = (...all: Series[]): number =>
  all.flat().reduce<number>((max, value) => (value !== null && value > max ? value : max), 0)

/** Which positions get a label if `most` fit: every one, every second, every third … */
export function labelPlaces(places: readonly number[], most: number): number[] {
  const step = Math.ceil(places.length / most)
  return places.filter((_, at) => at % step === 0)
}

/** Two decimals: no screen shows more, and a long chart has many. */
export const rounded = (value: number) => Math.round(value * 100) / 100

/** The middle of a period on a width of 100. */
export const xOf = (at: number, count: number): number => rounded(((at + 0.5) / count) * 100)

/** The height of a value measured from above, 0 to 100. */
export const yOf = (value: number, top: number): number =>
  rounded(100 - (Math.min(Math.max(value, 0), top) / top) * 100)

/** An SVG path in a box of 100 by 100 through the values from `from` to `to`; it pauses at null. */
export function linePath(series: Series, top: number, from = 0, to = series.length - 1): string {
  let path = ''
  let isDown = false
  for (let at = Math.max(0, from); at <= to; at += 1) {
    const value = series[at] ?? null
    if (value !== null) {
      path += `${isDown ? 'L' : 'M'}${xOf(at, series.length)} ${yOf(value, top)}`
    }
    isDown = value !== null
  }
  return path
}

/** The area between the line and the axis, one closed shape per run of values. */
export function areaPath(series: Series, top: number): string {
  let path = ''
  let start: number | null = null
  series.forEach((value, at) => {
    const x = xOf(at, series.length)
    if (value !== null && start === null) {
      start = x
      path += `M${x} 100`
    }
    if (value !== null) path += `L${x} ${yOf(value, top)}`
    if (value !== null && (series[at + 1] ?? null) === null) {
      path += `L${x} 100Z`
      start = null
    }
  })
  return path
}

/** Values without a neighbour: no line passes through them, so they need a dot. */
export const lonePlaces = (series: Series): number[] =>
  series.flatMap((value, at) =>
    value !== null && (series[at - 1] ?? null) === null && (series[at + 1] ?? null) === null
      ? [at]
      : [],
  )
