import { SaxesParser, type SaxesTagPlain } from 'saxes'
import {
  attributeName,
  type FeedState,
  type Followed,
  MAX_ITEMS,
  MAX_RECORD,
  type Rows,
  type XmlState,
} from './format.ts'

/**
 * Google's namespace (https://support.google.com/merchants/answer/14987622), as shops write it:
 * with https, and without the slash too.
 */
const GOOGLE = /^https?:\/\/base\.google\.com\/ns\/1\.0\/?$/

/** Feeds nest four or five levels. */
const MAX_DEPTH = 32

/** Characters from one tag to the next: what one value, comment or document type may take. */
const MAX_GAP = 262_144

/** The characters of one value; what a feed may say in it is shorter. */
const MAX_TEXT = 20_000

/** The reader looks up between two pieces. */
const PIECE = 16_384

/** A text that is not XML has a fault at every character, and each costs the parser an Error. */
const MAX_FAULTS = 100

/** Values of one item, and names for Google's namespace; honest feeds have some thirty and one. */
const MAX_VALUES = 300
const MAX_PREFIXES = 10

/** Thrown by a listener: the parser has no other way to end within a piece. */
const ENOUGH = new Error('enough was read')

/** Elements of RSS and Atom that are read as an attribute where no `g:` element states it. */
const PLAIN: ReadonlyMap<string, string> = new Map([
  ['title', 'title'],
  ['link', 'link'],
  ['description', 'description'],
  ['summary', 'description'],
  ['content', 'description'],
  ['id', 'id'],
])

/**
 * Reads RSS 2.0 and Atom with Google's attributes. The first fault ends the reading, as it does for
 * every XML parser; a document type's entities are not known and count as a fault. Gives how many
 * characters are done with: an item that is not whole is read again with what follows.
 */
export function readXml(state: FeedState, text: string, followed: Followed, rows: Rows): number {
  const before: XmlState = state.form?.is === 'xml' ? state.form : firstXml()
  // Its rows are judged as they come.
  state.vendor = 'google'
  const parser = new SaxesParser()
  // A parser of its own for each part: the elements around the items are opened again.
  const around = before.open.map(({ name }) => `<${name}>`).join('')
  parser.write(around)
  const reopened = around.length
  const collector = new ItemCollector(before, rows)
  const open = [...before.open]
  // What is read again must find what was known then: not a root, say, that is part of it.
  let end = { at: 0, form: before }
  let problem = null as string | null
  let done = false
  let sinceTag = 0
  let faults = 0

  const lineNow = () => parser.line - 1 + before.line
  const columnNow = () =>
    parser.line === 1 ? parser.column - [...around].length + before.column : parser.column
  // Only the first fault is reported: the others follow from it.
  const fail = (message: string) => {
    if (!done) problem ??= message
    // What stands before the root is a fault too, but only the root tells whose.
    done ||= collector.root !== null
  }
  const mark = () => {
    // The end of the root is read again: without it, what follows would be no document.
    if (collector.isWithinItem || problem !== null || open.length === 0) return
    const at = parser.position - reopened
    const form = { ...collector.state(), open: [...open], line: lineNow(), column: columnNow() }
    end = { at, form }
  }
  parser.on('opentag', (tag) => {
    if (done) throw ENOUGH
    sinceTag = 0
    collector.open(tag, open.push({ name: tag.name, line: lineNow() }))
    done = collector.root === null
    if (open.length > MAX_DEPTH) fail(`line ${lineNow()}: elements nest deeper than ${MAX_DEPTH}`)
    // One that closes itself is closed by the next event.
    if (!tag.isSelfClosing) mark()
  })
  parser.on('closetag', (tag) => {
    if (done) throw ENOUGH
    sinceTag = 0
    const isEnough = !collector.close(tag, open.length)
    open.pop()
    mark()
    done = isEnough
  })
  parser.on('text', (text) => collector.take(text))
  parser.on('cdata', (text) => collector.take(text))
  parser.on('error', ({ message }) => {
    faults += 1
    if (faults > MAX_FAULTS) done = true
    if (done) throw ENOUGH
    fail(placed(message, lineNow(), columnNow()))
  })

  for (let at = 0; at < text.length && !done; at += PIECE) {
    const piece = text.slice(at, at + PIECE)
    untilEnough(() => parser.write(piece))
    sinceTag += piece.length
    if (sinceTag <= MAX_GAP) continue
    fail(`line ${lineNow()}: no tag within ${MAX_GAP} characters`)
    done = true
  }
  if (!done && text.length - end.at > MAX_RECORD) {
    fail(`line ${end.form.line}: an item is longer than ${MAX_RECORD} characters`)
    done = true
  }
  if (!done && followed === 'end') {
    const known = problem
    untilEnough(() => parser.close())
    // The parser names the end of the file. The cause, such as a bare ampersand, is further up:
    // behind the line in which the element that is still open begins.
    if (problem !== known) problem += `, which begins in line ${open.at(-1)?.line ?? 1}`
  }
  state.form = end.form
  state.done ||= done
  state.kind = kindOf(collector.state(), state.tally.rows)
  // What many items of articles are followed by is more of them.
  state.done ||= state.kind === null && state.tally.rows >= MAX_ITEMS
  state.problem = state.kind === null ? null : problem
  return end.at
}

/** A feed of articles has the same form: what tells them apart is Google's attributes. */
const kindOf = ({ root, used, declared }: XmlState, rows: number) =>
  used || (rows === 0 && declared) ? root : null

