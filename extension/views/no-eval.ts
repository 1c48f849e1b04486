import * as z from 'zod'

// Extension pages may not evaluate text, and zod tries to: each page's log would show a violation.
// Must run before any schema is created (https://github.com/colinhacks/zod/issues/4461).
z.config({ jitless: true })
