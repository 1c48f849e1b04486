import { readPage } from '../../../shared/markup/page.ts'
import { CorpusError, type CorpusPage, readCorpus } from './corpus.ts'
import { findExtruct, predictWithExtruct } from './extruct.ts'
import { type Prediction, predict } from './prediction.ts'
import { type Estimate, FIELDS, type Scores, score } from './score.ts'

interface CorpusResult {
  pages: number
  /** Pages that could not be read; they predict nothing. */
  threw: number
  /** Milliseconds to read a page and its product. */
  max_ms: number
  median_ms: number
  fields: Scores
  /** Null where no Python that imports extruct was found. */
  extruct: { version: string; fields: Scores } | null
}

/** The Python that runs extruct. Without a required one, extruct is left out and said to be. */
export interface Interpreter {
  python: string
  required: boolean
}

/**
 * Scores what Aisle's reader states of the pages under a folder, next to extruct. Writes a table,
 * and returns its figures. Throws a CorpusError if the folder is not a corpus, or if the named
 * interpreter has no extruct.
 */
export async function runCorpus(
  folder: string,
  write: (line: string) => void,
  interpreter: Interpreter,
): Promise<CorpusResult> {
  const pages = await readCorpus(folder)
  const readings = pages.map(timedPrediction)
  const predictions = readings.map(({ prediction }) => prediction)
  const times = readings.map(({ ms }) => ms).sort((a, b) => a - b)
  const result: CorpusResult = {
    pages: pages.length,
    threw: predictions.filter((prediction) => prediction === null).length,
    max_ms: times.at(-1) ?? 0,
    median_ms: times[Math.floor(times.length / 2)] ?? 0,
    fields: score(pages, predictions),
    extruct: await scoreExtruct(folder, pages, interpreter),
  }
  for (const line of describe(result)) write(line)
  return result
}

/** The fastest of three readings: the others measure the machine and the compiler as well. */
function timedPrediction({ html, url }: CorpusPage): {
  prediction: Prediction | null
  ms: number
} {
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

async function scoreExtruct(
  folder: string,
  pages: readonly CorpusPage[],
  { python, required }: Interpreter,
): Promise<CorpusResult['extruct']> {
  const version = await findExtruct(python)
  if (version === null) {
    if (!required) return null
    throw new CorpusError(
      `${python} cannot import extruct. Install it there (pip install extruct), or name another Python interpreter.`,
    )
  }
  const predictions = await predictWithExtruct(python, folder, pages).catch((error: Error) => {
    throw new CorpusError(`extruct failed: ${error.message}`)
  })
  return { version, fields: score(pages, predictions) }
}

const figure = ({ value, low, high }: Estimate): string =>
  `${value.toFixed(3)} [${low.toFixed(2)}, ${high.toFixed(2)}]`

function describe(result: CorpusResult): string[] {
  const { extruct, pages, threw, max_ms, median_ms } = result
  const systems = [
    { name: 'Aisle', fields: result.fields },
    ...(extruct === null ? [] : [{ name: 'extruct', fields: extruct.fields }]),
  ]
  const row = (cells: readonly string[]) =>
    cells
      .map((cell, at) => cell.padEnd([13, 8, 19, 19, 19, 5, 5, 6][at] ?? 0))
      .join(' ')
      .trimEnd()
  return [
    `${pages} pages, ${threw} threw, ${max_ms.toFixed(0)} ms max, ${median_ms.toFixed(0)} ms median`,
    extruct === null
      ? 'extruct: not found, because python3 cannot import it. Install it (pip install extruct), or name an interpreter that has it: --extruct <python>'
      : `extruct ${extruct.version}`,
    row([
      'field',
      'system',
      'F1 [95 %]',
      'precision',
      'recall',
      'right',
      'wrong',
      'missed',
      'none',
    ]),
    ...FIELDS.flatMap((name) =>
      systems.map((system) => {
        const { right, wrong, missed, none_in_truth, ...each } = system.fields[name]
        const figures = [each.f1, each.precision, each.recall].map(figure)
        return row([
          name,
          system.name,
          ...figures,
          ...[right, wrong, missed, none_in_truth].map(String),
        ])
      }),
    ),
    'none: pages without a value in the truth, where any value is wrong',
  ]
}
