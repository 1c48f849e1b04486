import type { Command } from 'commander'
import { printable, printableJson } from '../../../shared/web/printable.ts'
import type { Surroundings } from './surroundings.ts'

/** Commands of a checkout: they need the service, or folders that packages do not have. */
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

  program
    .command('corpus')
    .argument('<folder>', 'a folder with pages/, profiles/ and acp/')
    .description('score the readers on real pages, next to extruct, and on profiles')
    .option('--extruct <python>', 'a Python interpreter that has extruct (default: python3)')
    .option('--json', 'print JSON')
    .action(async (folder, flags) => {
      const { runCorpus } = await import('../../corpus/pages.ts')
      const { runProfileCorpus } = await import('../../corpus/profiles.ts')
      const write = (line: string) => {
        if (!flags.json) terminal.print(printable`${line}`)
      }
      const interpreter = { python: flags.extruct ?? 'python3', required: 'extruct' in flags }
      const pages = await runCorpus(folder, write, interpreter)
      const profiles = await runProfileCorpus(folder, write)
      if (flags.json) terminal.print(printableJson({ pages, profiles }))
    })

  program
    .command('corpus-served')
    .argument('<folder>', 'a folder with pages/')
    .option('--json', 'print JSON')
    .description('serve real pages at their own addresses, and audit the store of each')
    .action(async (folder, flags) => {
      const { auditServed, describeServed, summarizeServed, WAYS } = await import(
        '../../corpus/served.ts'
      )
      const pages = await auditServed(folder, WAYS, (page) => {
        if (flags.json) return
        for (const line of describeServed(page)) terminal.print(printable`${line}`)
      })
      terminal.print(flags.json ? printableJson(pages) : printable`${summarizeServed(pages)}`)
    })
}
