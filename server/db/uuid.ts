import * as z from 'zod'

/** Whether the database takes it for an id: anything else is none, and would make a query fail. */
export const isUuid = (text: string): boolean => z.uuid().safeParse(text).success
