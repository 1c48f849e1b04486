import { chmodSync, existsSync } from 'node:fs'
import { bundle } from './bundler.ts'

await bundle(
  {
    main: 'server/main.ts',
    'store/main': 'server/store/main.ts',
    cli: 'server/cli.ts',
    'judging/worker': 'server/audit/judging/worker.ts',
  },
  'dist',
)
if (existsSync('dist/cli.js')) chmodSync('dist/cli.js', 0o755)
