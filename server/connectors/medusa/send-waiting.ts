import type { MedusaContainer } from '@medusajs/framework/types'
import { aisleOf, noteMissed } from './orders.ts'

/** Sends what waits, once a minute. */
export default async function sendWaitingReports(container: MedusaContainer): Promise<void> {
  const aisle = aisleOf(container)
  await noteMissed(container)
  await aisle.forgetOld(Date.now())
  await aisle.send()
}

const scheduled = { name: 'aisle-send-waiting', schedule: '* * * * *' }

export { scheduled as config }
