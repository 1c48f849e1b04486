/**
 * A site's preferences for the use of its content: a `Content-Signal` (https://contentsignals.org)
 * or the `Content-Usage` of the IETF's AIPREF drafts (draft-ietf-aipref-attach, -vocab), as a line
 * of robots.txt or as a header.
 */
export interface UsageSignal {
  field: 'Content-Signal' | 'Content-Usage'
  /** The beginning, as written. */
  text: string
  /** Line of robots.txt, from 1; null for a header. */
  line: number | null
  /** The paths that it applies to, as `Allow` writes them; empty for all. */
  pattern: string
  /** Its value for each use that it names: `search`, `ai-input`, `ai-train`, `ai-use` … */
  uses: ReadonlyMap<string, boolean>
}

/** Far more than either vocabulary has. */
const MAX_TEXT = 300

const FIELDS = { 'content-signal': 'Content-Signal', 'content-usage': 'Content-Usage' } as const

/** Reads the value of a line or a header; `null` for a field of another name. */
export function readUsageSignal(
  name: string,
  value: string,
  line: number | null,
): UsageSignal | null {
  const field = name === 'content-signal' || name === 'content-usage' ? FIELDS[name] : null
  if (field === null) return null
  const text = value.slice(0, MAX_TEXT).trim()
  // AIPREF puts the path before the uses, and only in robots.txt.
  const [, pattern = '', uses = ''] = /^(\/\S*)?\s*(.*)$/s.exec(text) ?? []
  return { field, text, line, pattern, uses: readUses(uses) }
}

/**
 * A dictionary of Structured Fields (RFC 9651), whose values are `yes` and `no`, or `y` and `n`.
 */
function readUses(text: string): Map<string, boolean> {
  const uses = new Map<string, boolean>()
  for (const member of text.split(',')) {
    const [, use, value] = /^\s*([a-z][a-z0-9_-]*)\s*=\s*"?(yes|no|y|n)\b/i.exec(member) ?? []
    if (use !== undefined && value !== undefined) {
      uses.set(use.toLowerCase(), value.toLowerCase().startsWith('y'))
    }
  }
  return uses
}

/**
 * The uses that an agent which answers a shopper needs: to find a page, and to read it as the input
 * of an answer (`ai-input` is `ai-use` in AIPREF's words). Training is a policy of the store.
 */
const NEEDED = ['search', 'ai-input', 'ai-use']

/**
 * The signals about one page that refuse a use which shopping agents need. For each use the longest
 * pattern counts, and of two equally long ones the one that refuses (AIPREF, Content-Usage Rule
 * Semantics).
 */
export function refusingSignals(
  signals: readonly UsageSignal[],
): { use: string; signal: UsageSignal }[] {
  return NEEDED.flatMap((use) => {
    const stated = signals.filter(({ uses }) => uses.has(use))
    const longest = Math.max(...stated.map(({ pattern }) => pattern.length))
    const refusing = stated.find(
      ({ uses, pattern }) => pattern.length === longest && uses.get(use) === false,
    )
    return refusing === undefined ? [] : [{ use, signal: refusing }]
  })
}

/** `line 3 of robots.txt, "Content-Signal: search=no"`, or the same of a header. */
export const nameOfSignal = ({ field, text, line }: UsageSignal): string =>
  `${line === null ? 'the header' : `line ${line} of robots.txt,`} "${field}: ${text}"`
