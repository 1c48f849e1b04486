import { type Exchange, readHeaderLine, type Step, startExchange } from './steps.ts'
import { vary } from './vary.ts'

/**
 * Reads `spec.md`: the specification's sentences, each with the requests that prove it.
 *
 *     ## Section
 *
 *     > A sentence of the specification, or what it comes to.
 *
 *     ```
 *     * a step that is not a request, such as "16 minutes pass"
 *     POST /acp/checkout/create as another agent ×3
 *     Header: value
 *     { "the": "body" }
 *     → 200 application/json
 *     Header: expected
 *     { "the": "answer" }
 *     ! event { "what the store reported": "…" }
 *     ```
 *
 * A table after it has one more row per line: the same steps, with another last request and answer
 * (`vary.ts` says how a cell is read).
 *
 *     | Rule | Request | Answer |
 *     |---|---|---|
 *     | `quantity` is positive. | `items.0.quantity: 0` | 422 `{ "error": { "code": "…" } }` |
 */
export interface Row {
  /** The line in the file, from 1. */
  line: number
  section: string
  sentence: string
  steps: Step[]
}

const ANSWER = /^→ (\d{3})(?: (\S+))?$/
const TOLD = /^! (\w+) (.+)$/
const CELLS = /^\| (.+?) \| (.+) \| (.+?) \|$/
const TABLE_HEAD = /^\| Rule \||^\|-/

/** The rows in order. Throws with the line of what cannot be read. */
export function readContract(text: string): Row[] {
  const rows: Row[] = []
  let section = ''
  let sentence = ''
  /** The last line of the sentence. */
  let saidAt = 0
  /** What a table varies. */
  let steps: Step[] | null = null
  let block: { at: number; lines: string[] } | null = null
  // Otherwise an unproved sentence would be taken for a part of the next one.
  const endSentence = () => {
    if (sentence !== '') throw new Error(`Line ${saidAt}: a sentence without requests.`)
  }
  for (const [index, line] of text.split('\n').entries()) {
    const at = index + 1
    if (line.startsWith('```')) {
      if (block === null) block = { at, lines: [] }
      else {
        if (sentence === '') throw new Error(`Line ${block.at}: requests without a sentence.`)
        steps = stepsOf(block.lines, block.at)
        rows.push({ line: block.at, section, sentence, steps })
        block = null
        sentence = ''
      }
    } else if (block !== null) block.lines.push(line)
    else if (line.startsWith('## ')) {
      endSentence()
      section = line.slice(3)
      steps = null
    } else if (line.startsWith('> ')) {
      if (saidAt !== at - 1) endSentence()
      sentence = `${sentence} ${line.slice(2)}`.trim()
      saidAt = at
    } else if (line.startsWith('|') && !TABLE_HEAD.test(line)) {
      const [, rule = '', request = '', answer = ''] = CELLS.exec(line) ?? []
      if (rule === '' || steps === null) throw new Error(`Line ${at}: a row that varies nothing.`)
      rows.push({ line: at, section, sentence: rule, steps: varyLast(steps, request, answer, at) })
    }
  }
  if (block !== null) throw new Error(`Line ${block.at}: requests without an end.`)
  endSentence()
  return rows
}

function varyLast(steps: readonly Step[], request: string, answer: string, at: number): Step[] {
  const last = steps.findLastIndex(({ kind }) => kind === 'exchange')
  const exchange = steps[last]
  if (exchange?.kind !== 'exchange') throw new Error(`Line ${at}: there is no request to vary.`)
  try {
    return [...steps.slice(0, last), vary(exchange, request, answer)]
  } catch (error) {
    throw new Error(`Line ${at}: ${error instanceof Error ? error.message : error}`)
  }
}

function stepsOf(lines: readonly string[], at: number): Step[] {
  const steps: Step[] = []
  /** Where lines go that are neither step nor marker. */
  let exchange: Exchange | null = null
  for (const [index, line] of lines.entries()) {
    const request = startExchange(line)
    const answer = ANSWER.exec(line)
    const told = TOLD.exec(line)
    if (line === '') continue
    if (line.startsWith('* ')) steps.push({ kind: 'given', text: line.slice(2) })
    else if (told) steps.push({ kind: 'told', what: told[1] ?? '', expected: told[2] ?? '' })
    else if (request) {
      exchange = request
      steps.push(exchange)
    } else if (exchange === null) {
      throw new Error(`Line ${at + 1 + index}: "${line}" belongs to no request.`)
    } else if (answer) {
      exchange.status = Number(answer[1])
      exchange.type = answer[2] ?? exchange.type
    } else addLine(exchange, line)
  }
  const open = steps.find((step) => step.kind === 'exchange' && step.status === 0)
  if (open || steps.length === 0) throw new Error(`Line ${at}: a request has no answer ("→ 200").`)
  return steps
}

/** A header or a line of the body: of the request, and after a status, of the answer. */
function addLine(exchange: Exchange, line: string): void {
  const [headers, body] =
    exchange.status === 0
      ? (['headers', 'body'] as const)
      : (['expectedHeaders', 'expected'] as const)
  const header = exchange[body] === null ? readHeaderLine(line) : null
  if (header) exchange[headers][header.name] = header.value
  else exchange[body] = [exchange[body], line].filter((each) => each !== null).join('\n')
}
