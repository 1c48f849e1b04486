const visit = aisle.session()?.id
if (visit) await sdk.store.cart.update(cartId, { metadata: { aisle_visit: visit } })
