/** Everything that may be wrong with the tools of a page, in words for the merchant. */
export const TOOL_FINDINGS = {
  schema_missing: 'The tool does not say what it takes',
  schema_misshapen: 'The tool has a name of UCP, and takes something else',
  description_missing: 'The tool does not say what it does',
  name_repeated: 'Two tools have one name',
  call_fails: 'The tool fails when it is called by its own schema',
  answer_unreadable: 'The tool answers nothing that a program can read',
  price_differs: 'The tool states another price than the page',
  currency_differs: 'The tool states another currency than the page',
  changes_silently: 'The tool says that it only reads, and changes something',
} as const

export type ToolFindingId = keyof typeof TOOL_FINDINGS

export interface ToolFinding {
  id: ToolFindingId
  tool: string
  /** What was seen, and what was expected. */
  detail: string
}
