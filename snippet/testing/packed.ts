import { pack } from '../pack.ts'

/** What the build does in the bundle: import it before what reads PACKED. */
Object.assign(globalThis, { PACKED: pack() })
