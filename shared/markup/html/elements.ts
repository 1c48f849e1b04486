import { foreignContent, type Token, type TokenHandler, Tokenizer, TokenizerMode } from 'parse5'
import { LIMITS } from '../budget.ts'
import {
  closedByEnd,
  closedByStart,
  HEAD_ELEMENTS,
  type OpenElements,
  RAWTEXT_ELEMENTS,
  RCDATA_ELEMENTS,
  traitsOf,
  VOID_ELEMENTS,
} from './nesting.ts'

/**
 * A start tag as `walkHtml` reports it. Its attributes have lower-case names and decoded values.
 */
export interface PageElement {
  /** Lower case. */
  name: string
  attributes: readonly Token.Attribute[]
  /** In SVG or MathML. */
  foreign: boolean
  /** By the tags alone: true until the first element that cannot be in a head. */
  in_head: boolean
  /** Where its content begins: characters from 0, lines and columns from 1. */
  offset: number
  line: number
  column: number
}

/**
 * Receives each element in document order, except those in a `<template>`: its content is inert
 * (https://html.spec.whatwg.org/multipage/scripting.html#the-template-element) and no part of the
 * page.
 */
interface PageVisitor {
  start(element: PageElement): void
  /**
   * Once for each start: `raw` is the text of an element that holds nothing else, such as script;
   * `isClosed` is false for one that ends with the file.
   */
  end(element: PageElement, raw: string | null, isClosed: boolean): void
  /** Text that is not the content of a script, style or title; in pieces of any length. */
  text(characters: string): void
}

/** The value of an attribute, or null without it. */
export const attributeOf = ({ attributes }: PageElement, name: string): string | null =>
  attributes.find((attribute) => attribute.name === name)?.value ?? null

interface Open extends PageElement {
  /** It may hold HTML again: https://html.spec.whatwg.org/#html-integration-point */
  integration: boolean
  /** Inside a `<template>`: followed for the nesting, but not reported. */
  inert: boolean
}

/** Blanks that the tokenizer takes for words, such as U+00A0. */
const BEGINS_BLANK = /^[\s\u200e\u200f]/

/** How many parts of a text are joined at a time. */
const RUN = 1_000

/** Characters of the text that is handed on at a time, and a word more. */
const MAX_PIECE = 4_096

/**
 * Reads HTML as browsers do, in linear time: parse5's tokenizer follows
 * https://html.spec.whatwg.org/multipage/parsing.html, and a stack of our own replaces its tree
 * builder, whose time is cubic on hostile markup. Says whether the depth was cut.
 */
