import type { CorpusPage } from './corpus.ts'
import type { Prediction } from './prediction.ts'

/**
 * The fields that are scored. `InStock` and `OutOfStock` are those of the benchmark: each is a
 * field of its own, and a page of which nothing is stated counts as in stock.
 */
export const FIELDS = [
  'price',
  'currency',
  'availability',
  'InStock',
  'OutOfStock',
  'sku',
  'brand',
  'gtin',
] as const
type ScoredField = (typeof FIELDS)[number]

/** A figure with the range that 95 of 100 resampled corpora stay in, and their deviation. */
export interface Estimate {
  value: number
  low: number
  high: number
  deviation: number
}

interface FieldScore {
  /**
   * Pages: predicted and accepted; predicted and not accepted, whether the truth has a value or
   * not.
   */
  right: number
  wrong: number
  /** Pages with a value in the truth that was not predicted right. */
  missed: number
  /** Pages without a value in the truth, where none is the right prediction. */
  none_in_truth: number
  precision: Estimate
  recall: Estimate
  f1: Estimate
}

export type Scores = Record<ScoredField, FieldScore>

type Counts = readonly [right: number, wrong: number, missed: number]

/**
 * Scores predictions, one for each page in the same order, by the rule of the benchmark
 * (https://github.com/scrapinghub/product-extraction-benchmark, evaluate.py): one value for each
 * page, right if it is one of the accepted; a value where the truth has none is wrong, and a wrong
 * value where it has one is missed as well.
 */
export function score(
  pages: readonly CorpusPage[],
  predictions: readonly (Prediction | null)[],
): Scores {
  const of = (field: ScoredField): FieldScore => {
    const accepted = pages.map((page) => page.accepted.get(field) ?? [])
    const counts = accepted.map((values, at) =>
      countsOf(field, predictedOf(field, predictions[at] ?? null), values),
    )
    const [right, wrong, missed] = sum(counts)
    const none_in_truth = accepted.filter((values) => values.length === 0).length
    return { right, wrong, missed, none_in_truth, ...figuresOf(counts) }
  }
  return {
    price: of('price'),
    currency: of('currency'),
    availability: of('availability'),
    InStock: of('InStock'),
    OutOfStock: of('OutOfStock'),
    sku: of('sku'),
    brand: of('brand'),
    gtin: of('gtin'),
  }
}

function predictedOf(field: ScoredField, prediction: Prediction | null): string | null {
  if (field !== 'InStock' && field !== 'OutOfStock') return prediction?.[field] ?? null
  const stock = prediction?.availability ?? 'InStock'
  return stock === field ? stock : null
}

function countsOf(
  field: ScoredField,
  predicted: string | null,
  accepted: readonly string[],
): Counts {
  const missed = accepted.length > 0 ? 1 : 0
  if (predicted === null) return [0, 0, missed]
  return accepted.some((value) => isSame(field, predicted, value)) ? [1, 0, 0] : [0, 1, missed]
}

const sum = (counts: readonly Counts[]): Counts =>
  counts.reduce<Counts>(([a, b, c], [x, y, z]) => [a + x, b + y, c + z], [0, 0, 0])

/**
 * As the benchmark has it: nothing predicted wrong and nothing missed is 1, however little there
 * was.
 */
function ratiosOf([right, wrong, missed]: Counts) {
  const isPerfect = wrong === 0 && missed === 0
  const precision = isPerfect ? 1 : right / (right + wrong || 1)
  const recall = isPerfect ? 1 : right / (right + missed || 1)
  const both = precision + recall
  return { precision, recall, f1: both === 0 ? 0 : (2 * precision * recall) / both }
}

const SAMPLES = 1000

/** The bootstrap over pages: as many pages, drawn with replacement, a thousand times. */
function figuresOf(counts: readonly Counts[]): Pick<FieldScore, 'precision' | 'recall' | 'f1'> {
  const value = ratiosOf(sum(counts))
  const random = randomFrom(42)
  const samples = Array.from({ length: SAMPLES }, () => {
    let total: Counts = [0, 0, 0]
    for (let n = 0; n < counts.length; n++) {
      const drawn = counts[Math.floor(random() * counts.length)]
      if (drawn !== undefined) total = sum([total, drawn])
    }
    return ratiosOf(total)
  })
  const figure = (name: keyof typeof value): Estimate => {
    const sorted = samples.map((sample) => sample[name]).sort((a, b) => a - b)
    const mean = sorted.reduce((total, each) => total + each, 0) / SAMPLES
    const squares = sorted.reduce((total, each) => total + (each - mean) ** 2, 0)
    return {
      value: value[name],
      low: sorted[SAMPLES * 0.025] ?? value[name],
      high: sorted[SAMPLES * 0.975 - 1] ?? value[name],
      deviation: Math.sqrt(squares / (SAMPLES - 1)),
    }
  }
  return { precision: figure('precision'), recall: figure('recall'), f1: figure('f1') }
}

/**
 * Mulberry32: the same figures in every run
 * (https://gist.github.com/tommyettinger/46a874533244883189143505d203312c).
 */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** The signs and words that stand for a currency on pages; `$` and `kr` for several. */
const CURRENCY_SIGNS: ReadonlyMap<string, RegExp> = new Map([
  ['$', /^(USD|CAD|AUD|NZD|SGD|HKD|TWD|MXN|ARS|CLP|COP|UYU|BRL)$/],
  ['€', /^EUR$/],
  ['£', /^GBP$/],
  ['¥', /^(JPY|CNY)$/],
  ['₹', /^INR$/],
  ['₽', /^RUB$/],
  ['₺', /^TRY$/],
  ['₩', /^KRW$/],
  ['₫', /^VND$/],
  ['₴', /^UAH$/],
  ['฿', /^THB$/],
  ['zł', /^PLN$/],
  ['kč', /^CZK$/],
  ['ft', /^HUF$/],
  ['kr', /^(SEK|NOK|DKK|ISK)$/],
  ['lei', /^(RON|MDL)$/],
  ['лв', /^BGN$/],
  ['руб', /^RUB$/],
  ['r$', /^BRL$/],
  ['rs', /^(INR|PKR|LKR|NPR)$/],
  ['rp', /^IDR$/],
  ['rm', /^MYR$/],
  ['ر.س', /^SAR$/],
  ['د.إ', /^AED$/],
])

/**
 * A price is compared as a number, a sku and an availability as they are: the benchmark's rule. It
 * does not score the other fields. There, a sign stands for its currency, a brand is the same in
 * any case, and a GTIN with or without leading zeros.
 */
function isSame(field: ScoredField, predicted: string, accepted: string): boolean {
  if (field === 'price') return Number(predicted) === Number(accepted)
  if (field === 'gtin') return predicted.replace(/^0+/, '') === accepted.replace(/^0+/, '')
  if (field !== 'currency' && field !== 'brand') return predicted === accepted
  const [a, b] = [predicted.trim().toLowerCase(), accepted.trim().toLowerCase()]
  if (a === b || field === 'brand') return a === b
  return (
    (CURRENCY_SIGNS.get(b) ?? CURRENCY_SIGNS.get(b.replace(/\.$/, '')))?.test(predicted) === true
  )
}
