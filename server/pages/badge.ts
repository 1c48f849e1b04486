import { OpenAPIHono } from '@hono/zod-openapi'
import type { Grade } from '../../shared/audit/score.ts'
import { DEFAULT_CHECKS } from '../../shared/audit/vocabulary.ts'
import { normaliseDomain } from '../../shared/web/address/domain.ts'
import { findAudit } from '../db/audit/audits.ts'
import { hasBadge } from '../db/audit/badges.ts'
import { ApiError } from '../http/api-error.ts'
import type { ServerEnv } from '../http/env.ts'
import type { PageDeps } from './site.tsx'

/** Dark enough for white text (WCAG AA), and each grade is a letter as well. */
const COLOURS: Record<Grade, string> = { A: '#1a7f37', B: '#4d7c0f', C: '#a15c00', D: '#b42318' }

/** `GET /badge/<domain>.svg`: the latest grade, for domains whose owner publishes it. */
export const badgeRoutes = ({ db }: Pick<PageDeps, 'db'>) =>
  new OpenAPIHono<ServerEnv>().get('/badge/:file{.+\\.svg}', async (c) => {
    const read = normaliseDomain(c.req.param('file').slice(0, -'.svg'.length))
    const domain = 'domain' in read ? read.domain : null
    const audit =
      domain !== null && (await hasBadge(db, domain))
        ? await findAudit(db, domain, DEFAULT_CHECKS, null)
        : null
    if (audit === null) {
      throw new ApiError(
        404,
        'no_badge',
        'This domain has no public badge. Its owner can switch it on next to the audit.',
      )
    }
    c.header('Content-Type', 'image/svg+xml')
    c.header('Cache-Control', 'public, max-age=3600')
    c.header('Cross-Origin-Resource-Policy', 'cross-origin')
    const isOpened = (audit.seen_with?.sent.length ?? 0) > 0
    return c.body(badgeSvg(audit.grade, audit.score, isOpened))
  })

const LABEL_WIDTH = 108
const GRADE_WIDTH = 56

/**
 * Contains only a grade and a number, so nothing needs escaping. `isOpened`: the store was seen
 * with what its owner gave, so that others may be shown less.
 */
function badgeSvg(grade: Grade, score: number, isOpened: boolean): string {
  const width = LABEL_WIDTH + GRADE_WIDTH
  const how = isOpened ? ', seen with access that its owner gave' : ''
  const text = `AI shopping: grade ${grade}, ${score} of 100${how}`
  const words = (x: number, text: string) =>
    `<text x="${x}" y="14" fill="#fff" text-anchor="middle">${text}</text>`
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="20" role="img" aria-label="${text}">
<title>${text}</title>
<rect width="${width}" height="20" rx="4" fill="#3b4252"/>
<path d="M${LABEL_WIDTH} 0h${GRADE_WIDTH - 4}a4 4 0 0 1 4 4v12a4 4 0 0 1-4 4h-${GRADE_WIDTH - 4}z" fill="${COLOURS[grade]}"/>
<g font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">${words(LABEL_WIDTH / 2, 'AI shopping')}${words(LABEL_WIDTH + GRADE_WIDTH / 2, `${grade} · ${score}`)}</g>
</svg>
`
}
