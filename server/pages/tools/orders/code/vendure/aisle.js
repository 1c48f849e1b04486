const { AislePlugin } = require('aisle-vendure')

module.exports = AislePlugin.init({
  url: process.env.AISLE_URL,
  key: process.env.AISLE_KEY,
  domain: 'shop.example',
  // Shows your products to agents. Leave it out, and nothing is published.
  catalog: {
    url: process.env.VENDURE_URL,
    productUrl: 'https://shop.example/products/{slug}',
  },
})
