/** The id of an order's line, by its index; it is that of the checkout's line as well. */
export const lineId = (index: number): string => `li_${index + 1}`
