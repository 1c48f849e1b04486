import { SEVERITIES } from '../../../shared/audit/vocabulary.ts'
import type { Incident } from '../../../shared/watch/incident.ts'
import { pastedDomain } from '../../../shared/web/address/domain.ts'
import {
  type Printable,
  printable,
  printableJson,
  printableLines,
} from '../../../shared/web/text/printable.ts'
import type { Db } from '../../db/connect.ts'
import { listIncidents, newestIncidents, shownIncident } from '../../db/watch/incidents.ts'
import { findWatch } from '../../db/watch/watches.ts'
import { CommandError } from '../terminal/command-error.ts'
import type { Terminal } from '../terminal/terminal.ts'

/** How many are listed, the newest ones. */
const MOST = 200

/** Lists open incidents, of one domain or of all; with `all` the closed ones as well. */
export async function incidentsCommand(
  named: string | undefined,
  flags: { all?: boolean; json?: boolean },
  { db }: { db: Db },
  terminal: Terminal,
): Promise<void> {
  const domain = named === undefined ? undefined : pastedDomain(named)
  const only = flags.all ? undefined : 'open'
  const rows =
    domain === undefined
      ? await newestIncidents(db, { only, limit: MOST })
      : await listIncidents(db, domain, { ...(only && { only }), limit: MOST })
  if (domain !== undefined && rows.length === 0 && (await findWatch(db, domain)) === null) {
    throw new CommandError(
      printable`${domain} is not watched. Watch it with: aisle watches add ${domain}`,
      { code: 'watch_not_found' },
    )
  }
  const incidents = rows.map(shownIncident)
  if (flags.json) return terminal.print(printableJson(incidents))
  if (incidents.length === 0) {
    return terminal.print(
      flags.all ? printable`There are no incidents.` : printable`There are no open incidents.`,
    )
  }
  terminal.print(printableLines(incidents.toSorted(worstFirst).map(describe)))
  if (incidents.length === MOST) {
    terminal.remark(printable`Only the newest ${MOST} are listed.`)
  }
}

/** Open ones first, then by severity; within one severity the newest. */
const worstFirst = (a: Incident, b: Incident): number =>
  Number(a.closed_at !== null) - Number(b.closed_at !== null) ||
  SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity) ||
  (a.opened_at < b.opened_at ? 1 : -1)

function describe(incident: Incident): Printable {
  const { domain, severity, label, points, opened_at, closed_at, known, fix, detail } = incident
  const when =
    closed_at === null
      ? `open since ${opened_at}${known ? ', at the first audit' : ''}`
      : `from ${opened_at} to ${closed_at}`
  const costs = points === null || points === 0 ? '' : `, costs ${points}`
  return printable`${domain}  ${severity}: ${label}${costs}; ${when}\n  ${detail}\n  What to do: ${fix}`
}
