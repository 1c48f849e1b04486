/** All that may be wrong with the tools of a page, in words for the merchant, and its gap. */
export const TOOL_FINDINGS = {
  schema_missing: ['The tool does not say what it takes', 'pages_tools_unclear'],
  schema_misshapen: ['The tool has a name of UCP, and takes something else', 'pages_tools_unclear'],
  description_missing: ['The tool does not say what it does', 'pages_tools_unclear'],
  name_repeated: ['Two tools have one name', 'pages_tools_unclear'],
  call_fails: ['The tool fails when it is called by its own schema', 'pages_tools_fail'],
  answer_unreadable: ['The tool answers nothing that a program can read', 'pages_tools_fail'],
  price_differs: ['The tool states another price than the page', 'pages_tools_differ'],
  currency_differs: ['The tool states another currency than the page', 'pages_tools_differ'],
  changes_silently: [
    'The tool says that it only reads, and changes something',
    'pages_tools_change',
  ],
} as const satisfies Record<string, readonly [said: string, gap: string]>

export type ToolFindingId = keyof typeof TOOL_FINDINGS

export interface ToolFinding {
  id: ToolFindingId
  tool: string
  /** What was seen, and what was expected. */
  detail: string
}
