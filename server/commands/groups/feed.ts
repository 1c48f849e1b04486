import type { Command } from 'commander'
import { DESTINATION_NAMES } from '../../../shared/audit/checks/feed/vendors/destinations.ts'
import { HEADER } from './header-option.ts'
import type { Surroundings } from './surroundings.ts'

/** The commands for the product feed of any store. */
export function addFeedCommands(program: Command, { terminal, config, now }: Surroundings): void {
  const feed = program.command('feed').description('product feeds, before they are uploaded')
  feed
    .command('check')
    .argument('<file or url>', 'RSS, Atom, TSV, CSV, JSON Lines, each also as gzip, or Parquet')
    .description('say which products each destination would leave out, and why')
    .option('--for <names>', `a comma-separated list (default: ${DESTINATION_NAMES.join(',')})`)
    .option('--products <file>', 'write each product that would be left out as a line of JSON')
    .option('--compare [n]', 'compare n products with their pages and the catalog (default: 10)')
    .option('--shop <domain>', 'the shop to compare with (default: where the products lead to)')
    .option(...HEADER)
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExit code: 0 every product would be listed, 1 some would be left out or differ from the shop, 2 there was no feed to read.',
    )
    .action(async (source, flags) => {
      const { feedCheckCommand } = await import('../feed/check.ts')
      const { keepMemorySteady } = await import('../terminal/steady-memory.ts')
      const deps = { terminal, now, keepSteady: keepMemorySteady() }
      process.exitCode = await feedCheckCommand(source, flags, await config(), deps)
    })
}
