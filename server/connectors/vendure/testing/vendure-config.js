// A shop of Vendure on Postgres, as a merchant's own would be.
const core = require('@vendure/core')

const { DATABASE_URL, PORT } = process.env

exports.config = {
  apiOptions: { port: Number(PORT), adminApiPath: 'admin-api', shopApiPath: 'shop-api' },
  authOptions: {
    tokenMethod: 'bearer',
    superadminCredentials: { identifier: 'superadmin', password: 'superadmin' },
  },
  dbConnectionOptions: { type: 'postgres', url: DATABASE_URL, synchronize: true, logging: false },
  paymentOptions: { paymentMethodHandlers: [core.dummyPaymentHandler] },
  plugins: [
    core.DefaultJobQueuePlugin.init({ pollInterval: 200 }),
    core.DefaultSchedulerPlugin.init({}),
    require('./aisle'),
  ],
}
