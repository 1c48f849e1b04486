import { type Command, Option } from 'commander'
import { printable } from '../../../shared/web/text/printable.ts'
import { STDOUT } from '../../process/output.ts'
import { formatsInWords } from '../formats/formats.ts'
import type { CommandReport } from '../formats/report.ts'
import { signalled } from '../terminal/signalled.ts'
import { HEADER } from './header-option.ts'
import type { Surroundings } from './surroundings.ts'

/** The flags of commands whose result is for people and programs. */
const withFormats = <Made extends Command>(name: CommandReport['command'], command: Made): Made =>
  command
    .option('--json', 'the same as --format json')
    .option('--format <format>', `${formatsInWords(name)} (default: text)`)
    .option(
      '--output <file>',
      'write it to a file; several, each with its own --output, have formats by their endings',
      (file: string, files: string[] = []) => [...files, file],
    )

/** The requests to stores, without a server. */
export function addAuditCommands(
  program: Command,
  { version, terminal, config, env, runner, now }: Surroundings,
): void {
  withFormats(
    'audit',
    program
      .command('audit')
      .argument('[domains...]', 'such as shop.example; left out: those of aisle.json')
      .description('audit stores from here, without a server'),
  )
    .option('--checks <names>', 'a comma-separated list, such as catalog,checkout')
    .option(
      '--config <file>',
      'what else to ask of the stores (default: aisle.json, if there is one)',
    )
    .option('--fail-under <score>', 'exit with code 1 if a score is lower')
    .option(
      '--fail-on <severity>',
      'exit with code 1 at a gap of this severity or worse: critical, high, medium, low or none',
    )
    .option('--baseline <file or url>', 'an earlier result as JSON: only new gaps exit with code 1')
    .option(
      '--agents',
      'also ask for its pages in the names of AI agents (up to 54 requests); for your own store',
    )
    .option(
      '--deep',
      'read all of its catalog, up to 2,000 pages or 100,000 products; for your own store',
    )
    .option('--deadline <minutes>', 'how long --deep may take (default: 30)')
    .option(...HEADER)
    .option('--walk <file>', 'judge the checkout by this transcript of aisle walk as well')
    .addHelpText(
      'after',
      '\nExit code: 0 each store is as good as was asked for, 1 one is not, 2 one could not be audited.',
    )
    .action(async (domains, flags) => {
      const { auditCommand } = await import('../audit.ts')
      const deps = { config: await config(), runner, now }
      process.exitCode = await auditCommand(domains, flags, deps, terminal)
    })

  program
    .command('explain')
    .argument('[gap]', 'such as checkout_price_mismatch; left out: all are listed')
    .description('say what a gap means, why it matters and how to fix it')
    .option('--json', 'print JSON')
    .action(async (gap, flags) => {
      const { explainCommand } = await import('../explain.ts')
      explainCommand(gap, flags, terminal)
    })

  program
    .command('specs')
    .description('what Aisle leans on: versions, schemas and vendors’ pages')
    .command('check')
    .description('compare what is published with what this version holds')
    .option('--offline', 'ask nothing: say what is held, of when, and what is old')
    .option('--record <file>', 'write what is there now, with its digests')
    .option('--held <file>', 'compare with a list that --record wrote')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExit code: 0 nothing moved, 1 something moved, 2 nothing could be reached.',
    )
    .action(async (flags) => {
      const { specsCommand } = await import('../specs/specs.ts')
      const { createFetcher } = await import('../../audit/probe/fetch/fetch.ts')
      const { identityOf } = await import('../../audit/identity.ts')
      const { baseUrl, testHosts } = await config()
      const fetcher = createFetcher({ ...identityOf(baseUrl), testHosts })
      try {
        process.exitCode = await specsCommand(flags, { fetcher, now }, terminal)
      } finally {
        await fetcher.close()
      }
    })

  withFormats(
    'walk',
    program
      .command('walk')
      .argument('[domain]', 'such as shop.example; left out with --replay: that of the transcript')
      .description(
        'make purchases in your own store as AI agents do, and see where they stop; opens real checkouts and cancels them',
      ),
  )
    .option('--yes-open-sessions', 'agree that checkouts are opened in the store (mode look)')
    .option('--intent <names>', 'a comma-separated list; default: all of the mode')
    .option('--intents', 'list the intents')
    .option(
      '--mode <mode>',
      'look pays nothing; sandbox pays with a token of your test PSP (default: look)',
    )
    .option('--dialect <names>', 'only these of the protocols that the store speaks')
    .option('--item <id>', 'buy this product or variant, as for a store without a catalog or feed')
    .option('--token-env <name>', 'the environment variable with a token that is charged')
    .option('--declined-token-env <name>', 'with a token that is declined')
    .option('--challenged-token-env <name>', 'with a token that the bank wants to confirm')
    .option('--agent-key-env <name>', 'with the key that the store wants of agents')
    .option(...HEADER)
    .option('--token <token>', 'the token itself: other users of this machine can see it')
    .option('--declined-token <token>', 'the same')
    .option('--challenged-token <token>', 'the same')
    .option('--agent-key <key>', 'the same')
    .addOption(new Option('--out <file>', 'the older name of --output').hideHelp())
    .option(
      '--pages',
      'with a browser, through the pages of the store, from the product page given',
    )
    .option(
      '--tools',
      'with a browser, list the tools that the page given offers to agents (WebMCP), and call those that only read',
    )
    .option('--pictures <folder>', 'save a picture of each page that the browser opens')
    .option('--replay <file>', 'walk as in this transcript, and show what has changed')
    .addHelpText(
      'after',
      '\nExit code: 0 no purchase failed, 1 one failed by a fault of the store, 2 it could not be walked.',
    )
    .action(async (domain, flags) => {
      const { openLocalShops } = await import('../local-shops.ts')
      const at = await config()
      const testHosts = [...at.testHosts]
      const closeShops = await openLocalShops(domain ? [domain] : [], testHosts, terminal)
      const stopping = new AbortController()
      void signalled().then(() => {
        stopping.abort()
        terminal.endProgress()
        terminal.remark(printable`Stopping: what is open is cancelled first.`)
      })
      // The other purchases would not be seen.
      void STDOUT.lost.then(() => stopping.abort())
      if (flags.pages || flags.tools) {
        const { pagesCommand } = await import('../walk/pages.ts')
        const { toolsCommand } = await import('../walk/webmcp.ts')
        const { createBrowsers, findBrowser } = await import('../../audit/browser/browser.ts')
        const { walkIdentityOf } = await import('../../audit/identity.ts')
        const { userAgent } = walkIdentityOf(at.baseUrl)
        const browsers = createBrowsers({ path: findBrowser(at.browser), userAgent, testHosts })
        try {
          const deps = { browsers, signal: stopping.signal }
          const command = flags.tools ? toolsCommand : pagesCommand
          process.exitCode = await command(domain, flags, deps, terminal)
        } finally {
          await browsers.close()
          await closeShops()
        }
        return
      }
      const { walkCommand } = await import('../walk/walk.ts')
      const { openWalkNetwork } = await import('../walk/walk-network.ts')
      const { createJudgesAtHand } = await import('../../audit/judging/judges-at-hand.ts')
      const { settingsOf } = await import('../../process/settings.ts')
      const { endsShut, openSigner, remarkUnsigned } = await import('../signing.ts')
      const judges = createJudgesAtHand()
      const { signer, close: closeSigner } = await openSigner(at, now)
      const { createBrowsers, findBrowser } = await import('../../audit/browser/browser.ts')
      const { walkIdentityOf } = await import('../../audit/identity.ts')
      const { keepPictures } = await import('../walk/keep-pictures.ts')
      const { userAgent } = walkIdentityOf(at.baseUrl)
      const browsers = createBrowsers({ path: findBrowser(at.browser), userAgent, testHosts })
      const keepPicture = flags.pictures === undefined ? null : await keepPictures(flags.pictures)
      const handOver = { browsers, keepPicture }
      const network = openWalkNetwork({ ...at, testHosts }, { judges, signer, handOver })
      const { secret } = settingsOf(env)
      try {
        const walk: typeof network.walk = async (order, hooks) => {
          const transcript = await network.walk(order, hooks)
          if (signer === null && endsShut(transcript)) remarkUnsigned(terminal)
          return transcript
        }
        const deps = { ...network, walk, secret, runner, signal: stopping.signal }
        process.exitCode = await walkCommand(domain, flags, deps, terminal)
      } finally {
        await network.close()
        await browsers.close()
        await judges.close()
        await closeShops()
        await closeSigner()
      }
    })

  withFormats(
    'validate',
    program
      .command('validate')
      .argument(
        '<file or url>',
        'a manifest file, - for standard input, or the URL of a published manifest',
      )
      .description('validate a manifest: version 1.0 or an official UCP profile')
      .option(...HEADER),
  )
    .addHelpText(
      'after',
      '\nExit code: 0 the manifest is valid, 1 it is not, 2 it could not be read.',
    )
    .action(async (source, flags) => {
      const { validateCommand } = await import('../validate.ts')
      const deps = { config: await config(), runner, now }
      process.exitCode = await validateCommand(source, flags, deps, terminal)
    })

  program
    .command('mcp')
    .description('offer the tools to an assistant, over MCP on stdin and stdout')
    .option('--domain <domain>', 'the store that the headers of --header are for')
    .option(...HEADER)
    .action(async (flags) => {
      const { mcpCommand, readMcpAccess } = await import('../mcp/mcp.ts')
      const access = readMcpAccess(flags)
      const { PROTOCOL_STREAMS } = await import('../../process/output.ts')
      const stopping = new AbortController()
      void signalled().then(() => stopping.abort())
      const { openSigner } = await import('../signing.ts')
      const settings = await config()
      const { signer, close } = await openSigner(settings, now)
      const deps = { config: settings, version, access, signer }
      await mcpCommand(PROTOCOL_STREAMS, deps, terminal, stopping.signal).finally(close)
    })

  program
    .command('manifest')
    .argument('<domain>', 'such as shop.example')
    .description('print the file for /.well-known/ucp')
    .requiredOption('--catalog <url>', 'where the catalog is')
    .requiredOption('--checkout <url>', 'where carts are created')
    .option('--shipping <url>', 'where shipping is priced before confirmation')
    .option('--orders <url>', 'where the status of an order is')
    .option('--search', 'the catalog takes ?q=')
    .option('--filters <list>', 'parameters that the catalog takes, such as category,min_price')
    .option('--payment-methods <list>', 'such as card,paypal')
    .option('--format <format>', '1.0, or ucp for an official UCP profile')
    .action(async (domain, flags) => {
      const { manifestCommand } = await import('../manifest.ts')
      manifestCommand(domain, flags, terminal)
    })
}
