import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { readPage } from '../../shared/markup/page.ts'
import { isRecord } from '../../shared/web/json.ts'
import { type Prediction, predict } from './prediction.ts'

const unzip = promisify(gunzip)

/** Accepted values of a page, by field, beside its `url`. */
interface Truth {
  url: string
  accepted: Map<string, string[]>
}

export interface FieldScore {
  /** Predicted and right, predicted and wrong, stated by the truth and not predicted right. */
  right: number
  wrong: number
  missed: number
  precision: number
  recall: number
}

export interface CorpusResult {
  pages: number
  threw: number
  /** Milliseconds to read a page and its product. */
  max_ms: number
  median_ms: number
  fields: Record<keyof Prediction, FieldScore>
}

/** The lists of the truth that a prediction is compared with. */
const TRUTH_OF: Record<keyof Prediction, readonly string[]> = {
  price: ['price'],
  currency: ['currency'],
  availability: ['availability', 'InStock', 'OutOfStock'],
  sku: ['sku'],
  brand: ['brand'],
  gtin: ['gtin'],
}

/**
 * Reads `<folder>/pages/<id>.html.gz` and holds what the markup states against `truth.json`. A page
 * that states no value makes no prediction. Throws if the folder is not a corpus.
 */
export async function runCorpus(
  folder: string,
  write: (line: string) => void,
): Promise<CorpusResult> {
  const pages = join(folder, 'pages')
  const truths = readTruths(JSON.parse(await readFile(join(pages, 'truth.json'), 'utf8')))
  const fields = emptyScores()
  const times: number[] = []
  let threw = 0
  for (const [id, truth] of truths) {
    const html = (await unzip(await readFile(join(pages, `${id}.html.gz`)))).toString('utf8')
    const { prediction, ms } = timedPrediction(html, truth.url)
    times.push(ms)
    if (prediction === null) threw += 1
    for (const field of fieldsOf(fields)) {
      const accepted = TRUTH_OF[field].flatMap((name) => truth.accepted.get(name) ?? [])
      count(fields[field], field, prediction?.[field] ?? null, accepted)
    }
  }
  for (const field of fieldsOf(fields)) finish(fields[field])
  const sorted = times.sort((a, b) => a - b)
  const result: CorpusResult = {
    pages: truths.size,
    threw,
    max_ms: sorted.at(-1) ?? 0,
    median_ms: sorted[Math.floor(sorted.length / 2)] ?? 0,
    fields,
  }
  for (const line of describe(result)) write(line)
  return result
}

/** The fastest of three readings: the others measure the machine and the compiler as well. */
function timedPrediction(html: string, url: string): { prediction: Prediction | null; ms: number } {
  const runs = [1, 2, 3].map(() => {
    const start = performance.now()
    const prediction = predictSafely(html, url)
    return { prediction, ms: performance.now() - start }
  })
  return runs.reduce((best, run) => (run.ms < best.ms ? run : best))
}

function predictSafely(html: string, url: string): Prediction | null {
  try {
    return predict(readPage(html, url))
  } catch {
    return null
  }
}

function readTruths(json: unknown): Map<string, Truth> {
  if (!isRecord(json)) throw new Error('truth.json must be an object of page id → values')
  return new Map(
    Object.entries(json).flatMap(([id, values]) => {
      if (!isRecord(values) || typeof values.url !== 'string') return []
      const accepted = Object.entries(values).map(([name, list]): [string, string[]] => [
        name,
        Array.isArray(list) ? list.filter((value) => typeof value === 'string') : [],
      ])
      return [[id, { url: values.url, accepted: new Map(accepted) }] as const]
    }),
  )
}

const emptyScore = (): FieldScore => ({ right: 0, wrong: 0, missed: 0, precision: 0, recall: 0 })

const emptyScores = (): CorpusResult['fields'] => ({
  price: emptyScore(),
  currency: emptyScore(),
  availability: emptyScore(),
  sku: emptyScore(),
  brand: emptyScore(),
  gtin: emptyScore(),
})

/** Guarantee: the record has exactly the keys of a prediction. */
const fieldsOf = (fields: CorpusResult['fields']) => Object.keys(fields) as (keyof Prediction)[]

/** A page whose truth does not hold the field says nothing about it. */
function count(
  score: FieldScore,
  field: keyof Prediction,
  predicted: string | null,
  accepted: readonly string[],
): void {
  if (accepted.length === 0) return
  const isRight = predicted !== null && accepted.some((value) => isSame(field, predicted, value))
  if (isRight) score.right += 1
  else score.missed += 1
  if (predicted !== null && !isRight) score.wrong += 1
}

function finish(score: FieldScore): void {
  const { right, wrong, missed } = score
  score.precision = right + wrong === 0 ? 0 : right / (right + wrong)
  score.recall = right + missed === 0 ? 0 : right / (right + missed)
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

function isSame(field: keyof Prediction, predicted: string, accepted: string): boolean {
  const [a, b] = [predicted.trim().toLowerCase(), accepted.trim().toLowerCase()]
  if (field === 'price') return Number(a) === Number(b.replace(/[\s,](?=\d{3}\b)/g, ''))
  if (field === 'currency') {
    const sign = CURRENCY_SIGNS.get(b) ?? CURRENCY_SIGNS.get(b.replace(/\.$/, ''))
    return a === b || sign?.test(predicted) === true
  }
  if (field === 'gtin') return a.replace(/^0+/, '') === b.replace(/^0+/, '')
  return a === b
}

function describe(result: CorpusResult): string[] {
  const rows = Object.entries(result.fields).map(([field, { right, wrong, missed, ...score }]) => {
    const [precision, recall] = [score.precision.toFixed(3), score.recall.toFixed(3)]
    const counts = `${right} right, ${wrong} wrong, ${missed} missed`
    return `${field.padEnd(13)} precision ${precision}  recall ${recall}  (${counts})`
  })
  return [
    `${result.pages} pages, ${result.threw} threw, max ${result.max_ms.toFixed(0)} ms, median ${result.median_ms.toFixed(0)} ms`,
    ...rows,
  ]
}
