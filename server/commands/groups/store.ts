import type { Command } from 'commander'
import { FEED_FORMATS } from '../../store/shop/feeds/formats.ts'
import { ORDER_MOVES } from '../store/order-moves.ts'
import { addSigningKeys } from './signing-keys.ts'
import type { Surroundings } from './surroundings.ts'

/** The commands for the reference store. */
export function addStoreCommands(
  program: Command,
  { terminal, config, env, now, withStore }: Surroundings,
): void {
  const store = program.command('store').description('the reference store')
  store
    .command('faults')
    .description('list the faults that the store can simulate')
    .option('--json', 'print JSON')
    .action(async (flags) => {
      const { storeFaultsCommand } = await import('../store/store.ts')
      storeFaultsCommand(flags, terminal)
    })
  store
    .command('orders')
    .description('list the newest orders')
    .option('--disputed', 'only those that a person must review')
    .option('--json', 'print JSON')
    .action((flags) =>
      withStore(async (db) => {
        const { listOrdersCommand } = await import('../store/orders.ts')
        await listOrdersCommand(flags, db, terminal)
      }),
    )
  store
    .command('reviews')
    .description('list the payments that a person must review, and why')
    .option('--json', 'print JSON')
    .action((flags) =>
      withStore(async (db) => {
        const { listReviewsCommand } = await import('../store/reviews.ts')
        await listReviewsCommand(flags, db, terminal)
      }),
    )
  store
    .command('reviewed')
    .argument('<id>', 'the id of a payment or an order, see aisle store reviews')
    .description('close what a person has reviewed')
    .action((id) =>
      withStore(async (db) => {
        const { reviewedCommand } = await import('../store/reviews.ts')
        await reviewedCommand(id, { db, now }, terminal)
      }),
    )
  store
    .command('feed')
    .description('write the catalog as a product feed, ready to be uploaded')
    .requiredOption('--format <name>', `one of ${FEED_FORMATS.join(', ')}`)
    .option('--gzip', 'compress it')
    .option('--out <file>', 'the file to write; replaced only when the feed is complete')
    .option('--origin <url>', 'where the store is served; default: the first of STORE_HOSTS')
    .action(async (flags) => {
      const { readFeedFlags, storeFeedCommand } = await import('../store/feed.ts')
      const { readStoreConfig } = await import('../../store/config.ts')
      const asked = readFeedFlags(flags, readStoreConfig(env))
      await withStore((db) => storeFeedCommand(asked, { db, now }, terminal))
    })
  addSigningKeys(store, {
    whose: 'the keys that the store signs its messages with',
    where: 'its official profile publishes',
    rings: async () => {
      const { sealerOf } = await import('../../db/sealing/seal.ts')
      const { storeKeys } = await import('../../store/signatures/store-keys.ts')
      return [storeKeys(sealerOf(await config()))]
    },
    withDb: withStore,
    now,
    terminal,
  })
  for (const [command, { description, to }] of Object.entries(ORDER_MOVES)) {
    const move = store
      .command(command)
      .argument('<order>', 'the id of the order, see aisle store orders')
      .description(description)
      .option('--json', 'print JSON')
      .action((id, flags) =>
        withStore(async (db) => {
          const { moveOrderCommand } = await import('../store/orders.ts')
          await moveOrderCommand(id, to, flags, db, terminal)
        }),
      )
    if (to !== 'shipped') continue
    move
      .option('--tracking <number>', 'tracking number')
      .option('--carrier <name>', 'shipping carrier')
      .option('--tracking-url <url>', 'URL of the tracking page')
  }
  store
    .command('refund')
    .argument('<order>', 'the id of the order, see aisle store orders')
    .description('refund an order, or a part of it, and send webhooks')
    .option(
      '--amount <amount>',
      'such as 12.50, in the currency of the order (default: what is left)',
    )
    .option('--reason <text>', 'why, for your own records')
    .option('--key <key>', 'repeat a command with the same key to refund once only')
    .option('--json', 'print JSON')
    .action((id, flags) =>
      withStore(async (db) => {
        const { refundOrderCommand } = await import('../store/refund.ts')
        await refundOrderCommand(id, flags, db, terminal)
      }),
    )
}
