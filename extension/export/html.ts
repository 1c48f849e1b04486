import { capital } from '../../shared/web/text/capital.ts'
import { type ExportedAudit, headOf, ORIGINS, pointsOf } from './exported-audit.ts'

/**
 * A page to print or to mail: one file without scripts that loads nothing. Text from a page or a
 * server is escaped, and its own policy forbids scripts.
 */
export function toHtml(audit: ExportedAudit): string {
  const { subject, result, gaps } = audit
  const heading = `Aisle: ${subject}`
  const [score = '', ...rest] = headOf(audit)
  const list = (title: string, items: string[]) =>
    items.length === 0 ? '' : `<h2>${escapeHtml(title)}</h2>\n<ul>${items.join('')}</ul>`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(heading)}</title>
<style>${STYLE}</style>
</head>
<body>
<h1>${escapeHtml(heading)}</h1>
<p class="score">${audit.of === 'page' ? '' : `<strong>${escapeHtml(result.grade)}</strong> `}${escapeHtml(score)}</p>
${rest.map((line) => `<p>${escapeHtml(line)}</p>`).join('\n')}
<h2>${escapeHtml('To fix')}</h2>
${gaps.length === 0 ? `<p>${escapeHtml('Nothing to fix was found.')}</p>` : `<ol>${gaps.map((gap) => gapItem(gap)).join('\n')}</ol>`}
${list(
  'Passed',
  result.passed.map((id) => `<li><code>${escapeHtml(id)}</code></li>`),
)}
${list(
  'Could not be judged',
  result.skipped.map(
    ({ id, reason }) => `<li><code>${escapeHtml(id)}</code>: ${escapeHtml(reason)}</li>`,
  ),
)}
</body>
</html>
`
}

function gapItem(gap: ExportedAudit['gaps'][number]): string {
  const links = [gap.fix_url, gap.docs_url]
    .filter((url) => typeof url === 'string' && /^https?:\/\//.test(url))
    .map((url) => `<p><a href="${escapeHtml(url ?? '')}">${escapeHtml(url ?? '')}</a></p>`)
  const origin = gap.origin === undefined ? '' : ` · ${ORIGINS[gap.origin]}`
  return `<li>
<h3>${escapeHtml(gap.label)}${escapeHtml(pointsOf(gap))}</h3>
<p class="what">${escapeHtml(capital(gap.severity))}${escapeHtml(origin)} · <code>${escapeHtml(gap.id)}</code></p>
<pre>${escapeHtml(gap.detail)}</pre>
${gap.note === undefined ? '' : `<p>${escapeHtml(gap.note)}</p>`}
<p><strong>${escapeHtml('Fix:')}</strong> ${escapeHtml(gap.fix)}</p>
${links.join('\n')}
</li>`
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** For text and for quoted attributes. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '')

const STYLE = `
:root { color-scheme: light dark }
body { max-width: 46rem; margin: 2rem auto; padding: 0 1rem; font: 16px/1.5 system-ui, sans-serif }
h1, h2, h3 { line-height: 1.25; overflow-wrap: anywhere }
.score { font-size: 1.25rem }
.score strong { display: inline-block; min-width: 2.2em; border: 2px solid; border-radius: 50%; line-height: 2.2em; text-align: center }
.what { margin: 0; opacity: .8 }
pre { padding: .75rem; border: 1px solid; border-radius: 6px; white-space: pre-wrap; overflow-wrap: anywhere }
li { margin-bottom: 1rem; break-inside: avoid }
@media print { body { margin: 0; max-width: none } a { color: inherit } }
`
