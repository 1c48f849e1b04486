import { SaxesParser, type SaxesTagPlain } from 'saxes'
import type { FeedItem } from '../../../../shared/commerce/feed.ts'
import { type FeedRead, type FeedReader, MAX_ITEMS, notAFeed, toItem } from './format.ts'

/**
 * Google's namespace (https://support.google.com/merchants/answer/14987622), as shops write it:
 * with https, and without the slash too.
 */
const GOOGLE = /^https?:\/\/base\.google\.com\/ns\/1\.0\/?$/

/** Feeds nest four or five levels. */
const MAX_DEPTH = 32

/** Characters from one tag to the next: what one value, comment or document type may take. */
const MAX_GAP = 262_144

/** Of one value; what a feed may say in it is shorter. */
const MAX_TEXT = 20_000

/** The reader looks up between two pieces. */
const PIECE = 16_384

/** What is no XML at all has a fault at every character, and each costs the parser an Error. */
const MAX_FAULTS = 100

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
 * RSS 2.0 and Atom with Google's attributes. The first fault ends the reading, as it does for every
 * XML parser; a document type's entities are not known and count as a fault.
 */
export function createXmlReader(): FeedReader {
  const collector = new ItemCollector()
  const parser = new SaxesParser()
  /** The lines in which the open elements begin. */
  const openLines: number[] = []
  let problem: string | null = null
  let done = false
  let sinceTag = 0
  let faults = 0

  // Only the first fault is told: those behind it follow from it.
  const fail = (message: string) => {
    if (!done) problem ??= message
    // What stands before the root is a fault too, but only the root tells whose.
    done ||= collector.kind !== null
  }
  parser.on('opentag', (tag) => {
    if (done) throw ENOUGH
    sinceTag = 0
    collector.open(tag, openLines.push(parser.line))
    done = collector.kind === null
    if (openLines.length > MAX_DEPTH)
      fail(`line ${parser.line}: elements nest deeper than ${MAX_DEPTH}`)
  })
  parser.on('closetag', (tag) => {
    if (done) throw ENOUGH
    sinceTag = 0
    collector.close(tag, openLines.length)
    openLines.pop()
    done = collector.items.length === MAX_ITEMS
  })
  parser.on('text', (text) => collector.take(text))
  parser.on('cdata', (text) => collector.take(text))
  parser.on('error', ({ message }) => {
    faults += 1
    if (faults > MAX_FAULTS) done = true
    if (done) throw ENOUGH
    fail(placed(message))
  })

  return {
    write(written) {
      for (let at = 0; at < written.length && !done; at += PIECE) {
        const piece = written.slice(at, at + PIECE)
        untilEnough(() => parser.write(piece))
        sinceTag += piece.length
        if (sinceTag <= MAX_GAP) continue
        fail(`line ${parser.line}: no tag within ${MAX_GAP} characters`)
        done = true
      }
      return !done
    },
    end(cut) {
      const before = problem
      if (!done && !cut) untilEnough(() => parser.close())
      // The parser names the end of the file. The cause, such as a bare ampersand, is further up:
      // behind the line in which the element that is still open begins.
      if (problem !== before) problem += `, which begins in line ${openLines.at(-1) ?? 1}`
      return collector.read(problem)
    },
  }
}

function untilEnough(read: () => void): void {
  try {
    read()
  } catch (error) {
    if (error !== ENOUGH) throw error
  }
}

/**
 * Makes items of the elements of a feed. Depths count from 1, the root. `g:` elements win over
 * those of RSS and Atom, whichever comes first.
 */
class ItemCollector {
  kind: 'rss' | 'atom' | null = null
  readonly items: FeedItem[] = []
  readonly #prefixes = new Set(['g'])
  #declared = false
  #used = false
  #item: { depth: number; google: Map<string, string>; plain: Map<string, string> } | null = null
  #text = ''

  open({ name, attributes }: SaxesTagPlain, depth: number): void {
    const { prefix, local } = nameOf(name)
    if (depth === 1) this.kind = rootKind(local)
    for (const bound of googlePrefixes(attributes)) {
      this.#prefixes.add(bound)
      this.#declared = true
    }
    const isItem = local === (this.kind === 'atom' ? 'entry' : 'item')
    if (this.#item === null) {
      if (isItem) this.#item = { depth, google: new Map(), plain: new Map() }
    } else if (depth === this.#item.depth + 1) {
      this.#text = ''
      const { href, rel = 'alternate' } = attributes
      const isLink = local === 'link' && !this.#prefixes.has(prefix) && rel === 'alternate'
      if (isLink && href !== undefined) setFirst(this.#item.plain, 'link', href)
    }
  }

  take(text: string): void {
    if (this.#text.length < MAX_TEXT) this.#text += text.slice(0, MAX_TEXT)
  }

  close({ name }: SaxesTagPlain, depth: number): void {
    if (this.#item === null) return
    const { google, plain } = this.#item
    if (depth === this.#item.depth) {
      this.#used ||= google.size > 0
      this.items.push(toItem(this.items.length + 1, (key) => google.get(key) ?? plain.get(key)))
      this.#item = null
    } else if (depth === this.#item.depth + 1) {
      const { prefix, local } = nameOf(name)
      const attribute = prefix === '' ? PLAIN.get(local) : undefined
      if (this.#prefixes.has(prefix)) setFirst(google, local, this.#text)
      else if (attribute !== undefined) setFirst(plain, attribute, this.#text)
    }
  }

  /** A feed of articles has the same form: what tells them apart is Google's attributes. */
  read(problem: string | null): FeedRead {
    const isOfProducts = this.#used || (this.items.length === 0 && this.#declared)
    return isOfProducts ? { kind: this.kind, items: this.items, problem } : notAFeed()
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
  if (value !== '' && !values.has(name)) values.set(name, value)
}

/** The parser's `12:5: unclosed tag: item` in words. */
function placed(message: string): string {
  const match = /^(\d+):(\d+): ([\s\S]{1,120})/.exec(message)
  if (match === null) return message.slice(0, 120)
  const [, line, column, fault = ''] = match
  return `line ${line}, column ${column}: ${fault.trim().replace(/\.$/, '')}`
}
