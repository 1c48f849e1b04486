import type { McpToolOf } from '../tool.ts'
import { AUDIT_TOOL } from './audit.ts'
import { COMPARE_TOOL } from './compare.ts'
import { EXPLAIN_GAP_TOOL } from './explain-gap.ts'
import { PROPOSE_MANIFEST_TOOL } from './propose-manifest.ts'
import { PROPOSE_MARKUP_TOOL } from './propose-markup.ts'
import { PROPOSE_ROBOTS_TOOL } from './propose-robots.ts'
import { PROPOSE_SNIPPET_TOOL } from './propose-snippet.ts'
import { REPORT_TOOL } from './report.ts'
import { VALIDATE_MANIFEST_TOOL } from './validate-manifest.ts'
import { WALK_TOOL } from './walk.ts'

/** Every tool: a file, and its row here. */
export const MCP_TOOLS: readonly McpToolOf[] = [
  AUDIT_TOOL,
  EXPLAIN_GAP_TOOL,
  VALIDATE_MANIFEST_TOOL,
  PROPOSE_MANIFEST_TOOL,
  PROPOSE_MARKUP_TOOL,
  PROPOSE_ROBOTS_TOOL,
  PROPOSE_SNIPPET_TOOL,
  WALK_TOOL,
  COMPARE_TOOL,
  REPORT_TOOL,
]
