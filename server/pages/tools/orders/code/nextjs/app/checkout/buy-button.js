'use client'

/** The id of the visit, as long as the tag may keep it: without consent it is not in the storage. */
function keptVisit() {
  try {
    window.aisle.session()
    return JSON.parse(sessionStorage.getItem('aisle')).id
  } catch {
    return undefined
  }
}

export function BuyButton({ cart }) {
  async function buy() {
    const visit = keptVisit()
    const answer = await fetch('/api/orders', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...(visit && { 'Aisle-Visit': visit }) },
      body: JSON.stringify(cart),
    })
    const order = await answer.json()
    location.assign(`/thanks?order=${order.id}`)
  }
  return (
    <button type="button" onClick={buy}>
      Buy
    </button>
  )
}
