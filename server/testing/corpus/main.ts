import { Command } from 'commander'
import { printable, printableError, printableJson } from '../../../shared/web/text/printable.ts'
import { STDERR, STDOUT } from '../../process/output.ts'
import { runCorpus } from './pages.ts'
import { runProfileCorpus } from './profiles.ts'
import { auditServed, describeServed, summarizeServed, WAYS } from './served.ts'

// `npm run corpus` and `npm run corpus:served`: only development uses them.

const program = new Command('corpus')

program
  .command('pages')
  .argument('<folder>', 'a folder with pages/, profiles/ and acp/')
  .description('score the readers on real pages, next to extruct, and on profiles')
  .option('--extruct <python>', 'a Python interpreter that has extruct (default: python3)')
  .option('--json', 'print JSON')
  .action(async (folder, flags) => {
    const write = unlessJson(flags)
    const interpreter = { python: flags.extruct ?? 'python3', required: 'extruct' in flags }
    const pages = await runCorpus(folder, write, interpreter)
    const profiles = await runProfileCorpus(folder, write)
    if (flags.json) STDOUT.line(printableJson({ pages, profiles }))
  })

program
  .command('served')
  .argument('<folder>', 'a folder with pages/')
  .option('--json', 'print JSON')
  .description('serve real pages at their own addresses, and audit the store of each')
  .action(async (folder, flags) => {
    const write = unlessJson(flags)
    const pages = await auditServed(folder, WAYS, (page) => describeServed(page).forEach(write))
    STDOUT.line(flags.json ? printableJson(pages) : printable`${summarizeServed(pages)}`)
  })

const unlessJson = (flags: { json?: true }) => (line: string) => {
  if (!flags.json) STDOUT.line(printable`${line}`)
}

try {
  await program.parseAsync()
} catch (error) {
  STDERR.line(printableError(error))
  process.exitCode = 2
}
