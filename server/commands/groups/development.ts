import type { Command } from 'commander'
import type { Surroundings } from './surroundings.ts'

/** Commands of a checkout: they need the service, which packages do not have. */
export function addDevelopmentCommands(program: Command, { terminal, config }: Surroundings): void {
  program
    .command('demo')
    .description('run the service, the reference store and a broken variant of it, and audit both')
    .option('--once', 'exit after printing the audit reports')
    .option('--history', 'give the store two months of visits and orders, for its report')
    .action(async (flags) => {
      const { demoCommand } = await import('../demo/demo.ts')
      await demoCommand(flags, await config(), terminal)
    })
}
