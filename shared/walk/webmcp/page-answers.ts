/** A tool of a page, as the page describes it. */
export interface ReadTool {
  name: string
  title: string
  description: string
  /** JSON; null where it states none. */
  schema: string | null
  /** It says that it changes nothing. */
  isReadOnly: boolean
}

/** What a visitor would notice of a change: each as text. */
interface PageState {
  url: string
  /** The link to the basket, such as `Basket (1)`, and the page that it leads to. */
  basketLink: string
  basket: string
  /** What the page has stored under names of baskets. */
  stored: string
}

export interface CalledTool {
  name: string
  /** JSON of what was sent and answered; null without an answer. */
  input: string
  answer: string | null
  /** Why there is no answer. */
  failed: string | null
  before: PageState
  after: PageState
}

export interface ReadPage {
  /** Null: the browser or the page has no WebMCP. */
  tools: ReadTool[] | null
  heading: string
  /** What the page shows. */
  text: string
  /** The text of each JSON-LD block. */
  jsonLd: string[]
}

/** What is called, and how. */
export interface CallOrder {
  name: string
  /** JSON. */
  input: string
  mostMs: number
  /** A regular expression of the names of links to baskets, in small letters. */
  basketNames: string
}
