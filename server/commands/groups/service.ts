import type { Command } from 'commander'
import type { PropertyDeps } from '../properties.ts'
import { addSigningKeys } from './signing-keys.ts'
import type { Surroundings } from './surroundings.ts'

/** The commands for keys, properties, and the events of the report. */
export function addServiceCommands(
  program: Command,
  { terminal, config, now, withDatabase }: Surroundings,
): void {
  const keys = program.command('keys').description('API keys of the service')
  keys
    .command('create')
    .description('create a key and show it once')
    .option('--name <name>', 'what the key is for', 'unnamed')
    .requiredOption(
      '--scopes <list>',
      'comma-separated: audit, manifest, report:read, report:write, walk',
    )
    .option(
      '--domains <list>',
      'domains that it covers: their reports, audits, watches and walks; * for all',
      '*',
    )
    .option('--expires <date>', 'the last day on which it is valid, in UTC, such as 2027-01-31')
    .option('--json', 'print JSON')
    .action((flags) =>
      withDatabase(async (db) => {
        const { createKeyCommand } = await import('../keys.ts')
        await createKeyCommand(flags, db, terminal)
      }),
    )
  keys
    .command('list')
    .description('list the keys, newest first')
    .option('--json', 'print JSON')
    .action((flags) =>
      withDatabase(async (db) => {
        const { listKeysCommand } = await import('../keys.ts')
        await listKeysCommand(flags, db, terminal)
      }),
    )
  keys
    .command('revoke')
    .argument('<id>', 'the eight characters after aisle_live_')
    .description('revoke a key: reads stop immediately, event reports within five seconds')
    .option('--json', 'print JSON')
    .action((id, flags) =>
      withDatabase(async (db) => {
        const { revokeKeyCommand } = await import('../keys.ts')
        await revokeKeyCommand(id, flags, db, terminal)
      }),
    )

  addSigningKeys(program, {
    whose: 'the keys that the service signs its requests to stores with',
    where: 'it publishes for stores',
    rings: async () => {
      const { sealerOf } = await import('../../db/sealing/seal.ts')
      const { serviceKeys } = await import('../../signatures/service-keys.ts')
      return Object.values(serviceKeys(sealerOf(await config())))
    },
    withDb: withDatabase,
    now,
    terminal,
  })

  const withProperties = (work: (deps: PropertyDeps) => Promise<void>) =>
    withDatabase(async (db) => {
      const { loadSnippet } = await import('../../attribution/snippet/asset.ts')
      await work({ db, baseUrl: (await config()).baseUrl, snippet: await loadSnippet() })
    })

  const properties = program
    .command('properties')
    .description('storefronts that have the tag in their pages')
  properties
    .command('create')
    .description('create a property and show its tag')
    .requiredOption('--domain <domain>', 'such as shop.example')
    .option('--origins <list>', 'origins of its pages; default: the domain and its subdomains')
    .option('--currency <code>', 'what values without a currency are in, such as USD')
    .option('--time-zone <zone>', 'whose days the report counts in, such as Europe/Berlin')
    .option('--lookback-days <days>', 'for how many days after its visit an order counts for it')
    .option('--json', 'print JSON')
    .action((flags) =>
      withProperties(async (deps) => {
        const { createPropertyCommand } = await import('../properties.ts')
        await createPropertyCommand(flags, deps, terminal)
      }),
    )
  properties
    .command('list')
    .description('list the properties with their tags, newest first')
    .option('--json', 'print JSON')
    .action((flags) =>
      withProperties(async (deps) => {
        const { listPropertiesCommand } = await import('../properties.ts')
        await listPropertiesCommand(flags, deps, terminal)
      }),
    )
  properties
    .command('set')
    .argument('<id>', 'such as prop_0123456789abcdefghij')
    .description(
      'change the currency of values without one, the time zone, or how far it looks back',
    )
    .option('--currency <code>', 'such as USD; none: that of most orders so far')
    .option('--time-zone <zone>', 'such as Europe/Berlin, for days from now on')
    .option('--lookback-days <days>', 'for how many days after its visit an order counts for it')
    .option('--json', 'print JSON')
    .action((id, flags) =>
      withDatabase(async (db) => {
        const { setPropertyCommand } = await import('../properties.ts')
        await setPropertyCommand(id, flags, { db }, terminal)
      }),
    )

  const ranges = program
    .command('agents')
    .description('agents whose visits and orders are verified')
    .command('ranges')
    .description('the addresses that operators publish for their agents')
  ranges
    .command('list')
    .description('list what is held, and of when')
    .option('--json', 'print JSON')
    .action((flags) =>
      withDatabase(async (db) => {
        const { listRangesCommand } = await import('../agent-ranges.ts')
        await listRangesCommand(flags, { db }, terminal)
      }),
    )
  ranges
    .command('refresh')
    .description('read them from the operators again; exit code 1 if one cannot be read')
    .option('--json', 'print JSON')
    .action((flags) =>
      withDatabase(async (db) => {
        const { renewRangesCommand } = await import('../agent-ranges.ts')
        const { createFetcher, fetchOnce } = await import('../../audit/probe/fetch/fetch.ts')
        const { identityOf } = await import('../../audit/identity.ts')
        const { baseUrl, testHosts } = await config()
        const fetcher = createFetcher({ ...identityOf(baseUrl), testHosts })
        const read = (url: string) => fetchOnce(fetcher, { url, maxBytes: 1024 * 1024 })
        try {
          process.exitCode = await renewRangesCommand(flags, { db, now, read }, terminal)
        } finally {
          await fetcher.close()
        }
      }),
    )

  program
    .command('logs')
    .argument('<files...>', 'access logs, also as gzip; - for standard input')
    .description('say which AI agents came, from the logs of a web server or CDN')
    .option('--domain <domain>', 'also store their requests, for the report of this domain')
    .option('--format <format>', 'combined, cloudfront or json (default: recognised)')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExit code: 0 the logs were read, 1 one of them could not be, or breaks off.',
    )
    .action(async (files, flags) => {
      const { logsCommand } = await import('../logs.ts')
      const { createFetchVerifier } = await import('../../attribution/fetches/verify-fetch.ts')
      if (flags.domain === undefined) {
        const { createAddressVerifier } = await import('../../attribution/agents/verify-address.ts')
        const { BUILT_IN_COPIES } = await import('../../attribution/agents/published-lists.ts')
        const ranges = createAddressVerifier(BUILT_IN_COPIES)
        const verifierFor = createFetchVerifier({
          ...{ addresses: async () => ranges, names: null, callers: null },
        })
        process.exitCode = await logsCommand(files, flags, { verifierFor, store: null }, terminal)
        return
      }
      await withDatabase(async (db) => {
        const { createAddressVerifiers } = await import('../../attribution/agents/callers.ts')
        const { createConfirmedNames } = await import('../../attribution/agents/confirmed-names.ts')
        const { createIntake } = await import('../../attribution/fetches/intake.ts')
        const { readDomain } = await import('../report.ts')
        const { createNameLookup } = await import('../../audit/probe/fetch/names.ts')
        const domain = readDomain(flags.domain)
        const { retentionMonths } = await config()
        const verifierFor = createFetchVerifier({
          addresses: createAddressVerifiers({ db, now }),
          names: createConfirmedNames(createNameLookup(), now),
          callers: null,
        })
        const intake = createIntake({ db, now, retentionMonths, verifierFor })
        const store = { domain, intake }
        process.exitCode = await logsCommand(files, flags, { verifierFor, store }, terminal)
      })
    })

  const report = program.command('report').description("maintain the report's totals")
  report
    .command('rebuild')
    .description(
      'compare the daily totals with the events and repair them; safe while the server runs',
    )
    .option('--domain <domain>', 'only this domain')
    .option('--dry-run', 'repair nothing; exit with code 1 if there are differences')
    .option('--json', 'print JSON')
    .action((flags) =>
      withDatabase(async (db) => {
        const { rebuildCommand } = await import('../report.ts')
        const { retentionMonths } = await config()
        const deps = { db, retentionMonths, now }
        process.exitCode = await rebuildCommand(flags, deps, terminal)
      }),
    )
  report
    .command('forget')
    .argument('<session_id>', "the merchant's session_id or the browser's visit_id")
    .description(
      'erase a session; its orders do not come back, but other events would if their sender repeats them',
    )
    .option('--domain <domain>', 'the domain of the session')
    .option('--json', 'print JSON')
    .action((id, flags) =>
      withDatabase(async (db) => {
        const { forgetCommand } = await import('../report.ts')
        process.exitCode = await forgetCommand(id, flags, db, terminal)
      }),
    )
  report
    .command('forget-logs')
    .description('forget what was counted from the logs of a domain; its events stay')
    .requiredOption('--domain <domain>', 'the domain of the logs')
    .option('--json', 'print JSON')
    .action((flags) =>
      withDatabase(async (db) => {
        const { forgetLogsCommand } = await import('../report.ts')
        await forgetLogsCommand(flags, db, terminal)
      }),
    )

  program
    .command('export')
    .description(
      'write the events of past months as Parquet files, for DuckDB, ClickHouse and others',
    )
    .requiredOption('--output <folder>', 'where month=2026-11/events.parquet and so on are written')
    .option('--months <months>', 'such as 2026-11 or 2026-01..2026-11 (default: all that are over)')
    .option('--domain <domain>', 'only the events of this domain')
    .option('--only-missing', 'leave the files that are there as they are')
    .option('--json', 'print JSON')
    .action((flags) =>
      withDatabase(async (db) => {
        const { exportCommand } = await import('../export/export.ts')
        await exportCommand(flags, { db, now }, terminal)
      }),
    )
}
