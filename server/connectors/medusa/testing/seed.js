// Run by "medusa exec" in a shop without data: a region, two products, stock, and keys. It prints
// what a test needs as one line of JSON.
const { ContainerRegistrationKeys, Modules } = require('@medusajs/framework/utils')
const flows = require('@medusajs/medusa/core-flows')

module.exports.default = async function seed({ container }) {
  const link = container.resolve(ContainerRegistrationKeys.LINK)
  const run = async (flow, input) => (await flow(container).run({ input })).result
  const [channel] = await run(flows.createSalesChannelsWorkflow, {
    salesChannelsData: [{ name: 'Storefront' }],
  })
  const stores = container.resolve(Modules.STORE)
  const [store] = await stores.listStores()
  await run(flows.updateStoresWorkflow, {
    selector: { id: store.id },
    update: {
      default_sales_channel_id: channel.id,
      supported_currencies: [{ currency_code: 'usd', is_default: true }],
    },
  })
  const [region] = await run(flows.createRegionsWorkflow, {
    regions: [
      {
        name: 'US',
        currency_code: 'usd',
        countries: ['us'],
        payment_providers: ['pp_system_default'],
      },
    ],
  })
  const [place] = await run(flows.createStockLocationsWorkflow, {
    locations: [
      { name: 'Shed', address: { city: 'Denver', country_code: 'US', address_1: '1 Main St' } },
    ],
  })
  const at = { [Modules.STOCK_LOCATION]: { stock_location_id: place.id } }
  await link.create({
    ...at,
    [Modules.FULFILLMENT]: { fulfillment_provider_id: 'manual_manual' },
  })
  const fulfillment = container.resolve(Modules.FULFILLMENT)
  const [known] = await fulfillment.listShippingProfiles({ type: 'default' })
  const profile =
    known ?? (await fulfillment.createShippingProfiles({ name: 'Default', type: 'default' }))
  const set = await fulfillment.createFulfillmentSets({
    name: 'Denver',
    type: 'shipping',
    service_zones: [{ name: 'US', geo_zones: [{ country_code: 'us', type: 'country' }] }],
  })
  await link.create({ ...at, [Modules.FULFILLMENT]: { fulfillment_set_id: set.id } })
  const [shipping] = await run(flows.createShippingOptionsWorkflow, [
    {
      name: 'Free',
      price_type: 'flat',
      provider_id: 'manual_manual',
      service_zone_id: set.service_zones[0].id,
      shipping_profile_id: profile.id,
      type: { label: 'Free', description: 'Ships in two days.', code: 'free' },
      prices: [{ currency_code: 'usd', amount: 0 }],
    },
  ])
  await run(flows.linkSalesChannelsToStockLocationWorkflow, { id: place.id, add: [channel.id] })
  const [key] = await run(flows.createApiKeysWorkflow, {
    api_keys: [{ title: 'Storefront', type: 'publishable', created_by: '' }],
  })
  await run(flows.linkSalesChannelsToApiKeyWorkflow, { id: key.id, add: [channel.id] })

  const price = (amount) => [{ amount, currency_code: 'usd' }]
  const common = {
    status: 'published',
    shipping_profile_id: profile.id,
    sales_channels: [{ id: channel.id }],
  }
  await run(flows.createProductsWorkflow, {
    products: [
      {
        ...common,
        title: 'Trail Mug',
        handle: 'trail-mug',
        description: 'Steel, 350 ml.',
        options: [{ title: 'Size', values: ['350 ml'] }],
        variants: [
          { title: '350 ml', sku: 'MUG', options: { Size: '350 ml' }, prices: price(12.5) },
        ],
      },
      {
        ...common,
        title: 'Rain Jacket',
        handle: 'rain-jacket',
        description: 'Keeps out rain.',
        options: [{ title: 'Size', values: ['S', 'L'] }],
        variants: ['S', 'L'].map((size) => ({
          title: size,
          sku: `JACKET-${size}`,
          options: { Size: size },
          prices: price(179),
        })),
      },
    ],
  })
  const inventory = container.resolve(Modules.INVENTORY)
  const items = await inventory.listInventoryItems({ sku: ['MUG', 'JACKET-S'] })
  await run(flows.createInventoryLevelsWorkflow, {
    inventory_levels: items.map(({ id }) => ({
      location_id: place.id,
      inventory_item_id: id,
      stocked_quantity: 1000,
    })),
  })
  const users = await run(flows.createUsersWorkflow, {
    users: [{ email: 'admin@shop.example' }],
  })
  const secret = await run(flows.createApiKeysWorkflow, {
    api_keys: [{ title: 'Admin', type: 'secret', created_by: users[0].id }],
  })
  const found = {
    key: key.token,
    secret: secret[0].token,
    region: region.id,
    shipping: shipping.id,
  }
  process.stdout.write(`\nSEEDED ${JSON.stringify(found)}\n`)
}