const firstXml = (): XmlState => ({
  is: 'xml',
  root: null,
  open: [],
  line: 1,
  column: 0,
  prefixes: ['g'],
  declared: false,
  used: false,
})

function untilEnough(read: () => void): void {
  try {
    read()
  } catch (error) {
    if (error !== ENOUGH) throw error
  }
}

/** An item that is being read, and the attribute of several parts that is open in it. */
interface OpenItem {
  depth: number
  google: Map<string, string>
  plain: Map<string, string>
  outer: string | null
}

/**
 * Makes rows of the elements of a feed. Depths count from 1, the root. `g:` elements win over
 * those of RSS and Atom in any order.
 */
class ItemCollector {
  root: 'rss' | 'atom' | null
  readonly #rows: Rows
  readonly #prefixes: Set<string>
  readonly #before: XmlState
  #declared: boolean
  #used: boolean
  #item: OpenItem | null = null
  #text = ''

  constructor(before: XmlState, rows: Rows) {
    this.#before = before
    this.#rows = rows
    this.root = before.root
    this.#prefixes = new Set(before.prefixes)
    this.#declared = before.declared
    this.#used = before.used
  }

  get isWithinItem(): boolean {
    return this.#item !== null
  }

  state(): XmlState {
    const known = { prefixes: [...this.#prefixes], declared: this.#declared, used: this.#used }
    return { ...this.#before, ...known, root: this.root }
  }

  open({ name, attributes }: SaxesTagPlain, depth: number): void {
    const { prefix, local } = nameOf(name)
    if (depth === 1) this.root = rootKind(local)
    for (const bound of googlePrefixes(attributes)) {
      if (this.#prefixes.size < MAX_PREFIXES) this.#prefixes.add(bound)
      this.#declared = true
    }
    const isItem = local === (this.root === 'atom' ? 'entry' : 'item')
    if (this.#item === null) {
      if (isItem) this.#item = { depth, google: new Map(), plain: new Map(), outer: null }
    } else if (depth === this.#item.depth + 1) {
      this.#text = ''
      this.#item.outer = this.#prefixes.has(prefix) ? local : null
      const { href, rel = 'alternate' } = attributes
      const isLink = local === 'link' && !this.#prefixes.has(prefix) && rel === 'alternate'
      if (isLink && href !== undefined) setFirst(this.#item.plain, 'link', href)
    } else if (depth === this.#item.depth + 2 && this.#isPart(prefix)) this.#text = ''
  }

  /** `g:price` within `g:shipping`, as opposed to `<b>` within a description. */
  #isPart(prefix: string): boolean {
    return this.#item !== null && this.#item.outer !== null && this.#prefixes.has(prefix)
  }

  take(text: string): void {
    if (this.#text.length < MAX_TEXT) this.#text += text.slice(0, MAX_TEXT)
  }

  /** False: enough items were read. */
  close({ name }: SaxesTagPlain, depth: number): boolean {
    if (this.#item === null) return true
    const { google, plain, outer } = this.#item
    const { prefix, local } = nameOf(name)
    if (depth === this.#item.depth) {
      this.#used ||= google.size > 0
      this.#item = null
      return this.#rows.take([...google, ...plain])
    }
    if (depth === this.#item.depth + 1) {
      const attribute = prefix === '' ? PLAIN.get(local) : undefined
      if (this.#prefixes.has(prefix)) setFirst(google, attributeName(local), this.#text)
      else if (attribute !== undefined) setFirst(plain, attribute, this.#text)
    } else if (depth === this.#item.depth + 2 && this.#isPart(prefix)) {
      setFirst(google, `${outer}(${local})`, this.#text)
      this.#text = ''
    }
    return true
  }
}

/** RSS 1.0 has the root `RDF` and is read like RSS 2.0. */
function rootKind(local: string): 'rss' | 'atom' | null {
  if (local === 'feed') return 'atom'
  return local === 'rss' || local === 'RDF' ? 'rss' : null
}

/**
 * A name and its prefix, empty without one. saxes could resolve namespaces, but shops use `g:`
 * undeclared.
 */
function nameOf(name: string): { prefix: string; local: string } {
  const colon = name.indexOf(':')
  return { prefix: name.slice(0, Math.max(colon, 0)), local: name.slice(colon + 1) }
}

/** Prefixes bound to Google's namespace here; the empty one is the default namespace. */
const googlePrefixes = (attributes: Record<string, string>): string[] =>
  Object.entries(attributes).flatMap(([name, value]) =>
    /^xmlns(:|$)/.test(name) && GOOGLE.test(value) ? [name.slice('xmlns:'.length)] : [],
  )

/** The first value counts, as with an element that is repeated by mistake. */
function setFirst(values: Map<string, string>, name: string, text: string): void {
  const value = text.trim()
  if (value === '' || values.has(name) || values.size >= MAX_VALUES) return
  values.set(name, value)
}

/** The parser's `12:5: unclosed tag: item` in words, at its place in the whole feed. */
function placed(message: string, line: number, column: number): string {
  const match = /^\d+:\d+: ([\s\S]{1,120})/.exec(message)
  if (match === null) return message.slice(0, 120)
  const [, fault = ''] = match
  const said = `line ${line}, column ${column}: ${fault.trim().replace(/\.$/, '')}`
  // The parser reads on to the next semicolon, which may be many lines further down.
  return /entity name/.test(fault) ? `${said}; an & there or above is not written as &amp;` : said
}
