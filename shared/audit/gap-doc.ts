/** The languages of examples: how they are judged, and what stands above them. */
export type ExampleLanguage = 'http' | 'json' | 'html' | 'xml' | 'text'

/** What the page of a gap says beyond its rule. */
export interface GapDoc {
  /** What the gap means, as an agent meets it. */
  meaning: string
  /** Why it matters to agents, and so to the store. */
  why: string
  language: ExampleLanguage
  /** The fault. JSON may be a part of the document: the part that is wrong. */
  before: string
  /** The example after the fix. */
  after: string
}

/** By the gap's id. */
export type GapDocs = Readonly<Record<string, GapDoc>>
