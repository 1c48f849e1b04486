import * as z from 'zod'

/** Whether the database accepts it as an id: anything else would make a query fail. */
export const isUuid = (text: string): boolean => z.uuid().safeParse(text).success
