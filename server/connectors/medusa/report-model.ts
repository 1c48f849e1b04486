import { model } from '@medusajs/framework/utils'

/** The reports that wait, and for a week those that do not. */
const reportModel = model.define('aisle_report', {
  id: model.text().primaryKey(),
  event: model.json(),
  tries: model.number().default(0),
  /** Null while it waits; `sent`, or why it was refused. */
  outcome: model.text().nullable(),
})

export { reportModel as AisleReport }
