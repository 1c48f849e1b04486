/** The id of an item in its place, the same in a checkout of official UCP and in its order. */
export const lineId = (index: number): string => `li_${index + 1}`