export function walkHtml(html: string, visitor: PageVisitor): { truncated: boolean } {
  const stack = createElementStack<Open>()
  let raw: { element: Open; text: string[]; run: string[] } | null = null
  /** Words that are not handed on yet, and the blanks after them. */
  let words = ''
  let blanks = ''
  /** Where the input of the tokenizer begins: its line is the one before, from 1. */
  let from = { offset: 0, line: 0, column: 0 }
  /** Where the next one goes on, behind text that none is needed for. */
  const inputs = [from]
  let tokenizer: Tokenizer
  let inHead = true
  let hasBody = false
  let inert = 0
  let truncated = false

  // Inside SVG and MathML, tag names and CDATA sections have other rules, unless an element there
  // holds HTML again.
  const isForeign = (): boolean => {
    const top = stack.top()
    return top?.foreign === true && !top.integration
  }
  // The tokenizer splits text at each space, and twenty pieces are more work than one.
  const handOn = () => {
    if (words === '') return
    visitor.text(words)
    if (blanks !== '') visitor.text(blanks)
    words = ''
    blanks = ''
  }
  const start = (element: Open) => {
    if (element.inert) return
    handOn()
    visitor.start(element)
  }
  const end = (element: Open, text: string | null, isClosed: boolean) => {
    if (element.inert) return
    handOn()
    visitor.end(element, text, isClosed)
  }
  // Closing an element may leave foreign content, which the tokenizer has to know for CDATA.
  const close = (index: number, count: number) => {
    for (const element of stack.remove(index, count)) {
      if (element.name === 'template' && !element.foreign) inert -= 1
      end(element, null, true)
    }
    tokenizer.inForeignNode = isForeign()
  }
  const closeFrom = (index: number) => {
    if (index !== -1) close(index, stack.size() - index)
  }
  // The first tag or text that cannot be in a head opens the body, with or without `<body>`.
  const leaveHead = () => {
    if (!inHead) return
    inHead = false
    closeFrom(stack.lastOf('head'))
  }

  // The tokenizer is at the last character of the tag, so the content begins one further on.
  const elementOf = (token: Token.TagToken, foreign: boolean): Open => {
    const { offset, line, col } = tokenizer.preprocessor
    return {
      name: token.tagName,
      attributes: token.attrs,
      foreign,
      in_head: inHead,
      offset: from.offset + offset + 1,
      line: from.line + line,
      column: (line === 1 ? from.column : 0) + col + 1,
      integration: foreign && isIntegrationPoint(token),
      inert: inert > 0,
    }
  }
  const open = (element: Open, isEmpty: boolean) => {
    start(element)
    // Too deep: its children become those of the deepest element that is still open.
    if (isEmpty || stack.size() >= LIMITS.html_depth) {
      truncated ||= !isEmpty
      end(element, null, true)
      return
    }
    if (element.name === 'template' && !element.foreign) inert += 1
    stack.push(element)
    tokenizer.inForeignNode = isForeign()
  }

  const startForeign = (token: Token.TagToken) => open(elementOf(token, true), token.selfClosing)

  const startHtml = (token: Token.TagToken) => {
    const name = token.tagName
    if (name === 'html' || name === 'body' || name === 'head') {
      if (name === 'body') leaveHead()
      // Repeated html, head and body tags open nothing: browsers only take over their attributes.
      const isRepeated =
        name === 'html' ? stack.size() > 0 : name === 'body' ? hasBody : !inHead || stack.size() > 1
      if (isRepeated || inert > 0) return
      hasBody ||= name === 'body'
      open(elementOf(token, false), false)
      return
    }
    if (!HEAD_ELEMENTS.has(name) && inert === 0) leaveHead()
    if (name === 'svg' || name === 'math') return startForeign(token)
    closeFrom(closedByStart(stack, name))
    // A link cannot be in a link: the second one ends the first.
    if (name === 'a') endTag(name)
    const element = elementOf(token, false)
    const mode = textMode(name)
    if (mode === null) return open(element, VOID_ELEMENTS.has(name))
    raw = { element, text: [], run: [] }
    start(element)
    const plain = mode === TokenizerMode.RCDATA ? null : plainText(html, element)
    if (plain === null) {
      tokenizer.state = mode
      return
    }
    const { text, lines, end } = plain
    raw.text.push(text)
    const column = lines === 0 ? element.column - 1 : 0
    inputs.push({
      offset: end,
      line: element.line - 1 + lines,
      column: column + text.length - (text.lastIndexOf('\n') + 1),
    })
    tokenizer.pause()
  }

  const endTag = (name: string) => {
    const { index, alone } = closedByEnd(stack, name)
    if (index === -1) return
    if (alone) close(index, 1)
    else closeFrom(index)
  }
  // The end tag of a script, style or title. A file that ends within one ends it as well.
  const endRaw = (isClosed: boolean) => {
    if (raw === null) return
    const { element, text, run } = raw
    raw = null
    end(element, text.join('') + run.join(''), isClosed)
  }
  const keepRaw = ({ text, run }: NonNullable<typeof raw>, chars: string) => {
    run.push(chars)
    // Two megabytes of script may be two million strings.
    if (run.length < RUN) return
    text.push(run.join(''))
    run.length = 0
  }

  const handler: TokenHandler = {
    onStartTag: (token) => {
      // An HTML tag such as <div> or <p> ends SVG and MathML (HTML, "in foreign content").
      if (isForeign() && foreignContent.causesExit(token)) {
        while (isForeign()) close(stack.size() - 1, 1)
      }
      if (isForeign()) startForeign(token)
      else startHtml(token)
    },
    // `</body>` closes nothing: what follows it still belongs to the body, as in browsers.
    onEndTag: ({ tagName }) => {
      if (raw !== null) return endRaw(true)
      if (tagName === 'body' || tagName === 'html') return leaveHead()
      endTag(tagName)
    },
    onCharacter: ({ chars }) => {
      if (raw !== null) return keepRaw(raw, chars)
      if (inert > 0) return
      leaveHead()
      if (words.length > MAX_PIECE) handOn()
      // Readers join blanks within a piece: this one is a blank more, after one of the tokenizer's.
      if (BEGINS_BLANK.test(chars)) {
        handOn()
        visitor.text(chars)
        return
      }
      words = words === '' ? chars : words + blanks + chars
      blanks = ''
    },
    onWhitespaceCharacter: ({ chars }) => {
      if (raw !== null) return keepRaw(raw, chars)
      if (inert > 0) return
      if (words === '') visitor.text(chars)
      else blanks += chars
    },
    // The tree builder drops U+0000 in HTML content.
    onNullCharacter: () => undefined,
    onComment: () => undefined,
    onDoctype: () => undefined,
    // Left out, each character would be judged.
    onParseError: null,
    onEof: () => endRaw(false),
  }
  for (let input = inputs.pop(); input !== undefined; input = inputs.pop()) {
    from = input
    tokenizer = new Tokenizer({}, handler)
    tokenizer.inForeignNode = isForeign()
    tokenizer.write(html.slice(from.offset), true)
  }
  // Unclosed elements end with the file: each start has its end.
  closeFrom(stack.size() === 0 ? -1 : 0)
  handOn()
  return { truncated }
}

