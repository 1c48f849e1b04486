import * as z from 'zod'

// Extension pages may not evaluate text, and zod would try: each page's log would hold a violation.
z.config({ jitless: true })
