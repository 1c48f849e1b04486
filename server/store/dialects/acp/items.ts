import type { CheckoutItem } from '../../../../shared/protocols/ucp.ts'
import type { Db } from '../../../db/connect.ts'
import type { SessionItem } from '../../db/tables.ts'
import { type Inventory, inventoryOfIds, itemOfId } from '../../shop/inventory.ts'
import type { AcpFault } from './answers.ts'
import type { AskedItem } from './requests.ts'

/** The id that agents know an item by: the variant's, or the product's where it has none. */
export const itemIdOf = ({ product_id, variant_id }: SessionItem): string =>
  variant_id ?? product_id

/** There is one line for each item, so that its id stays the same over updates. */
export const lineIdOf = (itemId: string): string => `li_${itemId}`

const idAsked = (line: AskedItem): string => ('item' in line ? line.item.id : line.id)

/** The ids of what an agent asks for, as it sent them. */
export const idsAsked = (asked: readonly AskedItem[]): string[] => asked.map(idAsked)

/** What an agent asks for, each item once; or the error of the first one that is not sold. */
export async function findAcpItems(
  db: Db,
  asked: readonly AskedItem[],
): Promise<{ items: CheckoutItem[] } | { fault: AcpFault }> {
  return readAcpItems(asked, await inventoryOfIds(db, idsAsked(asked)))
}

/** `findAcpItems` in an inventory that is there already. */
export function readAcpItems(
  asked: readonly AskedItem[],
  inventory: Inventory,
): { items: CheckoutItem[] } | { fault: AcpFault } {
  const items = new Map<string, CheckoutItem>()
  for (const [at, line] of asked.entries()) {
    const id = idAsked(line)
    const found = inventory.findOffer(id)
    if (found?.offer === undefined) {
      const message =
        found === undefined
          ? 'The catalog has no such item. Read the catalog again.'
          : 'The product comes in several versions. Send the id of one of its variants.'
      const param = `$.line_items[${at}]${'item' in line ? '.item' : ''}.id`
      return { fault: { status: 400, code: 'invalid_item_id', message, param } }
    }
    const quantity = (items.get(id)?.quantity ?? 0) + (line.quantity ?? 1)
    items.set(id, itemOfId(inventory, id, quantity))
  }
  return { items: [...items.values()] }
}
