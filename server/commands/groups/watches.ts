import type { Command } from 'commander'
import type { WatchesDeps } from '../watches/watches.ts'
import type { Surroundings } from './surroundings.ts'

/** The commands for watched domains and their incidents. */
export function addWatchCommands(
  program: Command,
  { terminal, config, now, withDatabase }: Surroundings,
): void {
  const withWatches = (work: (deps: WatchesDeps) => Promise<void>) =>
    withDatabase(async (db) => work({ db, now, baseUrl: (await config()).baseUrl }))
  const listWatches = (flags: { json?: true }) =>
    withWatches(async (deps) => {
      const { listWatchesCommand } = await import('../watches/watches.ts')
      await listWatchesCommand(flags, deps, terminal)
    })
  const watches = program
    .command('watches')
    .argument('[command]')
    .usage('[options] [command]')
    .description('domains that the service audits regularly; without a command, list them')
    .option('--json', 'print JSON')
    .helpCommand(true)
    .enablePositionalOptions()
    .action((typed, flags, group) => {
      if (typed !== undefined) group.refuseName(typed)
      return listWatches(flags)
    })
  /** The settings of a watch. */
  const withSettings = (command: Command): Command =>
    command
      .option('--period <period>', 'hourly, six_hourly, daily or weekly')
      .option(
        '--severity <severity>',
        'the least severity that sends an alert: critical, high, medium, low',
      )
      .option('--checks <names>', 'a comma-separated list, such as catalog,checkout')
      .option('--quiet-hours <hours>', 'when no alert is sent, such as 22:00-07:00; none: never')
      .option('--time-zone <zone>', 'of quiet hours and digests, such as Europe/Berlin')
      .option('--tags <list>', 'comma-separated words of your own')
      .option('--walk', 'make whole purchases up to the payment as well')
      .option('--no-walk', 'make none')
      .option('--report', 'say in alerts and digests what orders show')
      .option('--no-report', 'do not say it')
      .option('--json', 'print JSON')
  watches
    .command('list')
    .description('list them, with their last audit and their settings')
    .option('--json', 'print JSON')
    .action(listWatches)
  withSettings(
    watches
      .command('add')
      .argument('<domain>', 'such as shop.example')
      .description('watch a domain; left out: hourly, alerts from high on, no walks'),
  ).action((domain, flags) =>
    withWatches(async (deps) => {
      const { addWatchCommand } = await import('../watches/watches.ts')
      await addWatchCommand(domain, flags, deps, terminal)
    }),
  )
  withSettings(
    watches
      .command('change')
      .argument('<domain>', 'such as shop.example')
      .description('change how a domain is watched; what is left out stays'),
  ).action((domain, flags) =>
    withWatches(async (deps) => {
      const { changeWatchCommand } = await import('../watches/watches.ts')
      await changeWatchCommand(domain, flags, deps, terminal)
    }),
  )
  for (const [command, paused, description] of [
    ['pause', true, 'stop audits and alerts until it is resumed'],
    ['resume', false, 'start audits and alerts again'],
  ] as const) {
    watches
      .command(command)
      .argument('<domain>', 'such as shop.example')
      .description(description)
      .option('--json', 'print JSON')
      .action((domain, flags) =>
        withWatches(async (deps) => {
          const { pauseWatchCommand } = await import('../watches/watches.ts')
          await pauseWatchCommand(domain, paused, flags, deps, terminal)
        }),
      )
  }
  watches
    .command('look')
    .argument('<domain>', 'such as shop.example')
    .description('have the running service audit it now')
    .option('--json', 'print JSON')
    .action((domain, flags) =>
      withWatches(async (deps) => {
        const { lookCommand } = await import('../watches/watches.ts')
        await lookCommand(domain, flags, deps, terminal)
      }),
    )
  watches
    .command('delete')
    .argument('<domain>', 'such as shop.example')
    .description('end a watch, and delete its channels and its public status page')
    .option('--json', 'print JSON')
    .action((domain, flags) =>
      withWatches(async (deps) => {
        const { deleteWatchCommand } = await import('../watches/watches.ts')
        await deleteWatchCommand(domain, flags, deps, terminal)
      }),
    )
  watches
    .command('apply')
    .description(
      'watch the domains of aisle.json as its "watch" says; run again, it changes nothing',
    )
    .option('--config <file>', 'another file than aisle.json')
    .option('--dry-run', 'say what would be done, and do nothing')
    .option('--json', 'print JSON')
    .action((flags) =>
      withWatches(async (deps) => {
        const { applyWatchesCommand } = await import('../watches/apply.ts')
        await applyWatchesCommand(flags, deps, terminal)
      }),
    )
  program
    .command('incidents')
    .argument('[domain]', 'such as shop.example; left out: all that are watched')
    .description('list open incidents of watched domains, the worst first')
    .option('--all', 'those that are closed as well')
    .option('--json', 'print JSON')
    .action((domain, flags) =>
      withDatabase(async (db) => {
        const { incidentsCommand } = await import('../watches/incidents.ts')
        await incidentsCommand(domain, flags, { db }, terminal)
      }),
    )
}
