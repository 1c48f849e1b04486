import { Column, CreateDateColumn, Entity, PrimaryColumn } from 'typeorm'

/** The reports that wait, and for a week those that do not. */
export class AisleReportEntity {
  id = ''
  /** The event as JSON. */
  event = ''
  tries = 0
  /** Null while it waits; `sent`, or why it was refused. */
  outcome: string | null = null
  createdAt = new Date()
}

// Decorators as calls: the types of the columns are said, so that nothing has to be emitted.
const { prototype } = AisleReportEntity
Entity('aisle_report')(AisleReportEntity)
PrimaryColumn({ type: 'varchar', length: 190 })(prototype, 'id')
Column({ type: 'text' })(prototype, 'event')
Column({ type: 'int', default: 0 })(prototype, 'tries')
Column({ type: 'text', nullable: true })(prototype, 'outcome')
CreateDateColumn()(prototype, 'createdAt')
