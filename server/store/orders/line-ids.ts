/** The id of an item by its position, the same in a checkout of official UCP and in its order. */
export const lineId = (index: number): string => `li_${index + 1}`
