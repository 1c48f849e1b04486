// Fills an empty shop: a country, two products, and a way to pay and to ship.
const { bootstrap, dummyPaymentHandler } = require('@vendure/core')
const { populate } = require('@vendure/core/cli')
const { config } = require('./vendure-config.js')

const initialData = {
  defaultLanguage: 'en',
  defaultZone: 'Americas',
  countries: [{ code: 'US', name: 'United States', zone: 'Americas' }],
  taxRates: [{ name: 'Standard', percentage: 0 }],
  shippingMethods: [{ name: 'Free', price: 0 }],
  paymentMethods: [
    {
      name: 'Invoice',
      handler: {
        code: dummyPaymentHandler.code,
        arguments: [{ name: 'automaticSettle', value: 'false' }],
      },
    },
  ],
  collections: [],
}

populate(() => bootstrap(config), initialData, `${__dirname}/products.csv`)
  .then((app) => app.close())
  .then(
    () => process.exit(0),
    (error) => {
      process.stderr.write(`${error.stack}\n`)
      process.exit(1)
    },
  )
