import { type Printable, printable } from '../../shared/web/text/printable.ts'
import { STDERR, STDOUT } from '../process/output.ts'
import { runUntilSignal } from '../process/until-signal.ts'
import { type PspConfig, readStoreConfig, takesRealMoney } from './config.ts'
import { serveStore } from './serve.ts'

const complain = (error: unknown, of: Printable = printable``) =>
  STDERR.line(printable`${of}${describe(error)}`)

const PSP_WORDS = { stripe: 'Stripe', razorpay: 'Razorpay', test: 'the test PSP' }

// Unspecified: production accepts the keys of a PSP's test mode, for a shop that is tried out
// before it opens. The first log line says that no money is taken.
const paymentsIn = (payments: PspConfig): string => {
  if (takesRealMoney(payments)) return PSP_WORDS[payments.psp]
  const mode = payments.psp === 'test' ? '' : ', in test mode'
  return `${PSP_WORDS[payments.psp]}${mode}, which takes no money`
}

await runUntilSignal(
  process.env,
  async () => {
    const config = readStoreConfig(process.env)
    const store = await serveStore(config, (error, requestId) =>
      complain(error, requestId === undefined ? undefined : printable`request ${requestId}: `),
    )
    return { ...store, host: config.host, payments: paymentsIn(config.payments) }
  },
  {
    started: ({ host, port, payments }) =>
      STDOUT.line(
        printable`The reference store is on http://${host}:${port} (payments: ${payments})`,
      ),
    stopping: () => {},
    failed: complain,
  },
)

/**
 * The message of a failed query contains its parameters, which may be personal data of a buyer:
 * only its cause is printed.
 */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return 'Something failed.'
  const { cause } = error
  return cause instanceof Error
    ? `${cause.name}: ${cause.message}`
    : `${error.name}: ${error.message}`
}