/** The end tags of scripts, styles and their like (HTML, "appropriate end tag token"). */
const ENDS = new Map(
  ['script', ...RAWTEXT_ELEMENTS].map((name) => [
    name,
    new RegExp(`</${name}[\\t\\n\\f\\r />]`, 'gi'),
  ]),
)

/**
 * The text of a script or style, its line breaks, and where its end tag begins (HTML, "script data
 * state", "RAWTEXT state"): half of a page, through which the tokenizer would go by single
 * characters. Null where a comment in a script may hide its end.
 */
function plainText(html: string, { name, offset }: PageElement) {
  const tag = ENDS.get(name)
  if (tag !== undefined) tag.lastIndex = offset
  const end = tag?.exec(html)?.index ?? html.length
  const written = html.slice(offset, end)
  if (name === 'script' && written.includes('<!--')) return null
  const text = written.replace(/\r\n?/g, '\n').replaceAll('\0', '\uFFFD')
  let lines = 0
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines += 1
  return { text, lines, end }
}

/**
 * The tokenizer's state for elements that hold only text; its own tree builder would set it (HTML,
 * "in body" and "in head" insertion modes). Null for elements that hold others.
 */
function textMode(name: string) {
  if (name === 'script') return TokenizerMode.SCRIPT_DATA
  if (name === 'plaintext') return TokenizerMode.PLAINTEXT
  if (RCDATA_ELEMENTS.has(name)) return TokenizerMode.RCDATA
  return RAWTEXT_ELEMENTS.has(name) ? TokenizerMode.RAWTEXT : null
}

/**
 * Elements of SVG and MathML that hold HTML again:
 * https://html.spec.whatwg.org/#html-integration-point and its neighbour, the MathML text
 * integration points.
 */
const INTEGRATION_POINTS = new Set('foreignobject desc title mi mo mn ms mtext'.split(' '))

/** `annotation-xml` holds HTML only when its `encoding` says so. */
function isIntegrationPoint({ tagName, attrs }: Token.TagToken): boolean {
  if (tagName !== 'annotation-xml') return INTEGRATION_POINTS.has(tagName)
  const encoding = attrs.find(({ name }) => name === 'encoding')?.value.toLowerCase()
  return encoding === 'text/html' || encoding === 'application/xhtml+xml'
}

/**
 * The open elements of a page, outermost first, with an index of their names and traits. Indices
 * are depths from 0.
 */
interface ElementStack<T> extends OpenElements {
  size(): number
  top(): T | undefined
  push(element: T): void
  /** Removes `count` elements from `index` on, and returns them innermost first. */
  remove(index: number, count: number): T[]
}

/**
 * Pushing and popping cost constant time, and so does each lookup: a stack searched from the top
 * would make a page of n unclosed tags cost n² steps.
 */
function createElementStack<T extends { name: string }>(): ElementStack<T> {
  const elements: T[] = []
  const byTrait: number[][] = Array.from({ length: 32 }, () => [])
  const byName = new Map<string, { own: number[]; all: number[][] }>()

  /** The lists that hold the indices of elements of a name, always in ascending order. */
  // Made once per name: a page repeats few names many times.
  const listsOf = (name: string) => {
    let lists = byName.get(name)
    if (lists === undefined) {
      const own: number[] = []
      const traits = traitsOf(name)
      lists = { own, all: [own, ...byTrait.filter((_, bit) => traits & (1 << bit))] }
      byName.set(name, lists)
    }
    return lists
  }
  const push = (element: T) => {
    for (const list of listsOf(element.name).all) list.push(elements.length)
    elements.push(element)
  }
  const pop = (): T | undefined => {
    const element = elements.pop()
    if (element !== undefined) for (const list of listsOf(element.name).all) list.pop()
    return element
  }

  return {
    size: () => elements.length,
    top: () => elements.at(-1),
    push,
    // Those above the removed ones are pushed again. Their number is bounded by the depth limit.
    remove(index, count) {
      const kept: T[] = []
      const removed: T[] = []
      while (elements.length > index) {
        const isKept = elements.length > index + count
        const element = pop()
        if (element !== undefined) (isKept ? kept : removed).push(element)
      }
      for (const element of kept.reverse()) push(element)
      return removed
    },
    // `rest & -rest` is the lowest bit that is set; each round takes one trait off.
    lastWith(traits) {
      let last = -1
      for (let rest = traits; rest !== 0; rest &= rest - 1) {
        last = Math.max(last, byTrait[31 - Math.clz32(rest & -rest)]?.at(-1) ?? -1)
      }
      return last
    },
    lastOf: (name) => byName.get(name)?.own.at(-1) ?? -1,
  }
}
