import { type DocumentNode, evaluate, parse, type ValueNode } from '@humanwhocodes/momoa'

/** A position in a text, counted from 1. */
export interface Position {
  line: number
  column: number
}

/** The keys and indexes that lead to a part of a JSON document. */
export type JsonPath = readonly (string | number)[]

/** JSON with the positions of its parts. */
export interface PlacedJson {
  value: unknown
  /** Where the part begins, or the nearest existing part around it. */
  at: (path: JsonPath) => Position
  /** The position of an object's key. */
  atKey: (path: JsonPath, key: string) => Position
  /** Keys that an object has twice: JSON.parse keeps the last, and people read the first. */
  repeated: { path: JsonPath; key: string; at: Position; first: Position }[]
}

/** The text is not JSON. */
export class NotJson extends Error {
  override name = 'NotJson'
  readonly at: Position

  constructor(message: string, at: Position) {
    super(message)
    this.at = at
  }
}

/** Reads JSON (RFC 8259: no comments, no trailing commas). Throws `NotJson` for other text. */
export function readPlaced(text: string): PlacedJson {
  const { body } = documentOf(text)
  const repeated: PlacedJson['repeated'] = []
  visit(body, [], repeated)
  return {
    value: evaluate(body),
    at: (path) => startOf(nodeAt(body, path)),
    atKey(path, key) {
      const node = nodeAt(body, path)
      const member =
        node.type === 'Object' ? node.members.find((each) => nameOf(each.name) === key) : undefined
      return startOf(member?.name ?? node)
    },
    repeated,
  }
}

function documentOf(text: string): DocumentNode {
  try {
    const document = parse(text, { mode: 'json' })
    // Momoa allows line breaks in strings, which JSON does not.
    JSON.parse(text)
    return document
  } catch (error) {
    if (error instanceof RangeError) {
      throw new NotJson('Its lists and objects nest too deep', { line: 1, column: 1 })
    }
    const at = isCutOff(text) ? endOf(text) : positionOf(error)
    throw new NotJson(faultAt(text, at), at)
  }
}

/** Momoa has the position as numbers; V8 writes it: "… (line 1 column 8)". */
function positionOf(error: unknown): Position {
  const [, line, column] = /line (\d+) column (\d+)/.exec(String(error)) ?? []
  const numbers =
    typeof error === 'object' && error !== null && 'line' in error && 'column' in error
      ? { line: Number(error.line), column: Number(error.column) }
      : { line: Number(line), column: Number(column) }
  return Number.isNaN(numbers.line) ? { line: 1, column: 1 } : numbers
}

/** The end of a text, without trailing white space. */
function endOf(text: string): Position {
  const lines = text.trimEnd().split('\n')
  return { line: lines.length, column: (lines.at(-1) ?? '').length + 1 }
}

/** What is wrong there, and what to do about it: the parser only names the token. */
function faultAt(text: string, { line, column }: Position): string {
  const lines = text.split('\n')
  const before = [...lines.slice(0, line - 1), (lines[line - 1] ?? '').slice(0, column - 1)].join(
    ' ',
  )
  const here = (lines[line - 1] ?? '').slice(column - 1)
  if (text.trim() === '') return 'The file is empty. Write at least { "domains": ["shop.example"] }'
  if (isCutOff(text)) return 'The file ends too early. Close every " and [ and { that is open'
  if (/^\/[/*]/.test(here)) return 'JSON has no comments. Remove this one'
  if (here.startsWith("'")) return 'Texts need double quotes. Write " instead of \''
  if (isControlCharacter(text)) {
    return 'A text cannot hold a line break or a tab. Write \\n or \\t, or close its double quotes'
  }
  if (/^[}\]]/.test(here) && /,\s*$/.test(before)) return 'Remove the comma before this'
  if (/^["\d{[tfn-]/.test(here) && /["\d}\]el]\s*$/.test(before)) {
    return /[{,]\s*"[^"]*"\s*$/.test(before) && !/\[[^\]]*$/.test(before)
      ? 'Add a colon before this'
      : 'Add a comma before this'
  }
  return `This is not JSON: ${here === '' ? 'the line ends here' : `"${here.slice(0, 20)}"`} was not expected`
}

/** V8 reports these within a text; elsewhere they are just unexpected. */
function isControlCharacter(text: string): boolean {
  try {
    JSON.parse(text)
    return false
  } catch (error) {
    return /control character/.test(String(error))
  }
}

function isCutOff(text: string): boolean {
  try {
    JSON.parse(text)
    return false
  } catch (error) {
    return (
      /Unexpected end|Unterminated/.test(String(error)) ||
      isAtEnd(text, /position (\d+)/.exec(String(error))?.[1])
    )
  }
}

/** Only white space follows it, which V8 skips. */
const isAtEnd = (text: string, position: string | undefined): boolean =>
  position !== undefined && Number(position) >= text.trimEnd().length

type Placed = { loc: { start: Position } }

const startOf = ({ loc: { start } }: Placed): Position => ({
  line: start.line,
  column: start.column,
})

/** Keys are strings in JSON; identifiers are JSON5. */
const nameOf = (name: { type: 'String'; value: string } | { type: 'Identifier'; name: string }) =>
  name.type === 'String' ? name.value : name.name

function nodeAt(body: ValueNode, path: JsonPath): ValueNode {
  let node = body
  for (const step of path) {
    const next =
      node.type === 'Object'
        ? node.members.findLast((each) => nameOf(each.name) === step)?.value
        : node.type === 'Array'
          ? node.elements[Number(step)]?.value
          : undefined
    if (next === undefined) return node
    node = next
  }
  return node
}

function visit(node: ValueNode, path: JsonPath, repeated: PlacedJson['repeated']): void {
  if (node.type === 'Array') {
    for (const [index, { value }] of node.elements.entries()) {
      visit(value, [...path, index], repeated)
    }
  }
  if (node.type !== 'Object') return
  const known = new Map<string, Position>()
  for (const { name, value } of node.members) {
    const key = nameOf(name)
    const first = known.get(key)
    if (first === undefined) known.set(key, startOf(name))
    else repeated.push({ path, key, at: startOf(name), first })
    visit(value, [...path, key], repeated)
  }
}
