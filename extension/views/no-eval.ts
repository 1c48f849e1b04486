import * as z from 'zod'

// Extension pages may not evaluate text, and zod tries to: each page's log would hold a violation.
// Set before any schema is made (https://github.com/colinhacks/zod/issues/4461).
z.config({ jitless: true })
